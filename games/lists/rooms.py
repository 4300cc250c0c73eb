"""The waiting room of an open table, as one viewer sees it; and when a table has waited enough."""

from dataclasses import dataclass
from datetime import datetime

from accounts.models import User
from games import store
from games.admission import inviter, is_admitted, may_join
from games.engine.cards import MIN_PLAYERS
from games.models import (
    READY,
    Game,
    Invitation,
    InvitationState,
    Prompt,
    PromptState,
    Status,
    Visibility,
    Window,
)
from games.seats import seated_at
from games.selectors import Hidden
from games.timing import REMATCH_STAYS_OPEN, STAYS_OPEN

from .sitters import Sitter, is_seated, sitters

ROOM = "room."
"""What the tag of a waiting room begins with, and no other."""


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
    tenures = seated_at([game])[game.pk]
    sits = is_seated(tenures, user_id)
    if not sits and not may_join(game, user_id, link_token):
        raise Hidden(exists=False)
    asking = Window.objects.filter(game=game, kind=READY, closed_at=None).first()
    waits = list(Prompt.objects.filter(window=asking, state=PromptState.OPEN)) if asking else []
    absent = {prompt.tenure_id: prompt for prompt in waits}
    mine = next((t.pk for t in tenures.values() if user_id and t.user_id == user_id), None)
    invitations = list(Invitation.objects.filter(game=game).select_related("user").order_by("pk"))
    return Room(
        game=game,
        seats=sitters(game, tenures, user_id, absent if asking else None),
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
