"""The standing orders of a player: their list, what they did, and every change to them."""

from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import SafeString
from django.views.decorators.http import require_GET

from accounts.models import User
from games import orderbook, selectors, standing
from games.engine.commands import parse
from games.forms.orders import FORMS, ChangeForm, OrderForm
from games.models import OrderFiring, Status
from games.orders import Kind, Scope
from games.refusal import Reason, Refused
from games.views.caching import fresh
from games.views.lobby import by_person
from games.views.refusals import for_viewers, notice_of, refused
from games.words import orders as words
from games.words.answers import said


@dataclass(frozen=True, slots=True)
class Row:
    """An order on the list; `above` and `below` are the places next to its own."""

    number: int
    words: SafeString
    until: str
    on: bool
    why: str
    above: int
    below: int


@dataclass(frozen=True, slots=True)
class Fired:
    """What an order has said, or why it did not."""

    turn: int
    words: SafeString
    said: SafeString | str
    why: str


def rows(table: selectors.Table) -> list[Row]:
    """The viewer's list, in words."""
    return [
        Row(
            number=listed.order.pk,
            words=words.order(listed.order.what, table.names),
            until=words.until(Scope(listed.order.scope)),
            on=listed.order.active,
            why=words.why(listed.why),
            above=place - 1,
            below=place + 1,
        )
        for place, listed in enumerate(table.orders or ())
    ]


@require_GET
@fresh
def page(request: HttpRequest, public_id: str) -> HttpResponse:
    """The list, forms to add to it, and what it did. It writes nothing."""
    with for_viewers():
        game = selectors.find(public_id)
        if game.status not in (Status.RUNNING, Status.OVER):
            if not selectors.may_see(game, request.user.pk, ""):
                raise selectors.Hidden(exists=False)
            return redirect("games:table", public_id)
        table = selectors.table(game, user_id=request.user.pk)
    if table.seat < 0:
        return refused(request, notice_of(Reason.NOT_SEATED), public_id)
    return _show(request, table)


@by_person
def add(request: HttpRequest, user: User, public_id: str) -> HttpResponse:
    """Set an order; or show what it would say, where `do` asks for a preview."""
    try:
        kind = Kind(request.POST.get("kind", ""))
    except ValueError:
        return render(request, "400.html", status=400)
    table = _table_of(user, public_id)
    form = FORMS[kind](request.POST, options=table.game.options, names=table.names, seat=table.seat)
    if not form.is_valid():
        return _show(request, table, form, status=422)
    if request.POST.get("do") == "preview":
        return _show(request, table, form)
    try:
        orderbook.add(
            public_id=public_id,
            user_id=user.pk,
            what=form.order,
            scope=form.until,
            now=timezone.now(),
        )
    except Refused as refusal:
        if refusal.reason is not Reason.TOO_MANY_ORDERS:
            raise
        form.add_error(None, notice_of(refusal.reason).text)
        return _show(request, table, form, status=422)
    return redirect("games:orders", public_id)


@by_person
def change(request: HttpRequest, user: User, public_id: str) -> HttpResponse:
    """Switch an order on or off, move it, or remove it."""
    form = ChangeForm(request.POST)
    if not form.is_valid():
        return render(request, "400.html", status=400)
    order_id, do = form.cleaned_data["order"], form.cleaned_data["do"]
    if do in ("on", "off"):
        orderbook.switch(public_id=public_id, user_id=user.pk, order_id=order_id, on=do == "on")
    elif do == "remove":
        orderbook.remove(public_id=public_id, user_id=user.pk, order_id=order_id)
    else:
        orderbook.place(
            public_id=public_id, user_id=user.pk, order_id=order_id, position=form.position
        )
    if form.cleaned_data["back"]:
        return redirect(f"{reverse('games:table', args=[public_id])}#orders")
    return redirect("games:orders", public_id)


def _table_of(user: User, public_id: str) -> selectors.Table:
    """The table at which this person sits."""
    try:
        game = selectors.find(public_id)
        if game.status != Status.RUNNING:
            raise Refused(Reason.NOT_RUNNING)
        table = selectors.table(game, user_id=user.pk)
    except selectors.Hidden:
        raise Refused(Reason.NO_GAME) from None
    if table.orders is None:
        raise Refused(Reason.NOT_SEATED)
    return table


def _show(
    request: HttpRequest,
    table: selectors.Table,
    sent: OrderForm | None = None,
    *,
    status: int = 200,
) -> HttpResponse:
    """The page; `sent` is a form as it was filled in."""
    options, names, seat = table.game.options, table.names, table.seat
    done = standing.firings(table.game, request.user.pk or 0)
    forms = [form(options=options, names=names, seat=seat) for form in FORMS.values()]
    if sent:
        forms = [sent if form.kind is sent.kind else form for form in forms]
    context = {
        "table": table,
        "rows": rows(table),
        "forms": [_offered(form, table, is_open=form is sent) for form in forms],
        "fired": [_fired(one, names) for one in done],
    }
    return render(request, "games/orders.html", context, status=status)


def _offered(form: OrderForm, table: selectors.Table, *, is_open: bool) -> dict[str, object]:
    """A form with what its order would say."""
    whole = not form.is_bound or form.is_valid()
    return {
        "form": form,
        "kind": form.kind,
        "title": words.title(form.kind),
        "help": words.help_for(form.kind),
        "says": words.order(form.order, table.names) if whole else "",
        "until": words.until(form.until) if whole else "",
        "is_open": is_open,
    }


def _fired(done: OrderFiring, names: tuple[str, ...]) -> Fired:
    return Fired(
        turn=done.turn,
        words=words.order(done.order.what, names),
        said=said(parse(done.said, ())) if done.said else "",
        why=words.why(done.why),
    )
