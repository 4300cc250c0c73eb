"""What a person wants to be told, and how: writing it down."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.db import transaction

from accounts.models import User
from games.models import Channel, Kind

from .kinds import KINDS, switch
from .links import Switch


@dataclass(frozen=True, slots=True)
class Wishes:
    """`choices` by kind and channel. Without a digest hour each message is a letter of its own."""

    choices: Mapping[tuple[Kind, Channel], bool]
    mail_delay: int
    digest_hour: int | None
    quiet_from: int | None
    quiet_to: int | None


@transaction.atomic
def save(*, user_id: int, wishes: Wishes) -> None:
    """Keep which messages somebody wants, where, and when."""
    user = User.objects.select_for_update().get(pk=user_id)
    for (kind, channel), on in wishes.choices.items():
        _choose(user, kind, channel, on=on)
    user.mail_delay, user.digest_hour = wishes.mail_delay, wishes.digest_hour
    user.quiet_from, user.quiet_to = wishes.quiet_from, wishes.quiet_to
    user.save(
        update_fields=["message_choices", "mail_delay", "digest_hour", "quiet_from", "quiet_to"]
    )


@transaction.atomic
def switch_off(wanted: Switch) -> None:
    """No more of this. Saying it again changes nothing, nor does it for somebody who has gone."""
    user = User.objects.select_for_update().filter(pk=wanted.user_id).first()
    if user is not None and KINDS[wanted.kind].optional:
        _choose(user, wanted.kind, wanted.channel, on=False)
        user.save(update_fields=["message_choices"])


def _choose(user: User, kind: Kind, channel: Channel, *, on: bool) -> None:
    """Kept where it is not the usual, so that what is usual may change for everybody else."""
    name = switch(kind, channel)
    if on == KINDS[kind].channels[channel]:
        user.message_choices.pop(name, None)
    else:
        user.message_choices[name] = on
