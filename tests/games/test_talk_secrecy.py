"""The spectators' room reaches no player before the end: by no page, part, frame, count or order.

Each is asked for twice: with the room empty, and with people talking in it.
"""

import re

import pytest
from asgiref.sync import sync_to_async
from django.contrib.auth.models import AnonymousUser
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from games import store, talk
from games.models import Game, TableMessage, Tenure, TenureEnd
from games.notify import in_page

from .cast import NAMES, NOON, person, running_game
from .talk_cast import SPECTATORS, tell
from .test_sockets import Page, table_page
from .views.web import client_of

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.services]

TOKEN = re.compile(rb'name="(csrfmiddlewaretoken|form_token)" value="[^"]*"')


def pages(game: Game, name: str) -> list[tuple[str, int, bytes, int]]:
    """Everything a player may ask for around talk: status, bytes, number of queries."""
    client = client_of(name)
    at = {
        view: reverse(f"games:{view}", args=[game.public_id])
        for view in ("table", "fragment", "talk", "talk_say", "talk_mute", "notes", "report")
    }
    gets = [at["table"], at["fragment"], at["talk"], at["notes"], at["report"], "/", "/reports/"]
    gets += [f"{at['talk']}?room=spectators&before=2", f"{at['talk']}?seen=0.0.0.-"]
    gets.append(reverse("games:report_message", args=[game.public_id, "spectators", 1]))
    posts = [
        (at["talk_say"], {"room": "spectators", "text": "Hm", "form_token": "a"}),
        (at["talk_mute"], {"mute": "spectators.1"}),
        (at["talk_say"], {"room": "table", "text": "\u2800", "form_token": "b"}),
    ]
    found = []
    for url, form in [*((url, None) for url in gets), *posts]:
        for headers in ({}, {"HX-Request": "true"}):
            store.forget()
            connection.queries_log.clear()
            with CaptureQueriesContext(connection) as queries:
                if form is None:
                    response = client.get(url, headers=headers)
                else:
                    response = client.post(url, form, headers=headers)
            content = TOKEN.sub(b"", response.content)
            found.append((url, response.status_code, content, len(queries)))
    return found


def test_no_page_of_a_player_changes_by_a_byte(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(timezone, "now", lambda: NOON)
    game, other = running_game(3), running_game(2)
    Tenure.objects.filter(game=game, user=person("Cyd")).update(ended=TenureEnd.RESIGNED)
    tell(game, person("Ana"), "Before.")
    tell(other, person("Zoe"), "Elsewhere.", SPECTATORS)

    def both() -> list[list[tuple[str, int, bytes, int]]]:
        seen = [pages(game, name) for name in NAMES[:3]]
        after = tell(game, person("Ben"), "After.")
        seen += [pages(game, name) for name in NAMES[:3]]
        after.delete()
        return seen

    both()  # a person's first POST of a day also leaves a trace of their network
    before = both()
    message = tell(game, person("Zoe"), "She holds the Contessa.", SPECTATORS)
    tell(game, person("Yan"), "No.", SPECTATORS)
    tell(game, person("Zoe"), "Yes.", SPECTATORS)
    talk.hide(message_id=message.pk, by=person("Yan"), now=NOON)
    assert both() == before
    assert TableMessage.objects.filter(game=game, room=SPECTATORS).count() == 3


@sync_to_async
def _user(name: str) -> User:
    return person(name)


async def test_the_sockets_of_players_are_silent_while_spectators_talk() -> None:
    game = await sync_to_async(running_game)(3)
    zoe, yan = await _user("Zoe"), await _user("Yan")
    players: list[Page] = [await table_page(game, await _user(name)) for name in NAMES[:3]]
    watchers = [await table_page(game, yan), await table_page(game, AnonymousUser())]
    await sync_to_async(tell)(game, zoe, "Psst.", SPECTATORS)
    assert [await page.frames() for page in players] == [[], [], []]
    for page in watchers:
        (frame,) = await page.frames()
        assert "poke-talk" in frame
        assert "Psst" not in frame
    await sync_to_async(tell)(game, await _user("Ana"), "Hello.")
    for page in (*players, *watchers):
        (frame,) = await page.frames()
        assert "poke-talk" in frame


async def test_the_page_of_the_talk_hears_what_its_reader_may_and_no_move() -> None:
    game = await sync_to_async(running_game)(3)
    zoe, ana = await _user("Zoe"), await _user("Ana")
    at = f"/ws/g/{game.public_id}/talk/"
    hers, beside = await Page(at, ana).open(), await Page(at, AnonymousUser()).open()
    assert any("poke-talk" in frame for frame in hers.greeting)
    assert any("poke-talk" in frame for frame in beside.greeting)
    await sync_to_async(tell)(game, zoe, "Psst.", SPECTATORS)
    assert await hers.frames() == []
    assert len(await beside.frames()) == 1
    await sync_to_async(tell)(game, ana, "Hello.")
    for page in (hers, beside):
        (frame,) = await page.frames()
        assert "poke-talk" in frame
        assert "poke-table" not in frame
    await sync_to_async(in_page.poke)(tables=[(game.public_id, 9)])
    assert await hers.frames() == await beside.frames() == []


async def test_a_spectator_who_takes_a_seat_hears_the_spectators_no_more() -> None:
    game = await sync_to_async(running_game)(3)
    zoe, yan = await _user("Zoe"), await _user("Yan")
    page = await table_page(game, zoe)

    @sync_to_async
    def sits_down() -> None:
        old = Tenure.objects.get(game=game, seat__index=2)
        Tenure.objects.filter(pk=old.pk).update(ended=TenureEnd.RESIGNED)
        Tenure.objects.create(game=game, seat=old.seat, user=zoe)

    await sits_down()
    await sync_to_async(tell)(game, yan, "Psst.", SPECTATORS)
    assert await page.frames() == []


async def test_after_the_end_everybody_hears_the_spectators() -> None:
    game = await sync_to_async(running_game)(3)
    page = await table_page(game, await _user("Ana"))
    await sync_to_async(Game.objects.filter(pk=game.pk).update)(status="over", ended_at=NOON)
    await sync_to_async(tell)(game, await _user("Zoe"), "I knew.", SPECTATORS)
    (frame,) = await page.frames()
    assert "poke-talk" in frame
