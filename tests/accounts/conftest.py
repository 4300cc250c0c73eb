"""A mailbox, quick password hashes, and people who are signed in."""

import re
from collections.abc import Callable

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.test import Client
from pytest_django import Settings

from accounts import guests
from accounts.models import User

PASSWORD = "correct horse"


@pytest.fixture(autouse=True)
def _quick_hashes(settings: Settings) -> None:
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


def member(name: str = "Miriam", password: str = PASSWORD) -> User:
    """Somebody with an account and a confirmed address."""
    user = User.objects.create_user(name, f"{name.lower()}@example.org", password)
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    return user


def client_of(user: User) -> Client:
    """A browser in which this person is signed in."""
    client = Client()
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    return client


@pytest.fixture
def guest_client() -> tuple[Client, User]:
    guest = guests.create("Quiet Heron")
    return client_of(guest), guest


@pytest.fixture
def mailed_code() -> Callable[[], str]:
    """The code in the last mail."""

    def code() -> str:
        found = re.search(r"^ {4}(\S+)$", str(mail.outbox[-1].body), re.MULTILINE)
        assert found, mail.outbox[-1].body
        return found[1]

    return code
