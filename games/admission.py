"""Who may come to a table that is still open."""

from django.db.models import Exists, OuterRef, Q, QuerySet

from accounts import blocks
from accounts.models import User
from games.models import Game, Invitation, InvitationState, Status, Tenure, Visibility
from games.reliability import tables_for

WELCOME = (InvitationState.OPEN, InvitationState.ACCEPTED, InvitationState.MISSED)
"""Whoever was asked and has not said no, or has sat there already."""


def kept_apart(user_id: int) -> Exists:
    """Of games: those at which somebody sits whom this person does not meet, by a block."""
    return Exists(Tenure.objects.filter(blocks.apart(user_id), game=OuterRef("pk"), ended=""))


def must_not_meet(game: Game, user_id: int | None) -> bool:
    """Whether a block keeps this user away from somebody who sits here."""
    return user_id is not None and Game.objects.filter(kept_apart(user_id), pk=game.pk).exists()


def rematches(old: Game, user_id: int) -> tuple[QuerySet[Game], QuerySet[Game]]:
    """The tables for playing this game again, the latest first: at which this person sits, and
    which wait for more and where they meet everybody."""
    again = Game.objects.filter(rematch_of=old).order_by("-pk")
    theirs = again.filter(
        status__in=[Status.OPEN, Status.RUNNING], tenures__user=user_id, tenures__ended=""
    )
    return theirs, again.exclude(kept_apart(user_id)).filter(status=Status.OPEN)


def may_join(game: Game, user_id: int | None, link_token: str = "") -> bool:
    """Whether this user may take a seat: because anybody may, by the link, or by invitation.

    Not where somebody sits whom they do not meet: for them there is no such table.
    """
    if must_not_meet(game, user_id):
        return False
    if game.visibility == Visibility.PUBLIC:
        return True
    if game.visibility == Visibility.UNLISTED and link_token == game.link_token:
        return True
    return _invitations(game, user_id, link_token).exists()


def _invitations(game: Game, user_id: int | None, link_token: str) -> QuerySet[Invitation]:
    """What invites this user to this table: by name, or by a letter whose link they have."""
    invited = Q(pk=None)
    if user_id is not None:
        invited |= Q(user_id=user_id, state__in=WELCOME)
    if link_token:
        invited |= Q(token=link_token, state=InvitationState.OPEN)
    return game.invitations.filter(invited)


def inviter(game: Game, user_id: int | None, link_token: str = "") -> str:
    """Who has invited this user and waits for an answer: a name, empty if nobody does."""
    asked = _invitations(game, user_id, link_token).filter(state=InvitationState.OPEN)
    return asked.order_by("pk").values_list("by__name", flat=True).first() or ""


def is_admitted(game: Game, user: User | None, link_token: str = "") -> bool:
    """Whether this person, who may come, meets the table's condition; the invited need not."""
    if game.admits in tables_for(user):
        return True
    return _invitations(game, user.pk if user else None, link_token).exists()


def may_enter(game: Game, user_id: int | None, link_token: str = "") -> bool:
    """Whether this user may look at the open table: whoever sits there, or may."""
    if user_id is not None and game.tenures.filter(user_id=user_id).exists():
        return True
    return may_join(game, user_id, link_token)
