"""Deadlines in waking time: across time zones, nights, holidays and both changes of the clocks."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accounts.rest import LONGEST_SLEEP
from games.timing import (
    ALLOWANCES,
    DAY,
    HOUR,
    MINUTE,
    Pace,
    Sleep,
    Span,
    awake,
    due,
    read_sleep,
    together,
)

BERLIN = "Europe/Berlin"
# Half an hour's change, one across midnight, none, odd offsets, both halves of the world.
ZONES = (
    BERLIN, "America/New_York", "Australia/Lord_Howe", "America/Asuncion", "Asia/Kathmandu",
    "Pacific/Auckland", "America/St_Johns", "UTC",
)  # fmt: skip


def local(zone: str, *when: int, fold: int = 0) -> datetime:
    return datetime(*when, tzinfo=ZoneInfo(zone), fold=fold).astimezone(UTC)  # type: ignore[arg-type,misc]


instants = st.datetimes(datetime(2026, 1, 1), datetime(2031, 1, 1), timezones=st.just(UTC))  # noqa: DTZ001
sleeps = st.builds(
    lambda zone, start, length: Sleep(zone, start, (start + length) % 1440),
    st.sampled_from(ZONES),
    st.integers(0, 1439),
    st.integers(1, LONGEST_SLEEP),
)
allowances = st.integers(0, 14 * DAY)


@st.composite
def absences(draw: st.DrawFn, opened: datetime) -> list[Span]:
    hours = st.integers(-200, 400)
    starts = draw(st.lists(hours, max_size=3))
    return [
        (
            opened + timedelta(hours=start),
            opened + timedelta(hours=start + draw(st.integers(1, 100))),
        )
        for start in starts
    ]


@given(st.data(), instants, st.none() | sleeps, allowances, allowances)
def test_due_and_awake_are_inverse_and_monotonic(
    data: st.DataObject, opened: datetime, sleep: Sleep | None, one: int, other: int
) -> None:
    away = data.draw(absences(opened))
    until = due(opened, one, sleep, away)
    assert awake(opened, until, sleep, away) == one
    assert until >= opened + timedelta(milliseconds=one)
    assert (due(opened, other, sleep, away) >= until) or other < one
    # What lies between is worth as much whether it is counted at once or in two parts.
    between = due(opened, one // 2, sleep, away)
    assert due(between, one - one // 2, sleep, away) == until


@given(st.data(), instants, sleeps, allowances)
def test_nothing_is_due_during_a_rest(
    data: st.DataObject, opened: datetime, sleep: Sleep, allowance: int
) -> None:
    away = data.draw(absences(opened))
    until = due(opened, allowance, sleep, away)
    assert not any(start <= until < end for start, end in away)
    here = until.astimezone(ZoneInfo(sleep.zone))
    minute = here.hour * 60 + here.minute
    assert (minute - sleep.start) % 1440 >= sleep.minutes


@given(instants, sleeps)
def test_nobody_rests_longer_in_a_day_than_was_set(opened: datetime, sleep: Sleep) -> None:
    day = opened + timedelta(days=1)
    # The hour that is repeated once a year is slept through.
    assert awake(opened, day, sleep) >= DAY - (sleep.minutes + 60) * MINUTE


def test_without_a_rest_it_is_plain_time() -> None:
    noon = local(BERLIN, 2030, 3, 30, 12)
    assert due(noon, DAY) == noon + timedelta(days=1)
    assert awake(noon, noon + timedelta(days=1)) == DAY


def test_a_night_is_left_out() -> None:
    sleep = Sleep(BERLIN, 23 * 60, 7 * 60)
    assert due(local(BERLIN, 2030, 5, 1, 20), 4 * HOUR, sleep) == local(BERLIN, 2030, 5, 2, 8)
    # Asked while asleep: the clock begins in the morning.
    assert due(local(BERLIN, 2030, 5, 2, 3), HOUR, sleep) == local(BERLIN, 2030, 5, 2, 8)
    # What would be due at bedtime is due at the end of the night.
    assert due(local(BERLIN, 2030, 5, 1, 20), 3 * HOUR, sleep) == local(BERLIN, 2030, 5, 2, 7)


@pytest.mark.parametrize("day", [(2030, 3, 31), (2030, 10, 27)])
def test_the_hours_on_the_wall_hold_on_the_night_of_a_change(day: tuple[int, int, int]) -> None:
    sleep = Sleep(BERLIN, 23 * 60, 7 * 60)
    evening = local(BERLIN, day[0], day[1], day[2] - 1, 22)
    assert due(evening, 2 * HOUR, sleep) == local(BERLIN, *day, 8)
    assert awake(evening, local(BERLIN, *day, 9), sleep) == 3 * HOUR


def test_one_goes_to_bed_in_the_first_of_two_hours_and_gets_up_in_the_second() -> None:
    night = (2030, 10, 27, 2, 30)
    late = Sleep(BERLIN, 150, 9 * 60)
    assert due(local(BERLIN, 2030, 10, 27, 2), 30 * MINUTE, late) == local(BERLIN, 2030, 10, 27, 9)
    early = Sleep(BERLIN, 22 * 60, 150)
    assert due(local(BERLIN, 2030, 10, 26, 23), 0, early) == local(BERLIN, *night, fold=1)


def test_sleep_that_begins_or_ends_in_the_hour_left_out_keeps_its_length() -> None:
    late, early = Sleep(BERLIN, 150, 9 * 60), Sleep(BERLIN, 22 * 60, 150)
    midnight = local(BERLIN, 2030, 3, 31, 0)
    assert (
        awake(midnight, midnight + timedelta(hours=12), late) == 12 * HOUR - late.minutes * MINUTE
    )
    evening = local(BERLIN, 2030, 3, 30, 12)
    assert (
        awake(evening, evening + timedelta(hours=20), early) == 20 * HOUR - early.minutes * MINUTE
    )


def test_rests_that_overlap_count_once() -> None:
    sleep = Sleep("UTC", 22 * 60, 6 * 60)
    noon = datetime(2030, 5, 1, 12, tzinfo=UTC)
    away = [(noon + timedelta(hours=8), noon + timedelta(hours=32)), (noon, noon)]
    away.append((noon + timedelta(hours=9), noon + timedelta(hours=10)))
    assert due(noon, 9 * HOUR, sleep, away) == noon + timedelta(hours=33)


def test_sleep_is_kept_as_text() -> None:
    sleep = Sleep("America/North_Dakota/New_Salem", 1380, 420)
    assert read_sleep(str(sleep)) == sleep
    assert read_sleep("") is None


@pytest.mark.parametrize("pace", list(Pace))
def test_every_pace_grants_something(pace: Pace) -> None:
    granted = ALLOWANCES[pace]
    assert 0 < granted.answer <= granted.turn
    assert 0 <= granted.back <= granted.bank <= granted.most


@pytest.mark.parametrize(
    ("nights", "hours"),
    [
        ([], 24),
        ([Sleep("UTC", 22 * 60, 6 * 60)], 16),
        # The same night, one inside another, and two that touch.
        ([Sleep("UTC", 22 * 60, 6 * 60)] * 3, 16),
        ([Sleep("UTC", 22 * 60, 6 * 60), Sleep("UTC", 0, 5 * 60)], 16),
        ([Sleep("UTC", 22 * 60, 6 * 60), Sleep("UTC", 6 * 60, 14 * 60)], 8),
        # On two sides of the world: 22 to 6 in Tokyo is 13 to 21 in UTC.
        ([Sleep("UTC", 22 * 60, 6 * 60), Sleep("Asia/Tokyo", 22 * 60, 6 * 60)], 8),
    ],
)
@pytest.mark.parametrize("hour", [0, 3, 12, 23])
def test_how_long_all_are_awake(nights: list[Sleep], hours: int, hour: int) -> None:
    assert together(nights, datetime(2026, 6, 1, hour, tzinfo=UTC)) == hours * HOUR
