"""Tables to sit down at: open ones, running ones with a free seat, and invitations."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import md5

from django.db.models import Exists, F, OuterRef, Q, QuerySet

from accounts.models import User
from games import clocks
from games.admission import kept_apart
from games.models import (
    Game,
    Invitation,
    InvitationState,
    Recusal,
    Seat,
    Status,
    Tenure,
    Visibility,
)
from games.reliability import tables_for
from games.seats import seated_at
from games.selectors import Vacancy, vacancies
from games.timing import Pace

from .sitters import Sitter, is_seated, sitters


@dataclass(frozen=True, slots=True)
class Listed:
    """An open table in a list, as this viewer sees it. `by` invites them.

    `together`: for how many hours a day they and those who sit there are all awake, where any of
    them has said when that is; never whose night it is.
    """

    game: Game
    seats: tuple[Sitter, ...]
    sits: bool
    together: int | None
    by: str = ""

    @property
    def taken(self) -> int:
        return sum(bool(sitter.name) for sitter in self.seats)


@dataclass(frozen=True, slots=True)
class Wish:
    """What somebody looks for in a table; None: no matter."""

    inquisitor: bool | None = None
    factions: bool | None = None
    pace: str | None = None
    size: int | None = None
    bots: bool | None = None


def open_tables(wish: Wish, user: User | None) -> QuerySet[Game]:
    """The public tables that wait for this person among others, the newest first. One that is full
    waits for those who sit there to be ready."""
    tables = Game.objects.filter(
        Exists(Seat.objects.filter(game=OuterRef("pk"), tenures=None)),
        status=Status.OPEN,
        visibility=Visibility.PUBLIC,
        admits__in=tables_for(user),
    )
    if user is not None:
        tables = tables.exclude(kept_apart(user.pk))
    return _like(wish, tables).select_related("host").order_by("-created_at", "-pk")


def vacant_games(wish: Wish, user: User | None, *, at_most: int = 20) -> list[Vacancy]:
    """The running games with seats that this person may take: public ones that take them, and those
    to which they are invited; the newest first."""
    tables = Game.objects.filter(status=Status.RUNNING, frozen_at=None)
    free = Tenure.objects.filter(game=OuterRef("pk"), offered_at__isnull=False)
    open_to = Q(visibility=Visibility.PUBLIC, admits__in=tables_for(user))
    if user is not None:
        asked = Invitation.objects.filter(
            user=user, state__in=[InvitationState.OPEN, InvitationState.ACCEPTED]
        )
        open_to |= Q(pk__in=asked.values("game"))
        sat, saw = (
            model.objects.filter(user=user, game=OuterRef("pk")) for model in (Tenure, Recusal)
        )
        tables = tables.exclude(kept_apart(user.pk)).exclude(Exists(sat)).exclude(Exists(saw))
    tables = _like(wish, tables.filter(Exists(free), open_to))
    games = list(tables.order_by("-created_at", "-pk")[:at_most])
    seated = seated_at(games) if games else {}
    return vacancies(games, {pk: tenures.values() for pk, tenures in seated.items()})


def _like(wish: Wish, tables: QuerySet[Game]) -> QuerySet[Game]:
    for name in ("inquisitor", "factions", "pace", "size"):
        value = getattr(wish, name)
        if value is not None:
            tables = tables.filter(**{name: value})
    if wish.bots is not None:
        with_bot = Exists(Tenure.objects.filter(game=OuterRef("pk")).exclude(bot=""))
        tables = tables.filter(with_bot if wish.bots else ~with_bot)
    return tables


def listed(games: Sequence[Game], user: User | None, now: datetime) -> list[Listed]:
    """These open tables, with whoever sits there."""
    tenures = seated_at(games)
    user_id = user.pk if user else None
    return [
        Listed(
            game,
            sitters(game, tenures[game.pk], user_id),
            is_seated(tenures[game.pk], user_id),
            _together(game, tenures[game.pk], user, now),
            getattr(game, "invited_by", ""),
        )
        for game in games
    ]


def _together(
    game: Game, tenures: dict[int, Tenure], user: User | None, now: datetime
) -> int | None:
    people = {tenure.user_id: tenure.user for tenure in tenures.values() if tenure.user}
    if user:
        people[user.pk] = user
    if len(people) < 2:
        return None
    return clocks.hours_together(Pace(game.pace), people.values(), now)


def lobby_tag(tables: Iterable[Game], vacant: Iterable[Vacancy], place: str) -> str:
    """Changes whenever these open tables and free seats do, at this `place` of a longer list."""
    games = [*tables, *(vacancy.game for vacancy in vacant)]
    seen = " ".join(f"{game.public_id}.{game.version}" for game in games)
    return f"lobby.{place}.{md5(seen.encode(), usedforsecurity=False).hexdigest()}"


def my_open_tables(user_id: int) -> QuerySet[Game]:
    """The open tables at which I sit."""
    return (
        Game.objects.filter(status=Status.OPEN, tenures__user_id=user_id)
        .select_related("host")
        .order_by("-created_at", "-pk")
    )


def my_invitations(user_id: int) -> QuerySet[Game]:
    """The open tables to which I am invited and have not said yes or no; by whom: `invited_by`."""
    return (
        Game.objects.filter(
            status=Status.OPEN,
            invitations__user_id=user_id,
            invitations__state=InvitationState.OPEN,
        )
        .exclude(kept_apart(user_id))
        .annotate(invited_by=F("invitations__by__name"))
        .select_related("host")
        .order_by("-created_at", "-pk")
    )
