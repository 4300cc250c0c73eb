"""The worker's loop: it does what is due, tidies up, and ends when told."""

import asyncio
import socket
import time
from collections.abc import Callable
from datetime import timedelta
from urllib.parse import urlsplit

import pytest
from allauth.account.models import EmailAddress
from asgiref.sync import sync_to_async
from django.utils import timezone
from pytest_django import Settings

from accounts.models import User
from coupsite.settings import mailer
from games import lobby, worker
from games.models import (
    BotKind,
    Game,
    Kind,
    Outbox,
    OutboxState,
    Prompt,
    PromptState,
    Status,
    Why,
)
from games.notify import outbox
from games.timing import Pace

from .cast import SEED, person, say, state_of

pytestmark = pytest.mark.django_db(transaction=True)


PATIENCE = 60
"""Seconds that the worker has for what is due, on however busy a machine."""


async def work(until: Callable[[], bool]) -> None:
    """Until that has come about."""
    stop = asyncio.Event()
    task = asyncio.create_task(worker.run(stop))
    ends = time.monotonic() + PATIENCE
    while not await sync_to_async(until)():
        assert time.monotonic() < ends, "it did not come about"
        await asyncio.sleep(0.05)
    stop.set()
    await asyncio.wait_for(task, PATIENCE)


def anas_turn(game: Game) -> Callable[[], bool]:
    """Whether the bot has answered, and Ana is asked."""
    return Prompt.objects.filter(game=game, seat__index=0, state=PromptState.OPEN).exists


async def test_bots_answer_while_it_runs() -> None:
    @sync_to_async
    def table() -> Game:
        plan = lobby.Plan(size=2, pace=Pace.PRACTICE, bots=[BotKind.HONEST])
        game = lobby.open_table(host=person("Ana"), plan=plan, seed=SEED, now=timezone.now())
        if state_of(game).turn == 0:
            say(game, 0, "tax", timezone.now())
        return game

    game = await table()
    before = game.last_move
    await work(anas_turn(game))
    await game.arefresh_from_db()
    assert game.last_move > before


async def test_a_mail_server_that_does_not_answer_keeps_no_bot_waiting(settings: Settings) -> None:
    @sync_to_async
    def table() -> Game:
        plan = lobby.Plan(size=2, pace=Pace.PRACTICE, bots=[BotKind.HONEST])
        game = lobby.open_table(host=person("Ana"), plan=plan, seed=SEED, now=timezone.now())
        if state_of(game).turn == 0:
            say(game, 0, "tax", timezone.now())
        EmailAddress.objects.create(user=person("Ana"), email="ana@example.org", verified=True)
        outbox.tell(users=[person("Ana")], kind=Kind.TEST, key="test", now=timezone.now())
        return game

    with socket.create_server(("127.0.0.1", 0)) as mute:
        options = mailer(urlsplit(f"smtp://127.0.0.1:{mute.getsockname()[1]}"))
        options["OPTIONS"]["timeout"] = 2 * PATIENCE
        settings.MAILERS = {"default": options}
        mute.settimeout(PATIENCE)
        game = await table()
        is_anas_turn = anas_turn(game)

        def played_on() -> bool:
            asked = Outbox.objects.filter(kind=Kind.TEST, attempts=1).exists()
            if not (asked and is_anas_turn()):
                return False
            assert Outbox.objects.get(kind=Kind.TEST).why == "", "the letter is on its way still"
            mute.accept()[0].close()
            return True

        await work(played_on)
    message = await Outbox.objects.aget(kind=Kind.TEST)
    assert (message.state, message.why) == (OutboxState.PENDING, Why.UNREACHABLE)


async def test_it_tidies_up() -> None:
    @sync_to_async
    def old_things() -> Game:
        long_ago = timezone.now() - timedelta(days=40)
        guest = User.objects.create_guest("Somebody Once")
        User.objects.filter(pk=guest.pk).update(date_joined=long_ago)
        plan = lobby.Plan(size=3, pace=Pace.DAILY)
        return lobby.open_table(host=person("Ana"), plan=plan, seed=SEED, now=long_ago)

    game = await old_things()

    def is_tidy() -> bool:
        guest = User.objects.filter(name="Somebody Once")
        given_up = Game.objects.filter(pk=game.pk, status=Status.CANCELLED)
        return given_up.exists() and not guest.exists()

    await work(is_tidy)
