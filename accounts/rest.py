"""When a person's clocks rest: while they sleep, and on holiday."""

from collections.abc import Iterator
from datetime import date, datetime, time, timedelta

from django.db import transaction
from django.db.models import Sum

from accounts import signals, zones
from accounts.models import Absence, User

LONGEST_SLEEP = 10 * 60
"""So many minutes a day a clock may rest at most, as the clock on the wall shows them."""

CHANGES_WITHIN = timedelta(days=30)
"""So long must the change before last be past, before the hours can be changed again."""

HOLIDAY_HOURS = 28 * 24
"""A calendar year."""

BOOKED_AHEAD = timedelta(days=366)
"""No further."""

HOUR = timedelta(hours=1)


class NotPossible(Exception):
    """Nothing was changed."""


class TooOften(NotPossible):
    """The hours were changed twice already; `until` when they stay."""

    def __init__(self, until: datetime) -> None:
        super().__init__(until)
        self.until = until


class Overlaps(NotPossible):
    """That person is away then already."""


class TooLong(NotPossible):
    """So much holiday is not left: `left` are the whole days there still are of that `year`."""

    def __init__(self, year: int, left: int) -> None:
        super().__init__(year, left)
        self.year, self.left = year, left


# --- sleep ----------------------------------------------------------------------------------------


@transaction.atomic
def set_hours(person: User, *, awake: tuple[int, int] | None, now: datetime) -> None:
    """Be awake from one minute of the local day to another, or always. Questions that are open stay
    as they were put."""
    row = User.objects.select_for_update().get(pk=person.pk)
    sleep = (awake[1], awake[0]) if awake else (None, None)
    zone = zones.zone(row.time_zone).key if awake else ""
    if (row.sleep_from, row.sleep_to, row.sleep_zone) == (*sleep, zone):
        return
    if row.hours_set_before and now - row.hours_set_before < CHANGES_WITHIN:
        raise TooOften(row.hours_set_before + CHANGES_WITHIN)
    row.sleep_from, row.sleep_to = sleep
    row.sleep_zone = zone
    row.hours_set_before, row.hours_set_at = row.hours_set_at, now
    row.save(
        update_fields=[
            "sleep_from", "sleep_to", "sleep_zone", "hours_set_at", "hours_set_before",
        ]
    )  # fmt: skip


# --- holiday --------------------------------------------------------------------------------------


def days_left(person: User, now: datetime) -> int:
    """How many whole days of this year's holiday are left."""
    return hours_left(person, _local(person, now).year) // 24


def hours_left(person: User, year: int) -> int:
    """How much of that year's holiday is left, in hours."""
    taken = Absence.objects.filter(user=person, year=year).aggregate(hours=Sum("hours"))["hours"]
    return HOLIDAY_HOURS - (taken or 0)


def booked(person: User, now: datetime) -> list[Absence]:
    """The holidays that are not over."""
    absences = Absence.objects.filter(user=person, ends__gt=now, by_itself=False)
    return list(absences.order_by("starts"))


def today(person: User, now: datetime) -> date:
    """What day it is where this person lives."""
    return _local(person, now).date()


def book(person: User, *, first: date, last: date, now: datetime) -> None:
    """Be away from the beginning of one day to the end of another, both of which are to come."""
    with transaction.atomic():
        row = User.objects.select_for_update().get(pk=person.pk)
        zone = zones.zone(row.time_zone)
        absences = []
        for begin, end in _by_year(first, last):
            starts = datetime.combine(begin, time(), zone)
            ends = datetime.combine(end + timedelta(days=1), time(), zone)
            hours = 24 * ((end - begin).days + 1)
            if Absence.objects.filter(user=row, starts__lt=ends, ends__gt=starts).exists():
                raise Overlaps
            if hours > (left := hours_left(row, begin.year)):
                raise TooLong(begin.year, left // 24)
            absences.append(
                Absence(user=row, starts=starts, ends=ends, year=begin.year, hours=hours)
            )
        Absence.objects.bulk_create(absences)
        _away_until(row, absences[-1].ends)
    signals.rests_changed.send(User, user=person, now=now)


def come_back(person: User, *, absence_id: int, now: datetime) -> None:
    """Call a holiday off, or end it now. Only what was used of it counts, in whole hours."""
    with transaction.atomic():
        User.objects.select_for_update().get(pk=person.pk)
        absence = Absence.objects.filter(
            pk=absence_id, user=person, ends__gt=now, by_itself=False
        ).first()
        if absence is None:
            return
        if absence.starts >= now:
            absence.delete()
        else:
            absence.ends = now
            absence.hours = min(absence.hours, -((absence.starts - now) // HOUR))
            absence.save()
    signals.rests_changed.send(User, user=person, now=now)


def take_hour(user_id: int, at: datetime) -> bool:
    """Take an hour of holiday from `at` on, if this person wants that and has it left.

    The caller holds the lock on the table at which time has run out.
    """
    person = User.objects.select_for_update().get(pk=user_id)
    year = _local(person, at).year
    if not person.holiday_by_itself or hours_left(person, year) < 1:
        return False
    Absence.objects.create(
        user=person, starts=at, ends=at + HOUR, year=year, hours=1, by_itself=True
    )
    _away_until(person, at + HOUR)
    return True


def _away_until(person: User, until: datetime) -> None:
    if person.away_until is None or person.away_until < until:
        person.away_until = until
        person.save(update_fields=["away_until"])


def _by_year(first: date, last: date) -> Iterator[tuple[date, date]]:
    while first.year < last.year:
        yield first, date(first.year, 12, 31)
        first = date(first.year + 1, 1, 1)
    yield first, last


def _local(person: User, now: datetime) -> datetime:
    return now.astimezone(zones.zone(person.time_zone))
