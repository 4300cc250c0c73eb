"""Tables in words: every phase, answer and line, for every kind of viewer, in every variant."""

from collections.abc import Iterator
from datetime import timedelta
from random import Random

import pytest

from games.chronicle import DECIDED
from games.engine.cards import Options, Role
from games.engine.commands import ALLOW, CHALLENGE, COUP, SEATS, Verb, parse
from games.engine.events import Reshuffled
from games.engine.observation import describe, observe
from games.engine.state import State
from games.engine.view import EVERYTHING, SPECTATOR, Line, LineKind, PhaseName
from games.words import (
    Answer,
    actions,
    answers,
    emblem,
    line,
    plain,
    rules_at_hand,
    sentence,
)
from games.words.clock import duration
from tests.games.bots.table import VARIANTS, Step, steps, uniform

NAMES = ('<b>&"x', "بهرام", "Ελένη", "{amount}", "Jiří%s", "עמית")
RAW = '<b>&"x'


def game(options: Options, seed: int, leaving: float = 0.01) -> Iterator[Step]:
    return steps(options, [uniform] * options.players, Random(seed), leaving)


def viewers(state: State) -> list[int]:
    everybody = list(range(state.options.players))
    return [*everybody, SPECTATOR]


@pytest.mark.parametrize("options", VARIANTS, ids=str)
def test_every_phase_is_a_sentence_and_every_legal_command_an_answer(options: Options) -> None:
    for seed in range(3):
        for step in game(options, seed):
            for viewer in viewers(step.state):
                view = observe(step.state, viewer)
                said = sentence(view, NAMES)
                words = said.claim + said.ask + said.note
                assert said.claim
                assert RAW not in words
                legal = view.own.legal if view.own else ()
                assert bool(said.ask) == bool(legal)
                if view.phase is PhaseName.ACTION:
                    assert answers(view, NAMES) == []
                    continue
                assert actions(view, NAMES) is None
                given = answers(view, NAMES)
                assert [parse(answer.value, SEATS) for answer in given] == list(legal)
                for answer in given:
                    assert answer.title
                    assert answer.does
                    assert RAW not in answer.title + answer.does + answer.risk


@pytest.mark.parametrize("options", VARIANTS, ids=str)
def test_the_choices_of_a_turn_are_the_legal_actions(options: Options) -> None:
    for step in game(options, 11):
        view = observe(step.state, step.state.turn)
        choices = actions(view, NAMES)
        if choices is None:
            continue
        offered = [choice for choice in choices.claiming + choices.plain if not choice.disabled]
        said = {(choice.verb, target) for choice in offered for target in choice.targets or (None,)}
        assert view.own
        assert said == {(command.verb, command.target) for command in view.own.legal}
        seats = {target for _, target in said if target is not None}
        assert seats == {target.seat for target in choices.targets}
        closed = {choice.verb for choice in choices.claiming + choices.plain if choice.disabled}
        assert Verb.INCOME not in closed or view.seats[view.viewer].coins >= 10


def test_every_kind_of_line_is_told_to_every_kind_of_viewer() -> None:
    met = set[tuple[LineKind, str]]()
    for options in VARIANTS:
        for seed in range(2):
            moves = [*game(options, seed)][-1].moves
            for event in (*(event for events in moves for event in events), Reshuffled(0, ())):
                for viewer in (*range(options.players), SPECTATOR, EVERYTHING):
                    told = describe(event, viewer)
                    if told is None:
                        continue
                    text = line(told, NAMES, viewer)
                    assert text
                    assert RAW not in text
                    assert emblem(told)
                    met.add((told.kind, "player" if viewer >= 0 else str(viewer)))
    private = {LineKind.SEALED, LineKind.RESIGNED}
    apart = {LineKind.TOOK_OVER, *DECIDED.values()}  # test_handover.py, test_consent*.py
    for kind in set(LineKind) - apart:
        assert (kind, str(EVERYTHING)) in met
        assert ((kind, str(SPECTATOR)) in met) == (kind not in private)
        assert ((kind, "player") in met) == (kind is not LineKind.SEALED)


def test_names_stay_what_they_are() -> None:
    told = Line(LineKind.STOLE, 3, 0, amount=1)
    assert line(told, NAMES, SPECTATOR) == (
        "<bdi>{amount}</bdi> takes 1 coin from <bdi>&lt;b&gt;&amp;&quot;x</bdi>."
    )
    assert plain(told, NAMES, 0) == "{amount} takes 1 coin from you."
    assert plain(told, NAMES, 3) == 'You take 1 coin from <b>&"x.'


def test_a_viewer_reads_of_themselves_as_you() -> None:
    told = Line(LineKind.ALLOWED, 1, seats=(1, 2, 4))
    assert plain(told, NAMES, 2) == "You allow, and so do بهرام and Jiří%s."
    assert plain(told, NAMES, 0) == "بهرام, Ελένη and Jiří%s allow."
    assert plain(Line(LineKind.ALLOWED, 2, seats=(2,)), NAMES, 2) == "You allow."


