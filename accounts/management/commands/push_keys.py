"""The key by which push services know this site."""

from typing import Any

from django.core.management.base import BaseCommand

from accounts import webpush


class Command(BaseCommand):
    help = (
        "Print a new key for pushes, as a line for the environment. Keep it: with another,"
        " everybody has to turn pushes on again."
    )
    requires_system_checks: list[str] = []

    def handle(self, *args: Any, **options: Any) -> None:
        self.stdout.write(f"COUP_PUSH_PRIVATE_KEY={webpush.new_key()}")
