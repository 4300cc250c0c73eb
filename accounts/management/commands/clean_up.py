"""`manage.py clean_up`: let go of what nobody uses any more. The worker does the same by itself."""

from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand
from django.utils import timezone

from accounts import closing, guests, traces


class Command(BaseCommand):
    help = "Let go of guests unused for 30 days, and sessions that ran out."

    def handle(self, *args: Any, **options: Any) -> None:
        gone = guests.sweep(timezone.now())
        closing.sweep()
        traces.sweep(timezone.now())
        call_command("clearsessions")
        self.stdout.write(f"{gone} guests are gone.")
