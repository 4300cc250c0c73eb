"""The first page, and the shortest ways to a question: a new game, or the next that waits."""

from secrets import SystemRandom, token_bytes

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_GET, require_POST

from games import lobby, selectors
from games.chance import SEED_BYTES
from games.forms_lobby import new_form_token
from games.models import BotKind, Visibility, Watch
from games.play import Refused
from games.timing import Pace
from games.views.guests import limit, sign_in_guest
from games.views.refusals import notice_of, refused

fresh = cache_control(private=True, no_store=True)


@require_GET
@fresh
def home(request: HttpRequest) -> HttpResponse:
    """What this is, for strangers; for those who play here, what waits for them."""
    if not request.user.is_authenticated:
        return render(request, "home.html", {"form_token": new_form_token()})
    return render(request, "home.html", {"form_token": new_form_token()})


@require_POST
def play_now(request: HttpRequest) -> HttpResponse:
    """One click from nothing to the table: a guest, if need be, and a game against three bots."""
    limit(request, "play_now")
    user = request.user if request.user.is_authenticated else sign_in_guest(request)
    assert user is not None
    bots = list(BotKind)
    SystemRandom().shuffle(bots)
    plan = lobby.Plan(
        size=1 + len(bots),
        pace=Pace.PRACTICE,
        bots=bots,
        visibility=Visibility.PRIVATE,
        watch=Watch.PLAYERS,
    )
    try:
        game = lobby.open_table(
            host=user,
            plan=plan,
            seed=token_bytes(SEED_BYTES),
            now=timezone.now(),
            form_token=request.POST.get("form_token", "")[:32],
        )
    except Refused as refusal:
        return refused(request, notice_of(refusal.reason))
    return redirect("games:table", game.public_id)


@require_GET
@fresh
def next_game(request: HttpRequest) -> HttpResponse:
    """To the game that has waited longest for me, other than the one I come from."""
    if not request.user.is_authenticated:
        return redirect("home")
    after = request.GET.get("after", "")
    public_id = selectors.next_waiting(request.user.pk, after=after)
    return redirect("games:table", public_id) if public_id else redirect("home")


@require_GET
@fresh
def waiting(request: HttpRequest) -> HttpResponse:
    """The count in the header, fetched again when it may have changed."""
    return render(request, "games/_waiting.html")
