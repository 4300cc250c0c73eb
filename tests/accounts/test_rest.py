"""Waking hours and holidays, as a person sets and books them."""

from datetime import UTC, date, datetime, timedelta

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from accounts import rest
from accounts.models import Absence, User
from tests.accounts.cast import client_of, member

pytestmark = pytest.mark.django_db

NOW = datetime(2030, 5, 1, 12, tzinfo=UTC)
PAGE = "/account/profile/"
DAY = timedelta(days=1)


@pytest.fixture
def miriam(monkeypatch: pytest.MonkeyPatch) -> User:
    monkeypatch.setattr(timezone, "now", lambda: NOW)
    user = member("Miriam")
    User.objects.filter(pk=user.pk).update(time_zone="Asia/Tehran")
    return user


@pytest.fixture
def client(miriam: User) -> Client:
    return client_of(miriam)


def set_hours(client: Client, up: str, down: str) -> str:
    response = client.post("/account/hours/", {"up": up, "down": down}, follow=True)
    return response.content.decode()


def book(client: Client, first: str, last: str) -> str:
    response = client.post("/account/holiday/", {"first": first, "last": last}, follow=True)
    return response.content.decode()


def test_hours_are_kept_with_the_zone_of_that_time(client: Client, miriam: User) -> None:
    html = set_hours(client, "07:00", "23:30")
    assert "Saved." in html
    miriam.refresh_from_db()
    assert (miriam.sleep_from, miriam.sleep_to) == (23 * 60 + 30, 7 * 60)
    assert miriam.sleep_zone == "Asia/Tehran"
    assert 'value="07:00"' in html
    assert 'value="23:30"' in html
    User.objects.filter(pk=miriam.pk).update(time_zone="UTC")
    assert "By the clock in Asia/Tehran" in client.get(PAGE).content.decode()


@pytest.mark.parametrize(
    ("up", "down", "said"),
    [
        ("07:00", "20:59", "10 hours a day at most"),
        ("07:00", "", "Give both times"),
        ("", "07:00", "Give both times"),
        ("07:00", "07:00", "two different times"),
        ("25:00", "07:00", "Enter a valid time"),
    ],
)
def test_hours_that_cannot_be(client: Client, miriam: User, up: str, down: str, said: str) -> None:
    html = set_hours(client, up, down)
    assert said in html
    for typed in {up, down} - {""}:
        assert f'value="{typed}"' in html
    miriam.refresh_from_db()
    assert miriam.sleep_from is None


def test_ten_hours_of_sleep_may_be(client: Client, miriam: User) -> None:
    assert "Saved." in set_hours(client, "07:00", "21:00")


def test_hours_change_twice_within_thirty_days(miriam: User) -> None:
    for day, hours in ((0, (420, 1380)), (1, (420, 1380)), (2, (480, 1380)), (31, (500, 1380))):
        rest.set_hours(miriam, awake=hours, now=NOW + day * DAY)
    with pytest.raises(rest.TooOften) as refused:
        rest.set_hours(miriam, awake=None, now=NOW + 31 * DAY)
    assert refused.value.until == NOW + 32 * DAY
    # What is as it was is no change.
    rest.set_hours(miriam, awake=(500, 1380), now=NOW + 31 * DAY)
    rest.set_hours(miriam, awake=None, now=NOW + 32 * DAY)
    miriam.refresh_from_db()
    assert (miriam.sleep_from, miriam.sleep_zone) == (None, "")


def test_a_third_change_is_refused_in_words(client: Client) -> None:
    for down in ("22:00", "22:30"):
        assert "Saved." in set_hours(client, "07:00", down)
    html = set_hours(client, "07:00", "23:00")
    assert "twice within 30 days. You may again on May 31, 2030" in html
    assert 'value="23:00"' in html


def test_a_holiday_is_whole_days_of_the_person_s_own(client: Client, miriam: User) -> None:
    html = book(client, "2030-05-10", "2030-05-12")
    assert "From May 10, 2030 to May 12, 2030" in html
    assert "Of 28 days this year 25 are left" in html
    absence = Absence.objects.get()
    assert absence.starts == datetime(2030, 5, 9, 20, 30, tzinfo=UTC)
    assert absence.ends - absence.starts == 3 * DAY
    miriam.refresh_from_db()
    assert miriam.away_until == absence.ends


