"""A player's list of standing orders, changed by the player.

Each change takes the lock under which orders answer, so that an order switched off says nothing
any more. Said twice, a change is made once.
"""

from datetime import datetime

from django.db import transaction

from games import standing
from games.models import Game, OrderEnd, StandingOrder, Status, Tenure
from games.orders import Order, Scope, fits
from games.play import lock
from games.refusal import Reason, Refused

MOST = 20
"""So many orders has a list at most."""


@transaction.atomic
def add(*, public_id: str, user_id: int, what: Order, scope: Scope, now: datetime) -> None:
    """Set an order, last of the list; one that is on the list already is switched on instead."""
    game, tenure = _mine(public_id, user_id)
    if not fits(what, game.options, tenure.seat.index):
        raise Refused(Reason.ILLEGAL)
    rows = list(standing.live().filter(tenure=tenure))
    same = [row.pk for row in rows if row.what == what and row.scope == scope]
    if same:
        StandingOrder.objects.filter(pk__in=same).update(active=True)
        return
    if len(rows) >= MOST:
        raise Refused(Reason.TOO_MANY_ORDERS)
    StandingOrder.objects.create(
        tenure=tenure,
        position=rows[-1].position + 1 if rows else 0,
        kind=what.kind,
        player=what.player,
        role=what.role or "",
        untouching=what.untouching,
        ranking=",".join(what.ranking),
        scope=scope,
        from_move=game.last_move,
        created_at=now,
    )


@transaction.atomic
def switch(*, public_id: str, user_id: int, order_id: int, on: bool) -> None:
    """Switch an order on or off."""
    _, tenure = _mine(public_id, user_id)
    if not standing.live().filter(tenure=tenure, pk=order_id).exists():
        raise Refused(Reason.ORDER_GONE)
    StandingOrder.objects.filter(pk=order_id).update(active=on)


@transaction.atomic
def place(*, public_id: str, user_id: int, order_id: int, position: int) -> None:
    """Put an order at a place of its list, 0 being the first; the others move along."""
    _, tenure = _mine(public_id, user_id)
    rows = list(standing.live().filter(tenure=tenure))
    moved = next((row for row in rows if row.pk == order_id), None)
    if moved is None:
        raise Refused(Reason.ORDER_GONE)
    rows.remove(moved)
    rows.insert(position, moved)
    for number, row in enumerate(rows):
        row.position = number
    StandingOrder.objects.bulk_update(rows, ["position"])


@transaction.atomic
def remove(*, public_id: str, user_id: int, order_id: int) -> None:
    """Take an order off the list; what it did stays on record. Twice is as good as once."""
    _, tenure = _mine(public_id, user_id)
    mine = StandingOrder.objects.filter(tenure=tenure, pk=order_id)
    if not mine.exists():
        raise Refused(Reason.ORDER_GONE)
    mine.filter(ended="").update(ended=OrderEnd.REMOVED)


def _mine(public_id: str, user_id: int) -> tuple[Game, Tenure]:
    """The running game, locked, and the seat of the person in it."""
    game = lock(public_id)
    sits = Tenure.objects.filter(game=game, user_id=user_id, ended="")
    tenure = sits.select_related("seat").first()
    if tenure is None:
        raise Refused(Reason.NOT_SEATED)
    if game.status != Status.RUNNING:
        raise Refused(Reason.NOT_RUNNING)
    return game, tenure
