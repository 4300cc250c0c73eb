"""Background work: a loop that does what is due. As many may run as wanted."""

import asyncio
import contextlib

from asgiref.sync import sync_to_async
from django.db import close_old_connections
from django.utils import timezone

from games import drive

IDLE = 0.2
"""Seconds between two looks at what is due when nothing was."""


async def run(stop: asyncio.Event) -> None:
    """Work until `stop` is set."""
    sweep = sync_to_async(_sweep)
    while not stop.is_set():
        if not await sweep():
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(stop.wait(), IDLE)


def _sweep() -> int:
    close_old_connections()
    try:
        return drive.sweep(timezone.now())
    finally:
        close_old_connections()
