"""`manage.py health`: how far behind the background work is."""

from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from games.health import health


class Command(BaseCommand):
    help = "Say how far behind the background work is; exit 1 if too far, or if no worker is there."

    def handle(self, *args: Any, **options: Any) -> None:
        found = health(timezone.now())
        beat = "never" if found.beat is None else f"{found.beat} s ago"
        self.stdout.write(
            f"a worker was there: {beat}\n"
            f"clocks are late by: {found.clocks} s\n"
            f"bots, orders and autopilot are late by: {found.jobs} s\n"
            f"messages are late by: {found.messages} s\n"
            f"jobs given up: {found.dead}\n"
            f"messages given up since yesterday: {found.undelivered}\n"
            f"{'all is well' if found.is_well else 'the background work is behind'}"
        )
        if not found.is_well:
            raise SystemExit(1)
