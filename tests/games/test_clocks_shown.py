"""What a table shows of clocks, to whom and when; and an open page that finds a deadline over."""

import re
from collections.abc import Callable
from datetime import datetime, timedelta
from random import Random

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from games import drive, heartbeat, verify
from games.engine.view import SPECTATOR
from games.models import ClockEntry, Game, Halt, Prompt, PromptState, Source, Visibility
from games.models.move import Move
from games.timing import Pace

from .at_once import in_threads
from .cast import NOON, person, prompt_of, running_game, say, state_of
from .test_secrecy import ask, client_of, refused, viewers

pytestmark = pytest.mark.django_db

type Clock = Callable[[timedelta], datetime]


@pytest.fixture
def at(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """Say how long after noon it is."""

    def set_time(after: timedelta) -> datetime:
        monkeypatch.setattr(timezone, "now", lambda: NOON + after)
        return NOON + after

    set_time(timedelta())
    return set_time


def hours(count: int) -> timedelta:
    return timedelta(hours=count)


def page_of(game: Game, seat: int) -> str:
    return client_of(game, seat).get(f"/g/{game.public_id}/").content.decode()


def asking_all(size: int = 4) -> tuple[Game, list[int]]:
    game = running_game(size)
    turn = state_of(game).turn
    say(game, turn, "tax")
    return game, [seat for seat in range(size) if seat != turn]


def time_out(client: Client, game: Game) -> int:
    return client.post(f"/g/{game.public_id}/time-out/").status_code


def test_who_is_asked_reads_what_is_grace_and_what_bank(at: Clock) -> None:
    game, (asked, *_) = asking_all()
    html = page_of(game, asked)
    assert re.search(r"Your time bank runs from <time [^>]*>tomorrow, 12:00 PM", html)
    assert html.count("48 hr") == 3  # the others who did not move, and their own
    at(hours(30))
    html = page_of(game, asked)
    assert "Your time bank is running." in html
    assert "42 hr" in html
    say(game, asked, "allow", NOON + hours(30))
    at(hours(40))
    html = page_of(game, asked)
    assert "42 hr" in html
    assert "Your time bank" not in html


def test_others_see_a_bank_as_it_stood_when_the_window_opened(at: Clock) -> None:
    game, (first, *rest) = asking_all(3)
    say(game, first, "allow", NOON + hours(30))
    at(hours(30))
    assert "</span>42 hr" not in page_of(game, SPECTATOR)
    say(game, rest[0], "allow", NOON + hours(31))
    assert "</span>46 hr" in page_of(game, SPECTATOR)


@pytest.mark.parametrize("pace", [Pace.PRACTICE, Pace.LIVE])
def test_a_table_without_banks_shows_none(at: Clock, pace: Pace) -> None:
    game = running_game(3, pace=pace)
    html = page_of(game, state_of(game).turn)
    assert ("Time bank" in html) == (pace is not Pace.PRACTICE)
    assert ("2 min" in html) == (pace is Pace.LIVE)


@pytest.mark.parametrize("by", ["person", "clock"])
def test_a_sealed_answer_that_burnt_bank_changes_no_byte_for_others(at: Clock, by: str) -> None:
    game, (sealed, late, *_) = asking_all()
    # Their bank is the shortest: their time is up before that of the others.
    Prompt.objects.filter(pk=prompt_of(game, sealed).pk).update(bank=0, due=NOON + hours(24))
    at(hours(31))
    others = [viewer for viewer in viewers(game) if viewer != sealed]
    clients = {viewer: client_of(game, viewer) for viewer in others}

    def look() -> list[object]:
        return [ask(clients[v], game) + refused(clients[v], game, v) for v in others]

    before = look()
    assert look() == before
    if by == "clock":
        assert drive.sweep(NOON + hours(31)) == 1
    else:
        Prompt.objects.filter(pk=prompt_of(game, sealed).pk).update(bank=48 * 3600_000)
        say(game, sealed, "allow", NOON + hours(30))
        assert Prompt.objects.filter(burnt__gt=0).count() == 1
    game.refresh_from_db()
    assert look() == before
    at(hours(32))
    assert "40 hr" in page_of(game, late)


def test_a_page_applies_a_deadline_while_workers_are_there(at: Clock) -> None:
    game = running_game(3)
    turn = state_of(game).turn
    prompt = prompt_of(game, turn)
    client = client_of(game, (turn + 1) % 3)
    at(hours(72) - timedelta(seconds=1))
    heartbeat.beat(NOON + hours(72) - timedelta(seconds=1))
    assert time_out(client, game) == 204
    assert prompt_of(game, turn) == prompt
    at(hours(72) + timedelta(seconds=30))
    assert time_out(client, game) == 204
    assert prompt_of(game, turn) == prompt
    at(hours(72) + timedelta(seconds=29))
    assert client.get(f"/g/{game.public_id}/time-out/").status_code == 405
    client.get(f"/g/{game.public_id}/")
    assert prompt_of(game, turn) == prompt
    for _ in range(2):
        assert time_out(client, game) == 204
    prompt.refresh_from_db()
    assert prompt.answered_by == Source.CLOCK
    game.refresh_from_db()
    assert game.last_move == 1


def test_a_frozen_table_times_nobody_out(at: Clock) -> None:
    game = running_game(3)
    Game.objects.filter(pk=game.pk).update(frozen_at=NOON, frozen_for=Halt.CONSENT)
    heartbeat.beat(at(hours(80)))
    assert time_out(client_of(game, 0), game) == 204
    assert drive.sweep(NOON + hours(80)) == 0
    assert Move.objects.filter(game=game).count() == 1


def test_a_private_table_is_none_to_strangers(at: Clock) -> None:
    game = running_game(3)
    Game.objects.filter(pk=game.pk).update(visibility=Visibility.PRIVATE)
    stranger = Client()
    stranger.force_login(person("Zoe"))
    assert time_out(stranger, game) == 404
    assert stranger.post("/g/nothing-here/time-out/").status_code == 404
    assert (
        Client(enforce_csrf_checks=True).post(f"/g/{game.public_id}/time-out/").status_code == 403
    )


def test_what_clocks_cost_does_not_grow(
    at: Clock, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    costs = []
    for size in (2, 6):
        game, (asked, *_) = asking_all(size)
        for moment in (1, 30):
            at(hours(moment))
            client = client_of(game, asked)
            client.get(f"/g/{game.public_id}/")
            with django_assert_num_queries(9) as queries:
                client.get(f"/g/{game.public_id}/")
            costs.append(len(queries))
    assert len(set(costs)) == 1


@pytest.mark.services
@pytest.mark.django_db(transaction=True)
def test_two_workers_a_page_and_the_person_at_the_same_deadline(at: Clock) -> None:
    random = Random(5)
    for number in range(3):
        game = running_game(3, seed=random.randbytes(32))
        turn = state_of(game).turn
        prompt = prompt_of(game, turn)
        now = at(prompt.due - NOON)
        heartbeat.beat(now)
        pages = [client_of(game, seat) for seat in (turn, (turn + 1) % 3)]
        calls: list[Callable[[], object]] = [
            lambda now=now: drive.sweep(now),
            lambda now=now: drive.sweep(now),
            lambda page=pages[1], game=game: time_out(page, game),
            lambda page=pages[0], game=game, prompt=prompt: (
                page.post(
                    f"/g/{game.public_id}/answer/", {"prompt": prompt.pk, "answer": "tax"}
                ).status_code
            ),
        ]
        results = in_threads(*random.sample(calls, len(calls)))
        assert 409 in results
        assert 204 in results
        prompt.refresh_from_db()
        assert (prompt.state, prompt.answered_by) == (PromptState.ANSWERED, Source.CLOCK)
        assert Move.objects.filter(game=game).count() == 2
        charges = ClockEntry.objects.filter(prompt=prompt)
        assert [entry.delta for entry in charges] == [-prompt.bank]
        game.refresh_from_db()
        assert list(verify.differences(game)) == [], number
