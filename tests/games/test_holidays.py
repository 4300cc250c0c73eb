"""Deadlines move with nights and holidays, at tables that wait for days, and tell nobody whose."""

import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import date, datetime, timedelta
from threading import Barrier

import pytest
from django.db import connection
from django.test import Client

from accounts import rest
from accounts.models import Absence, User
from games import clocks, drive, heartbeat, play, timing, verify
from games.models import ClockEntry, Game, Source, Tenure, Window
from games.timing import HOUR, Pace

from .cast import NOON, prompt_of, running_game, say, state_of, tenure_of

pytestmark = pytest.mark.django_db

DAYS_3 = timedelta(hours=72)
ONE = timedelta(hours=1)


def asking_two(pace: Pace = Pace.DAILY) -> tuple[Game, int, int]:
    game = running_game(3, pace=pace)
    turn = state_of(game).turn
    say(game, turn, "tax")
    return game, (turn + 1) % 3, (turn + 2) % 3


def user_at(game: Game, seat: int) -> User:
    user = tenure_of(game, seat).user
    assert user is not None
    return user


def sleeps(user: User) -> None:
    rest.set_hours(user, awake=(7 * 60, 23 * 60), now=NOON)


def takes_hours(*users: User) -> None:
    User.objects.filter(pk__in=[user.pk for user in users]).update(holiday_by_itself=True)


def public(game: Game) -> Window:
    return Window.objects.get(game=game, closed_at=None)


@pytest.mark.parametrize("pace", list(Pace))
def test_nights_are_left_out_where_a_table_waits_for_days(pace: Pace) -> None:
    game = running_game(2, pace=pace)
    turn = state_of(game).turn
    without = prompt_of(game, turn).due - NOON
    for seat in range(2):
        sleeps(user_at(game, seat))
    # What is open stays as it was put.
    drive.sweep(NOON)
    assert prompt_of(game, turn).due - NOON == without
    say(game, turn, "income")
    prompt = prompt_of(game, 1 - turn)
    rests = pace in (Pace.DAILY, Pace.RELAXED)
    assert (prompt.due - NOON > without) == rests
    assert bool(prompt.sleep) == rests
    if pace is Pace.DAILY:
        # 72 hours of 16 a day, from noon on: 11, 16, 16, 16, and 13 of the fifth.
        assert prompt.due == NOON.replace(day=5, hour=20)
        assert clocks.reminder(prompt, exactly=True) == NOON.replace(day=4, hour=18)


def test_what_was_slept_through_costs_nothing() -> None:
    game = running_game(2)
    for seat in range(2):
        sleeps(user_at(game, seat))
    say(game, state_of(game).turn, "income")
    seat = state_of(game).turn
    say(game, seat, "income", NOON.replace(day=2, hour=23) + timedelta(hours=5))
    # 24 hours awake are over at 8 in the evening of the second day: 3 more until bedtime.
    allowance = timing.ALLOWANCES[Pace.DAILY]
    assert tenure_of(game, seat).bank == allowance.bank - 3 * HOUR + allowance.back


def test_a_booked_holiday_moves_what_is_open_and_what_all_see() -> None:
    game, one, other = asking_two()
    version = play.lock(game.public_id).version
    rest.book(user_at(game, one), first=date(2030, 5, 3), last=date(2030, 5, 6), now=NOON)
    assert prompt_of(game, one).due == NOON + DAYS_3 + timedelta(days=4)
    assert prompt_of(game, one).free_until == NOON + timedelta(days=1)
    assert prompt_of(game, other).due == NOON + DAYS_3
    assert public(game).deadline == prompt_of(game, one).due
    assert play.lock(game.public_id).version == version + 1
    rest.come_back(user_at(game, one), absence_id=Absence.objects.get().pk, now=NOON)
    assert public(game).deadline == prompt_of(game, one).due == NOON + DAYS_3


