"""`manage.py backup FILE`, and back with `--restore`."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError

from coupsite.backups import CannotBackUp, back_up, restore


class Command(BaseCommand):
    help = "Write the whole database to FILE; or, with --restore, an empty database from it."
    requires_system_checks: list[str] = []  # they ask the tables that are not there yet

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument(
            "--restore", action="store_true", help="read FILE into an empty database, and verify it"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        file: Path = options["file"]
        try:
            if not options["restore"]:
                back_up(file)
                self.stdout.write(f"Written to {file}. Keep it as secret as the database.")
                return
            restore(file)
        except CannotBackUp as error:
            raise CommandError(str(error)) from None
        call_command("migrate", verbosity=0, interactive=False)
        call_command("verify_games", stdout=self.stdout)
        self.stdout.write(f"Restored from {file}.")
