"""Whom somebody wants to meet no more. Nobody is told that they are blocked, in words or not."""

from datetime import datetime

from django.db import transaction
from django.db.models import Q, QuerySet

from accounts import signals
from accounts.models import Block, User


def block(*, by: User, blocked: User, now: datetime) -> None:
    """Keep these two apart, at once. Doing so twice is once."""
    with transaction.atomic():
        # Whoever takes a seat holds their own row. So each of the two either sits down before this
        # and is seen by what follows, or sees this and does not sit down.
        both = User.objects.select_for_update().filter(pk__in=[by.pk, blocked.pk])
        assert len(both.order_by("pk")) == 2
        Block.objects.get_or_create(by=by, blocked=blocked, defaults={"created_at": now})
    signals.blocked.send(User, by=by, blocked=blocked, now=now)


def unblock(*, by: User, block_id: int) -> None:
    """Take one's own block back; done twice it is nothing."""
    Block.objects.filter(pk=block_id, by=by).delete()


def blocked_by(user: User) -> QuerySet[Block]:
    """Whom this person has blocked, by name."""
    blocks = Block.objects.filter(by=user, blocked__is_active=True)
    return blocks.select_related("blocked").order_by("blocked__name_key")


def apart(user_id: int, field: str = "user") -> Q:
    """Of rows with a person in `field`: those whose person and this one are kept apart."""
    mine = Block.objects.filter(by_id=user_id).values("blocked_id")
    theirs = Block.objects.filter(blocked_id=user_id).values("by_id")
    return Q(**{f"{field}__in": mine}) | Q(**{f"{field}__in": theirs})


def hand_over(guest: User, user: User) -> None:
    """The guest's blocks, and those of the guest, become the account's."""
    for whose, other in (("by", "blocked"), ("blocked", "by")):
        known = Block.objects.filter(**{whose: user}).values(other)
        rows = Block.objects.filter(**{whose: guest}).exclude(**{other: user})
        rows.exclude(**{f"{other}__in": known}).update(**{whose: user})


def part(user: User, now: datetime) -> None:
    """Do anew what each block of or against this person does at open tables."""
    touching = Block.objects.filter(Q(by=user) | Q(blocked=user)).select_related("by", "blocked")
    for row in touching:
        signals.blocked.send(User, by=row.by, blocked=row.blocked, now=now)
