"""The worker's loop: it does what is due, tidies up, and ends when told."""

import asyncio
import socket
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
from games.models import BotKind, Game, Kind, Outbox, OutboxState, Status, Why
from games.notify import outbox
from games.timing import Pace

from .cast import SEED, person, prompt_of, say, state_of

pytestmark = pytest.mark.django_db(transaction=True)


async def work(seconds: float) -> None:
    stop = asyncio.Event()
    task = asyncio.create_task(worker.run(stop))
    await asyncio.sleep(seconds)
    stop.set()
    await asyncio.wait_for(task, 5)


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
    await work(4)
    await game.arefresh_from_db()
    assert game.last_move > before
    assert await sync_to_async(prompt_of)(game, 0)


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
        options["OPTIONS"]["timeout"] = 4
        settings.MAILERS = {"default": options}
        game = await table()
        before = game.last_move
        await work(3)
        mute.settimeout(1)
        mute.accept()[0].close()  # it was asked
    await game.arefresh_from_db()
    assert game.last_move > before
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
    await work(0.5)
    await game.arefresh_from_db()
    assert game.status == Status.CANCELLED
    assert not await User.objects.filter(name="Somebody Once").aexists()