def test_the_public_deadline_moves_whether_or_not_they_have_answered() -> None:
    deadlines = []
    for sealed in (False, True):
        Absence.objects.all().delete()
        game, one, _ = asking_two()
        if sealed:
            say(game, one, "allow", NOON + timedelta(hours=30))
        rest.book(user_at(game, one), first=date(2030, 5, 3), last=date(2030, 5, 6), now=NOON)
        deadlines.append(public(game).deadline)
    assert deadlines == [NOON + DAYS_3 + timedelta(days=4)] * 2


def test_the_next_question_knows_a_holiday_that_is_booked() -> None:
    game = running_game(2)
    seat = state_of(game).turn
    rest.book(user_at(game, 1 - seat), first=date(2030, 5, 3), last=date(2030, 5, 6), now=NOON)
    say(game, seat, "income", NOON)
    assert prompt_of(game, 1 - seat).due == NOON + DAYS_3 + timedelta(days=4)


def test_a_holiday_is_nothing_to_a_table_that_waits_for_minutes() -> None:
    game, one, _ = asking_two(Pace.LIVE)
    takes_hours(user_at(game, one))
    before = public(game).deadline
    rest.book(user_at(game, one), first=date(2030, 5, 2), last=date(2030, 5, 6), now=NOON)
    assert public(game).deadline == before
    assert drive.sweep(before) == 2
    assert not Absence.objects.filter(by_itself=True).exists()


def test_hours_are_taken_one_by_one_while_there_are_any() -> None:
    game = running_game(2)
    seat = state_of(game).turn
    user = user_at(game, seat)
    takes_hours(user)
    Absence.objects.create(
        user=user, starts=NOON, ends=NOON, year=2030, hours=rest.HOLIDAY_HOURS - 2
    )
    due = prompt_of(game, seat).due
    for hour in range(2):
        assert drive.sweep(due + hour * ONE - timedelta(seconds=1)) == 0
        assert Absence.objects.filter(by_itself=True).count() == hour
        assert drive.sweep(due + hour * ONE) == 0
        assert prompt_of(game, seat).due == due + (hour + 1) * ONE == public(game).deadline
    assert drive.sweep(due + 2 * ONE) == 1
    assert rest.hours_left(user, 2030) == 0
    game.refresh_from_db()
    assert list(verify.differences(game)) == []


def test_an_hour_serves_every_table_at_which_time_runs_out_in_it() -> None:
    games = [running_game(2, seed=bytes([0]) * 32) for _ in range(3)]
    seat = state_of(games[0]).turn
    takes_hours(user_at(games[0], seat))
    assert drive.sweep(prompt_of(games[0], seat).due) == 0
    assert Absence.objects.count() == 1
    assert {prompt_of(game, seat).due for game in games} == {NOON + DAYS_3 + ONE}


def test_others_do_not_see_that_an_hour_was_taken_before_the_public_deadline_is_over() -> None:
    seen = []
    for sealed in (False, True):
        Absence.objects.all().delete()
        User.objects.update(holiday_by_itself=False)
        game = running_game(3)
        slow = state_of(game).turn
        say(game, slow, "income", NOON + timedelta(hours=34))
        later = NOON + timedelta(hours=34)
        say(game, state_of(game).turn, "tax", later)
        other = next(n for n in range(3) if n not in (slow, state_of(game).turn))
        takes_hours(user_at(game, slow), user_at(game, other))
        deadline = public(game).deadline
        assert prompt_of(game, slow).due < deadline
        if sealed:
            say(game, slow, "allow", later)
        told = []
        for hours in (0, 3, 7, 10, 11, 14, 16):
            # What all may see does not tell who has answered, even while hours are taken.
            now = later + timedelta(hours=60 + hours)
            drive.sweep(now)
            game.refresh_from_db()
            told.append((game.version, public(game).deadline))
        seen.append(told)
        taken = Absence.objects.filter(user=user_at(game, slow)).count()
        assert taken == (0 if sealed else 11)
    assert seen[0] == seen[1]
    assert seen[0][0][1] == NOON + timedelta(hours=34) + DAYS_3
    assert len(set(seen[0])) == 3


