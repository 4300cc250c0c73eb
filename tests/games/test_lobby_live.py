"""The lobby's page, live: what its socket is told, and what it is not."""

import asyncio

import pytest
from asgiref.sync import sync_to_async
from django.contrib.auth.models import AnonymousUser
from django.test import Client

from games import consumers, lobby
from games.models import Game, Proposal, Visibility
from games.notify import in_page

from .cast import NOON, person, say
from .test_lobby import opened
from .test_sockets import Page, a_game_in_a_window
from .views.web import WRITES, queries, text

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.services]


async def test_the_lobby_hears_of_public_tables_and_of_no_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(consumers, "LOBBY_RESTS", 0.01)
    stranger = await Page("/ws/lobby/?pace=daily&size=4", AnonymousUser()).open()
    (first,) = stranger.greeting
    assert 'data-hx-get="/lobby/?pace=daily&amp;size=4"' in first
    assert 'data-hx-target="#lists"' in first
    ben = await sync_to_async(person)("Ben")
    for visibility in (Visibility.UNLISTED, Visibility.PRIVATE):
        game = await sync_to_async(opened)(size=4, visibility=visibility)
        sit = sync_to_async(lobby.sit)
        if visibility == Visibility.UNLISTED:
            await sit(public_id=game.public_id, user=ben, now=NOON, link_token=game.link_token)
    assert await stranger.frames() == []
    game = await sync_to_async(opened)(size=4, visibility=Visibility.PUBLIC)
    assert await stranger.frames() == [first]
    await sit(public_id=game.public_id, user=ben, now=NOON)
    assert await stranger.frames() == [first]


async def test_a_sealed_answer_at_a_public_table_is_nothing_to_the_lobby() -> None:
    game, _turn, seat, _other = await a_game_in_a_window()
    await Proposal.objects.acreate(
        game=game, kind="pause", opened_at=NOON, due=NOON, outcome="open"
    )
    await Game.objects.filter(pk=game.pk).aupdate(proposals=1)
    stranger = await Page("/ws/lobby/", AnonymousUser()).open()
    await sync_to_async(say)(game, seat, "allow")
    assert await stranger.frames() == []


async def test_a_flood_at_the_tables_is_one_frame_now_and_one_later(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(consumers, "LOBBY_RESTS", 4.0)
    stranger = await Page("/ws/lobby/", AnonymousUser()).open()
    for _ in range(30):
        await sync_to_async(in_page.poke)(lobby=True)
    assert await stranger.frames() == []
    await asyncio.sleep(4.5)
    assert len(await stranger.frames()) == 1
    await asyncio.sleep(4.5)
    assert await stranger.frames() == []


def test_the_part_that_is_fetched_is_the_page_s_own_and_says_when_nothing_has_changed() -> None:
    game = opened(4, visibility=Visibility.PUBLIC)
    client = Client()
    page = text(client.get("/lobby/", {"size": 4}))
    tag = page.split('name="seen" value="')[1].split('"')[0]
    assert 'data-hx-get="/lobby/?size=4"' in page
    assert 'data-hx-ws:connect="/ws/lobby/?size=4"' in page
    again = {"size": 4, "seen": tag}
    assert client.get("/lobby/", again, headers={"HX-Request": "true"}).status_code == 204
    lobby.sit(public_id=game.public_id, user=person("Ben"), now=NOON)
    part = text(client.get("/lobby/", again, headers={"HX-Request": "true"}))
    assert part.lstrip().startswith('<div id="lists">')
    assert "2 of 4" in part
    assert "seen=" not in part


def test_what_the_part_costs_does_not_grow() -> None:
    def cost() -> int:
        made = queries(Client(), "/lobby/", headers={"HX-Request": "true"})
        assert not [query for query in made if query.startswith(WRITES)]
        return len(made)

    opened(4, visibility=Visibility.PUBLIC)
    before = cost()
    for _ in range(5):
        opened(4, visibility=Visibility.PUBLIC)
    assert cost() == before