@pytest.mark.parametrize(
    ("first", "last", "said"),
    [
        ("2030-05-01", "2030-05-03", "from tomorrow on"),
        ("2030-05-05", "2030-05-04", "before the first day"),
        ("2031-05-01", "2031-05-05", "a year ahead"),
        ("2030-06-01", "2030-06-29", "Only 28 days of holiday are left in 2030"),
        ("soon", "2030-06-29", "Enter a valid date"),
        ("", "", "This field is required"),
    ],
)
def test_holidays_that_cannot_be(client: Client, first: str, last: str, said: str) -> None:
    html = book(client, first, last)
    assert said in html
    for typed in {first, last} - {""}:
        assert f'value="{typed}"' in html
    assert not Absence.objects.exists()


def test_a_year_has_28_days_of_it(client: Client) -> None:
    assert "Saved." in book(client, "2030-06-01", "2030-06-28")
    assert "No day of holiday is left in 2030" in book(client, "2030-07-01", "2030-07-01")
    assert "already" in book(client, "2030-06-28", "2030-06-30")


def test_a_holiday_over_new_year_counts_for_both(miriam: User) -> None:
    rest.book(miriam, first=date(2030, 12, 24), last=date(2031, 1, 4), now=NOW)
    assert rest.hours_left(miriam, 2030) == rest.HOLIDAY_HOURS - 8 * 24
    assert rest.hours_left(miriam, 2031) == rest.HOLIDAY_HOURS - 4 * 24


def test_a_day_with_a_change_of_the_clock_is_a_day(miriam: User) -> None:
    User.objects.filter(pk=miriam.pk).update(time_zone="Europe/Berlin")
    rest.book(miriam, first=date(2030, 10, 1), last=date(2030, 10, 28), now=NOW)
    assert rest.hours_left(miriam, 2030) == 0


def test_a_holiday_is_called_off_or_ended(client: Client, miriam: User) -> None:
    rest.book(miriam, first=date(2030, 5, 10), last=date(2030, 5, 20), now=NOW)
    absence = Absence.objects.get()
    during = absence.starts + timedelta(hours=30, minutes=10)
    rest.come_back(miriam, absence_id=absence.pk, now=during)
    absence.refresh_from_db()
    assert (absence.ends, absence.hours) == (during, 31)
    rest.come_back(miriam, absence_id=absence.pk, now=during + DAY)
    absence.refresh_from_db()
    assert absence.ends == during
    rest.book(miriam, first=date(2030, 6, 10), last=date(2030, 6, 20), now=NOW)
    later = Absence.objects.latest("pk")
    for _ in range(2):
        response = client.post(f"/account/holiday/{later.pk}/end/", follow=True)
        assert "Saved." in response.content.decode()
    assert not Absence.objects.filter(pk=later.pk).exists()


def test_nobody_ends_the_holiday_of_another(miriam: User) -> None:
    rest.book(miriam, first=date(2030, 5, 10), last=date(2030, 5, 20), now=NOW)
    absence = Absence.objects.get()
    client_of(member("Vuk")).post(f"/account/holiday/{absence.pk}/end/")
    assert Absence.objects.filter(pk=absence.pk).exists()


def test_hours_by_itself_are_a_switch(client: Client, miriam: User) -> None:
    for form, kept in (({"by_itself": "on"}, True), ({}, False)):
        client.post("/account/holiday/by-itself/", form)
        miriam.refresh_from_db()
        assert miriam.holiday_by_itself is kept


def test_strangers_are_asked_to_sign_in_and_a_get_changes_nothing(client: Client) -> None:
    for page in ("hours/", "holiday/", "holiday/by-itself/", "holiday/1/end/"):
        assert Client().post(f"/account/{page}").status_code == 302
        assert client.get(f"/account/{page}").status_code == 405


def test_the_page_costs_the_same_however_many_holidays(
    client: Client, miriam: User, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    client.get(PAGE)
    with django_assert_num_queries(7):
        client.get(PAGE)
    for day in range(4, 10):
        rest.book(miriam, first=date(2030, 6, day), last=date(2030, 6, day), now=NOW)
    with django_assert_num_queries(7):
        client.get(PAGE)
