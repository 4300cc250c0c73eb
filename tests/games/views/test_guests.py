"""People who come in without an account learn the time where they are."""

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(("sent", "kept"), [("Europe/Prague", "Europe/Prague"), ("Mars/Up", "")])
def test_a_guest_has_the_browsers_time_zone(sent: str, kept: str) -> None:
    Client().post(reverse("games:play_now"), {"form_token": "x" * 24, "time_zone": sent})
    assert User.objects.get().time_zone == kept
