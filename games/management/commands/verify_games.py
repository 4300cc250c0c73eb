"""Replay every game and compare it with what is stored."""

from typing import Any

from django.core.management.base import BaseCommand
from django.utils.translation import gettext_lazy as _

from games.models import Game
from games.verify import differences


class Command(BaseCommand):
    help = str(_("Replay every game, list what differs from what is stored; exit 1 if any does."))

    def handle(self, *args: Any, **options: Any) -> None:
        checked = differing = 0
        for game in Game.objects.order_by("pk").iterator():
            checked += 1
            found = list(differences(game))
            differing += bool(found)
            for difference in found:
                self.stdout.write(f"{game.public_id}: {difference}")
        self.stdout.write(f"{checked} games replayed, {differing} differ.")
        if differing:
            raise SystemExit(1)
