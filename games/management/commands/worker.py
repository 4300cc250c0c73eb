"""`manage.py worker`: bots, the clock and tidying up, in a process of their own."""

import asyncio
import signal
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from games import worker

SIGNALS = (signal.SIGINT, signal.SIGTERM)


class Command(BaseCommand):
    help = (
        "Do the background work until SIGINT or SIGTERM: let bots answer, apply deadlines, tidy up."
        " As many as wanted may run at once; `serve` includes one."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        if not settings.REDIS_URL:
            self.stderr.write(
                "Without REDIS_URL open pages learn what this worker does by asking, a little late."
            )
        asyncio.run(self.work())

    async def work(self) -> None:
        """Finish what is in hand when told to stop, and begin nothing new."""
        stop = asyncio.Event()
        for number in SIGNALS:
            asyncio.get_running_loop().add_signal_handler(number, stop.set)
        self.stdout.write("The worker works. Ctrl-C ends it; nothing is lost.")
        self.stdout.flush()
        await worker.run(stop)
