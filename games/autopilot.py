"""Whose answers come from nobody: time-outs lead to autopilot, and what the person does, out of it.

Callers hold the lock on the game's row.
"""

from collections.abc import Collection, Sequence
from datetime import datetime

from games import timing
from games.models import Source, Tenure


def count(tenure: Tenure, source: Source, now: datetime) -> bool:
    """An answer was given: time-outs count, the person's own end the count, and nothing else does
    either. Whether the person is back by it."""
    back = source == Source.PERSON and tenure.autopilot_since is not None
    if source == Source.PERSON and (tenure.timeouts or back):
        end(tenure)
    elif source == Source.CLOCK:
        tenure.timeouts += 1
        if tenure.timeouts >= timing.TIMEOUTS and not tenure.autopilot_since:
            tenure.autopilot_since = now
        tenure.save(update_fields=["timeouts", "autopilot_since"])
    return back


def begin(tenure: Tenure, now: datetime) -> bool:
    """The person will not answer; False if that was known."""
    if tenure.autopilot_since:
        return False
    tenure.autopilot_since = now
    tenure.save(update_fields=["autopilot_since"])
    return True


def end(tenure: Tenure) -> None:
    """The person is back."""
    tenure.timeouts, tenure.autopilot_since = 0, None
    tenure.save(update_fields=["timeouts", "autopilot_since"])


def show(tenures: Sequence[Tenure], now: datetime) -> None:
    """The question is closed: all may see who has come to be on autopilot, or back from it.

    Since when is since they may see it: the moment itself would tell of somebody's waking hours.
    """
    changed = [t for t in tenures if bool(t.absent_since) != bool(t.autopilot_since)]
    for tenure in changed:
        tenure.absent_since = now if tenure.autopilot_since else None
    if changed:
        Tenure.objects.bulk_update(changed, ["absent_since"])


def everybody(tenures: Sequence[Tenure], gone: Collection[int]) -> bool:
    """Whether there are persons still in the game, and all on autopilot; `gone` are the seats of
    those who are not."""
    still = persons(tenures, gone)
    return bool(still) and all(tenure.autopilot_since for tenure in still)


def persons(tenures: Sequence[Tenure], gone: Collection[int]) -> list[Tenure]:
    """The persons still in the game."""
    return [t for t in tenures if t.user_id and not t.ended and t.seat.index not in gone]
