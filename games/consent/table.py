"""A running game under its lock, for those who decide something there; and whether somebody may."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from games import play, proposals, store
from games.models import Game, Status, Tenure
from games.proposals import Sitting
from games.refusal import Reason, Refused
from games.seats import seated
from games.timing import Pace


@dataclass(frozen=True, slots=True)
class Table:
    """A running game under its lock."""

    game: Game
    tenures: Sequence[Tenure]
    exiled: tuple[int, ...]
    leaving: tuple[int, ...]
    now: datetime

    @classmethod
    def of(cls, game: Game, now: datetime) -> "Table":
        state = store.load(game).state
        return cls(game, seated(game), state.exiled, state.leaving, now)

    @property
    def persons(self) -> tuple[Sitting, ...]:
        return proposals.sitting(self.tenures, self.exiled)

    @property
    def pace(self) -> Pace:
        return Pace(self.game.pace)


def sit(game: Game, user_id: int, now: datetime) -> tuple[Table, Tenure]:
    """The table, and where this person sits there; refused if they have no say in it."""
    if game.status != Status.RUNNING:
        raise Refused(Reason.NOT_RUNNING)
    table = Table.of(game, now)
    mine = play.of_user(table.tenures, user_id)
    if mine.ended or mine.seat.index in table.exiled + table.leaving:
        raise Refused(Reason.NO_SAY)
    if mine.autopilot_since:
        raise Refused(Reason.NOT_BACK)
    return table, mine
