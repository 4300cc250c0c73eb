"""The time bank: what it begins with, costs and gets back, and what others see of it when."""

from datetime import timedelta

import pytest

from games import clocks, drive, heartbeat, lobby, verify
from games.models import BotKind, ClockEntry, ClockReason, Game, Prompt, Source, Window
from games.refusal import Reason, Refused
from games.timing import ALLOWANCES, HOUR, Pace

from .cast import NOON, SEED, person, prompt_of, running_game, say, state_of, tenure_of, whole

pytestmark = pytest.mark.django_db

DAILY = ALLOWANCES[Pace.DAILY]


def after(**length: int) -> timedelta:
    return timedelta(**length)


def bank(game: Game, seat: int) -> int:
    return tenure_of(game, seat).bank


def others(game: Game) -> tuple[int, int]:
    turn = state_of(game).turn
    return (turn + 1) % 3, (turn + 2) % 3


@pytest.mark.parametrize("pace", list(Pace))
def test_a_question_grants_grace_and_bank(pace: Pace) -> None:
    game = running_game(3, pace=pace)
    allowance = ALLOWANCES[pace]
    prompt = prompt_of(game, state_of(game).turn)
    assert prompt.free_until - NOON == after(milliseconds=allowance.turn)
    assert prompt.due - NOON == after(milliseconds=allowance.turn + allowance.bank)
    assert [bank(game, seat) for seat in range(3)] == [allowance.bank] * 3
    whole(game)


def test_a_bot_has_no_bank() -> None:
    plan = lobby.Plan(size=3, pace=Pace.DAILY, bots=[BotKind.HONEST] * 2)
    game = lobby.open_table(host=person("Ana"), plan=plan, seed=SEED, now=NOON)
    assert [bank(game, seat) for seat in range(3)] == [DAILY.bank, 0, 0]


def test_an_answer_within_the_grace_tops_the_bank_up_to_the_most() -> None:
    game = running_game(2)
    for turn in range(16):
        say(game, state_of(game).turn, "income", NOON + after(hours=turn))
        assert max(bank(game, seat) for seat in range(2)) <= DAILY.most
        if state_of(game).coins[state_of(game).turn] >= 10:
            break
    assert bank(game, 0) == bank(game, 1) == DAILY.most
    whole(game)


def test_time_beyond_the_grace_comes_out_of_the_bank() -> None:
    game = running_game(3)
    turn = state_of(game).turn
    say(game, turn, "income", NOON + after(hours=31))
    assert bank(game, turn) == DAILY.bank - 7 * HOUR + DAILY.back
    entries = dict(ClockEntry.objects.exclude(prompt=None).values_list("reason", "delta"))
    assert entries == {ClockReason.BURNT: -7 * HOUR, ClockReason.GIVEN_BACK: DAILY.back}
    whole(game)


def test_a_sealed_answer_is_charged_when_the_window_closes() -> None:
    game = running_game(3)
    turn = state_of(game).turn
    one, other = others(game)
    say(game, turn, "tax")
    say(game, one, "allow", NOON + after(hours=30))
    assert bank(game, one) == DAILY.bank
    say(game, other, "allow", NOON + after(hours=40))
    assert bank(game, one) == DAILY.bank - 6 * HOUR + DAILY.back
    assert bank(game, other) == DAILY.bank - 16 * HOUR + DAILY.back
    whole(game)


def test_what_a_challenge_settles_is_charged_too_and_gives_nothing_back() -> None:
    game = running_game(4)
    turn = state_of(game).turn
    first, second, third = ((turn + step) % 4 for step in (1, 2, 3))
    say(game, turn, "tax")
    say(game, first, "allow", NOON + after(hours=2))
    say(game, third, "challenge", NOON + after(hours=30))
    # Whether somebody had answered in time before the challenge, nobody can tell.
    assert bank(game, first) == DAILY.bank
    assert bank(game, second) == DAILY.bank - 6 * HOUR
    assert bank(game, third) == DAILY.bank - 6 * HOUR + DAILY.back
    whole(game)


def test_who_runs_out_of_time_has_an_empty_bank_and_gets_nothing_back() -> None:
    game = running_game(3)
    turn = state_of(game).turn
    due, rest = prompt_of(game, turn).due, others(game)
    assert drive.sweep(due) == 1
    assert bank(game, turn) == 0
    for seat in rest:
        say(game, seat, "income", due)
    mine = prompt_of(game, turn)
    assert mine.due == mine.free_until == due + after(hours=24)
    whole(game)


def test_each_of_those_asked_has_their_own_time_and_the_public_the_latest() -> None:
    game = running_game(3)
    turn = state_of(game).turn
    say(game, turn, "income", NOON + after(hours=34))
    later = NOON + after(hours=34)
    say(game, state_of(game).turn, "tax", later)
    due = {seat: prompt_of(game, seat).due for seat in others(game)}
    assert due[turn] == later + after(hours=24 + 48 - 10 + 4)
    assert Window.objects.get(game=game, closed_at=None).deadline == max(due.values())
    assert due[turn] < max(due.values())
    say(game, others(game)[0], "allow", later)
    assert Window.objects.get(game=game, closed_at=None).deadline == max(due.values())


def test_an_answer_that_comes_too_late_finds_the_clock_s() -> None:
    game = running_game(3)
    turn = state_of(game).turn
    prompt = prompt_of(game, turn)
    heartbeat.beat(prompt.due)
    with pytest.raises(Refused) as refused:
        say(game, turn, "tax", prompt.due)
    assert refused.value.reason is Reason.MOVED_ON
    prompt.refresh_from_db()
    assert prompt.answered_by == Source.CLOCK
    whole(game)


def test_while_no_worker_is_there_no_answer_is_late_and_nothing_is_charged() -> None:
    game = running_game(3)
    turn = state_of(game).turn
    prompt = prompt_of(game, turn)
    heartbeat.beat(NOON + after(hours=26))
    say(game, turn, "income", prompt.due + after(hours=5))
    prompt.refresh_from_db()
    assert prompt.answered_by == Source.PERSON
    assert prompt.burnt == 2 * HOUR
    assert bank(game, turn) == DAILY.bank - 2 * HOUR + DAILY.back
    whole(game)


def test_a_reminder_comes_after_three_quarters_of_the_time() -> None:
    game = running_game(3)
    prompt = prompt_of(game, state_of(game).turn)
    assert clocks.reminder(prompt, exactly=True) == NOON + after(hours=54)


def test_verify_checks_the_ledger() -> None:
    game = running_game(3)
    turn = state_of(game).turn
    say(game, turn, "income", NOON + after(hours=30))
    Prompt.objects.filter(game=game, burnt__gt=0).update(burnt=1)
    ClockEntry.objects.filter(reason=ClockReason.GIVEN_BACK).update(delta=40 * HOUR)
    found = list(verify.differences(game))
    assert any("charged more" in difference for difference in found)
    assert any("once held" in difference for difference in found)
    assert any("not the sums" in difference for difference in found)
