"""The audit log: written in the transaction of what it tells, read to find what was tampered with.

Each entry holds the SHA-256 of the entry before and of its own content, so that an edit, a gap or
a change of order shows. Whoever can write to the database could write a whole new chain: keep the
hash that `verify_audit` prints somewhere else, and give it back the next time.
"""

import hashlib
import json
from collections.abc import Iterator
from datetime import UTC, datetime

from django.db import connection

from accounts.models import User
from games.models import Act, AuditEntry, AuditHead, Game
from games.models.audit import FIRST
from games.models.audit_guard import missing

type Details = dict[str, str | int | bool | None]


def append(
    *,
    actor: User,
    act: Act,
    reason: str,
    now: datetime,
    game: Game | None = None,
    person: User | None = None,
    message_number: int | None = None,
    report_number: int | None = None,
    details: Details | None = None,
    form_token: str = "",
) -> AuditEntry:
    """Write down what `actor` does in this transaction. Last in it: the log's end stays locked."""
    assert connection.in_atomic_block
    head, _made = AuditHead.objects.select_for_update().get_or_create(pk=1)
    entry = AuditEntry(
        number=head.number + 1,
        at=now,
        actor=actor,
        act=act,
        game=game,
        person=person,
        message_number=message_number,
        report_number=report_number,
        reason=reason,
        details=details or {},
        form_token=form_token,
        previous=head.hash,
    )
    entry.hash = hash_of(entry)
    entry.save(force_insert=True)
    head.number, head.hash = entry.number, entry.hash
    head.save()
    return entry


def hash_of(entry: AuditEntry) -> str:
    """The hash that belongs to an entry with this content after this predecessor."""
    content = [
        entry.previous,
        entry.number,
        entry.at.astimezone(UTC).isoformat(),
        entry.actor_id,
        entry.act,
        entry.game_id,
        entry.person_id,
        entry.message_number,
        entry.report_number,
        entry.reason,
        entry.details,
        entry.form_token,
    ]
    canonical = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(canonical.encode()).hexdigest()


def faults(*, kept_hash: str = "") -> Iterator[str]:
    """What is wrong with the log, in words. `kept_hash`: that of an entry known to be its end
    once; without it a log whose last entries were cut off looks whole."""
    for trigger in missing(connection):
        yield f"the database does not refuse edits: its trigger {trigger} is missing"
    number, previous, seen = 0, FIRST, not kept_hash
    for entry in AuditEntry.objects.order_by("number").iterator():
        number += 1
        if entry.number != number:
            yield f"entries {number} to {entry.number - 1} are missing"
            number = entry.number
        elif entry.previous != previous:
            yield f"entry {number} does not follow the one before"
        if entry.hash != hash_of(entry):
            yield f"entry {number} was changed"
        previous = entry.hash
        seen = seen or entry.hash == kept_hash
    head = AuditHead.objects.first() or AuditHead()
    if (head.number, head.hash) != (number, previous):
        yield f"the log ends at entry {number}, but its end was noted at {head.number}"
    if not seen:
        yield "no entry has the hash that was kept"
