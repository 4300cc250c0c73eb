import pytest
from django.test import Client
from pytest_django import Settings

from accounts import guests
from accounts.models import User
from tests.accounts.cast import client_of


@pytest.fixture(autouse=True)
def _quick_hashes(settings: Settings) -> None:
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


@pytest.fixture
def guest_client() -> tuple[Client, User]:
    guest = guests.create("Quiet Heron")
    return client_of(guest), guest
