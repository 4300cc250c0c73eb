"""A game whose stored past makes no game: clear pages, and a moderator who can still act."""

import re
from secrets import token_hex

import pytest
from django.test import Client

from games import halts, store
from games.models import AuditEntry, Game, Halt, Status
from games.models.move import Move
from tests.accounts.cast import client_of
from tests.accounts.staff import staff_client
from tests.games.cast import NOON, person, prompt_of, running_game, state_of
from tests.games.moderation.staff import adm, mod

pytestmark = pytest.mark.django_db


@pytest.fixture
def game() -> Game:
    """One whose deal is nonsense."""
    game = running_game(3)
    Move.objects.filter(game=game).update(events=["nonsense"])
    store.forget()
    return game


@pytest.mark.parametrize("part", ["", "table/", "notes/", "replay/"])
def test_its_pages_say_so_to_whoever_may_see_them(game: Game, part: str) -> None:
    hers = client_of(person("Ana"))
    for client in (hers, Client()):
        for headers in ({}, {"HX-Request": "true"}):
            response = client.get(f"/g/{game.public_id}/{part}", headers=headers)
            if (client is hers and part != "replay/") or part in ("", "table/"):
                assert response.status_code == 503
                page = response.content.decode()
                assert "cannot be shown just now" in page
                assert '<main id="main"' in page  # scripts put it in place of the table
                assert "no-store" in response["Cache-Control"]
            else:
                assert response.status_code in (302, 403, 404)


def test_an_ended_one_says_so_where_its_past_is_told(game: Game) -> None:
    halts.cancel(public_id=game.public_id, now=NOON, source=Halt.MODERATOR)
    for part in ("", "replay/", "draws/"):
        assert client_of(person("Ana")).get(f"/g/{game.public_id}/{part}").status_code == 503


def test_an_answer_there_changes_nothing_and_is_told_so(game: Game) -> None:
    store.forget()
    seat = int(game.prompts.get(state="open").seat.index)
    name = game.tenures.get(seat__index=seat).name
    given = {"prompt": prompt_of(game, seat).pk, "answer": "income", "sure": "on"}
    for headers in ({}, {"HX-Request": "true"}):
        client = client_of(person(name))
        for path, fields in (("answer", given), ("leave", {})):
            response = client.post(f"/g/{game.public_id}/{path}/", fields, headers=headers)
            assert response.status_code == 503
            assert "cannot be shown just now" in response.content.decode()
    assert Move.objects.filter(game=game).count() == 1
    assert game.prompts.filter(state="open").exists()


def test_other_games_go_on(game: Game) -> None:
    other = running_game(2, seed=b"x" * 32)
    state_of(other)
    assert client_of(person("Ana")).get(f"/g/{other.public_id}/").status_code == 200
    assert client_of(person("Ana")).get("/").status_code == 200
    assert client_of(person("Ana")).get(f"/g/{game.public_id}/talk/").status_code == 200


def test_a_moderator_sees_that_it_is_broken_and_freezes_or_ends_it(game: Game) -> None:
    client, url = staff_client(mod()), f"/admin/games/game/{game.pk}/"

    def page() -> str:
        response = client.get(f"{url}change/")
        assert response.status_code == 200
        return response.content.decode()

    def send(act: str, **given: object) -> int:
        fields = {"reason": "It is broken.", "form_token": token_hex(8)} | given
        return client.post(f"{url}act/{act}/", fields).status_code

    assert "cannot be read" in page()
    assert all(name in page() for name in ("Ana", "Ben", "Cyd"))
    offered = set(re.findall(r'id="act-(\w+)"', page()))
    assert offered >= {"freeze", "cancel", "announce"}
    assert "take_back" not in offered
    tenure = game.tenures.first()
    assert tenure
    answer = client.post(
        f"{url}act/remove/", {"reason": "x", "form_token": "t", "tenure_id": tenure.pk}
    )
    assert answer.status_code == 422
    assert "Nothing done." in answer.content.decode()
    assert not AuditEntry.objects.exists()
    assert send("freeze") == send("announce", words="We look into it.") == 302
    assert "We look into it." in page()
    assert send("cancel") == 302
    game.refresh_from_db()
    assert game.status == Status.CANCELLED
    assert "cannot be read" in page()
    assert client.get("/admin/games/game/").status_code == 200
    assert client.get("/admin/games/game/hints/").status_code == 200


def test_nobody_sees_cards_of_it_and_a_failed_look_is_not_logged(game: Game) -> None:
    client = staff_client(adm())
    fields = {"reason": "Broken.", "form_token": "t"}
    response = client.post(f"/admin/games/game/{game.pk}/act/look/", fields)
    assert response.status_code == 422
    assert "The hidden cards" not in response.content.decode()
    assert not AuditEntry.objects.exists()
