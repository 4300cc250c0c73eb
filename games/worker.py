"""Background work."""

import asyncio


async def run(stop: asyncio.Event) -> None:
    await stop.wait()
