"""The answer of a bot, and how long it takes to give it."""

from collections.abc import Sequence
from enum import StrEnum

from ..engine.commands import Command
from ..engine.view import Line, PhaseName, TableView
from .counter import counter
from .hand import choose
from .plain import bluffer, honest
from .sight import Below, look


class Kind(StrEnum):
    """How a bot plays."""

    HONEST = "honest"
    BLUFFER = "bluffer"
    COUNTER = "counter"


PLAYERS = {Kind.HONEST: honest, Kind.BLUFFER: bluffer, Kind.COUNTER: counter}
CARD_PHASES = frozenset(
    {
        PhaseName.REVEAL,
        PhaseName.LOSE,
        PhaseName.SHOW,
        PhaseName.EXCHANGE,
        PhaseName.EXAMINE,
    }
)

# Milliseconds, from and to, while a person is asked: nobody shall always lose the race for the
# first challenge. Where none is, the table need not wait.
PAUSES = {
    "practice": (500, 2_000),
    "live": (1_000, 4_000),
    "brisk": (10_000, 60_000),
    "daily": (2 * 60_000, 40 * 60_000),
    "relaxed": (5 * 60_000, 60 * 60_000),
}
ALONE = (500, 2_000)


def answer(kind: str, view: TableView, lines: Sequence[Line], below: Below) -> Command:
    """One of `view.own.legal`, as a bot of this kind chooses.

    `view` and `lines` are the table and the log since the start as this seat may see them;
    `below(n)` is a whole number from 0 up to, not including, n. Nothing else enters.
    """
    sight = look(view, lines)
    if view.phase in CARD_PHASES:
        return choose(sight)
    return PLAYERS[Kind(kind)](sight, below)


def pause(pace: str, person_asked: bool, below: Below) -> int:
    """How many milliseconds a bot thinks: drawn without a look at the table."""
    low, high = PAUSES[pace] if person_asked else ALONE
    return low + below(high - low)
