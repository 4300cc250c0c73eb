"""People who come in without an account."""

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from games.models import Game, Tenure

from ..test_lobby import opened
from .test_finding import PLAIN
from .web import text

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(("sent", "kept"), [("Europe/Prague", "Europe/Prague"), ("Mars/Up", "")])
def test_a_guest_has_the_browsers_time_zone(sent: str, kept: str) -> None:
    Client().post(reverse("games:play_now"), {"form_token": "x" * 24, "time_zone": sent})
    assert User.objects.get().time_zone == kept


TOKEN = "t" * 24


def in_two_halves(url: str, **data: object) -> tuple[Client, Client]:
    """A double click without scripts: the second request leaves before the first is answered."""
    halves = Client(), Client()
    for half in halves:
        answer = half.post(url, {"form_token": TOKEN} | data)
        assert answer.status_code == 302, text(answer)
    return halves


def test_play_now_by_a_double_click_makes_one_guest_and_one_game() -> None:
    first, second = in_two_halves(reverse("games:play_now"))
    assert User.objects.filter(is_guest=True).count() == Game.objects.count() == 1
    assert first.session["_auth_user_id"] == second.session["_auth_user_id"]


def test_a_table_opened_by_a_double_click_has_one_host() -> None:
    in_two_halves(reverse("games:new"), name="Quiet Heron", **PLAIN)
    assert User.objects.get(is_guest=True) == Game.objects.get().host


@pytest.mark.parametrize("size", [2, 3])
def test_a_seat_taken_by_a_double_click_is_one(size: int) -> None:
    game = opened(size)
    in_two_halves(reverse("games:sit", args=[game.public_id]), name="Quiet Heron")
    assert Tenure.objects.filter(user__is_guest=True).count() == 1


def test_a_form_of_long_ago_is_nobodys_key() -> None:
    url = reverse("games:play_now")
    in_two_halves(url)
    guest = User.objects.get()
    User.objects.update(date_joined=guest.date_joined - timedelta(minutes=2))
    later = Client()
    assert later.post(url, {"form_token": TOKEN}).status_code == 302
    assert later.session["_auth_user_id"] != str(guest.pk)
    User.objects.update(is_guest=False)  # whoever has signed up
    again = Client()
    assert again.post(url, {"form_token": TOKEN}).status_code == 302
    assert User.objects.filter(pk=again.session["_auth_user_id"], is_guest=True).exists()
