"""A table: its page, the part of it that is fetched again, and what is said at it."""

from datetime import datetime
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from games import clocks, lists, play, ready, selectors, visits
from games.forms.table import AnswerForm, ReadForm
from games.models import Game, Status, Visibility
from games.refusal import Reason, Refused
from games.views import lobby, orders
from games.views.caching import fresh
from games.views.refusals import Notice, for_viewers, notice_of, refused
from games.views.together import together
from games.words import COSTLY, Bank, Confirmation, Presentation, confirmation, present
from games.words.halt import stands_still, without_result
from games.words.notices import notices


@require_GET
@fresh
def page(request: HttpRequest, public_id: str) -> HttpResponse:
    """The table, whole. Before the start it is the waiting room; for those who may take a seat that
    stands open, and may not watch, the door to that."""
    with for_viewers():
        game = selectors.find(public_id)
        if not game.has_begun:
            return lobby.waiting_room(request, game)
        try:
            return _table(request, game, "games/table.html")
        except selectors.Hidden:
            selectors.vacant(game, user_id=request.user.pk, link_token=request.GET.get("k", ""))
    door = reverse("games:take", args=[public_id])
    return redirect(f"{door}{lobby.link_query(request)}")


@require_GET
@fresh
def fragment(request: HttpRequest, public_id: str) -> HttpResponse:
    """The part of the page that changes; 204 where `seen` says that it has not."""
    with for_viewers():
        game = selectors.find(public_id)
        if not game.has_begun:
            return lobby.waiting_room(request, game)
        seen = request.GET.get("seen", "")
        if seen.startswith(lists.ROOM):
            # The game has begun, and the table is another page than the waiting room.
            url = f"{reverse('games:table', args=[public_id])}{lobby.link_query(request)}"
            return HttpResponse(status=204, headers={"HX-Redirect": url})
        return _table(request, game, "games/fragment.html", seen=seen)


@require_POST
@fresh
def answer(request: HttpRequest, public_id: str) -> HttpResponse:
    """Answer a question, whatever it is."""
    form = AnswerForm(request.POST)
    if not form.is_valid():
        return again(request, public_id, Notice(400, _("That is not an answer."), ""))
    if not form.cleaned_data["sure"] and (question := _second_thought(request, public_id, form)):
        return question
    try:
        play.answer(
            public_id=public_id,
            user_id=_user_id(request),
            prompt_id=form.cleaned_data["prompt"],
            command=form.command,
            now=timezone.now(),
        )
    except Refused as refusal:
        return again(
            request,
            public_id,
            notice_of(refusal.reason),
            since=form.cleaned_data["seen"] if refusal.reason is Reason.MOVED_ON else None,
        )
    if lines := form.cleaned_data["seen"]:
        visits.read(public_id=public_id, user_id=_user_id(request), lines=lines)
    return again(request, public_id, None)


@require_POST
@fresh
def leave(request: HttpRequest, public_id: str) -> HttpResponse:
    """Resign."""
    try:
        play.leave(public_id=public_id, user_id=_user_id(request), now=timezone.now())
    except Refused as refusal:
        return again(request, public_id, notice_of(refusal.reason))
    return again(request, public_id, None)


@require_POST
@fresh
def read(request: HttpRequest, public_id: str) -> HttpResponse:
    """A page is put away: so much of its log has been read."""
    form = ReadForm(request.POST)
    if not form.is_valid():
        return HttpResponseBadRequest()
    if request.user.pk is not None:
        visits.read(public_id=public_id, user_id=request.user.pk, lines=form.cleaned_data["lines"])
    return HttpResponse(status=204)


@require_POST
@fresh
def beat(request: HttpRequest, public_id: str) -> HttpResponse:
    """A player has this table before their eyes. Nobody else can tell."""
    if request.user.pk is not None:
        visits.see(public_id=public_id, user_id=request.user.pk, now=timezone.now())
    return HttpResponse(status=204)


@require_POST
@fresh
def time_out(request: HttpRequest, public_id: str) -> HttpResponse:
    """An open page has counted down to nothing: what is due there is due now, if clocks run.

    What came of it is fetched apart, and told to nobody here."""
    with for_viewers():
        game = selectors.find(public_id)
        if not selectors.may_see(game, request.user.pk, request.GET.get("k", "")):
            raise selectors.Hidden(exists=False)
    now = timezone.now()
    if clocks.run(now):
        apply = play.time_out if game.has_begun else ready.time_out
        apply(public_id=public_id, now=now)
    return HttpResponse(status=204)


