"""The worker's loop: it does what is due, tidies up, and ends when told."""

import asyncio
from datetime import timedelta

import pytest
from asgiref.sync import sync_to_async
from django.utils import timezone

from accounts.models import User
from games import lobby, worker
from games.models import BotKind, Game, Status
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
