"""Whether the background work keeps up: for those who watch, and for a terminal."""

from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import call_command
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from games import drive
from games.health import health
from games.models import Game, Job, JobKind, Prompt, WorkerBeat
from tests.games.cast import NOON, prompt_of, running_game, state_of

pytestmark = pytest.mark.django_db


def beat(at: object) -> None:
    WorkerBeat.objects.update_or_create(defaults={"at": at})


def test_without_a_worker_it_is_not_well() -> None:
    assert not health(NOON).is_well
    assert health(NOON).beat is None
    beat(NOON)
    assert health(NOON + timedelta(seconds=5)).is_well
    assert not health(NOON + timedelta(seconds=61)).is_well


def test_late_clocks_are_told_until_they_are_applied() -> None:
    game = running_game(3)
    due = Prompt.objects.get(game=game).due
    late = due + timedelta(seconds=90)
    beat(late)
    assert health(due - timedelta(seconds=1)).clocks == 0
    assert health(late).clocks == 90
    assert not health(late).is_well
    drive.sweep(late)
    assert health(late).clocks == 0


def test_a_game_that_stands_still_is_not_late() -> None:
    game = running_game(3)
    Game.objects.filter(pk=game.pk).update(frozen_at=NOON, frozen_for="moderator")
    assert health(NOON + timedelta(days=30)).clocks == 0


def test_jobs_that_nobody_does_are_told() -> None:
    game = running_game(3)
    prompt = prompt_of(game, state_of(game).turn)
    job = Job.objects.create(kind=JobKind.BOT, prompt=prompt, due=NOON)
    beat(NOON)
    assert health(NOON + timedelta(seconds=7)).jobs == 7
    job.dead = True
    job.save()
    assert health(NOON + timedelta(seconds=7)).jobs == 0
    assert health(NOON).dead == 1


def test_the_page_says_no_more_than_numbers(
    client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    assert client.get("/health/").status_code == 503
    beat(timezone.now())
    for _ in range(2):
        running_game(3)
        with django_assert_num_queries(6):
            response = client.get("/health/")
    assert response.status_code == 200
    told = response.json()
    assert told.pop("well") is True
    assert all(isinstance(value, int) for value in told.values())


def test_the_command_says_the_same() -> None:
    said = StringIO()
    with pytest.raises(SystemExit):
        call_command("health", stdout=said)
    assert "never" in said.getvalue()
    beat(timezone.now())
    call_command("health", stdout=said)
    assert said.getvalue().endswith("all is well\n")
