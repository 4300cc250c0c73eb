"""What open pages are sent: "fetch again", when there is something, and nothing else."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from channels.routing import URLRouter
from channels.testing import WebsocketCommunicator
from django.conf import settings
from django.contrib.auth.models import AnonymousUser

from accounts.models import User
from games import drive, halts, handover, orderbook, play, selectors
from games.models import BotKind, Game, Halt, Job, JobKind, Visibility
from games.notify import in_page
from games.orders import Kind, Order, Scope
from games.routing import websocket_urlpatterns

from .cast import NOON, person, prompt_of, running_game, say, state_of, tenure_of

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.services]

QUIET = 1.0 if settings.REDIS_URL else 0.3
"""Seconds without a frame that count as silence, once whatever the sockets had to do is done."""

PATIENCE = 30
"""Seconds that something may take on a busy machine before it is called missing."""

TURNS = 20
"""So often the loop, and the thread in which the database is asked, come round before a look."""


class Page:
    """An open page: its socket, and the frames that came over it."""

    def __init__(self, path: str, user: User | AnonymousUser) -> None:
        application: Any = URLRouter(websocket_urlpatterns)
        self.socket = WebsocketCommunicator(application, path)
        self.socket.scope["user"] = user
        self.greeting: list[str] = []

    async def open(self) -> "Page":
        connected, _ = await self.socket.connect(timeout=PATIENCE)
        assert connected
        self.greeting = await self.frames()
        return self

    async def frames(self) -> list[str]:
        """What came since the last look."""
        await all_done()
        came = []
        while not await self.socket.receive_nothing(timeout=QUIET):
            came.append(await self.socket.receive_from(timeout=PATIENCE))
        return came


async def all_done() -> None:
    """Until the sockets have done what was to do when this was asked: each turn waits in one row
    with them, however slow the machine is."""
    for _turn in range(TURNS):
        await sync_to_async(lambda: None)()
        await asyncio.sleep(0)


@sync_to_async
def a_game_in_a_window() -> tuple[Game, int, int, int]:
    """A game of three whose player in turn has claimed a role; the turn's seat and the others."""
    game = running_game(3)
    turn = state_of(game).turn
    say(game, turn, "tax")
    one, other = (seat for seat in range(3) if seat != turn)
    return game, turn, one, other


@sync_to_async
def user_in(game: Game, seat: int) -> User:
    user = tenure_of(game, seat).user
    assert user is not None
    return user


async def table_page(game: Game, user: User | AnonymousUser) -> Page:
    return await Page(f"/ws/g/{game.public_id}/", user).open()


async def test_a_sealed_answer_pokes_its_own_person_alone() -> None:
    game, turn, one, other = await a_game_in_a_window()
    mine = await table_page(game, await user_in(game, one))
    elsewhere = await Page("/ws/", await user_in(game, one)).open()
    others = [
        await table_page(game, await user_in(game, turn)),
        await table_page(game, await user_in(game, other)),
        await table_page(game, AnonymousUser()),
    ]
    await sync_to_async(say)(game, one, "allow")
    assert any("poke-table" in frame for frame in await mine.frames())
    assert any("poke-person" in frame for frame in await elsewhere.frames())
    assert [await page.frames() for page in others] == [[], [], []]
    await sync_to_async(say)(game, other, "allow")
    for page in (mine, *others):
        assert any("poke-table" in frame for frame in await page.frames())


def freeze(game: Game) -> None:
    halts.freeze(public_id=game.public_id, now=NOON, source=Halt.MODERATOR)


def thaw(game: Game) -> None:
    halts.thaw(public_id=game.public_id, now=NOON, source=Halt.MODERATOR)


def cancel(game: Game) -> None:
    halts.cancel(public_id=game.public_id, now=NOON, source=Halt.MODERATOR)


def take_back(game: Game) -> None:
    halts.take_back(public_id=game.public_id, version=game.version - 1, now=NOON)


def hand_over(game: Game) -> None:
    seat = (state_of(game).turn + 1) % 3
    handover.hand_over(public_id=game.public_id, seat=seat, to=BotKind.HONEST, now=NOON)


def leave(game: Game) -> None:
    user = tenure_of(game, (state_of(game).turn + 1) % 3).user
    assert user is not None
    play.leave(public_id=game.public_id, user_id=user.pk, now=NOON)


def remove(game: Game) -> None:
    tenure = tenure_of(game, (state_of(game).turn + 1) % 3)
    play.remove(public_id=game.public_id, tenure_id=tenure.pk, now=NOON)


def time_out(game: Game) -> None:
    asked = prompt_of(game, (state_of(game).turn + 1) % 3)
    play.time_out(public_id=game.public_id, now=asked.due)


