"""Bots and the clock come in through the door, once each, whoever finds them due."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.db import connection

from games import drive, halts, lobby, play, verify
from games.engine.commands import STEAL, Command
from games.models import BotKind, Game, Job, Prompt, PromptState, Source, Status
from games.models.move import Move
from games.timing import Pace

from .cast import NOON, SEED, person, prompt_of, running_game, say, state_of, tenure_of

pytestmark = [pytest.mark.django_db, pytest.mark.services]


def bots_game(pace: Pace = Pace.PRACTICE) -> Game:
    plan = lobby.Plan(size=4, pace=pace, bots=list(BotKind))
    return lobby.open_table(host=person("Ana"), plan=plan, seed=SEED, now=NOON)


@pytest.mark.parametrize("pace", list(Pace))
def test_bots_and_the_clock_play_a_game_to_the_end(pace: Pace) -> None:
    game = bots_game(pace)
    now = NOON
    for _ in range(2000):
        now += timedelta(hours=8)
        drive.sweep(now)
        game.refresh_from_db()
        if game.status == Status.OVER:
            break
        if game.frozen_at:  # the one person is on autopilot
            halts.come_back(public_id=game.public_id, user_id=game.host_id, now=now)
    assert game.status == Status.OVER
    sources = set(Move.objects.filter(game=game).values_list("source", flat=True))
    assert sources == {Source.DEAL, Source.BOT, Source.CLOCK}
    assert list(verify.differences(game)) == []
    assert not Job.objects.filter(dead=True).exists()


def test_nothing_is_answered_before_it_is_due() -> None:
    game = running_game(3)
    prompt = prompt_of(game, state_of(game).turn)
    assert drive.sweep(prompt.due - timedelta(seconds=1)) == 0
    assert drive.sweep(prompt.due) == 1
    prompt.refresh_from_db()
    assert (prompt.state, prompt.answered_by) == (PromptState.ANSWERED, Source.CLOCK)


def test_out_of_time_the_turn_takes_income() -> None:
    game = running_game(3)
    turn = state_of(game).turn
    coins = state_of(game).coins[turn]
    drive.sweep(prompt_of(game, turn).due)
    assert state_of(game).coins[turn] == coins + 1


def test_a_window_times_out_whole() -> None:
    game = running_game(4)
    turn = state_of(game).turn
    say(game, turn, "tax")
    due = prompt_of(game, (turn + 1) % 4).due
    assert drive.sweep(due) == 3
    assert state_of(game).turn == (turn + 1) % 4


def test_a_job_that_fails_waits_for_its_lease_and_then_is_given_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("a bot that cannot think")

    monkeypatch.setattr(drive, "answer", broken)
    game = bots_game()
    if state_of(game).turn == 0:
        say(game, 0, "income")
    job = Job.objects.get()
    for attempt in range(1, drive.ATTEMPTS + 1):
        assert drive.sweep(job.due - timedelta(seconds=1)) == 0
        drive.sweep(job.due)
        job.refresh_from_db()
        assert job.attempts == attempt
    assert job.dead
    assert drive.sweep(job.due + drive.LEASE) == 0


def test_a_bot_looks_again_when_its_target_has_left(monkeypatch: pytest.MonkeyPatch) -> None:
    game = bots_game()
    if state_of(game).turn == 0:
        say(game, 0, "income")
    job = Job.objects.get()
    host = tenure_of(game, 0)
    think = drive.answer

    def steal_from_the_host(*_: object) -> Command:
        play.leave(public_id=game.public_id, user_id=host.user_id or 0, now=job.due)
        monkeypatch.setattr(drive, "answer", think)
        return STEAL[0]

    monkeypatch.setattr(drive, "answer", steal_from_the_host)
    assert drive.sweep(job.due) == 0
    assert drive.sweep(job.due) == 1
    job.refresh_from_db()
    assert job.done_at
    game.refresh_from_db()
    assert list(verify.differences(game)) == []


@pytest.mark.django_db(transaction=True)
def test_a_bot_that_says_what_it_may_not_is_not_asked_for_ever(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(drive, "answer", lambda *_given: Command(STEAL, 5))
    game = bots_game()
    if state_of(game).turn == 0:
        say(game, 0, "income")
    job = Job.objects.get(prompt__game=game, done_at=None)
    for _look in range(20):
        drive.sweep(job.due)
    job.refresh_from_db()
    assert (job.dead, job.attempts) == (True, drive.ATTEMPTS)
    assert len(caplog.records) == 1
    drive.sweep(job.prompt.due)
    job.prompt.refresh_from_db()
    assert job.prompt.answered_by == Source.CLOCK


def test_two_workers_do_everything_once() -> None:
    game = bots_game()
    now = NOON

    def sweep(_: int) -> int:
        try:
            return drive.sweep(now)
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as pool:
        for _ in range(40):
            now += timedelta(hours=1)
            list(pool.map(sweep, range(2)))
    game.refresh_from_db()
    assert list(verify.differences(game)) == []
    numbers = list(Move.objects.filter(game=game).values_list("number", flat=True))
    assert len(numbers) == len(set(numbers)) == game.last_move + 1
    assert Prompt.objects.filter(game=game, state=PromptState.OPEN).count() <= 4
