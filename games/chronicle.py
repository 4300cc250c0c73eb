"""The log of a game as one viewer reads it: what was said and by whom, who sat where."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from operator import itemgetter

from games import store
from games.engine.events import Allowed, Answered, Blocked
from games.engine.observation import describe
from games.engine.view import EVERYTHING, SPECTATOR, Line, LineKind
from games.models import Outcome, ProposalKind, Source, Tenure
from games.proposals import Proposed

NOBODY = -1

AFTER_ALL = datetime.max.replace(tzinfo=UTC)
"""Instead of a time that was not kept: seats did not always say when they were taken over."""

BY_CLOCK = (Source.CLOCK, Source.AUTOPILOT, Source.MODERATOR)
"""Nobody said it: it is marked in the log."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of the log, as the viewer reads it. `by_clock`: nobody said it in time; `by_order`:
    a standing order of the viewer said it. `names` are of those who sat there then; `mine`: the
    viewer was one of them.

    `number` counts the lines this viewer may read: the number of a move would count sealed answers.
    """

    number: int
    turn: int
    line: Line
    by_clock: bool
    by_order: bool
    names: tuple[str, ...]
    mine: bool


@dataclass(slots=True)
class Sitters:
    """Who sits where as the log goes on. `coming` are the tenures that begin later, and the lines
    of what the players decided, each with the move after which it comes; `seat` is the viewer's
    own, from the move `since` on. `there`: the viewer sits there as far as the log has come, by
    the tenure `mine` if that begins later."""

    names: tuple[str, ...] = ()
    coming: list[tuple[int, Tenure | Line]] = field(default_factory=list)
    seat: int = NOBODY
    since: int = 0
    mine: int | None = None
    there: bool = True

    @classmethod
    def of(
        cls,
        tenures: Sequence[Tenure],
        mine: Tenure | None = None,
        proposed: Sequence[Proposed] = (),
    ) -> "Sitters":
        """Of all who sat at a table, seat by seat, one after the other; and what was `proposed`
        there."""
        first = {tenure.seat_id: tenure for tenure in reversed(tenures)}
        later = [tenure for tenure in tenures if first[tenure.seat_id] is not tenure]
        names = tuple(tenure.name for tenure in reversed(first.values()))
        later.sort(key=lambda tenure: tenure.pk)
        changes: list[tuple[int, datetime, Tenure | Line]] = [
            (tenure.from_move - 1, tenure.taken_over_at or AFTER_ALL, tenure) for tenure in later
        ]
        # As they came, and not by the move alone: several may come between two.
        told = sorted([*_decided(proposed), *changes], key=itemgetter(0, 1))
        coming = [(after, what) for after, _at, what in told]
        if mine is None:
            return cls(names, coming)
        there = mine not in later
        return cls(names, coming, mine.seat.index, mine.from_move, mine.pk, there)

    def entries(self, before: int | None, number: int, turn: int) -> Iterator[Entry]:
        """A line for each that comes before that move, or after the last, numbered from `number`
        on."""
        while self.coming and (before is None or self.coming[0][0] < before):
            _after, what = self.coming.pop(0)
            line, names = self._take_over(what) if isinstance(what, Tenure) else (what, self.names)
            yield Entry(number, turn, line, False, False, names, self.there)
            number += 1

    def _take_over(self, tenure: Tenure) -> tuple[Line, tuple[str, ...]]:
        seat = tenure.seat.index
        left = self.names[seat]
        self.names = (*self.names[:seat], tenure.name, *self.names[seat + 1 :])
        self.there = self.there or tenure.pk == self.mine
        # Who sat there before is named behind the others.
        return Line(LineKind.TOOK_OVER, seat, target=len(self.names)), (*self.names, left)


# That a bot takes a seat has its own line.
DECIDED = {
    ProposalKind.PAUSE: LineKind.PAUSED,
    ProposalKind.GO_ON: LineKind.WENT_ON,
    ProposalKind.EXTEND: LineKind.EXTENDED,
    ProposalKind.END: LineKind.BROKEN_OFF,
    ProposalKind.NEWCOMER: LineKind.OFFERED,
}


def _decided(proposed: Sequence[Proposed]) -> Iterator[tuple[int, datetime, Line]]:
    """A line for each decision, in order, the move after which it fell, and when that was."""
    agreed = [p for p in proposed if p.outcome is Outcome.AGREED and p.kind in DECIDED]
    for p in sorted(agreed, key=lambda p: (p.closed_at, p.pk)):
        by = NOBODY if p.by_seat is None else p.by_seat
        yield p.move or 0, p.closed_at or AFTER_ALL, Line(DECIDED[p.kind], by, target=p.about)


# What a seat says for itself, and so may be said by the clock instead.
_OWN_WORDS = (LineKind.ANNOUNCED, LineKind.PROVED, LineKind.CAUGHT, LineKind.LOST)

# What a standing order says, or lets be said when the window closes.
_ORDERED = (LineKind.CHALLENGED, LineKind.BLOCKED, LineKind.PROVED, LineKind.CAUGHT, LineKind.LOST)


def ordered(steps: Sequence[store.Step], seat: int, since: int) -> bool:
    """Whether a standing order of whoever sits on this seat `since` that move has answered the
    question that is open."""
    for step in reversed(steps):
        if not step.goes_on or step.number < since:
            return False
        if step.seat == seat and step.source == Source.ORDER:
            return True
    return False


def _told_twice(steps: Sequence[store.Step]) -> set[int]:
    """The moves whose sealed answer the close of the window tells, too."""
    found = set[int]()
    sealed: dict[int, int] = {}
    for step in steps:
        for event in step.events:
            match event:
                case Answered():
                    sealed[event.seat] = step.number
                case Allowed():
                    found.update(sealed[seat] for seat in event.seats if seat in sealed)
                case Blocked() if event.seat in sealed:
                    found.add(sealed[event.seat])
        if not step.goes_on:
            sealed.clear()
    return found


def entries(
    steps: Sequence[store.Step], viewer: int, since: int, sitters: Sitters
) -> tuple[tuple[Entry, ...], int]:
    """The log, and the number of the turn, with the eyes of `viewer` from the move `since` on.

    Who was answered for in a window shows at its close. What a standing order said is marked for
    the viewer whose it was, and for nobody else. After the end, when nothing is sealed any more,
    an answer is told where everybody learned it, and one that nobody learned where it was given.
    """
    told: list[Entry] = []
    twice = _told_twice(steps) if viewer == EVERYTHING else set[int]()
    turn, late, by_list = 1, set[int](), False
    for step in steps:
        told += sitters.entries(step.number, len(told) + 1, turn)
        eyes = viewer if step.number >= since else SPECTATOR
        mine = sitters.seat if step.number >= sitters.since else NOBODY
        clock = step.source in BY_CLOCK
        if clock and step.seat is not None:
            late.add(step.seat)
        if step.source == Source.ORDER and step.seat == mine:
            by_list = True
        for event in step.events:
            line = describe(event, eyes)
            if line is None or (line.kind is LineKind.SEALED and step.number in twice):
                continue
            by_clock = clock and line.kind in _OWN_WORDS and line.seat == step.seat
            if line.kind is LineKind.ALLOWED:
                by_clock = late.issuperset(line.seats)
            elif line.kind is LineKind.TURN:
                turn += 1
            own = line.seat == mine and line.kind in _ORDERED
            by_order = by_list and (own or (line.kind is LineKind.ALLOWED and mine in line.seats))
            by_list = by_list and not by_order
            there = step.number >= sitters.since
            number = len(told) + 1
            told.append(Entry(number, turn, line, by_clock, by_order, sitters.names, there))
        if not step.goes_on:
            late.clear()
            by_list = False
    told += sitters.entries(None, len(told) + 1, turn)
    return tuple(told), turn
