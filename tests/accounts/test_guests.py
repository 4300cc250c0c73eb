from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from threading import Barrier

import pytest
from django.core.exceptions import ValidationError
from django.core.management import call_command
from django.db import connection
from django.db.models import F

from accounts import guests
from accounts.models import User
from accounts.names import validate_name
from tests.accounts.cast import client_of, member

pytestmark = pytest.mark.django_db

NOW = datetime(2030, 5, 1, 12, tzinfo=UTC)
LONG_AGO = NOW - guests.IDLE - timedelta(minutes=1)


def first(options: Sequence[str]) -> str:
    return options[0]


def age(user: User, since: datetime = LONG_AGO) -> None:
    User.objects.filter(pk=user.pk).update(date_joined=since)


def test_a_guest_gets_a_name_that_is_allowed_and_free() -> None:
    one, other = guests.create(choose=first), guests.create(choose=first)
    assert one.name == "Amber Badger"
    assert other.name == "Amber Badger 2222"
    for name in (f"{a} {b}" for a in guests.FIRST for b in guests.SECOND):
        validate_name(name)


def test_names_run_out_never() -> None:
    taken = {guests.create(choose=first).name for _ in range(2)}
    draws = iter("000000000001")  # what is drawn at first is taken already

    def choose(options: Sequence[str]) -> str:
        return options[int(next(draws))]

    assert guests.create(choose=choose).name not in taken


@pytest.mark.parametrize("name", ["quiet heron", "QuietHeron", "Quіet Herоn", "Admin", "x"])
def test_a_guests_own_name_must_be_free_and_allowed(name: str) -> None:
    guests.create("Quiet Heron")
    with pytest.raises(ValidationError):
        guests.create(name)
    assert User.objects.count() == 1


def test_an_upgrade_keeps_the_row() -> None:
    guest = guests.create("Quiet Heron")
    assert guests.upgrade(guest, name="Miriam", password="!", now=NOW)
    assert User.objects.get() == guest
    guest.refresh_from_db()
    assert (guest.name, guest.is_guest) == ("Miriam", False)


def test_an_upgrade_goes_on_without_a_name_that_was_taken_meanwhile() -> None:
    guest = guests.create("Quiet Heron")
    member("Miriam")
    assert not guests.upgrade(guest, name="Miriam", password="!", now=NOW)
    guest.refresh_from_db()
    assert (guest.name, guest.is_guest) == ("Quiet Heron", False)


def test_idle_guests_go() -> None:
    old, young, account = guests.create("Old Hare"), guests.create("Young Hare"), member()
    age(old)
    age(account)
    age(young, NOW - guests.IDLE)
    assert guests.sweep(NOW) == 1
    assert set(User.objects.all()) == {young, account}


def test_a_guest_who_came_back_stays() -> None:
    guest = guests.create("Old Hare")
    age(guest)
    User.objects.update(last_login=F("date_joined") + timedelta(days=1))
    assert guests.sweep(NOW) == 0


def test_the_command_sweeps(capsys: pytest.CaptureFixture[str]) -> None:
    age(guests.create("Old Hare"), datetime(2020, 1, 1, tzinfo=UTC))
    call_command("clean_up")
    assert not User.objects.exists()
    assert "1 guests" in capsys.readouterr().out


def test_signing_out_everywhere_ends_a_guests_sessions_too() -> None:
    guest = guests.create()
    client = client_of(guest)
    guest.end_sessions()
    assert client.get("/account/profile/").status_code == 302


@pytest.mark.services
@pytest.mark.django_db(transaction=True)
def test_one_of_many_who_want_a_name_at_once_gets_it() -> None:
    together = Barrier(6)

    def ask(_number: int) -> bool:
        together.wait()
        try:
            guests.create("Miriam")
        except ValidationError:
            return False
        finally:
            connection.close()
        return True

    with ThreadPoolExecutor(6) as pool:
        assert sum(pool.map(ask, range(6))) == 1
    assert User.objects.count() == 1
