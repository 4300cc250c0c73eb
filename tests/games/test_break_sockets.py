"""An open page that may no longer see its table hears that and no more. Floods are cut off."""

import pytest
from asgiref.sync import sync_to_async
from channels.routing import URLRouter
from channels.testing import WebsocketCommunicator
from django.contrib.auth.models import AnonymousUser
from pytest_django import Settings

from accounts.models import User
from games import consumers, lobby, play
from games.consumers import FRAMES, NOT_FOR_YOU, OF_ONE_ADDRESS, OF_ONE_PERSON, TOO_MUCH
from games.engine.commands import INCOME
from games.models import Game, Visibility, Watch
from games.routing import websocket_urlpatterns
from games.timing import Pace

from .cast import NOON, SEED, person, prompt_of, state_of, tenure_of
from .test_sockets import PATIENCE, table_page

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.services]


@sync_to_async
def opened(watch: Watch, visibility: Visibility = Visibility.PUBLIC) -> Game:
    plan = lobby.Plan(2, Pace.DAILY, watch=watch, visibility=visibility)
    return lobby.open_table(host=person("Ana"), plan=plan, seed=SEED, now=NOON)


@sync_to_async
def begin(game: Game) -> None:
    lobby.sit(public_id=game.public_id, user=person("Ben"), link_token=game.link_token, now=NOON)


@sync_to_async
def one_turn(game: Game) -> None:
    turn = state_of(game).turn
    play.answer(
        public_id=game.public_id,
        user_id=tenure_of(game, turn).user_id or 0,
        prompt_id=prompt_of(game, turn).pk,
        command=INCOME,
        now=NOON,
    )


async def test_whoever_saw_the_waiting_room_hears_nothing_of_a_game_for_players_alone() -> None:
    game = await opened(Watch.PLAYERS)
    page = await table_page(game, AnonymousUser())
    await begin(game)
    assert "poke-table" in await page.socket.receive_from(timeout=PATIENCE)
    assert await page.socket.receive_output(timeout=PATIENCE) == {
        "type": "websocket.close",
        "code": NOT_FOR_YOU,
    }
    await one_turn(game)
    assert await page.frames() == []


async def test_whoever_may_watch_goes_on_hearing() -> None:
    game = await opened(Watch.ANYBODY)
    page = await table_page(game, AnonymousUser())
    await begin(game)
    assert await page.frames()
    await one_turn(game)
    assert await page.frames()


async def test_a_flood_on_one_socket_is_cut_off() -> None:
    game = await opened(Watch.ANYBODY)
    page, other = [await table_page(game, AnonymousUser()) for _page in range(2)]
    for _frame in range(FRAMES):
        await page.socket.send_to("x" * 1000)
    assert await page.socket.receive_output(timeout=PATIENCE) == {
        "type": "websocket.close",
        "code": TOO_MUCH,
    }
    for _frame in range(1000):
        await page.socket.send_to("x")
    await begin(game)
    assert await page.frames() == []
    assert await other.frames()


type Sockets = list[WebsocketCommunicator]


def knock(user: User | AnonymousUser, forwarded: str = "") -> WebsocketCommunicator:
    headers = [(b"x-forwarded-for", forwarded.encode())] if forwarded else []
    socket = WebsocketCommunicator(URLRouter(websocket_urlpatterns), "/ws/", headers)
    socket.scope["user"] = user
    return socket


async def let_in(sockets: Sockets) -> Sockets:
    return [socket for socket in sockets if (await socket.connect(timeout=PATIENCE))[0]]


async def test_one_person_opens_so_many_sockets_and_no_thousand() -> None:
    ana, ben = [await sync_to_async(person)(name) for name in ("Ana", "Ben")]
    inside = await let_in([knock(ana) for _try in range(1000)])
    assert len(inside) == OF_ONE_PERSON
    assert len(await let_in([knock(ben)])) == 1
    for socket in inside[:2]:
        await socket.disconnect()
    again = await let_in([knock(ana) for _try in range(5)])
    assert len(again) == 2
    for socket in inside[2:] + again:
        await socket.disconnect()
    assert not any(f"person {ana.pk}" == whose for whose in consumers._open)


async def test_strangers_are_counted_by_their_address(settings: Settings) -> None:
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 1
    game = await opened(Watch.ANYBODY)

    async def watchers(attempts: int, forwarded: str) -> Sockets:
        pages = [knock(AnonymousUser(), forwarded) for _try in range(attempts)]
        for page in pages:
            page.scope["path"] = f"/ws/g/{game.public_id}/"
        return await let_in(pages)

    # What comes before the last comma the stranger wrote, and may be anything.
    half = await watchers(OF_ONE_ADDRESS // 2, "1.1.1.1, 192.0.2.7")
    more = await watchers(OF_ONE_ADDRESS, "2.2.2.2, 192.0.2.7")
    elsewhere = await watchers(3, "192.0.2.7, 192.0.2.8")
    assert len(half) == len(more) == OF_ONE_ADDRESS // 2
    assert len(elsewhere) == 3
    for page in half + more + elsewhere:
        await page.disconnect()
