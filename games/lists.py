"""Reading around the games: open tables, one's own games, a waiting room. Writes nothing."""

from dataclasses import dataclass
from datetime import datetime

from games import store
from games.admission import may_join
from games.engine.cards import MIN_PLAYERS
from games.models import Game, Invitation, InvitationState, Status, Tenure, Visibility
from games.selectors import Hidden
from games.timing import REMATCH_STAYS_OPEN, STAYS_OPEN

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


@dataclass(frozen=True, slots=True)
class Room:
    """An open or cancelled table as one viewer sees it.

    `seed` is shown of a cancelled table alone; `invited` to those who sit here.
    """

    game: Game
    seats: tuple[Sitter, ...]
    sits: bool
    is_host: bool
    is_invited: bool
    invited: tuple[tuple[str, str], ...]
    closes_at: datetime
    seed: str

    @property
    def tag(self) -> str:
        """Changes whenever this viewer's room does."""
        return f"{ROOM}{self.game.version}.{self.sits}.{self.is_host}.{self.is_invited}"

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
        return self.is_host and self.is_open and self.taken >= MIN_PLAYERS

    @property
    def may_share(self) -> bool:
        """Whether the link is for this viewer to pass on, and leads anybody in."""
        return self.sits and self.is_open and self.game.visibility != Visibility.PRIVATE

    @property
    def expired(self) -> bool:
        ended = self.game.ended_at
        return ended is not None and ended >= self.closes_at


def closes_at(game: Game) -> datetime:
    """When an open table is cancelled if it has not filled."""
    return game.created_at + (REMATCH_STAYS_OPEN if game.rematch_of_id else STAYS_OPEN)


def room(game: Game, *, user_id: int | None, link_token: str = "") -> Room:
    """The waiting room for this user; Hidden if they have no business there."""
    tenures = {
        tenure.seat.index: tenure
        for tenure in Tenure.objects.filter(game=game).select_related("user", "seat")
    }
    sits = any(user_id and tenure.user_id == user_id for tenure in tenures.values())
    if not sits and not may_join(game, user_id, link_token):
        raise Hidden(exists=False)
    invitations = list(Invitation.objects.filter(game=game).select_related("user").order_by("pk"))
    cancelled = game.status == Status.CANCELLED
    return Room(
        game=game,
        seats=tuple(
            _sitter(index, tenures.get(index), game.host_id, user_id) for index in range(game.size)
        ),
        sits=sits,
        is_host=user_id == game.host_id,
        is_invited=any(
            invitation.user_id == user_id and invitation.state == InvitationState.OPEN
            for invitation in invitations
        ),
        invited=tuple(
            (invitation.user.name, str(InvitationState(invitation.state).label))
            for invitation in invitations
            if sits and invitation.state != InvitationState.ACCEPTED
        ),
        closes_at=closes_at(game),
        seed=store.seed(game).hex() if cancelled else "",
    )


def _sitter(index: int, tenure: Tenure | None, host_id: int, user_id: int | None) -> Sitter:
    if tenure is None:
        return Sitter(index)
    return Sitter(
        index=index,
        name=tenure.name,
        is_bot=bool(tenure.bot),
        is_host=tenure.user_id == host_id,
        is_me=user_id is not None and tenure.user_id == user_id,
    )
