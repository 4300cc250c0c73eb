"""What people may still do whom a moderator has warned, silenced, suspended or banned.

| | talks | takes seats, invites | plays on | signs in |
| --- | --- | --- | --- | --- |
| warning | yes | yes | yes | yes |
| silence | no | yes | yes | yes |
| suspension | no | no | yes | yes |
| ban | no | no | no | no |

Whoever is suspended finishes what runs: the others at those tables have done nothing, and should
not see their game spoiled. Whoever is banned is answered for like somebody who stays away, at once,
and the others may give the seat to somebody else; their open tables are given up. Nobody is exiled
by a sanction.

What is said to the person stands here too, so that it cannot differ from what holds.
"""

from collections.abc import Iterable
from datetime import datetime
from enum import StrEnum

from django.db.models import Q, QuerySet
from django.utils.translation import gettext_lazy as _

from accounts.models import Sanction, SanctionKind, User


class What(StrEnum):
    """What a sanction may forbid."""

    TALK = "talk"
    SIT = "sit"
    """Taking a seat, at a new table, an open one, a rematch, or one that is offered; inviting."""
    ANSWER_BY_MAIL = "answer_by_mail"
    """The links in mails, which let somebody answer without signing in."""


FORBIDS: dict[SanctionKind, frozenset[What]] = {
    SanctionKind.WARNING: frozenset(),
    SanctionKind.MUTE: frozenset({What.TALK}),
    SanctionKind.SUSPENSION: frozenset(What),
    SanctionKind.BAN: frozenset(What),
}

MEANING = {
    SanctionKind.WARNING: _("You may do everything as before. Please take it to heart."),
    SanctionKind.MUTE: _(
        "You can play, sit down and open tables. You cannot write messages at any table."
    ),
    SanctionKind.SUSPENSION: _(
        "You can play the games to their end at which you sit. You cannot sit down anywhere else,"
        " open tables, invite people, or write messages."
    ),
    SanctionKind.BAN: _(
        "Nobody can sign in to this account. Where it has a seat the clock answers at once, and"
        " the others may give the seat to somebody else."
    ),
}


def in_force(now: datetime) -> Q:
    """Of sanctions: those that hold at this moment, or still wait to be read."""
    lasting = Q(kind=SanctionKind.BAN) | Q(until__gt=now)
    return Q(lifted_at=None) & (lasting | Q(kind=SanctionKind.WARNING, read_at=None))


def of(user: User, now: datetime) -> QuerySet[Sanction]:
    """Those that hold against this person, the gravest first."""
    held = Sanction.objects.filter(in_force(now), user=user)
    return held.order_by("-since", "-pk")


def hindrance(user: User, what: What, now: datetime) -> Sanction | None:
    """The sanction that forbids this person to do that, if any. The row of a person without any
    says so itself, and costs no query."""
    if not user.has_sanctions:
        return None
    return next((held for held in of(user, now) if what in FORBIDS[SanctionKind(held.kind)]), None)


def impose(
    *, user: User, kind: SanctionKind, reason: str, until: datetime | None, by: User, now: datetime
) -> Sanction:
    """Write one down; the caller holds the lock on the person's row."""
    user.has_sanctions = True
    if kind == SanctionKind.BAN:
        user.is_active = False
    user.save(update_fields=["has_sanctions", "is_active"])
    if kind == SanctionKind.BAN:
        user.end_sessions()
    return Sanction.objects.create(
        user=user, kind=kind, reason=reason, since=now, until=until, by=by
    )


def lift(*, sanction: Sanction, by: User, now: datetime) -> bool:
    """Take one back; False if it was already. The caller holds the lock on the person's row."""
    lifted = Sanction.objects.filter(pk=sanction.pk, lifted_at=None).update(
        lifted_at=now, lifted_by=by
    )
    if not lifted:
        return False
    user = User.objects.get(pk=sanction.user_id)
    left = set(of(user, now).values_list("kind", flat=True))
    user.has_sanctions = bool(left)
    user.is_active = user.closed_at is None and SanctionKind.BAN not in left
    user.save(update_fields=["has_sanctions", "is_active"])
    return True


def read(*, user: User, sanction_id: int, now: datetime) -> None:
    """The person has read a warning; saying so twice is once."""
    Sanction.objects.filter(pk=sanction_id, user=user, read_at=None).update(read_at=now)


def hand_over(*, guest: User, user: User) -> None:
    """Whoever signs in takes along what was decided about the guest they were."""
    moved = Sanction.objects.filter(user=guest).update(user=user)
    if moved:
        User.objects.filter(pk=user.pk).update(has_sanctions=True)


def meaning(sanctions: Iterable[Sanction]) -> list[tuple[Sanction, str]]:
    """Each with what it means, in words to the person."""
    return [(held, str(MEANING[SanctionKind(held.kind)])) for held in sanctions]
