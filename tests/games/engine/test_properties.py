"""What holds at every step of every game, over random games of every option and size."""

import json
from collections import Counter
from itertools import combinations_with_replacement

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.engine import codec
from games.engine.cards import COPIES, MAX_PLAYERS, Options, Role, roles
from games.engine.commands import (
    RESIGN,
    TARGETED,
    TIMEOUT,
    WITH_ROLE,
    Command,
    IllegalCommand,
    Verb,
    keep,
    parse,
    text,
)
from games.engine.events import (
    Announced,
    Embezzled,
    Ended,
    Event,
    Gained,
    Left,
    Lost,
    Refunded,
    Resigned,
    Stole,
    TurnEnded,
)
from games.engine.rules import choices, decide, default, legal, play, ranking
from games.engine.state import Choose, Examine, Exchange, Over, State, waiting
from games.engine.transitions import evolve, start

from .random_games import Luck, lucks, opening, remaining, steps, tables

few = settings(max_examples=25, deadline=None)
some = settings(max_examples=60, deadline=None)


def universe() -> list[Command]:
    """Every word that can be said: each verb with every seat, role or kept cards it may bear."""
    words: list[Command] = []
    for verb in Verb:
        if verb in TARGETED:
            words += [Command(verb, seat) for seat in range(-1, MAX_PLAYERS + 1)]
        elif verb in WITH_ROLE:
            words += [Command(verb, None, (role,)) for role in Role]
        elif verb is Verb.KEEP:
            for size in range(5):
                words += [keep(*cards) for cards in combinations_with_replacement(Role, size)]
        elif verb not in (Verb.RESIGN, Verb.TIMEOUT):
            words.append(Command(verb))
    return words


UNIVERSE = universe()
# The right verb in the wrong shape is no more legal than the wrong verb.
MALFORMED = [
    Command(Verb.INCOME, 0),
    Command(Verb.TAX, None, (Role.DUKE,)),
    Command(Verb.COUP),
    Command(Verb.STEAL, None, (Role.CAPTAIN,)),
    Command(Verb.ALLOW, 1),
    Command(Verb.CHALLENGE, None, (Role.DUKE,)),
    Command(Verb.BLOCK),
    Command(Verb.LOSE, None, (Role.DUKE, Role.DUKE)),
]


def text_of(state: State) -> str:
    return json.dumps(codec.dump_state(state))


@some
@given(tables, lucks)
def test_somebody_can_always_move_until_one_player_is_left(options: Options, luck: Luck) -> None:
    _, state = opening(options, luck)
    for step in steps(state, luck):
        asked = waiting(step.before)
        assert asked
        assert set(asked) <= set(remaining(step.before))
        assert {seat for seat, _ in choices(step.before)} == set(asked)
        state = step.after
    assert waiting(state) == () == choices(state)
    assert len(state.exiled) == options.players - 1
    assert sorted(ranking(state)) == list(range(options.players))
    assert [seat for seat, hand in enumerate(state.hands) if hand] == [ranking(state)[0]]


@few
@given(tables, lucks)
def test_what_is_listed_is_accepted_and_every_other_word_refused(
    options: Options, luck: Luck
) -> None:
    _, state = opening(options, luck)
    for step in steps(state, luck):
        state, before = step.before, text_of(step.before)
        for seat in range(-1, options.players + 1):
            listed = legal(state, seat)
            assert len(set(listed)) == len(listed)
            assert set(listed) <= set(UNIVERSE)
            for command in listed:
                events, after = play(state, seat, command, luck)
                assert events
                assert after != state
            for command in set(UNIVERSE).difference(listed).union(MALFORMED):
                with pytest.raises(IllegalCommand):
                    play(state, seat, command, luck)
        assert text_of(state) == before


@some
@given(tables, lucks)
def test_only_who_is_asked_can_run_out_of_time_and_then_says_the_default(
    options: Options, luck: Luck
) -> None:
    _, state = opening(options, luck)
    for step in steps(state, luck):
        for seat in range(-1, options.players + 1):
            if seat in waiting(step.before):
                answer = default(step.before, seat)
                assert answer in legal(step.before, seat)
                assert decide(step.before, seat, TIMEOUT, Luck("same")) == decide(
                    step.before, seat, answer, Luck("same")
                )
            else:
                with pytest.raises(IllegalCommand):
                    play(step.before, seat, TIMEOUT, luck)


@some
@given(tables, lucks)
def test_who_is_in_the_game_may_leave_once(options: Options, luck: Luck) -> None:
    _, state = opening(options, luck)
    states = [state, *(step.after for step in steps(state, luck, odd=0.2))]
    for state in states:
        over = isinstance(state.phase, Over)
        for seat in range(-1, options.players + 1):
            if over or seat not in remaining(state):
                with pytest.raises(IllegalCommand):
                    play(state, seat, RESIGN, luck)
                continue
            events, after = play(state, seat, RESIGN, luck)
            assert events[0] == Resigned(seat)
            assert seat not in waiting(after)
            ended = any(isinstance(event, TurnEnded | Ended) for event in events)
            exiled = seat in after.exiled
            assert exiled == (ended or isinstance(state.phase, Choose))
            assert exiled != (seat in after.leaving)
            if isinstance(after.phase, Over):
                assert len(remaining(after)) == 1