def test_the_last_card_is_told_with_the_exile() -> None:
    told = Line(LineKind.LOST, 2, role=Role.DUKE)
    assert line(told, NAMES, 2, exiled=True) == (
        'You lose the <span class="role" data-role="duke">Duke</span> and are exiled.'
    )


def find(verb: Verb, phase: PhaseName, options: Options) -> Step:
    """A table at which `verb` is answered, and somebody else than its target is asked."""
    for seed in range(200):
        for step in game(options, seed, leaving=0):
            action = step.view.action
            if action and action.verb is verb and step.view.phase is phase:
                return step
    raise AssertionError(f"no game with {verb} in {phase}")


@pytest.mark.parametrize("role", [Role.CAPTAIN, Role.AMBASSADOR])
def test_the_owner_alone_learns_whether_a_block_would_be_a_bluff(role: Role) -> None:
    state = find(Verb.STEAL, PhaseName.RESPOND, Options(4)).state
    for viewer in range(4):
        view = observe(state, viewer)
        if view.own is None or not view.own.legal:
            continue
        for answer in answers(view, NAMES):
            if answer.role is role:
                assert view.action
                assert viewer == view.action.target
                held = role in view.own.hand
                assert answer.note == ("you hold it" if held else "a bluff")


def test_a_sealed_answer_is_told_to_the_one_who_gave_it_alone() -> None:
    for seed in range(200):
        for step in game(Options(3), seed, leaving=0):
            views = [observe(step.state, viewer) for viewer in range(3)]
            for view in views:
                if view.own and view.own.sealed:
                    told = [sentence(other, NAMES) for other in views]
                    assert view.own.sealed in (ALLOW, *_blocks())
                    assert "Nobody learns it" in told[view.viewer].note
                    assert not told[view.viewer].ask
                    spectator = sentence(observe(step.state, SPECTATOR), NAMES)
                    assert "Nobody learns it" not in spectator.note
                    return
    raise AssertionError("nobody answered first")


def _blocks() -> list[object]:
    return [parse(f"block {role}", SEATS) for role in Role]


def test_ten_coins_leave_a_coup() -> None:
    for seed in range(300):
        for step in game(Options(2), seed, leaving=0):
            turn = step.state.turn
            view = observe(step.state, turn)
            if view.phase is PhaseName.ACTION and view.seats[turn].coins >= 10:
                choices = actions(view, NAMES)
                assert choices
                said = {choice.verb: choice for choice in choices.claiming + choices.plain}
                assert said[Verb.COUP].targets == (COUP[1 - turn].target,)
                assert not said[Verb.COUP].disabled
                assert "10 coins" in said[Verb.TAX].disabled
                assert "Ten coins" in sentence(view, NAMES).ask
                return
    raise AssertionError("nobody grew rich")


def allowed_by_the_target(step: Step) -> Answer:
    action = observe(step.state, 0).action
    assert action is not None
    assert action.target is not None
    given = answers(observe(step.state, action.target), NAMES)
    return next(one for one in given if one.value == "allow")


def test_an_allow_tells_of_a_later_block_only_what_can_be() -> None:
    for size, others in [(2, False), (3, True)]:
        allow = allowed_by_the_target(find(Verb.STEAL, PhaseName.RESPOND, Options(size)))
        assert "cannot block it later" in allow.risk
        assert ("somebody else" in allow.risk) == others


def test_a_card_lost_for_certain_is_not_said_to_be_without_risk() -> None:
    allow = allowed_by_the_target(find(Verb.ASSASSINATE, PhaseName.BLOCK, Options(3)))
    assert "You lose" in allow.does
    assert not allow.risk


def test_a_challenge_says_what_the_last_card_is_worth() -> None:
    step = find(Verb.TAX, PhaseName.RESPOND, Options(3))
    for viewer in range(3):
        view = observe(step.state, viewer)
        for answer in answers(view, NAMES):
            if parse(answer.value, SEATS) == CHALLENGE:
                last = view.seats[viewer].hidden == 1
                assert ("exiled" in answer.risk) == last


@pytest.mark.parametrize("options", VARIANTS, ids=str)
def test_the_rules_at_hand_are_those_of_the_variant(options: Options) -> None:
    names = [rule.name for rule in rules_at_hand(options)]
    assert ("Inquisitor" in names) == options.inquisitor
    assert ("Ambassador" in names) != options.inquisitor
    assert ("Convert" in names) == ("Embezzle" in names) == options.factions
    assert all(rule.says for rule in rules_at_hand(options))


@pytest.mark.parametrize(
    ("left", "words"),
    [
        (timedelta(seconds=59), "less than a minute"),
        (timedelta(minutes=1), "1 minute"),
        (timedelta(hours=47, minutes=5), "47 hr 5 min"),
        (timedelta(days=2), "2 days"),
        (timedelta(days=2, hours=23, minutes=59), "2 days 23 hr"),
    ],
)
def test_a_length_of_time_loses_less_than_its_smaller_unit(left: timedelta, words: str) -> None:
    assert duration(left) == words
