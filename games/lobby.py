"""Tables before the first card: opening, sitting down, starting."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction

from accounts.models import User
from games import play, store
from games.models import BotKind, Game, Seat, Status, Tenure, Visibility, Watch
from games.timing import Pace

BOT_NAMES = ("Ottavia", "Corvo", "Fiametta", "Lazzaro", "Bianca")
"""A bot's name says nothing of its kind; the table does not either."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What a table is opened with. `bots` sit down at once; the rest of the seats stay open."""

    size: int
    pace: Pace
    bots: Sequence[BotKind] = ()
    inquisitor: bool = False
    factions: bool = False
    both_one: bool = False
    title: str = ""
    visibility: Visibility = Visibility.PUBLIC
    watch: Watch = Watch.ANYBODY


@transaction.atomic
def open_table(*, host: User, plan: Plan, seed: bytes, now: datetime) -> Game:
    """Open a table at which the host sits; it starts at once if the bots fill it."""
    game = Game(
        size=plan.size,
        pace=plan.pace,
        inquisitor=plan.inquisitor,
        factions=plan.factions,
        both_one=plan.both_one,
        title=plan.title,
        visibility=plan.visibility,
        watch=plan.watch,
        host=host,
        created_at=now,
        changed_at=now,
    )
    store.new_secret(game, seed)
    seats = Seat.objects.bulk_create(Seat(game=game, index=index) for index in range(plan.size))
    Tenure.objects.create(game=game, seat=seats[0], user=host)
    Tenure.objects.bulk_create(
        Tenure(game=game, seat=seat, bot=kind, bot_name=name)
        for seat, kind, name in zip(seats[1:], plan.bots, BOT_NAMES, strict=False)
    )
    _start_if_full(game, now)
    return game


@transaction.atomic
def sit(*, public_id: str, user: User, now: datetime) -> Game:
    """Take the first free seat; sitting down twice is once. Refused if there is none."""
    game = play.lock(public_id)
    tenures = play.seated(game)
    if any(tenure.user_id == user.pk for tenure in tenures):
        return game
    if game.status != Status.OPEN:
        raise play.Refused(play.Reason.NOT_OPEN)
    taken = {tenure.seat_id for tenure in tenures}
    free = Seat.objects.filter(game=game).exclude(pk__in=taken).order_by("index").first()
    if free is None:
        raise play.Refused(play.Reason.FULL)
    Tenure.objects.create(game=game, seat=free, user=user)
    game.version, game.changed_at = game.version + 1, now
    game.save()
    _start_if_full(game, now)
    return game


def _start_if_full(game: Game, now: datetime) -> None:
    tenures = play.seated(game)
    if len(tenures) == game.size:
        play.start(game=game, tenures=tenures, now=now)
