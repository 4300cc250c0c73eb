"""Several people, or one with several tabs, answer over HTTP at once: one wins, the others get a
page that says what happened."""

from functools import partial

import pytest
from django.test import Client
from django.urls import reverse

from games.models import Game
from games.models.move import Move

from ..at_once import in_threads
from ..cast import prompt_of, running_game, say, state_of, whole
from .web import client_at

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.services]

type Post = tuple[Client, str, dict[str, object]]


def post(game: Game, seat: int, said: str | None) -> Post:
    """A tab of that seat's person: an answer to the question that is open now, or leaving."""
    client = client_at(game, seat)
    if said is None:
        return client, reverse("games:leave", args=[game.public_id]), {}
    form = {"prompt": prompt_of(game, seat).pk, "answer": said, "sure": "on", "seen": 1}
    return client, reverse("games:answer", args=[game.public_id]), form


def at_once(*posts: Post) -> list[tuple[int, str]]:
    """Send all in threads that start together; status and page of each."""

    def send(client: Client, url: str, form: dict[str, object]) -> tuple[int, str]:
        response = client.post(url, form)
        return response.status_code, response.content.decode()

    return in_threads(*(partial(send, *post) for post in posts))


def claimed(seed: int = 0) -> tuple[Game, int, int, int]:
    """A game of three in which tax is claimed: the seats of the claimant and the others."""
    game = running_game(3, seed=bytes([seed]) * 32)
    turn = state_of(game).turn
    say(game, turn, "tax")
    one, other = (seat for seat in range(3) if seat != turn)
    return game, turn, one, other


def test_eight_times_the_same_answer() -> None:
    game = running_game(3)
    same = [post(game, state_of(game).turn, "tax") for _ in range(8)]
    assert [status for status, _ in at_once(*same)] == [302] * 8
    assert Move.objects.filter(game=game).count() == 2
    whole(game)


def test_two_challenges() -> None:
    for seed in range(3):
        game, _turn, one, other = claimed(seed)
        answers = at_once(post(game, one, "challenge"), post(game, other, "challenge"))
        assert sorted(status for status, _ in answers) == [302, 409]
        (late,) = (page for status, page in answers if status == 409)
        assert 'id="notice"' in late
        assert "challenges" in late
        whole(game)


def test_a_challenge_against_the_last_allow_of_the_same_seat() -> None:
    """The last seat asked says both, in two tabs: one stands, whichever came first."""
    for seed in range(3):
        game, _turn, one, other = claimed(seed)
        say(game, one, "allow")
        answers = at_once(post(game, other, "challenge"), post(game, other, "allow"))
        assert sorted(status for status, _ in answers) == [302, 409]
        whole(game)


def test_a_challenge_against_the_last_allow_of_another() -> None:
    for seed in range(3):
        game, _turn, one, other = claimed(seed)
        challenge, allow = at_once(post(game, one, "challenge"), post(game, other, "allow"))
        assert challenge[0] == 302
        assert allow[0] in (302, 409)
        whole(game)


def test_a_leave_against_an_answer() -> None:
    for seed in range(3):
        game, turn, one, other = claimed(seed)
        answers = at_once(
            post(game, one, None), post(game, other, "allow"), post(game, one, "allow")
        )
        assert [status for status, _ in answers[:2]] == [302, 302]
        assert answers[2][0] in (302, 409)
        assert one in state_of(game).exiled
        assert state_of(game).turn != turn
        whole(game)
