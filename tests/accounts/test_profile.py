"""Preferences, and what they do to every page."""

from datetime import UTC, datetime

import pytest
from allauth.account.adapter import get_adapter
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from accounts import guests, zones
from accounts.forms import ProfileForm
from accounts.models import User
from accounts.names import name_key
from accounts.views.pages import _saved
from tests.accounts.cast import client_of, member

pytestmark = pytest.mark.django_db


def test_what_was_decided_meanwhile_stands() -> None:
    """The row was read before a moderator banned its person, and is written after."""
    stale = member("Nina")
    form = ProfileForm({"name": "Ninette", "language": "", "time_zone": ""}, instance=stale)
    User.objects.filter(pk=stale.pk).update(is_active=False, has_sanctions=True, games_left=7)
    assert form.is_valid()
    assert _saved(form, old_name="Nina")
    now = User.objects.get(pk=stale.pk)
    assert (now.name, now.name_key) == ("Ninette", name_key("Ninette"))
    assert (now.is_active, now.has_sanctions, now.games_left) == (False, True, 7)


def test_a_new_password_changes_nothing_else() -> None:
    stale = member("Nina")
    User.objects.filter(pk=stale.pk).update(is_active=False, has_sanctions=True)
    get_adapter().set_password(stale, "battery staple")
    now = User.objects.get(pk=stale.pk)
    assert now.check_password("battery staple")
    assert (now.is_active, now.has_sanctions) == (False, True)


def test_two_who_sign_up_for_one_name_at_once_both_have_an_account(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    member("Miriam")
    guest = guests.create("Quiet Heron")
    monkeypatch.setattr(guests, "name_taken", lambda *_name, **_but: False)  # a moment ago
    assert not guests.upgrade(guest, name="miriam", password="!", now=timezone.now())
    guest.refresh_from_db()
    assert (guest.name, guest.is_guest) == ("Quiet Heron", False)


def test_what_was_decided_about_a_guest_stands_when_they_sign_up() -> None:
    stale = guests.create("Quiet Heron")
    User.objects.filter(pk=stale.pk).update(is_active=False, has_sanctions=True)
    assert guests.upgrade(stale, name="Miriam", password="!", now=timezone.now())
    now = User.objects.get(pk=stale.pk)
    assert (now.name, now.is_guest) == ("Miriam", False)
    assert (now.is_active, now.has_sanctions) == (False, True)


PROFILE = {"name": "Miriam", "language": "", "time_zone": "", "confirm_costly": "on"}


def test_preferences_are_kept() -> None:
    user = member("Miriam")
    client = client_of(user)
    data = {"name": "Miri K", "language": "en", "time_zone": "Asia/Tehran"}
    response = client.post("/account/profile/", data, follow=True)
    assert "Saved." in response.content.decode()
    user.refresh_from_db()
    assert (user.name, user.language, user.time_zone) == ("Miri K", "en", "Asia/Tehran")
    assert not user.confirm_costly


@pytest.mark.parametrize("name", ["Vuk", "VUK", "Vuк", "x", "Vuk\u202e"])
def test_a_name_that_may_not_be(name: str) -> None:
    member("Vuk")
    client = client_of(member("Miriam"))
    html = client.post("/account/profile/", {**PROFILE, "name": name}).content.decode()
    assert 'id="id_name_error"' in html
    assert '<bdi class="menu__name">Miriam</bdi>' in html
    assert set(User.objects.values_list("name", flat=True)) == {"Vuk", "Miriam"}


def test_ones_own_name_may_be_respelled() -> None:
    user = member("Miriam")
    client_of(user).post("/account/profile/", {**PROFILE, "name": "MIRIAM"})
    user.refresh_from_db()
    assert user.name == "MIRIAM"


def test_what_is_not_on_offer_is_refused() -> None:
    client = client_of(member("Miriam"))
    data = {**PROFILE, "language": "tlh", "time_zone": "Moon/Tycho"}
    html = client.post("/account/profile/", data).content.decode()
    assert 'id="id_language_error"' in html
    assert 'id="id_time_zone_error"' in html


def test_times_are_those_of_the_person() -> None:
    user = member("Miriam")
    client = client_of(user)
    assert "by this clock (UTC)" in client.get("/account/profile/").content.decode()
    user.time_zone = "Asia/Tehran"
    user.save()
    assert "by this clock (Asia/Tehran)" in client.get("/account/profile/").content.decode()
    assert timezone.get_current_timezone_name() == "UTC", "the next request starts afresh"


@pytest.mark.usefixtures("pseudo_languages")
def test_the_language_is_that_of_the_person() -> None:
    user = member("Miriam")
    user.language = "ar-xb"
    user.save()
    response = client_of(user).get("/", headers={"accept-language": "en"})
    assert '<html lang="ar-xb" dir="rtl">' in response.content.decode()
    assert response.headers["Content-Language"] == "ar-xb"
    assert '<html lang="en" dir="ltr">' in Client().get("/").content.decode()


def test_a_language_the_site_no_longer_has_is_passed_over() -> None:
    user = member("Miriam")
    user.language, user.time_zone = "tlh", "Moon/Tycho"
    user.save()
    assert '<html lang="en"' in client_of(user).get("/account/profile/").content.decode()


def test_the_browsers_time_zone_is_learned_once() -> None:
    user = member("Miriam")
    for found in ("Moon/Tycho", "Europe/Athens", "Asia/Tehran"):
        data = {"login": user.email or "", "password": "correct horse", "time_zone": found}
        Client().post("/account/login/", data)
    user.refresh_from_db()
    assert user.time_zone == "Europe/Athens"


def test_zones_are_places() -> None:
    assert {"Europe/Athens", "Asia/Calcutta"} <= zones.names()
    assert not {"UTC", "Etc/GMT+1", "posixrules"} & zones.names()
    noon = datetime(2030, 5, 1, 12, tzinfo=UTC)
    assert noon.astimezone(zones.zone("Asia/Tehran")).hour == 15
    assert noon.astimezone(zones.zone("")).hour == 12


def test_the_page_costs_a_session_a_person_and_their_holidays(
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    client = client_of(member("Miriam"))
    with django_assert_max_num_queries(7):
        client.get("/account/profile/")


def test_too_many_changes_are_refused_in_words() -> None:
    client = client_of(member("Miriam"))
    for _ in range(20):
        client.post("/account/profile/", PROFILE)
    assert client.post("/account/profile/", PROFILE).status_code == 429


def test_staff_are_led_behind_the_table_and_nobody_else() -> None:
    client = client_of(member("Miriam"))
    assert 'href="/admin/"' not in client.get("/account/profile/").content.decode()
    User.objects.update(is_staff=True)
    assert 'href="/admin/"' in client.get("/account/profile/").content.decode()