@pytest.mark.parametrize(
    "acts",
    [
        (freeze, thaw),
        (freeze, cancel),
        (cancel,),
        (take_back,),
        (hand_over,),
        (leave,),
        (remove,),
        (time_out,),
    ],
    ids=lambda acts: "-".join(act.__name__ for act in acts),
)
async def test_pages_elsewhere_learn_of_whatever_changes_their_count(
    acts: tuple[Callable[[Game], None], ...],
) -> None:
    game, *seats = await a_game_in_a_window()
    await game.arefresh_from_db()
    users = [await user_in(game, seat) for seat in seats]
    pages = [await Page("/ws/", user).open() for user in users]
    count = sync_to_async(lambda: [selectors.open_prompts(user.pk) for user in users])
    for act in acts:
        before = await count()
        await sync_to_async(act)(game)
        after = await count()
        told = [any("poke-person" in frame for frame in await page.frames()) for page in pages]
        changed = [one != other for one, other in zip(before, after, strict=True)]
        assert any(changed) or len(acts) > 1
        assert all(heard or not new for heard, new in zip(told, changed, strict=True))


async def test_whose_order_cannot_answer_sees_so_at_once_and_nobody_else_does() -> None:
    game = await sync_to_async(running_game)(3)
    turn = await sync_to_async(lambda: state_of(game).turn)()
    one, other = (seat for seat in range(3) if seat != turn)
    user = await user_in(game, one)
    what = Order(Kind.CHALLENGE)
    await sync_to_async(orderbook.add)(
        public_id=game.public_id, user_id=user.pk, what=what, scope=Scope.GAME, now=NOON
    )
    await sync_to_async(say)(game, turn, "tax")
    tag = sync_to_async(lambda: selectors.table(game, user_id=user.pk).tag)
    mine, before = await table_page(game, user), await tag()
    others = [await table_page(game, await user_in(game, seat)) for seat in (turn, other)]
    job = await Job.objects.aget(kind=JobKind.ORDER)
    await sync_to_async(drive.sweep)(job.due)
    assert any("poke-table" in frame for frame in await mine.frames())
    assert await tag() != before
    assert [await page.frames() for page in others] == [[], []]


async def test_frames_hold_addresses_and_nothing_of_the_game() -> None:
    game, _turn, one, _other = await a_game_in_a_window()
    page = await table_page(game, await user_in(game, one))
    await sync_to_async(say)(game, one, "challenge")
    frames = await page.frames()
    assert frames
    for frame in frames:
        text = frame.replace(game.public_id, "")
        assert not any(word in text for word in ("duke", "captain", "contessa", "challenge"))


async def test_a_private_table_and_a_person_who_is_not_there_get_no_socket() -> None:
    game, _turn, one, _other = await a_game_in_a_window()
    await Game.objects.filter(pk=game.pk).aupdate(visibility=Visibility.PRIVATE)
    stranger = await sync_to_async(person)("Zoe")
    for path, user in [
        (f"/ws/g/{game.public_id}/", stranger),
        (f"/ws/g/{game.public_id}/", AnonymousUser()),
        ("/ws/g/nowhere/", stranger),
        ("/ws/", AnonymousUser()),
    ]:
        connected, _ = await Page(path, user).socket.connect(timeout=PATIENCE)
        assert not connected
    await table_page(game, await user_in(game, one))


async def test_who_signs_out_everywhere_hears_nothing_more() -> None:
    game, _, one, other = await a_game_in_a_window()
    leaver = await user_in(game, one)
    pages = [await table_page(game, leaver), await Page("/ws/", leaver).open()]
    theirs = await table_page(game, await user_in(game, other))
    await sync_to_async(leaver.end_sessions)()
    for page in pages:
        assert (await page.socket.receive_output(timeout=PATIENCE))["type"] == "websocket.close"
    await sync_to_async(say)(game, one, "challenge")
    assert await theirs.frames()
    for page in pages:
        assert await page.frames() == []


async def test_what_is_sent_over_a_socket_is_left_alone() -> None:
    game, _turn, one, _other = await a_game_in_a_window()
    page = await table_page(game, await user_in(game, one))
    await page.socket.send_to('{"prompt": 1, "answer": "allow"}')
    await page.socket.send_to("x" * 10_000)
    assert await page.frames() == []
    assert await sync_to_async(lambda: prompt_of(game, one).state)() == "open"


async def test_a_broken_channel_layer_fails_no_move(monkeypatch: pytest.MonkeyPatch) -> None:
    game, _turn, one, _other = await a_game_in_a_window()

    class Broken:
        async def group_send(self, group: str, message: dict[str, object]) -> None:
            raise ConnectionError(group)

    monkeypatch.setattr(in_page, "get_channel_layer", Broken)
    await sync_to_async(say)(game, one, "challenge")
    assert await sync_to_async(lambda: state_of(game).phase.__class__.__name__)() != "Respond"


async def test_a_page_that_goes_leaves_its_groups() -> None:
    game, _turn, one, other = await a_game_in_a_window()
    page = await table_page(game, await user_in(game, one))
    await page.socket.disconnect()
    await asyncio.sleep(0)
    await sync_to_async(say)(game, other, "challenge")