def _second_thought(request: HttpRequest, public_id: str, form: AnswerForm) -> HttpResponse | None:
    """The table with the question whether a costly answer is meant, where the person wants it."""
    if form.command.verb not in COSTLY or not getattr(request.user, "confirm_costly", False):
        return None
    game = Game.objects.filter(public_id=public_id, status=Status.RUNNING).first()
    if game is None:
        return None
    try:
        table = selectors.table(game, user_id=request.user.pk)
    except selectors.Hidden:
        return None
    confirm = confirmation(table.view, table.names, form.command)
    if confirm is None or table.prompt_id != form.cleaned_data["prompt"]:
        return None
    return _show(request, table, _template(request), confirm=confirm)


def _user_id(request: HttpRequest) -> int:
    if request.user.pk is None:
        raise Refused(Reason.NOT_SEATED)
    return request.user.pk


def _whole_log(request: HttpRequest) -> bool:
    """Asked for by this address, or by that of the page of which this fetches a part."""
    return "log=all" in request.get_full_path() + request.headers.get("HX-Current-URL", "")


def _is_htmx(request: HttpRequest) -> bool:
    return bool(getattr(request, "htmx", False))


def _template(request: HttpRequest) -> str:
    """The part that htmx swaps, or the whole page."""
    return "games/fragment.html" if _is_htmx(request) else "games/table.html"


def again(
    request: HttpRequest, public_id: str, notice: Notice | None, since: int | None = None
) -> HttpResponse:
    """After a POST: the table as it is now, with what was refused and, `since`, what happened."""
    if notice is None and not _is_htmx(request):
        return redirect("games:table", public_id)
    try:
        game = selectors.find(public_id)
        if not game.has_begun:
            link_token = request.GET.get("k", "")
            secret = selectors.is_secret(game, request.user.pk, link_token)
            raise selectors.Hidden(exists=not secret)
        return _table(request, game, _template(request), notice=notice, since=since)
    except selectors.Hidden as hidden:
        if not hidden.exists:  # whatever was refused: that it is there is told to nobody
            notice = notice_of(Reason.NO_GAME)
        return refused(request, notice or notice_of(Reason.NOT_SEATED))


def _table(
    request: HttpRequest,
    game: Game,
    template: str,
    *,
    notice: Notice | None = None,
    since: int | None = None,
    seen: str = "",
) -> HttpResponse:
    link_token = request.GET.get("k", "")
    table = selectors.table(game, user_id=request.user.pk, link_token=link_token)
    if seen == table.tag:
        return HttpResponse(status=204)
    return _show(request, table, template, notice=notice, since=since)


def _door(request: HttpRequest, table: selectors.Table) -> str:
    """The link by which a newcomer finds the seat that stands open, for those who play to send."""
    if table.seat < 0 or table.game.visibility != Visibility.UNLISTED:
        return ""
    path = reverse("games:take", args=[table.public_id])
    return request.build_absolute_uri(f"{path}?{urlencode({'k': table.game.link_token})}")


def _show(
    request: HttpRequest,
    table: selectors.Table,
    template: str,
    *,
    notice: Notice | None = None,
    since: int | None = None,
    confirm: Confirmation | None = None,
) -> HttpResponse:
    now = timezone.now()
    presentation = _in_words(request, table, now)
    query = lobby.link_query(request)
    context = {
        "table": table,
        "socket": f"/ws/g/{table.public_id}/{query}",
        "link_query": query,
        "game": table.game,
        "orders": orders.rows(table),
        "together": together(table, now),
        "door": _door(request, table),
        "p": presentation,
        "stands_still": stands_still(table.game),
        "told": notices(table.game.notices),
        "notice": notice,
        "confirm": confirm,
        "meanwhile": [line for line in presentation.log if since and line.number > since],
    }
    return render(request, template, context, status=notice.status if notice else 200)


def _in_words(request: HttpRequest, table: selectors.Table, now: datetime) -> Presentation:
    bank = table.bank(now)
    return present(
        table.view,
        table.players,
        table.entries,
        table.ledger,
        now=now,
        opened=table.opened,
        due=table.my_due or table.deadline,
        bank=None if bank is None else Bank(bank, table.free_until),
        seat=table.seat,
        read_to=table.read_to,
        whole_log=_whole_log(request),
        without_result=without_result(table.game),
    )
