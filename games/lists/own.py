"""A person's own games: those that wait for them, those that wait for others, those that ended."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Exists, F, Max, OuterRef, Q, QuerySet, Sum

from games.engine.view import TableView
from games.models import Game, Prompt, Status, Tenure, TenureEnd, Window
from games.seats import seated_at
from games.selectors import seat_views, waiting_for

from .finding import my_invitations
from .rooms import is_expired


def tag(user_id: int) -> str:
    """Changes whenever something in a person's lists does: what waits for them, what everybody can
    see of their tables, and to which they are invited."""
    # A new question has a number above all before it: the two tell every set from the next.
    waits = Prompt.objects.filter(waiting_for(user_id)).aggregate(n=Count("pk"), last=Max("pk"))
    mine = Tenure.objects.filter(user_id=user_id).aggregate(n=Count("pk"), sum=Sum("game__version"))
    invited = my_invitations(user_id).aggregate(n=Count("pk"), last=Max("invitations__pk"))
    return "-".join(str(number or 0) for part in (waits, mine, invited) for number in part.values())


@dataclass(frozen=True, slots=True)
class Going:
    """A running game, or one about to begin, as I see it, and until when those asked may answer.

    `view` is None where the game cannot be read, or has not begun.
    """

    game: Game
    view: TableView | None
    names: tuple[str, ...]
    opened: datetime
    due: datetime


@dataclass(frozen=True, slots=True)
class Ended:
    """A game of mine that is over: my place, None if I left; or a table that was given up; or a
    game that goes on without me."""

    game: Game
    place: int | None
    winner: str

    @property
    def expired(self) -> bool:
        return is_expired(self.game)


def prompts_for(user_id: int) -> QuerySet[Prompt]:
    """The questions that wait for me, the most urgent first."""
    prompts = Prompt.objects.filter(waiting_for(user_id)).order_by("due", "pk")
    return prompts.select_related("window", "tenure__seat", "tenure__game")


def asked(prompts: Sequence[Prompt]) -> list[Going]:
    """The games of these questions, and until when I may answer them."""
    times = {p.tenure.game_id: (p.window.opened_at, p.due) for p in prompts}
    return _going([prompt.tenure for prompt in prompts], times)


def seats_waiting(user_id: int) -> QuerySet[Tenure]:
    """My seats in running games that do not wait for me, those that changed last first."""
    asked_there = Prompt.objects.filter(waiting_for(user_id), tenure=OuterRef("pk"))
    return (
        Tenure.objects.filter(
            ~Exists(asked_there), user_id=user_id, ended="", game__status=Status.RUNNING
        )
        .select_related("seat", "game")
        .order_by("-game__changed_at", "-pk")
    )


def waiting(tenures: Sequence[Tenure]) -> list[Going]:
    """The games of these seats, and until when the others may answer."""
    windows = Window.objects.filter(game__in=[t.game_id for t in tenures], closed_at=None)
    return _going(tenures, {w.game_id: (w.opened_at, w.deadline) for w in windows})


def seats_ended(user_id: int) -> QuerySet[Tenure]:
    """My seats in games that are over and at tables that were given up, the latest first; before
    them those in running games that somebody else has taken over."""
    over = Q(game__status__in=[Status.OVER, Status.CANCELLED])
    given_away = Q(game__status=Status.RUNNING, ended=TenureEnd.REPLACED)
    return (
        Tenure.objects.filter(over | given_away, user_id=user_id)
        .select_related("seat", "game")
        .order_by(F("game__ended_at").desc(nulls_first=True), "-pk")
    )


def ended(tenures: Sequence[Tenure]) -> list[Ended]:
    """How these games came out."""
    games = [t.game_id for t in tenures]
    first = Tenure.objects.filter(game__in=games, ended="", seat__place=1)
    winners = {tenure.game_id: tenure.name for tenure in first.select_related("user")}
    return [
        Ended(t.game, None if t.ended else t.seat.place, winners.get(t.game_id, ""))
        for t in tenures
    ]


def _going(tenures: Sequence[Tenure], times: dict[int, tuple[datetime, datetime]]) -> list[Going]:
    views = seat_views([tenure for tenure in tenures if tenure.game.has_begun])
    everybody = seated_at([tenure.game for tenure in tenures])
    return [
        Going(
            tenure.game,
            views.get(tenure.game_id),
            tuple(seated.name for seated in everybody[tenure.game_id].values()),
            *times[tenure.game_id],
        )
        for tenure in tenures
        if tenure.game_id in times  # else it has ended meanwhile
    ]
