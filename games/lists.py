"""Reading around the games: open tables, one's own games, a waiting room. Writes nothing."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Exists, F, Max, OuterRef, Q, QuerySet, Sum

from accounts.models import User
from games import clocks, store
from games.admission import inviter, is_admitted, kept_apart, may_join
from games.engine.cards import MIN_PLAYERS
from games.engine.view import TableView
from games.models import (
    READY,
    Game,
    Invitation,
    InvitationState,
    Prompt,
    PromptState,
    Recusal,
    Seat,
    Status,
    Tenure,
    TenureEnd,
    Visibility,
    Window,
)
from games.reliability import tables_for
from games.selectors import Hidden, Vacancy, seat_views, vacancies, waiting_for
from games.timing import REMATCH_STAYS_OPEN, STAYS_OPEN, Pace
from games.words.people import record, standing

ROOM = "room."
"""What the tag of a waiting room begins with, and no other."""


@dataclass(frozen=True, slots=True)
class Sitter:
    """Who sits on a seat of an open table; `name` is empty if nobody does."""

    index: int
    name: str = ""
    is_bot: bool = False
    is_host: bool = False
    is_me: bool = False
    standing: str = ""
    record: str = ""
    is_ready: bool = False


@dataclass(frozen=True, slots=True)
class Room:
    """An open or cancelled table as one viewer sees it.

    `seed` is shown of a cancelled table alone; `invited`, to those who sit here, are the names of
    those who have not come (empty: somebody by e-mail), and what they said. `invited_by` waits for
    the viewer's answer to an invitation. `is_admitted`: the viewer meets the table's condition.
    `asking`: everybody is asked whether they are ready; `asked` is the viewer's own open question.
    `missed`: the viewer has lost a seat because they were not.
    """

    game: Game
    seats: tuple[Sitter, ...]
    sits: bool
    is_host: bool
    invited_by: str
    is_admitted: bool
    invited: tuple[tuple[str, InvitationState], ...]
    closes_at: datetime
    seed: str
    asking: Window | None = None
    asked: Prompt | None = None
    missed: bool = False

    @property
    def tag(self) -> str:
        """Changes whenever this viewer's room does."""
        return f"{ROOM}{self.game.version}.{self.sits}.{self.is_host}.{bool(self.invited_by)}"

    @property
    def is_open(self) -> bool:
        return self.game.status == Status.OPEN

    @property
    def free(self) -> tuple[int, ...]:
        return tuple(sitter.index for sitter in self.seats if not sitter.name)

    @property
    def taken(self) -> int:
        return len(self.seats) - len(self.free)

    @property
    def may_start(self) -> bool:
        waits = self.is_open and self.asking is None
        return self.is_host and waits and self.taken >= MIN_PLAYERS

    @property
    def ready(self) -> int:
        return sum(sitter.is_ready for sitter in self.seats)

    @property
    def may_share(self) -> bool:
        """Whether the link is for this viewer to pass on, and leads anybody in."""
        return self.sits and self.is_open and self.game.visibility != Visibility.PRIVATE

    @property
    def expired(self) -> bool:
        return is_expired(self.game)


def is_expired(game: Game) -> bool:
    """Whether an open table was cancelled because it did not fill."""
    unbegun = game.status == Status.CANCELLED and not game.has_begun
    return unbegun and game.ended_at is not None and game.ended_at >= closes_at(game)


def closes_at(game: Game) -> datetime:
    """When an open table is cancelled if it has not filled."""
    return game.created_at + (REMATCH_STAYS_OPEN if game.rematch_of_id else STAYS_OPEN)


def room(game: Game, *, user: User | None, link_token: str = "") -> Room:
    """The waiting room for this person; Hidden if they have no business there."""
    user_id = user.pk if user else None
    tenures = _tenures([game])[game.pk]
    sits = _sits(tenures, user_id)
    if not sits and not may_join(game, user_id, link_token):
        raise Hidden(exists=False)
    asking = Window.objects.filter(game=game, kind=READY, closed_at=None).first()
    waits = list(Prompt.objects.filter(window=asking, state=PromptState.OPEN)) if asking else []
    absent = {prompt.tenure_id: prompt for prompt in waits}
    mine = next((t.pk for t in tenures.values() if user_id and t.user_id == user_id), None)
    invitations = list(Invitation.objects.filter(game=game).select_related("user").order_by("pk"))
    return Room(
        game=game,
        seats=_sitters(game, tenures, user_id, absent if asking else None),
        sits=sits,
        is_host=user_id == game.host_id,
        invited_by=inviter(game, user_id, link_token),
        is_admitted=is_admitted(game, user, link_token),
        invited=tuple(
            (
                invitation.user.name if invitation.user else "",
                InvitationState(invitation.state),
            )
            for invitation in invitations
            if sits and invitation.state != InvitationState.ACCEPTED
        ),
        closes_at=closes_at(game),
        seed=store.seed(game).hex() if game.status == Status.CANCELLED else "",
        asking=asking,
        asked=absent.get(mine) if mine else None,
        missed=not sits
        and (user_id, InvitationState.MISSED)
        in {(invitation.user_id, invitation.state) for invitation in invitations},
    )


# Open tables


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
    seated = _tenures(games) if games else {}
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
    tenures = _tenures(games)
    user_id = user.pk if user else None
    return [
        Listed(
            game,
            _sitters(game, tenures[game.pk], user_id),
            _sits(tenures[game.pk], user_id),
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


# Games of one's own


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
    everybody = _tenures([tenure.game for tenure in tenures])
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


# Who sits where


def _tenures(games: Iterable[Game]) -> dict[int, dict[int, Tenure]]:
    """By game and index of the seat, in that order, who sits there now or sat there last."""
    tenures = Tenure.objects.filter(game__in=[game.pk for game in games])
    seated: dict[int, dict[int, Tenure]] = defaultdict(dict)
    for tenure in tenures.select_related("user", "seat").order_by("seat__index", "pk"):
        seated[tenure.game_id][tenure.seat.index] = tenure
    return seated


def _sits(tenures: dict[int, Tenure], user_id: int | None) -> bool:
    return user_id is not None and any(t.user_id == user_id for t in tenures.values())


def _sitters(
    game: Game,
    tenures: dict[int, Tenure],
    user_id: int | None,
    absent: Collection[int] | None = None,
) -> tuple[Sitter, ...]:
    """Seat by seat; `absent` are the tenures of those who are asked whether they are ready and have
    not said so, None where nobody is asked."""
    return tuple(
        _sitter(index, tenures.get(index), game.host_id, user_id, absent)
        for index in range(game.size)
    )


def _sitter(
    index: int,
    tenure: Tenure | None,
    host_id: int,
    user_id: int | None,
    absent: Collection[int] | None,
) -> Sitter:
    if tenure is None:
        return Sitter(index)
    return Sitter(
        index=index,
        name=tenure.name,
        is_bot=bool(tenure.bot),
        is_host=tenure.user_id == host_id,
        is_me=user_id is not None and tenure.user_id == user_id,
        standing=standing(tenure.user) if tenure.user else "",
        record=record(tenure.user) if tenure.user else "",
        is_ready=absent is not None and tenure.pk not in absent,
    )
