"""Looking for a table, and opening one."""

from secrets import SystemRandom, token_bytes

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_GET, require_http_methods

from games import lists
from games import lobby as tables
from games.chance import SEED_BYTES
from games.engine.cards import MAX_PLAYERS
from games.forms.lobby import NameForm, TableForm, WishForm, new_form_token
from games.models import Visibility
from games.refusal import Refused
from games.views.caching import fresh
from games.views.guests import sign_in_guest
from games.views.paging import part_of
from games.views.refusals import notice_of


@require_GET
@fresh
def lobby(request: HttpRequest) -> HttpResponse:
    """The public tables that wait for players, and seats at running ones that stand open; or the
    part of the page that changes, 204 where `seen` says that it has not."""
    form = WishForm(request.GET)
    wish = form.wish
    user = request.user if request.user.is_authenticated else None
    vacant = lists.vacant_games(wish, user)
    part = part_of(request, lists.open_tables(wish, user), "page")
    tag = lists.lobby_tag(part.rows, vacant, f"{part.number}.{part.count}")
    if request.GET.get("seen") == tag:
        return HttpResponse(status=204)
    query = request.GET.copy()
    query.pop("seen", None)
    context = {
        "tag": tag,
        "query": f"?{query.urlencode()}" if query else "",
        "form": form,
        "part": part,
        "tables": lists.listed(part.rows, user, timezone.now()),
        "vacant": vacant,
        "filtered": wish != lists.Wish(),
        "form_token": new_form_token(),
    }
    name = "games/lobby/lists.html" if "HX-Request" in request.headers else "games/lobby.html"
    return render(request, name, context)


@require_http_methods(["GET", "POST"])
@fresh
def new(request: HttpRequest) -> HttpResponse:
    """Open a table. A stranger gives a name, and becomes a guest."""
    if request.method == "GET":
        guests = request.GET.getlist("invite")[: MAX_PLAYERS - 1]
        form = TableForm(
            initial={"form_token": new_form_token(), "invited": "\n".join(guests)}
            | ({"visibility": Visibility.PRIVATE.value} if guests else {})
        )
        return render(request, "games/new.html", {"form": form, "name_form": NameForm()})
    form, name_form = TableForm(request.POST), NameForm(request.POST)
    user = request.user if request.user.is_authenticated else None
    if form.is_valid() and user is None:
        user = sign_in_guest(request, name_form)
    if user is None or not form.is_valid():
        context = {"form": form, "name_form": name_form}
        return render(request, "games/new.html", context, status=422)
    bots = form.bots
    SystemRandom().shuffle(bots)
    try:
        game = tables.open_table(
            host=user,
            plan=form.plan(bots, user.pk),
            seed=token_bytes(SEED_BYTES),
            now=timezone.now(),
            form_token=form.cleaned_data["form_token"],
        )
    except Refused as refusal:
        notice = notice_of(refusal.reason)
        form.add_error(None, f"{notice.title} {notice.text}")
        return render(request, "games/new.html", {"form": form}, status=notice.status)
    return redirect("games:table", game.public_id)
