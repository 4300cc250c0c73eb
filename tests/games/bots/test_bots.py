"""What a bot may and may not do, whatever its kind and the table."""

from random import Random

import pytest

from games.bots.answer import PAUSES, Kind, answer, pause
from games.engine.cards import COPIES, Faction, Options, Role
from games.engine.commands import CHALLENGE, Command, Verb, parse
from games.engine.events import Dealt, Ended, Event
from games.engine.observation import describe, observe
from games.engine.rules import play
from games.engine.state import waiting
from games.engine.transitions import evolve, start
from games.engine.view import Line, TableView

from ..redeal import redeal
from .table import VARIANTS, Chance, Player, Step, bot, steps, uniform

CASTS = [[kind] for kind in Kind] + [list(Kind)]


def cast(kinds: list[Kind], options: Options) -> list[Player]:
    return [bot(kinds[seat % len(kinds)]) for seat in range(options.players)]


def in_sight(view: TableView, role: Role) -> int:
    """How many cards of a role a seat sees: face up, and in its hand."""
    assert view.own
    lost = sum(seat.revealed.count(role) for seat in view.seats)
    return lost + view.own.hand.count(role)


def claims(command: Command, options: Options) -> Role | None:
    """The role that a command claims."""
    match command.verb:
        case Verb.TAX:
            return Role.DUKE
        case Verb.ASSASSINATE:
            return Role.ASSASSIN
        case Verb.STEAL:
            return Role.CAPTAIN
        case Verb.EXAMINE:
            return Role.INQUISITOR
        case Verb.EXCHANGE:
            return Role.INQUISITOR if options.inquisitor else Role.AMBASSADOR
        case Verb.BLOCK:
            return command.roles[0]
        case _:
            return None


def sight(options: Options, moves: list[list[Event]], seat: int) -> tuple[TableView, list[Line]]:
    (dealt,), *rest = moves
    assert isinstance(dealt, Dealt)
    state, lines = start(options, dealt), [describe(dealt, seat)]
    for events in rest:
        for event in events:
            state = evolve(state, event)
            lines.append(describe(event, seat))
    return observe(state, seat), [line for line in lines if line]


def check(step: Step) -> None:
    view, command = step.view, step.command
    own, claim = view.own, view.claim
    assert own
    assert command
    assert command in own.legal
    role = claims(command, view.options)
    if role and role not in own.hand:
        assert in_sight(view, role) < COPIES, "claims what cannot be"
    if claim and claim.role and CHALLENGE in own.legal:
        possible = in_sight(view, claim.role) < COPIES
        assert possible or command == CHALLENGE, "lets pass what cannot be"


@pytest.mark.parametrize("options", VARIANTS, ids=repr)
def test_bots_play_legally_to_the_end_and_believe_their_eyes(options: Options) -> None:
    for kinds in CASTS:
        for seed in range(3):
            *played, last = steps(options, cast(kinds, options), Random(seed))
            for step in played:
                check(step)
            assert isinstance(last.moves[-1][-1], Ended)


def test_a_bot_challenges_what_cannot_be() -> None:
    caught = 0
    for seed in range(40):
        seats: list[Player] = [uniform, *(bot(kind) for kind in Kind)]
        *played, _ = steps(Options(4), seats, Random(seed))
        for step in played:
            claim = step.view.claim
            if step.seat and claim and claim.role and step.command == CHALLENGE:
                caught += in_sight(step.view, claim.role) == COPIES
            if step.seat:
                check(step)
    assert caught


def test_an_examined_card_is_remembered_while_it_is_there() -> None:
    """Who was shown a Duke and gave it back challenges its owner's "no Duke"."""
    options = Options(2, inquisitor=True, factions=True)
    dealt = Dealt(
        first=0,
        coins=(1, 2),
        hands=((Role.INQUISITOR, Role.CONTESSA), (Role.DUKE, Role.CAPTAIN)),
        deck=(Role.DUKE, Role.ASSASSIN, Role.CAPTAIN),
        factions=(Faction.LOYALIST, Faction.REFORMIST),
    )
    said = ["examine b", "allow", "show duke", "return", "convert b", "income", "embezzle"]
    moves: list[list[Event]] = [[dealt]]
    state = start(options, dealt)
    for words in said:
        [seat] = waiting(state)
        events, state = play(state, seat, parse(words, "ab"), Chance(Random(1)))
        moves.append(events)
    view, lines = sight(options, moves, 0)
    for kind in Kind:
        assert answer(kind, view, lines, Random(1).randrange) == CHALLENGE


@pytest.mark.parametrize("options", VARIANTS[1::2], ids=repr)
def test_no_decision_changes_with_the_cards_a_bot_cannot_see(options: Options) -> None:
    changed = asked = 0
    for seed in range(3):
        random = Random(seed)
        played = list(steps(options, cast(list(Kind), options), random))[:-1]
        for step in random.sample(played, min(12, len(played))):
            moves = redeal(step.moves, step.seat, random)
            view, lines = sight(options, moves, step.seat)
            for kind in Kind:
                chance = random.random()
                before = answer(kind, step.view, step.lines, Random(chance).randrange)
                assert before == answer(kind, view, lines, Random(chance).randrange)
            changed += moves != step.moves
            asked += 1
    assert changed > 0.8 * asked


@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.parametrize("kind", Kind)
def test_a_bot_beats_chance_by_far(kind: Kind, players: int) -> None:
    games, won = 150, 0
    for seed in range(games):
        seat = seed % players
        seats: list[Player] = [uniform] * players
        seats[seat] = bot(kind)
        *_, last = steps(Options(players), seats, Random(seed))
        end = last.moves[-1][-1]
        assert isinstance(end, Ended)
        won += end.winner == seat
    assert won > 0.6 * games


def test_a_bot_thinks_by_the_pace_and_less_where_no_person_is_asked() -> None:
    random = Random(1)
    for pace, (low, high) in PAUSES.items():
        drawn = {pause(pace, True, random.randrange) for _ in range(200)}
        assert low <= min(drawn) < max(drawn) < high
        assert len(drawn) > 100
        assert pause(pace, False, random.randrange) <= 2_000
