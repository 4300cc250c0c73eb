"""Closing an account: the person goes, and games that have ended stay."""

from datetime import UTC, datetime

from django.db import transaction

from accounts import guests, signals
from accounts.models import User

FOREVER = datetime.max.replace(tzinfo=UTC)
"""Games that ended are no reason to keep a name: none ended after this."""


@transaction.atomic
def close(person: User, *, now: datetime) -> None:
    """Leave every table, delete what is known of this person, and let nobody in as them again.

    The name stays at tables that go on, until the last of them has ended: its sudden end would tell
    that its holder has left, which the others learn when the turn ends (rules.md §7).
    """
    # Tables are locked before people, as when somebody sits down; once the person's row is locked
    # they sit down nowhere any more, and where they just did is seen then.
    signals.account_closes.send(User, user=person, now=now)
    person = User.objects.select_for_update().get(pk=person.pk)
    if person.closed_at:
        return
    signals.account_closes.send(User, user=person, now=now)
    person.closed_at = now
    guests.forget(person)
    _discard_if_free(person)


def sweep() -> int:
    """Take the names of closed accounts away that no running game needs any more; how many."""
    closed = User.objects.filter(closed_at__isnull=False, is_active=False).exclude(
        name__startswith=guests.FORMER
    )
    return sum(_discard_if_free(person) for person in closed)


@transaction.atomic
def _discard_if_free(person: User) -> bool:
    answers = signals.still_needed.send(User, user=person, since=FOREVER)
    if any(needed for _receiver, needed in answers):
        return False
    guests.discard(person)
    return True
