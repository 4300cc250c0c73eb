"""What somebody wants to be told, and why they were or were not, by HTTP."""

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from accounts import guests
from accounts.models import User
from games.models import Kind, Outbox, OutboxState
from games.timing import Pace
from tests.accounts.cast import client_of
from tests.games.cast import NOON, person, prompt_of, running_game, say, state_of, tenure_of
from tests.games.notify.cast import HOUR, deliver, mailed_game, verified

pytestmark = pytest.mark.django_db

WISHES = {
    "mail_delay": "30",
    "digest_hour": "8",
    "quiet_from": "22",
    "quiet_to": "7",
    "asked.email": "on",
    "order_fired.push": "on",
}


def test_choices_are_kept() -> None:
    ana = verified("Ana")
    client = client_of(ana)
    assert client.post("/messages/", WISHES).headers["Location"] == "/messages/"
    ana.refresh_from_db()
    assert (ana.mail_delay, ana.digest_hour, ana.quiet_from, ana.quiet_to) == (30, 8, 22, 7)
    assert ana.message_choices["over.email"] is False
    assert ana.message_choices["order_fired.push"] is True
    assert "asked.email" not in ana.message_choices, "it is what is usual"
    html = client.get("/messages/").content.decode()
    assert '<option value="30" selected>' in html
    assert 'name="asked.email" id="id_asked.email" checked' in html


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"quiet_to": ""}, "both a beginning and an end"),
        ({"quiet_to": "22"}, "the whole day"),
        ({"mail_delay": "7"}, "not one of the available choices"),
        ({"digest_hour": "25"}, "not one of the available choices"),
    ],
)
def test_what_is_wrong_is_named_and_nothing_typed_is_lost(
    wrong: dict[str, str], words: str
) -> None:
    ana = verified("Ana")
    response = client_of(ana).post("/messages/", WISHES | wrong)
    assert response.status_code == 400
    assert words in response.content.decode()
    assert 'name="order_fired.push" id="id_order_fired.push" checked' in response.content.decode()
    ana.refresh_from_db()
    assert ana.message_choices == {}


def test_strangers_sign_in_first(client: Client) -> None:
    for response in (client.get("/messages/"), client.post("/messages/test/")):
        assert response.headers["Location"].startswith("/account/login/")


def test_guests_are_told_what_they_lack() -> None:
    html = client_of(guests.create("Quiet Heron")).get("/messages/").content.decode()
    assert "As a guest you have no address" in html


def test_why_a_message_came_or_not() -> None:
    game = mailed_game()
    turn = state_of(game).turn
    user = tenure_of(game, turn).user
    assert user is not None
    client = client_of(user)
    assert "Goes out" in client.get("/messages/").content.decode()
    deliver(NOON + HOUR)
    assert "Sent: " in client.get("/messages/").content.decode()
    say(game, turn, "income", NOON + 2 * HOUR)
    deliver(prompt_of(game, state_of(game).turn).due)
    html = client.get("/messages/").content.decode()
    assert "Not sent. The question was settled before it was time to write." in html
    assert "None of your devices takes pushes." in html


def test_what_is_settled_before_anything_was_sent_is_said_at_once() -> None:
    game = mailed_game()
    turn = state_of(game).turn
    say(game, turn, "income")
    user = tenure_of(game, turn).user
    assert user is not None
    html = client_of(user).get("/messages/").content.decode()
    assert html.count("Not sent. The question was settled before it was time to write.") == 2
    assert "Goes out" not in html


def test_why_nothing_was_written_in_the_first_place() -> None:
    game = running_game(pace=Pace.LIVE)
    user = tenure_of(game, state_of(game).turn).user
    assert user is not None
    client = client_of(user)
    assert "A table of this pace" in client.get("/messages/").content.decode()
    User.objects.update(message_choices={"asked.email": False})
    other = mailed_game(2)
    asked = tenure_of(other, state_of(other).turn).user
    assert asked is not None
    assert "You have switched it off." in client_of(asked).get("/messages/").content.decode()


def test_nobody_sees_what_others_were_sent() -> None:
    game = mailed_game()
    deliver(NOON + HOUR)
    assert game.name not in client_of(verified("Zoe")).get("/messages/").content.decode()


def test_a_test_is_sent_at_once_and_not_too_often() -> None:
    client = client_of(verified("Ana"))
    page = client.post("/messages/test/", follow=True).content.decode()
    assert "It is on its way." in page
    deliver(timezone.now())
    assert Outbox.objects.get(kind=Kind.TEST).state == OutboxState.SENT
    assert "Sent: " in client.get("/messages/").content.decode()
    assert [client.post("/messages/test/").status_code for _ in range(6)][-1] == 429


def test_the_number_of_queries_does_not_grow(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    ana = person("Ana")
    client = client_of(ana)
    game = mailed_game(2)

    def play(turns: int) -> None:
        for _turn in range(turns):
            say(game, state_of(game).turn, "income")

    play(2)
    client.get("/messages/")
    with django_assert_num_queries(9):
        client.get("/messages/")
    play(6)
    with django_assert_num_queries(9):
        client.get("/messages/")
