"""When something is due. The one place that computes a deadline, and what a wait has cost.

Time is counted in whole milliseconds in which a person is awake and at hand: while they sleep, are
on holiday, or nobody's clock runs, it rests.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from enum import StrEnum
from heapq import merge
from itertools import takewhile
from zoneinfo import ZoneInfo

MILLISECOND = timedelta(milliseconds=1)
SECOND = 1000
MINUTE, HOUR, DAY = 60 * SECOND, 3600 * SECOND, 24 * 3600 * SECOND

TIMEOUTS = 2
"""After so many running, autopilot answers."""

ABANDONED = timedelta(days=14)
"""A game that has stood still so long, everybody on autopilot, ends without a result."""

STAYS_OPEN, REMATCH_STAYS_OPEN = timedelta(days=14), timedelta(days=7)
"""How long a table waits for players before it is cancelled."""

INVITATION_LASTS = timedelta(days=7)

type Span = tuple[datetime, datetime]
"""From the first instant up to, but without, the second."""


class Pace(StrEnum):
    """How long a table waits. `practice` is for one person among bots: nobody is kept waiting."""

    PRACTICE = "practice"
    LIVE = "live"
    BRISK = "brisk"
    DAILY = "daily"
    RELAXED = "relaxed"


@dataclass(frozen=True, slots=True)
class Allowance:
    """What a table grants a person, in milliseconds of waking time.

    `answer` and `turn` are the grace of one question. Beyond it the bank runs, which begins with
    `bank`, gets `back` for an answer of the person's own, and holds `most`. Only where it `rests`
    does the clock stop for sleep and holidays. `ready` is for saying, before the first card, that
    one is there; 0 where nobody is asked.
    """

    answer: int
    turn: int
    bank: int
    back: int
    most: int
    rests: bool
    ready: int = 0


ALLOWANCES = {
    Pace.PRACTICE: Allowance(7 * DAY, 7 * DAY, 0, 0, 0, rests=False),
    Pace.LIVE: Allowance(
        60 * SECOND,
        90 * SECOND,
        2 * MINUTE,
        10 * SECOND,
        3 * MINUTE,
        rests=False,
        ready=90 * SECOND,
    ),
    Pace.BRISK: Allowance(
        10 * MINUTE,
        10 * MINUTE,
        30 * MINUTE,
        2 * MINUTE,
        HOUR,
        rests=False,
        ready=10 * MINUTE,
    ),
    Pace.DAILY: Allowance(DAY, DAY, 2 * DAY, 4 * HOUR, 3 * DAY, rests=True),
    Pace.RELAXED: Allowance(3 * DAY, 3 * DAY, 7 * DAY, 12 * HOUR, 10 * DAY, rests=True),
}


@dataclass(frozen=True, slots=True)
class Sleep:
    """From one minute of the local day to another, which may lie on the next."""

    zone: str
    start: int
    end: int

    @property
    def minutes(self) -> int:
        """How long it is on an ordinary day."""
        return (self.end - self.start) % (24 * 60)

    def __str__(self) -> str:
        return f"{self.start}-{self.end} {self.zone}"


def read_sleep(text: str) -> Sleep | None:
    """What `str` made of it; None for nothing."""
    if not text:
        return None
    hours, zone = text.split(" ", 1)
    start, end = hours.split("-")
    return Sleep(zone, int(start), int(end))


ABSENT, ABSENT_LIVE = timedelta(days=1), timedelta(minutes=2)
"""After so long on autopilot, as far as others know, a seat may be offered to somebody else."""

PROPOSAL_LASTS = {
    Pace.PRACTICE: timedelta(days=1),
    Pace.LIVE: timedelta(minutes=3),
    Pace.BRISK: timedelta(hours=1),
    Pace.DAILY: timedelta(days=2),
    Pace.RELAXED: timedelta(days=4),
}
"""How long people may think about what somebody proposes."""

PAUSE_LASTS = {
    Pace.PRACTICE: timedelta(days=14),
    Pace.LIVE: timedelta(minutes=30),
    Pace.BRISK: timedelta(days=1),
    Pace.DAILY: timedelta(days=7),
    Pace.RELAXED: timedelta(days=14),
}
"""After so long a pause by consent is over: nobody's silence can keep a table for ever."""


def offered_from(pace: Pace, absent_since: datetime) -> datetime:
    """From when on the seat of somebody on autopilot may be offered."""
    return absent_since + (ABSENT_LIVE if pace is Pace.LIVE else ABSENT)


def due(
    opened: datetime, allowance: int, sleep: Sleep | None = None, away: Iterable[Span] = ()
) -> datetime:
    """When `allowance` is used up by somebody who was asked at `opened`: never during a rest."""
    now, left = opened, allowance * MILLISECOND
    for start, end in _rests(opened, sleep, away):
        if start > now:
            if left < start - now:
                break
            left -= start - now
        now = max(now, end)
    return now + left


def awake(
    opened: datetime, until: datetime, sleep: Sleep | None = None, away: Iterable[Span] = ()
) -> int:
    """How much of the time between two instants counts: the inverse of `due`."""
    now, spent = opened, timedelta()
    for start, end in _rests(opened, sleep, away):
        if start >= until:
            break
        spent += max(start - now, timedelta())
        now = max(now, end)
    return (spent + max(until - now, timedelta())) // MILLISECOND


def together(sleeps: Iterable[Sleep], since: datetime) -> int:
    """For how much of the next 24 hours all of these people are awake."""
    until = since + timedelta(days=1)
    nights = [
        night
        for sleep in sleeps
        for night in takewhile(lambda night: night[0] < until, _nights(since, sleep))
    ]
    return awake(since, until, away=nights)


def _rests(since: datetime, sleep: Sleep | None, away: Iterable[Span]) -> Iterator[Span]:
    """What ends after `since`, by its beginning; it may overlap, and sleep never ends."""
    spans = sorted((start, end) for start, end in away if since < end and start < end)
    return merge(spans, _nights(since, sleep)) if sleep else iter(spans)


def _nights(since: datetime, sleep: Sleep) -> Iterator[Span]:
    zone = ZoneInfo(sleep.zone)
    day = since.astimezone(zone).date() - timedelta(days=1)
    while True:
        next_day = day + timedelta(days=1)
        start, _ = _instants(zone, day, sleep.start)
        _, end = _instants(zone, day if sleep.start < sleep.end else next_day, sleep.end)
        if end > since:
            yield start, end
        day = next_day


def _instants(zone: ZoneInfo, day: date, minute: int) -> Span:
    """The first and the last instant with this time on a local clock: mostly the same.

    Where the clock is put back it shows the hour twice: one goes to bed in the first and gets up
    in the second. Where it is put forward it leaves the hour out: sleep keeps its length.
    """
    local = datetime.combine(day, time(minute // 60, minute % 60), zone)
    once, again = (local.replace(fold=fold).astimezone(UTC) for fold in (0, 1))
    return min(once, again), max(once, again)
