"""A table at which functions play, and all the tables there are."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from random import Random

from games.bots.answer import answer
from games.engine.cards import Hand, Options
from games.engine.commands import RESIGN, Command
from games.engine.events import Event
from games.engine.observation import describe, observe
from games.engine.rules import deal, play
from games.engine.state import State, waiting
from games.engine.transitions import start
from games.engine.view import Line, TableView

type Player = Callable[[TableView, Sequence[Line], Random], Command]

VARIANTS = [
    Options(players, inquisitor, factions)
    for players, inquisitor, factions in product(range(2, 7), (False, True), (False, True))
]
LONGEST = 1500  # moves; no game may last longer


class Chance:
    """The engine's chance out of a seeded generator."""

    def __init__(self, random: Random) -> None:
        self.random = random

    def below(self, bound: int, /) -> int:
        return self.random.randrange(bound)

    def shuffle(self, cards: Hand, /) -> Hand:
        return tuple(self.random.sample(cards, len(cards)))


@dataclass
class Step:
    """A move about to be made, with all that went before; `command` is None at the end."""

    state: State
    seat: int
    view: TableView
    lines: list[Line]
    moves: list[list[Event]]
    command: Command | None


def bot(kind: str) -> Player:
    return lambda view, lines, random: answer(kind, view, lines, random.randrange)


def uniform(view: TableView, lines: Sequence[Line], random: Random) -> Command:
    """Any legal command, each as likely."""
    assert view.own is not None
    return random.choice(view.own.legal)


def steps(
    options: Options, players: Sequence[Player], random: Random, leaving: float = 0
) -> Iterator[Step]:
    """A whole game, move by move, the last step being the end. Some seat may leave at each."""
    chance = Chance(random)
    dealt = deal(options, chance)
    state = start(options, dealt)
    moves: list[list[Event]] = [[dealt]]
    lines: list[list[Line]] = [[] for _ in players]
    events: list[Event] = [dealt]
    while True:
        for seat, log in enumerate(lines):
            log += [line for event in events if (line := describe(event, seat))]
        asked = waiting(state)
        assert len(moves) < LONGEST
        seat = random.choice(asked or (0,))
        leavers = [n for n in range(len(players)) if n not in state.exiled + state.leaving]
        command: Command | None = None
        if asked and leaving and random.random() < leaving:
            seat, command = random.choice(leavers), RESIGN
        view = observe(state, seat)
        if asked and command is None:
            command = players[seat](view, lines[seat], random)
        yield Step(state, seat, view, list(lines[seat]), list(moves), command)
        if command is None:
            return
        events, state = play(state, seat, command, chance)
        moves.append(events)
