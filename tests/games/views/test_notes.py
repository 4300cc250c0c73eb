"""Notes are their author's alone, and hang on the tenure."""

import pytest
from django.test import Client
from django.urls import reverse

from games.models import Game, Note, Tenure, TenureEnd

from ..cast import person, running_game, say, state_of
from .web import client_of, main_of, queries, text

pytestmark = pytest.mark.django_db


def at(game: Game) -> str:
    return reverse("games:notes", args=[game.public_id])


def keep(client: Client, game: Game, about: str, words: str) -> int:
    return client.post(at(game), {"about": about, "text": words}).status_code


def test_a_note_on_a_seat_and_one_on_a_claim() -> None:
    game, ana = running_game(3), client_of("Ana")
    turn = state_of(game).turn
    say(game, turn, "tax")
    name = ("Ana", "Ben", "Cyd")[turn]
    reader = client_of("Ben" if name == "Ana" else "Ana")
    page = main_of(reader.get(at(game)))
    assert f'value="{turn}.duke"' in page
    for words in ("Too eager.", "Too eager <b>"):
        assert keep(reader, game, f"{turn}.duke", words) == 302
    assert keep(reader, game, str(turn), "  Rich\u202e. ") == 302
    page = main_of(reader.get(at(game)))
    assert "Too eager &lt;b&gt;" in page
    assert 'value="Rich."' in page
    part = text(reader.get(at(game), headers={"HX-Request": "true"}))
    assert "<html" not in part
    assert "Duke" in part
    assert keep(reader, game, str(turn), "") == 302
    assert [note.text for note in Note.objects.all()] == ["Too eager <b>"]
    assert ana.get(at(game)).status_code == 200


def test_the_table_leads_its_players_to_their_notes_and_asks_nothing_for_them() -> None:
    game = running_game(3)
    table = reverse("games:table", args=[game.public_id])
    assert f'href="{at(game)}"' in text(client_of("Ana").get(table))
    assert at(game) not in text(client_of("Zoe").get(table))
    assert not any("games_note" in sql for sql in queries(client_of("Ana"), table))


def test_nobody_else_reads_or_writes_them() -> None:
    game = running_game(3)
    assert keep(client_of("Ana"), game, "1", "Ben lies.") == 302
    for name in ("Ben", "Cyd"):
        assert "Ben lies." not in text(client_of(name).get(at(game)))
    assert client_of("Zoe").get(at(game)).status_code == 404
    assert keep(client_of("Zoe"), game, "1", "Hm") == 404
    assert Client().get(at(game)).status_code == 302


def test_a_newcomer_has_none_and_the_predecessor_keeps_theirs() -> None:
    game = running_game(3)
    keep(client_of("Ana"), game, "1", "Ben lies.")
    old = Tenure.objects.get(game=game, user=person("Ana"))
    Tenure.objects.filter(pk=old.pk).update(ended=TenureEnd.RESIGNED)
    Tenure.objects.create(game=game, seat=old.seat, user=person("Zoe"))
    assert "Ben lies." not in text(client_of("Zoe").get(at(game)))
    keep(client_of("Zoe"), game, "1", "Hm.")
    assert "Ben lies." in text(client_of("Ana").get(at(game)))
    assert Note.objects.count() == 2


def test_what_is_no_note_is_refused() -> None:
    game, ana = running_game(3), client_of("Ana")
    for about, status in [("0", 403), ("3", 403), ("1.inquisitor", 403), ("x", 400), ("", 400)]:
        assert keep(ana, game, about, "Hm") == status
    response = ana.post(at(game), {"about": "1", "text": "x" * 201})
    assert response.status_code == 422
    assert "x" * 201 in text(response)
    assert not Note.objects.exists()
