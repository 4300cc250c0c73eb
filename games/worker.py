"""Background work: a loop that does what is due. As many may run as wanted."""

import asyncio
import contextlib
import logging
from datetime import datetime, timedelta

from asgiref.sync import sync_to_async
from django.contrib.sessions.backends.db import SessionStore
from django.db import close_old_connections
from django.utils import timezone

from accounts import closing, devices, guests, traces
from games import consent, drive, halts, heartbeat, invitations, lobby
from games.notify import outbox

logger = logging.getLogger(__name__)

IDLE = 0.2
"""Seconds between two looks at what is due when nothing was."""

BEAT = timedelta(seconds=5)
"""How often it says that it is there."""

TIDYING = timedelta(hours=1)
"""How often open tables that nobody filled, guests that nobody was, and dead sessions go."""


async def run(stop: asyncio.Event) -> None:
    """Work until `stop` is set. A mail server that is slow to answer keeps no clock waiting."""
    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(_keep_games_going(stop))
        tasks.create_task(_deliver_messages(stop))


async def _keep_games_going(stop: asyncio.Event) -> None:
    beat, sweep, tidy = sync_to_async(_beat), sync_to_async(_sweep), sync_to_async(_tidy)
    beaten: datetime | None = None
    tidied: datetime | None = None
    while not stop.is_set():
        # One look at the clock for all: whoever is put to sleep after it and wakes hours later
        # still thinks that it is now, and calls nobody late before it has beaten again.
        now = timezone.now()
        if beaten is None or now - beaten >= BEAT:
            beaten = now
            await beat(now)
        if tidied is None or now - tidied >= TIDYING:
            tidied = now
            await tidy(now)
        if not await sweep(now):
            await _rest(stop)


async def _deliver_messages(stop: asyncio.Event) -> None:
    # In a thread of its own, beside the one in which the games are kept going.
    deliver = sync_to_async(_deliver, thread_sensitive=False)
    while not stop.is_set():
        if not await deliver():
            await _rest(stop)


async def _rest(stop: asyncio.Event) -> None:
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(stop.wait(), IDLE)


def _deliver() -> bool:
    close_old_connections()
    try:
        return outbox.deliver(timezone.now())
    except Exception:
        # The database, say. Games go on, and so does this, a little later.
        logger.exception("Messages could not be delivered.")
        return False
    finally:
        close_old_connections()


def _beat(now: datetime) -> None:
    close_old_connections()
    try:
        heartbeat.beat(now)
    finally:
        close_old_connections()


def _sweep(now: datetime) -> int:
    close_old_connections()
    try:
        return drive.sweep(now) + consent.sweep(now)
    finally:
        close_old_connections()


def _tidy(now: datetime) -> None:
    close_old_connections()
    try:
        lobby.expire(now)
        invitations.expire(now)
        halts.end_abandoned(now)
        guests.sweep(now)
        closing.sweep()
        outbox.tidy(now)
        SessionStore.clear_expired()
        devices.sweep(now)
        traces.sweep(now)
    except Exception:
        # It comes round again; games must not wait for it.
        logger.exception("Tidying failed.")
    finally:
        close_old_connections()
