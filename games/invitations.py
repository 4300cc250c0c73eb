"""Asking people to an open table: by name, or by a letter to an address."""

from collections.abc import Collection
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Q
from django.utils.crypto import salted_hmac

from accounts import sanctions
from accounts.models import Block, User
from accounts.sanctions import What
from games import play
from games.consequences import show
from games.models import Game, Invitation, InvitationState, Kind, Status, Tenure
from games.models.game import new_link_token
from games.notify import in_page, outbox
from games.notify import invitation as invitation_letter
from games.open_tables import hosted
from games.refusal import Reason, Refused
from games.timing import INVITATION_LASTS

INVITATIONS_A_DAY = 30

LETTERS_A_DAY = 3
"""So many a day reach one address, whoever invites it."""


@transaction.atomic
def invite(*, public_id: str, host: User, name: str, now: datetime) -> Game:
    """Ask somebody by name to sit down. Asking twice is once."""
    game = hosted(public_id, host)
    user = User.objects.named(name)
    if user is None:
        raise Refused(Reason.NO_PERSON)
    if Tenure.objects.filter(game=game, user=user).exists():
        return game
    # Whoever let an invitation expire, or sat there once, may be asked once more, whoever declined
    # may not.
    again = (InvitationState.EXPIRED, InvitationState.MISSED)
    Invitation.objects.filter(game=game, user=user, state__in=again).delete()
    if not Invitation.objects.filter(game=game, user=user).exists():
        ask(game, host, [user], now)
        show(game, now)
    return game


@transaction.atomic
def invite_by_mail(*, public_id: str, host: User, address: str, now: datetime) -> Game:
    """Ask whoever reads this address to sit down. Asking twice is once."""
    game = hosted(public_id, host)
    if write_once(game, host, address, now):
        show(game, now)
    return game


@transaction.atomic
def decline(*, public_id: str, user: User | None, now: datetime, link_token: str = "") -> Game:
    """Say no to an invitation, one's own or that of a letter. Saying it twice is once."""
    game = play.lock(public_id)
    mine = Q(user=user) if user else Q(pk=None)
    if link_token:
        mine |= Q(token=link_token, user=None)
    invitations = Invitation.objects.filter(mine, game=game)
    if not invitations.exists():
        raise Refused(Reason.NO_GAME)
    if invitations.filter(state=InvitationState.OPEN).update(state=InvitationState.DECLINED):
        if user:
            recall(game, user, now)
        if game.status == Status.OPEN:  # else nobody sees it
            show(game, now)
    return game


def expire(now: datetime) -> None:
    """Let the invitations go that nobody answered for a week."""
    unanswered = Invitation.objects.filter(
        state=InvitationState.OPEN,
        created_at__lte=now - INVITATION_LASTS,
        game__status__in=[Status.OPEN, Status.RUNNING],
    )
    for public_id in set(unanswered.values_list("game__public_id", flat=True)):
        _expire(public_id, now)


@transaction.atomic
def _expire(public_id: str, now: datetime) -> None:
    game = play.lock(public_id)
    old = Invitation.objects.filter(
        game=game, state=InvitationState.OPEN, created_at__lte=now - INVITATION_LASTS
    )
    if old.update(state=InvitationState.EXPIRED) and game.status == Status.OPEN:
        show(game, now)


def ask(
    game: Game, by: User, users: Collection[User], now: datetime, kind: Kind = Kind.INVITED
) -> None:
    """`users` were not invited to this table before.

    Whoever has blocked the host is invited like anybody, and sees nothing of it: a refusal would
    tell the host.
    """
    if by.blocks.filter(blocked__in=users).exists():
        raise Refused(Reason.BLOCKED)
    _may_invite(by, len(users), now)
    asked = Invitation.objects.bulk_create(
        Invitation(game=game, user=user, by=by, created_at=now) for user in users
    )
    deaf = set(Block.objects.filter(by__in=users, blocked=by).values_list("by_id", flat=True))
    people = []
    for invitation in asked:
        if invitation.user is not None and invitation.user.pk not in deaf:
            key = f"invitation.{invitation.pk}"  # asked once more, they are told once more
            outbox.tell(users=[invitation.user], kind=kind, key=key, now=now, game=game)
            people.append(invitation.user.pk)
    in_page.poke(people=people)


def _may_invite(by: User, number: int, now: datetime) -> None:
    if number and sanctions.hindrance(by, What.SIT, now):
        raise Refused(Reason.SUSPENDED)
    today = Invitation.objects.filter(by=by, created_at__gt=now - timedelta(days=1))
    if number and today.count() + number > INVITATIONS_A_DAY:
        raise Refused(Reason.TOO_MANY_INVITATIONS)


def write_once(
    game: Game, by: User, address: str, now: datetime, kind: Kind = Kind.INVITED
) -> bool:
    """Invite an address; False if it was already, and may still come or has said no."""
    known = Invitation.objects.filter(game=game, address_key=_address_key(address))
    known.filter(state=InvitationState.EXPIRED).delete()
    if known.exists():
        return False
    write_to(game, by, [address], now, kind)
    return True


def write_to(
    game: Game, by: User, addresses: Collection[str], now: datetime, kind: Kind = Kind.INVITED
) -> None:
    """Invite these addresses, which this table has not yet. The same whether somebody here has
    such an address or not."""
    if addresses and by.is_guest:
        raise Refused(Reason.NEEDS_ACCOUNT)
    _may_invite(by, len(addresses), now)
    for address in addresses:
        key = _address_key(address)
        lately = Invitation.objects.filter(address_key=key, created_at__gt=now - timedelta(days=1))
        if lately.count() >= LETTERS_A_DAY:
            raise Refused(Reason.TOO_MANY_INVITATIONS)
        letter = Invitation.objects.create(
            game=game, by=by, token=new_link_token(), address_key=key, created_at=now
        )
        invitation_letter.send(letter, to=address, now=now, kind=kind)


def _address_key(address: str) -> str:
    """By which an address is known again, and cannot be read."""
    return salted_hmac("games.invitation", address.lower(), algorithm="sha256").hexdigest()


def accept_letter(game: Game, user: User, link_token: str) -> None:
    """Whoever came by a letter's link has accepted it: it lets nobody else in."""
    letter = Invitation.objects.filter(
        game=game, token=link_token, state=InvitationState.OPEN
    ).first()
    if letter is None:
        return
    letter.state = InvitationState.ACCEPTED
    if not Invitation.objects.filter(game=game, user=user).exists():
        letter.user = user
    letter.save()


def recall(game: Game, user: User, now: datetime) -> None:
    """Whoever has come, or said no, needs no more telling that they are invited."""
    for kind in (Kind.INVITED, Kind.SEAT_OFFERED):
        outbox.recall(kind=kind, game=game, user=user, now=now)
