"""The letter that invites an address, whoever reads it, to an open table."""

from datetime import datetime
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.translation import gettext as _

from games.models import Invitation, Kind

from . import links, outbox


def send(invitation: Invitation, *, to: str, now: datetime) -> None:
    """Write to the address, in the inviter's language. Whose it is, and whether anybody's here, is
    not asked. The table's name is left out: it is the host's to choose."""
    path = reverse("games:table", args=[invitation.game.public_id])
    link = links.absolute(f"{path}?{urlencode({'k': invitation.token})}")
    outbox.forward(
        to=[to],
        subject=_("{name} invites you to a game of Coup").format(name=invitation.by.name),
        body=_(
            "{name} has a seat for you at a game of Coup, a short game of bluff that is played here"
            " by letter.\n\nThis link leads to the table. It is for you alone and lasts a week; no"
            " account is needed:\n\n{link}\n\nThe page lets you decline, too. Your address was used"
            " for this letter alone and is not kept."
        ).format(name=invitation.by.name, link=link),
        now=now,
        kind=Kind.INVITED,
        game=invitation.game,
    )
