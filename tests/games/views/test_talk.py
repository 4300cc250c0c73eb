"""The pages of talk, for every kind of viewer, with and without JavaScript."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from accounts import guests
from games import talk
from games.models import Game, Mute, TableMessage, TalkRead, Visibility, Watch

from ..cast import NAMES, NOON, person, running_game
from ..talk_cast import SPECTATORS, tell
from .web import client_of, main_of, queries, text

pytestmark = pytest.mark.django_db

HTMX = {"HX-Request": "true"}


def at(game: Game, name: str = "talk") -> str:
    return reverse(f"games:{name}", args=[game.public_id])


def say(client: Client, game: Game, **form: str) -> int:
    given = {"room": "table", "text": "Hello", "form_token": "one"} | form
    return client.post(at(game, "talk_say"), given).status_code


def test_without_a_script_one_reads_and_speaks_on_a_page() -> None:
    game, ana = running_game(3), client_of("Ana")
    page = text(ana.get(at(game, "table")))
    assert f'href="{at(game)}"' in page
    assert say(ana, game, text="https://example.org <b>") == 302
    assert say(ana, game, text="https://example.org <b>") == 302
    for client in (ana, client_of("Ben"), client_of("Zoe"), Client()):
        page = main_of(client.get(at(game)))
        assert page.count("https://example.org &lt;b&gt;") == 1
        assert 'href="https://example.org' not in page


def test_who_may_not_speak_is_told_why() -> None:
    game = running_game(3)
    guest = Client()
    guest.force_login(guests.create("Quiet Heron"))
    for client, why in [
        (Client(), "Only those who sit at the table speak here."),
        (Client(), "Sign in to talk."),
        (client_of("Zoe"), "Only those who sit at the table speak here."),
        (guest, "Sign up to talk"),
    ]:
        assert why in main_of(client.get(at(game)))
        assert say(client, game) == 403
    assert not TableMessage.objects.exists()
    assert 'id="say-spectators"' in main_of(client_of("Zoe").get(at(game)))
    assert 'id="say-spectators"' not in main_of(client_of("Ana").get(at(game)))


def test_what_is_refused_comes_back_as_it_was_typed() -> None:
    game, ana = running_game(3), client_of("Ana")
    for given, status in [
        ({"text": "x" * 301}, 422),
        ({"text": "\u2800"}, 422),
        ({"text": "Let me", "room": "spectators"}, 403),
    ]:
        form = {"room": "table", "form_token": "a"} | given
        response = ana.post(at(game, "talk_say"), form)
        assert response.status_code == status
        if form["room"] == "table":
            assert f'value="{form["text"]}"' in text(response)
            assert 'role="alert"' in text(response)
    assert ana.post(at(game, "talk_say"), {"room": "x"}).status_code == 400
    assert ana.post(at(game, "talk_say"), {"room": "table", "phrase": "x"}).status_code == 400
    assert ana.get(at(game, "talk_say")).status_code == 405


def test_a_phrase_leaves_what_was_being_typed() -> None:
    game, ana = running_game(3), client_of("Ana")
    form = {"room": "table", "form_token": "a", "phrase": "luck", "text": "half a th"}
    page = text(ana.post(at(game, "talk_say"), form, headers=HTMX))
    assert "Good luck to all." in page
    assert 'value="half a th"' in page
    assert 'value="half a th"' in text(ana.post(at(game, "talk_say"), form))
    assert TableMessage.objects.count() == 1


def test_a_phrase_is_read_in_the_language_of_the_reader(pseudo_languages: None) -> None:
    game = running_game(3)
    tell(game, person("Ana"), text="", phrase="luck")
    page = text(Client().get(at(game), headers={"Accept-Language": "en-xa"}))
    assert "Good luck to all." not in page.split('role="log"')[1].split("</ol>")[0]


def test_the_part_beside_the_table_is_empty_where_nothing_is_new() -> None:
    game, ana = running_game(3), client_of("Ana")
    tell(game, person("Ben"), "Well?")
    part = text(ana.get(at(game), headers=HTMX))
    assert "<html" not in part
    assert re.search(r'<b class="badge" id="talk-new"[^>]*>1</b>', part)
    tag = re.search(r'id="talk-tag" name="seen" value="([^"]*)"', part)
    assert tag
    assert ana.get(at(game), {"seen": tag[1]}, headers=HTMX).status_code == 204
    tell(game, person("Cyd"), "Well!")
    assert "Well!" in text(ana.get(at(game), {"seen": tag[1]}, headers=HTMX))


def test_new_messages_count_until_they_are_read() -> None:
    game, ana = running_game(3), client_of("Ana")
    tell(game, person("Ben"))
    assert 'id="all-read"' in text(ana.get(at(game)))
    assert not TalkRead.objects.exists()
    assert ana.post(at(game, "talk_read"), {"table": "1"}).status_code == 302
    assert 'id="all-read"' not in text(ana.get(at(game)))
    assert ana.post(at(game, "talk_read"), {"table": "1"}, headers=HTMX).status_code == 204
    assert ana.post(at(game, "talk_read"), {"table": "-1"}).status_code == 400
    assert Client().post(at(game, "talk_read"), {"table": "1"}, headers=HTMX).status_code == 204


def test_muting_folds_away_for_oneself() -> None:
    game, ana = running_game(3), client_of("Ana")
    tell(game, person("Ben"), "You fool.")
    for _ in range(2):
        assert ana.post(at(game, "talk_mute"), {"mute": "table.1"}).status_code == 302
    page = text(ana.get(at(game)))
    assert '<details class="said__folded"' in page
    assert "said__folded" not in text(client_of("Cyd").get(at(game)))
    assert ana.post(at(game, "talk_mute"), {"unmute": "table.1"}, headers=HTMX).status_code == 200
    assert not Mute.objects.exists()
    for form, status in [
        ({"mute": "table.9"}, 404),
        ({"mute": "spectators.1"}, 404),
        ({"mute": "table.1", "unmute": "table.1"}, 400),
        ({}, 400),
    ]:
        assert ana.post(at(game, "talk_mute"), form).status_code == status


def test_one_reads_a_muted_person_again_from_ones_own_page() -> None:
    game, ana = running_game(3), client_of("Ana")
    talk.mute(user=person("Ana"), whom_id=tell(game, person("Ben")).user_id)
    page = main_of(ana.get(reverse("games:reports")))
    (number,) = re.findall(r'name="mute" value="(\d+)"', page)
    other = client_of("Ben").post(reverse("games:unmute"), {"mute": number})
    assert (other.status_code, Mute.objects.count()) == (302, 1)
    assert ana.post(reverse("games:unmute"), {"mute": number}).status_code == 302
    assert not Mute.objects.exists()
    assert ana.post(reverse("games:unmute"), {"mute": "x"}).status_code == 400


def test_what_a_moderator_removed_is_on_no_page() -> None:
    game = running_game(3)
    message = tell(game, person("Ben"), "Vile words")
    talk.hide(message_id=message.pk, by=person("Mod"), now=NOON)
    for client in (client_of("Ana"), client_of("Ben"), Client()):
        page = text(client.get(at(game)))
        assert "Vile" not in page
        assert "Removed by a moderator." in page


def test_a_private_table_tells_strangers_nothing() -> None:
    game = running_game(3)
    tell(game, person("Ana"), "Secret")
    Game.objects.filter(pk=game.pk).update(visibility=Visibility.PRIVATE, watch=Watch.PLAYERS)
    for client in (Client(), client_of("Zoe")):
        assert client.get(at(game)).status_code == 404
        assert say(client, game) == 404
        assert client.post(at(game, "talk_mute"), {"mute": "table.1"}).status_code == 404
    nowhere = reverse("games:talk_say", args=["nowhere"])
    form = {"room": "table", "text": "Hello", "form_token": "one"}
    zoe = client_of("Zoe")
    assert TOKEN.sub("", text(zoe.post(nowhere, form))) == TOKEN.sub(
        "", text(zoe.post(at(game, "talk_say"), form)).replace(game.public_id, "nowhere")
    )


TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="[^"]*"')


def test_the_link_carries_a_watcher_through_the_talk() -> None:
    game = running_game(3)
    Game.objects.filter(pk=game.pk).update(watch=Watch.LINK)
    game.refresh_from_db()
    link, zoe = f"?k={game.link_token}", client_of("Zoe")
    assert zoe.get(at(game)).status_code == 403
    page = text(zoe.get(at(game) + link))
    assert f'action="{at(game, "talk_say")}{link}"' in page
    form = {"room": "spectators", "text": "Psst", "form_token": "a"}
    answer = zoe.post(at(game, "talk_say") + link, form)
    assert answer["Location"] == at(game) + link
    assert "Psst" in text(zoe.get(at(game) + link))


def test_the_queries_do_not_grow_with_what_is_said() -> None:
    game, ana = running_game(3), client_of("Ana")
    tell(game, person("Ben"))
    few = len(queries(ana, at(game), headers=HTMX))
    table = len(queries(ana, at(game, "table")))
    for name in NAMES[:3]:
        for _ in range(5):
            tell(game, person(name))
    tell(game, person("Zoe"), room=SPECTATORS)
    talk.mute(user=person("Ana"), whom_id=person("Cyd").pk)
    assert len(queries(ana, at(game), headers=HTMX)) == few
    assert len(queries(ana, at(game, "table"))) == table
    assert not any("games_tablemessage" in sql for sql in queries(ana, at(game, "table")))
