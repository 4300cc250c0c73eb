"""The first page, and the shortest ways to a question: a new game, or the next that waits."""

from secrets import SystemRandom, token_bytes
from urllib.parse import urlsplit

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import Resolver404, resolve
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_GET, require_POST

from games import lists, lobby, selectors
from games.chance import SEED_BYTES
from games.engine.cards import Role
from games.forms.lobby import PlayForm, new_form_token
from games.models import BotKind, Visibility, Watch
from games.notify import history
from games.refusal import Refused
from games.timing import Pace
from games.views.caching import fresh
from games.views.dashboard import dashboard
from games.views.guests import limit, sign_in_guest
from games.views.refusals import notice_of, refused
from games.views.scene import scene
from games.words.marks import card

COURT = {
    Role.DUKE: _("Takes 3 coins. Stops foreign aid."),
    Role.ASSASSIN: _("For 3 coins, makes somebody lose a card."),
    Role.CAPTAIN: _("Takes 2 coins from somebody. Stops a Captain."),
    Role.AMBASSADOR: _("Changes cards with the deck. Stops a Captain."),
    Role.CONTESSA: _("Stops an Assassin."),
    Role.INQUISITOR: _("In some games: looks at a card, and may have it changed."),
}


@require_GET
@fresh
def home(request: HttpRequest) -> HttpResponse:
    """What this is, for strangers; for those who play here, their tables."""
    if request.user.is_authenticated:
        return dashboard(request, request.user)
    context = {
        "form_token": new_form_token(),
        "hero": [card(Role.CONTESSA), card(Role.DUKE)],
        "p": scene(timezone.now()),
        "court": [(card(role), text) for role, text in COURT.items()],
    }
    return render(request, "home.html", context)


@require_POST
def play_now(request: HttpRequest) -> HttpResponse:
    """One click from nothing to the table: a guest, if need be, and a game against three bots."""
    form = PlayForm(request.POST)
    if not form.is_valid():
        return render(request, "400.html", status=400)
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
            form_token=form.cleaned_data["form_token"],
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
    """The count in the header, fetched again when it may have changed. A page that shows the lists
    `shown` is told if they have changed."""
    response = render(request, "games/_waiting.html", {"after": _table_shown(request)})
    shown = request.GET.get("shown")
    if shown and request.user.is_authenticated:
        messages = shown.startswith(history.MESSAGES)
        tag = history.tag(request.user) if messages else lists.tag(request.user.pk)
        if shown != tag:
            response["HX-Trigger"] = "lists"
    return response


def _table_shown(request: HttpRequest) -> str:
    """The public id of the table whose page this is fetched for, if it is one's."""
    try:
        match = resolve(urlsplit(request.headers.get("Referer", "")).path)
    except (Resolver404, ValueError):
        return ""
    return str(match.kwargs.get("public_id", ""))
