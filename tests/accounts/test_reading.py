"""A GET writes nothing, whoever asks and whatever they are in the middle of."""

from collections.abc import Callable

import pytest
from django.conf import settings
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts import guests
from accounts.models import User
from accounts.urls import urlpatterns
from tests.accounts.cast import PASSWORD, client_of, member

pytestmark = pytest.mark.django_db

PAGES = ["profile/", "sign-out-everywhere/", *(str(p.pattern) for p in urlpatterns[1:])]


def stranger() -> Client:
    return Client()


def somebody() -> Client:
    return client_of(member("Miriam"))


def guest() -> Client:
    return client_of(guests.create())


def signing_up() -> Client:
    client = Client()
    data = {"email": "vuk@example.org", "username": "Vuk", "password1": PASSWORD}
    client.post("/account/signup/", data)
    return client


def guest_signing_up() -> Client:
    client = guest()
    data = {"email": "vuk@example.org", "username": "Vuk", "password1": PASSWORD}
    client.post("/account/signup/", data)
    return client


def resetting() -> Client:
    member("Miriam")
    client = Client()
    client.post("/account/reset/", {"email": "miriam@example.org"})
    return client


def changing_address() -> Client:
    client = somebody()
    client.post("/account/e-mail/", {"action_add": "", "email": "new@example.org"})
    client.post("/account/reauthenticate/", {"password": PASSWORD, "next": "/account/e-mail/"})
    return client


def out_of_time() -> Client:
    client = signing_up()
    session = client.session
    session["account_email_verification_code"]["at"] -= 3600
    session.save()
    return client


def in_the_door() -> Client:
    """Signs in to an account whose address was never confirmed."""
    User.objects.create_user("Vuk", "vuk@example.org", PASSWORD)
    client = Client()
    client.post("/account/login/", {"login": "vuk@example.org", "password": PASSWORD})
    session = client.session
    session["account_login"]["initiated_at"] -= 3600
    session.save()
    return client


@pytest.mark.parametrize(
    "who",
    [stranger, somebody, guest, signing_up, guest_signing_up, resetting, changing_address,
     out_of_time, in_the_door],
)  # fmt: skip
def test_a_get_writes_nothing(who: Callable[[], Client]) -> None:
    client = who()
    for page in PAGES:
        with CaptureQueriesContext(
            connection,
        ) as queries:
            response = client.get(f"/account/{page}")
        assert response.status_code in {200, 302, 405}, page
        written = [
            query["sql"]
            for query in queries
            if not query["sql"].lstrip().upper().startswith(("SELECT", "SAVEPOINT", "RELEASE"))
        ]
        assert written == [], page


def test_a_page_asked_for_with_the_session_of_before_leaves_the_cookie() -> None:
    """It may be on its way while the same browser gets a new one."""
    person = member("Miriam")
    client = client_of(person)
    person.set_password("quite another one")
    person.save()
    response = client.get("/")
    assert not response.context["user"].is_authenticated
    assert settings.SESSION_COOKIE_NAME not in response.cookies
