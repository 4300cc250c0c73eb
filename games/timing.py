"""When something is due. The one place that computes a deadline."""

from datetime import datetime, timedelta
from enum import StrEnum


class Pace(StrEnum):
    """How long a table waits. `practice` is for one person among bots: nobody is kept waiting."""

    PRACTICE = "practice"
    LIVE = "live"
    BRISK = "brisk"
    DAILY = "daily"
    RELAXED = "relaxed"


# Pace to (an answer, a turn): async.md's graces; a practice table waits a week.
_GRACE = {
    Pace.PRACTICE: (timedelta(days=7), timedelta(days=7)),
    Pace.LIVE: (timedelta(seconds=60), timedelta(seconds=90)),
    Pace.BRISK: (timedelta(minutes=10), timedelta(minutes=10)),
    Pace.DAILY: (timedelta(hours=24), timedelta(hours=24)),
    Pace.RELAXED: (timedelta(hours=72), timedelta(hours=72)),
}

STAYS_OPEN, REMATCH_STAYS_OPEN = timedelta(days=14), timedelta(days=7)
"""How long a table waits for players before it is cancelled."""


def due(pace: Pace, opened: datetime, *, turn: bool) -> datetime:
    """When the answer to a question put at `opened` is due; `turn`: it is a whole turn."""
    answer, whole_turn = _GRACE[pace]
    return opened + (whole_turn if turn else answer)