@some
@given(tables, lucks)
def test_leavers_are_exiled_in_order_when_the_turn_ends(options: Options, luck: Luck) -> None:
    _, state = opening(options, luck)
    resigned: list[int] = []
    for step in steps(state, luck, odd=0.3):
        state = step.before
        for event in step.events:
            state = evolve(state, event)
            match event:
                case Resigned(seat=seat):
                    resigned.append(seat)
                case Lost(seat=seat) if seat in state.exiled and seat in resigned:
                    resigned.remove(seat)  # on the way out, without the wait
                case Left(seat=seat):
                    assert seat == resigned.pop(0)
                case TurnEnded() | Ended():
                    assert resigned == []
                case _:
                    pass
            assert state.leaving == tuple(resigned)


@some
@given(tables, lucks)
def test_three_cards_of_each_role_whatever_happens(options: Options, luck: Luck) -> None:
    _, state = opening(options, luck)
    expected = Counter(dict.fromkeys(roles(options), COPIES))
    states = [state, *(step.after for step in steps(state, luck))]
    for state in states:
        phase = state.phase
        cards = [*state.deck, *(phase.drawn if isinstance(phase, Exchange) else ())]
        cards += [role for pile in (*state.hands, *state.revealed) for role in pile]
        assert Counter(cards) == expected
        for seat, (hand, lost) in enumerate(zip(state.hands, state.revealed, strict=True)):
            assert len(hand) + len(lost) == 2
            assert (seat in state.exiled) == (not hand)
        if isinstance(phase, Examine):
            assert phase.shown in state.hands[phase.action.target]


class Purses:
    """Coins as the events tell of them: each coin comes out of one purse and goes into another."""

    def __init__(self, state: State) -> None:
        self.coins = list(state.coins)
        self.almshouse = self.treasury = 0

    def tell(self, event: Event, exiled: tuple[int, ...]) -> None:
        match event:
            case Announced(action=action):
                self.coins[action.seat] -= action.cost
                if action.verb is Verb.CONVERT:
                    self.almshouse += action.cost
                else:
                    self.treasury += action.cost
            case Gained() | Refunded():
                self.coins[event.seat] += event.amount
                self.treasury -= event.amount
            case Stole():
                self.coins[event.target] -= event.amount
                self.coins[event.seat] += event.amount
            case Embezzled():
                self.almshouse -= event.amount
                self.coins[event.seat] += event.amount
            case Left(seat=seat):
                self.empty(seat)
            case TurnEnded() | Ended():
                for seat in exiled:
                    self.empty(seat)
            case _:
                pass

    def empty(self, seat: int) -> None:
        self.treasury += self.coins[seat]
        self.coins[seat] = 0


@some
@given(tables, lucks)
def test_every_coin_that_moves_is_told_and_none_is_lost(options: Options, luck: Luck) -> None:
    _, state = opening(options, luck)
    purses, total = Purses(state), sum(state.coins)
    for step in steps(state, luck):
        state = step.before
        for event in step.events:
            state = evolve(state, event)
            purses.tell(event, state.exiled)
            assert list(state.coins) == purses.coins
            assert state.almshouse == purses.almshouse
            assert min(*state.coins, state.almshouse) >= 0
        assert state == step.after
        assert sum(state.coins) + state.almshouse + purses.treasury == total
        if isinstance(state.phase, Choose):
            assert all(state.coins[seat] == 0 for seat in state.exiled)
            if state.coins[state.turn] >= 10:
                assert {command.verb for _, command in choices(state)} == {Verb.COUP}


@some
@given(tables, lucks)
def test_the_dump_of_the_events_replays_to_the_same_table(options: Options, luck: Luck) -> None:
    dealt, state = opening(options, luck)
    events: list[Event] = [dealt]
    for step in steps(state, luck):
        events += step.events
        state = step.after
        assert codec.load_state(json.loads(text_of(state))) == state
    stored = json.dumps(codec.dump_events(events))
    loaded = codec.load_events(json.loads(stored), codec.SCHEMA)
    assert loaded == events
    first, *rest = loaded
    replayed = start(options, first)
    for event in rest:
        replayed = evolve(replayed, event)
    assert replayed == state


@some
@given(tables, lucks)
def test_every_command_can_be_said_in_words(options: Options, luck: Luck) -> None:
    names = ["ann", "ben", "cyd", "dan", "eve", "fay"][: options.players]
    _, state = opening(options, luck)
    for step in steps(state, luck):
        for _, command in choices(step.before):
            assert parse(text(command, names), names) == command


@pytest.mark.parametrize(
    "words",
    [
        "",
        "cheat",
        "income ann",
        "coup",
        "coup zoe",
        "block",
        "block king",
        "keep",
        "keep duke,king",
        "allow now",
        "Income",
    ],
)
def test_other_words_are_no_commands(words: str) -> None:
    with pytest.raises(IllegalCommand):
        parse(words, ["ann", "ben"])


@given(st.integers(2, 6), st.booleans(), lucks)
def test_the_deal(players: int, both_one: bool, luck: Luck) -> None:
    options = Options(players, both_one=both_one, factions=True)
    dealt, state = opening(options, luck)
    expected = [2] * players
    if players == 2:
        expected = [1, 1] if both_one else expected
        expected[dealt.first] = 1
    assert list(state.coins) == expected
    assert state.turn == dealt.first
    assert [len(hand) for hand in state.hands] == [2] * players
    around = [state.factions[(dealt.first + n) % players] for n in range(players)]
    assert around == (["loyalist", "reformist"] * 3)[:players]
