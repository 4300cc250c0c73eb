"""The oracle of secrecy: what it returns looks the same, could have been, and is another game."""

from functools import reduce
from itertools import islice
from random import Random

import pytest

from games.engine.cards import COPIES, Hand, Options, roles
from games.engine.commands import Command
from games.engine.events import Dealt, Event, Exchanged, Proved, Replaced, Swapped
from games.engine.observation import describe, observe
from games.engine.rules import deal, play
from games.engine.state import State
from games.engine.transitions import evolve, start
from games.engine.view import SPECTATOR, Line, PhaseName, TableView

from .bots.table import VARIANTS, Chance, Step, bot, steps, uniform
from .redeal import History, redeal, said, without_sealed

WINDOWS = (PhaseName.RESPOND, PhaseName.RESPOND_BLOCK)
CAST = [uniform, bot("honest"), bot("bluffer"), bot("counter")]


class Replayed:
    """Chance as it fell in the events of a move: each shuffle gives what they tell."""

    def __init__(self, events: list[Event]) -> None:
        self.orders = [order for event in events if (order := _order(event))]

    def below(self, bound: int, /) -> int:
        raise AssertionError("the lot falls before the first move")

    def shuffle(self, cards: Hand, /) -> Hand:
        order = self.orders.pop(0)
        assert sorted(order) == sorted(cards)
        return order


def _order(event: Event) -> Hand:
    match event:
        case Proved():
            return (event.drawn, *event.deck)
        case Replaced():
            return event.drawn + event.deck
        case Exchanged() | Swapped():
            return event.deck
        case _:
            return ()


def game(options: Options, random: Random, stop: int | None = None) -> list[Step]:
    """The steps of a game to its end, or to `stop`; some players leave."""
    players = [random.choice(CAST) for _ in range(options.players)]
    return list(islice(steps(options, players, random, leaving=0.01), stop))


def states(options: Options, moves: History) -> list[State]:
    """The table after each move."""
    (dealt,), *rest = moves
    assert isinstance(dealt, Dealt)
    tables = [start(options, dealt)]
    for events in rest:
        tables.append(reduce(evolve, events, tables[-1]))
    return tables


def seen(options: Options, moves: History, viewer: int) -> list[tuple[list[Line], TableView]]:
    """All that a viewer saw: after each move, its lines of the log and the table."""
    return [
        ([line for event in events if (line := describe(event, viewer))], observe(table, viewer))
        for events, table in zip(moves, states(options, moves), strict=True)
    ]


def replay(options: Options, moves: History, commands: list[tuple[int, Command]]) -> State:
    """The engine's own game of these commands with this luck: the very same events."""
    dealt = moves[0][0]
    assert isinstance(dealt, Dealt)
    cards = sum(dealt.hands, dealt.deck)
    assert sorted(cards) == sorted(roles(options) * COPIES)
    state = start(options, dealt)
    for (seat, command), events in zip(commands, moves[1:], strict=True):
        produced, state = play(state, seat, said(command, events), Replayed(events))
        assert produced == events
    return state


@pytest.mark.parametrize("options", VARIANTS, ids=repr)
def test_a_game_dealt_anew_looks_the_same_and_could_have_been(options: Options) -> None:
    changed = total = 0
    for seed in range(8):
        random = Random(seed)
        played = game(options, random, stop=random.choice([None, 5, 20, 40]))
        moves = played[-1].moves
        commands = [(step.seat, step.command) for step in played[:-1] if step.command]
        for viewer in range(SPECTATOR, options.players):
            other = redeal(moves, viewer, random)
            assert seen(options, other, viewer) == seen(options, moves, viewer)
            replay(options, other, commands)
            changed += other != moves
            total += 1
    assert changed > 0.9 * total


def test_every_card_that_could_be_there_turns_up() -> None:
    random = Random(1)
    dealt = deal(Options(3), Chance(random))
    hands = set()
    for _ in range(200):
        [[other]] = redeal([[dealt]], 0, random)
        assert isinstance(other, Dealt)
        assert other.hands[0] == dealt.hands[0]
        hands.add(other.hands[1])
    possible = {
        (one, two)
        for one in roles(Options(3))
        for two in roles(Options(3))
        if (*dealt.hands[0], one, two).count(one) <= COPIES
    }
    assert hands == possible


def test_hidden_hands_change_in_most_games() -> None:
    changed = total = 0
    for seed in range(60):
        random = Random(seed)
        options = VARIANTS[seed % len(VARIANTS)]
        played = game(options, random, stop=25)
        viewer = random.randrange(options.players)
        other = redeal(played[-1].moves, viewer, random)
        hidden = [
            [hand for seat, hand in enumerate(tables[-1].hands) if seat != viewer]
            for tables in (states(options, other), states(options, played[-1].moves))
        ]
        changed += hidden[0] != hidden[1]
        total += 1
    assert changed > 0.75 * total


@pytest.mark.parametrize("options", VARIANTS[::3], ids=repr)
def test_a_table_without_the_sealed_answers_of_others_looks_the_same(options: Options) -> None:
    dropped = 0
    for seed in range(8):
        random = Random(seed)
        windows = [step for step in game(options, random) if step.view.phase in WINDOWS]
        for step in random.sample(windows, min(4, len(windows))):
            for viewer in range(SPECTATOR, options.players):
                fewer = without_sealed(step.moves, viewer)
                before, after = seen(options, step.moves, viewer), seen(options, fewer, viewer)
                assert before[-1][1] == after[-1][1]
                assert [told for told, _ in before if told] == [told for told, _ in after if told]
                dropped += len(step.moves) - len(fewer)
    assert dropped or options.players == 2


def test_nothing_is_dropped_once_the_window_is_closed() -> None:
    for step in game(Options(4), Random(3)):
        if step.view.phase not in WINDOWS:
            assert without_sealed(step.moves, SPECTATOR) == step.moves
