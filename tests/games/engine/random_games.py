"""Random games of every option, for tests: the same seed always plays the same game."""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from hypothesis import strategies as st

from games.engine.cards import MAX_PLAYERS, MIN_PLAYERS, Hand, Options
from games.engine.commands import RESIGN, TIMEOUT, Command
from games.engine.events import Dealt, Event
from games.engine.rules import choices, deal, play
from games.engine.state import Over, State, waiting
from games.engine.transitions import start

# Random play ends sooner or later; a game of this many commands is taken for one that never does.
LONGEST = 3000


class Luck:
    """Chance from a seed, by `random()` alone, whose values no Python version changes."""

    def __init__(self, seed: str) -> None:
        self.random = Random(seed).random

    def below(self, bound: int, /) -> int:
        return int(self.random() * bound)

    def shuffle(self, cards: Hand, /) -> Hand:
        mixed = list(cards)
        for last in range(len(mixed) - 1, 0, -1):
            other = self.below(last + 1)
            mixed[last], mixed[other] = mixed[other], mixed[last]
        return tuple(mixed)


@dataclass(frozen=True)
class Step:
    before: State
    seat: int
    command: Command
    events: list[Event]
    after: State


def opening(options: Options, luck: Luck) -> tuple[Dealt, State]:
    dealt = deal(options, luck)
    return dealt, start(options, dealt)


def remaining(state: State) -> list[int]:
    """The seats in the game that have not resigned."""
    return [n for n in range(state.options.players) if n not in state.exiled + state.leaving]


def next_command(state: State, luck: Luck, odd: float) -> tuple[int, Command]:
    """Mostly a uniform choice among what is listed; with chance `odd` a time-out or a leave."""
    if luck.random() < odd:
        asked = waiting(state)
        if luck.random() < 0.7:
            return asked[luck.below(len(asked))], TIMEOUT
        stayers = remaining(state)
        return stayers[luck.below(len(stayers))], RESIGN
    listed = choices(state)
    return listed[luck.below(len(listed))]


def steps(state: State, luck: Luck, odd: float = 0.08) -> Iterator[Step]:
    """Play on from `state` to the end of the game."""
    for _ in range(LONGEST):
        if isinstance(state.phase, Over):
            return
        seat, command = next_command(state, luck, odd)
        events, after = play(state, seat, command, luck)
        yield Step(state, seat, command, events, after)
        state = after
    raise AssertionError("a game without an end")


tables = st.builds(
    Options,
    players=st.integers(MIN_PLAYERS, MAX_PLAYERS),
    inquisitor=st.booleans(),
    factions=st.booleans(),
    both_one=st.booleans(),
)
lucks = st.integers(0, 2**32).map(lambda seed: Luck(str(seed)))