def test_a_question_put_in_an_hour_that_was_taken_shows_others_nothing_of_it() -> None:
    """Somebody is asked at one table while they run out of time at another."""
    seen = []
    for takes in (False, True):
        Absence.objects.all().delete()
        User.objects.update(holiday_by_itself=False, away_until=None)
        slow, quick = running_game(2), running_game(2, seed=bytes([0]) * 32)
        seat = state_of(slow).turn
        user = user_at(slow, seat)
        if takes:
            takes_hours(user)
        now = prompt_of(slow, seat).due + timedelta(minutes=20)
        drive.sweep(prompt_of(slow, seat).due)
        other = next(n for n in range(2) if user_at(quick, n) != user)
        if state_of(quick).turn != other:
            say(quick, 1 - other, "income", now)
        say(quick, other, "tax", now)
        assert Absence.objects.exists() == takes
        prompt = prompt_of(quick, 1 - other)
        assert prompt.due - public(quick).deadline == timedelta(minutes=40 if takes else 0)
        seen.append(public(quick).deadline)
    assert seen[0] == seen[1]


def test_an_hour_that_is_taken_shows_on_the_page_of_whoever_takes_it() -> None:
    """They had less time than another, so that nothing changes for all."""
    game = running_game(3)
    poor = (state_of(game).turn + 1) % 3
    user = user_at(game, poor)
    takes_hours(user)
    Tenure.objects.filter(user=user).update(bank=0)
    say(game, state_of(game).turn, "tax")
    due = prompt_of(game, poor).due
    client = Client()
    client.force_login(user)
    look = lambda tag: client.get(f"/g/{game.public_id}/table/", {"seen": tag})  # noqa: E731
    tag = re.findall(r'id="tag" name="seen" value="([^"]+)"', look("").content.decode())[0]
    assert look(tag).status_code == 204
    assert drive.sweep(due) == 0
    again = look(tag)
    assert (due + ONE).isoformat() in again.content.decode()


def test_a_late_answer_is_taken_in_the_hour_that_was_taken_for_it() -> None:
    game = running_game(2)
    seat = state_of(game).turn
    takes_hours(user_at(game, seat))
    prompt = prompt_of(game, seat)
    heartbeat.beat(prompt.due)
    say(game, seat, "income", prompt.due)
    prompt.refresh_from_db()
    assert prompt.answered_by == Source.PERSON
    assert prompt.burnt == prompt.bank
    assert Absence.objects.count() == 1


@pytest.mark.services
@pytest.mark.django_db(transaction=True)
def test_workers_and_a_page_at_the_same_deadline_take_one_hour_and_then_answer_once() -> None:
    game = running_game(2)
    seat = state_of(game).turn
    takes_hours(user_at(game, seat))
    Absence.objects.create(
        user=user_at(game, seat), starts=NOON, ends=NOON, year=2030, hours=rest.HOLIDAY_HOURS - 1
    )
    prompt = prompt_of(game, seat)
    heartbeat.beat(prompt.due)

    def at_once(now: datetime) -> int:
        barrier = Barrier(3)
        calls = [
            lambda: drive.sweep(now),
            lambda: drive.sweep(now),
            lambda: play.time_out(public_id=game.public_id, now=now),
        ]

        def run(call: Callable[[], int]) -> int:
            try:
                barrier.wait()
                return call()
            finally:
                connection.close()

        with ThreadPoolExecutor(3) as pool:
            return sum(pool.map(run, calls))

    assert at_once(prompt.due) == 0
    assert Absence.objects.filter(by_itself=True).count() == 1
    assert at_once(prompt.due + ONE) == 1
    prompt.refresh_from_db()
    assert prompt.answered_by == Source.CLOCK
    charged = ClockEntry.objects.filter(prompt=prompt)
    assert [entry.delta for entry in charged] == [-prompt.bank]
    assert tenure_of(game, seat).bank == 0
    game.refresh_from_db()
    assert list(verify.differences(game)) == []
