"""Look for tampering in the audit log."""

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from games.models import AuditHead
from games.moderation import audit


class Command(BaseCommand):
    help = (
        "Check the chain of the audit log; exit 1 if something was edited, left out or put in."
        " Prints the hash of the last entry: keep it elsewhere, and give it with --kept next time."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--kept", default="", help="a hash that was printed before")

    def handle(self, *args: Any, **options: Any) -> None:
        found = list(audit.faults(kept_hash=options["kept"]))
        for fault in found:
            self.stdout.write(fault)
        head = AuditHead.objects.first() or AuditHead()
        self.stdout.write(f"{head.number} entries, {len(found)} faults. Last hash: {head.hash}")
        if found:
            raise SystemExit(1)
