"""A seat changes hands in the middle of a game: to a bot, or to somebody who never sat there.

Who may have it done is for the caller to know: the players, by consent, or a moderator.
"""

from datetime import datetime

from django.db import transaction

from accounts.models import User
from games import clocks, consequences, play, proposals, store
from games.models import BOT_NAMES, BotKind, Game, Kind, Status, Tenure, TenureEnd
from games.notify import in_page, outbox
from games.refusal import Reason, Refused
from games.seats import seated


@transaction.atomic
def hand_over(*, public_id: str, seat: int, to: User | BotKind, now: datetime) -> None:
    """Give the seat to somebody else, from the next move on, for good.

    Who sat there has left the game, and its place will be the newcomer's. An answer given under
    seal stays. Refused where the seat is out of the game, or the person has sat at this table.
    """
    game = play.lock(public_id)
    give(game, seat, to, now)


def give(game: Game, seat: int, to: User | BotKind, now: datetime) -> None:
    """The same at a table that is locked already."""
    if game.status != Status.RUNNING:
        raise Refused(Reason.NOT_RUNNING)
    tenures = seated(game)
    state = store.load(game).state
    if not 0 <= seat < len(tenures) or seat in state.exiled + state.leaving:
        raise Refused(Reason.FULL)
    if isinstance(to, User) and Tenure.objects.filter(game=game, user=to).exists():
        raise Refused(Reason.SAT_BEFORE)
    old = tenures[seat]
    proposals.end_offers(game, old, now)
    old.ended, old.to_move = TenureEnd.REPLACED, game.last_move
    old.save()
    new = Tenure(game=game, seat=old.seat, from_move=game.last_move + 1, taken_over_at=now)
    if isinstance(to, User):
        new.user = to
    else:
        taken = {tenure.bot_name for tenure in tenures}
        new.bot, new.bot_name = to, next(name for name in BOT_NAMES if name not in taken)
    new.save()
    clocks.open_banks(game, [new])
    tenures[seat] = new
    asked = store.change_hands(game=game, old=old, new=new, now=now)
    store.show(game, now)
    game.save()
    change = store.Change(
        state=state,
        settled=False,
        public=True,
        asked=(asked,) if asked else (),
        touched=frozenset({new.pk}),
    )
    consequences.follow(game, tenures, change, store.pause_draws(game), now)
    if old.user:
        key, left = f"tenure.{old.pk}", old.user
        outbox.tell(users=[left], kind=Kind.SEAT_HANDED_OVER, key=key, now=now, game=game)
        in_page.poke(people=[left.pk])
