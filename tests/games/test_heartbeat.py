"""While no worker is there no clock runs; the time is given back once, whoever comes first."""

from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from threading import Barrier

import pytest
from django.db import connection

from games import drive, heartbeat
from games.models import Game, Pause, Prompt, PromptState, Source, Window, WorkerBeat

from .cast import NOON, prompt_of, running_game, say, state_of

pytestmark = [pytest.mark.django_db, pytest.mark.services]

HOURS = timedelta(hours=3)


def times(game: Game) -> tuple[datetime, list[datetime]]:
    """The public deadline and those of everybody who is asked."""
    window = Window.objects.get(game=game, closed_at=None)
    return window.deadline, list(window.prompts.order_by("pk").values_list("due", flat=True))


def asking_two() -> Game:
    game = running_game(3)
    say(game, state_of(game).turn, "tax")
    return game


def test_beats_that_come_in_time_change_nothing() -> None:
    game = asking_two()
    before = times(game)
    for second in (0, 5, 34, 64):
        assert not heartbeat.beat(NOON + timedelta(seconds=second))
    assert not Pause.objects.exists()
    assert times(game) == before
    assert WorkerBeat.objects.get().at == NOON + timedelta(seconds=64)


def test_a_gap_is_given_back_to_all_who_are_asked_and_shown() -> None:
    game = asking_two()
    public, own = times(game)
    heartbeat.beat(NOON + timedelta(hours=1))
    version = game.version
    assert heartbeat.beat(NOON + timedelta(hours=1) + HOURS)
    assert times(game) == (public + HOURS, [due + HOURS for due in own])
    game.refresh_from_db()
    assert game.version > version
    free = prompt_of(game, (state_of(game).turn + 1) % 3).free_until
    assert free == NOON + timedelta(hours=24) + HOURS


def test_only_the_part_of_a_gap_since_the_question_is_given_back() -> None:
    heartbeat.beat(NOON - timedelta(hours=1))
    game = asking_two()
    public, _ = times(game)
    heartbeat.beat(NOON + timedelta(hours=1))
    assert times(game)[0] == public + timedelta(hours=1)


def test_two_gaps_add_up() -> None:
    game = asking_two()
    public, _ = times(game)
    for hours in (1, 4, 5, 8):
        heartbeat.beat(NOON + timedelta(hours=hours))
    assert times(game)[0] == public + timedelta(hours=7)


def test_a_frozen_table_is_let_be() -> None:
    game = asking_two()
    before = times(game)
    Game.objects.filter(pk=game.pk).update(frozen_at=NOON, frozen_for="moderator")
    heartbeat.beat(NOON)
    heartbeat.beat(NOON + HOURS)
    assert times(game) == before


def test_nobody_is_late_after_a_gap_that_spans_the_deadline() -> None:
    game = running_game(3)
    prompt = prompt_of(game, state_of(game).turn)
    heartbeat.beat(prompt.due - timedelta(hours=1))
    back = prompt.due + HOURS
    heartbeat.beat(back)
    assert drive.sweep(back) == 0
    assert drive.sweep(back + timedelta(hours=1)) == 1
    prompt.refresh_from_db()
    assert prompt.answered_by == Source.CLOCK


@pytest.mark.django_db(transaction=True)
def test_two_workers_that_come_back_at_once_give_the_time_back_once() -> None:
    games = [asking_two() for _ in range(3)]
    before = [times(game) for game in games]
    heartbeat.beat(NOON)
    barrier = Barrier(2)

    def come_back(_: int) -> bool:
        try:
            barrier.wait()
            return heartbeat.beat(NOON + HOURS)
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as pool:
        assert sorted(pool.map(come_back, range(2))) == [False, True]
    assert Pause.objects.count() == 1
    for game, (public, own) in zip(games, before, strict=True):
        assert times(game) == (public + HOURS, [due + HOURS for due in own])
    assert Prompt.objects.filter(state=PromptState.OPEN).count() == 6
