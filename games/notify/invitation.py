"""The letter that invites an address, whoever reads it, to an open table or a seat to take over."""

from datetime import datetime
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.models import Invitation, Kind

from . import links, outbox


def send(invitation: Invitation, *, to: str, now: datetime, kind: Kind = Kind.INVITED) -> None:
    """Write to the address, in the inviter's language. Whose it is, and whether anybody's here, is
    not asked. The table's name is left out: it is the host's to choose."""
    name, body = _LETTERS[kind]
    path = reverse(name, args=[invitation.game.public_id])
    link = links.absolute(f"{path}?{urlencode({'k': invitation.token})}")
    outbox.forward(
        to=[to],
        subject=_("{name} invites you to a game of Coup").format(name=invitation.by.name),
        body=str(body).format(name=invitation.by.name, link=link),
        now=now,
        kind=kind,
        game=invitation.game,
    )


# Where the link of each leads, and what is written.
_LETTERS = {
    Kind.INVITED: (
        "games:table",
        gettext_lazy(
            "{name} has a seat for you at a game of Coup, a short game of bluff that is played here"
            " by letter.\n\nThis link leads to the table. It is for you alone and lasts a week; no"
            " account is needed:\n\n{link}\n\nThe page lets you decline, too. Your address was used"
            " for this letter alone and is not kept."
        ),
    ),
    Kind.SEAT_OFFERED: (
        "games:take",
        gettext_lazy(
            "{name} plays a game of Coup, a short game of bluff that is played here by letter."
            " Somebody there does not answer any more, and you may play on in their place.\n\nThis"
            " link leads to the seat. It is for you alone and lasts a week, if nobody sits there"
            " before; no account is needed:\n\n{link}\n\nThe page lets you decline, too. Your"
            " address was used for this letter alone and is not kept."
        ),
    ),
}
