"""A seat that stands open in a running game: sitting down on it, and asking somebody to."""

from datetime import datetime

from django.db import transaction

from accounts.models import User
from games import handover, invitations, play, seating
from games.admission import is_admitted, may_join
from games.models import (
    Game,
    Invitation,
    InvitationState,
    Kind,
    Status,
    Tenure,
)
from games.refusal import Reason, Refused
from games.seats import seated

from .table import sit


@transaction.atomic
def take_seat(
    *, public_id: str, user: User, seat: int | None = None, now: datetime, link_token: str = ""
) -> None:
    """Sit down on a seat that is offered, the first if none is named; twice is once.

    The newcomer gets the public record and the seat's cards: see `handover`.
    """
    game = play.lock(public_id)
    tenures = seated(game)
    if any(tenure.user_id == user.pk and not tenure.ended for tenure in tenures):
        return
    if not may_join(game, user.pk, link_token):
        raise Refused(Reason.NO_GAME)
    free = [t.seat.index for t in tenures if t.offered_at and seat in (None, t.seat.index)]
    if game.status != Status.RUNNING or not free:
        raise Refused(Reason.SEAT_GONE)
    if game.frozen_at:
        raise Refused(Reason.FROZEN)
    if not is_admitted(game, user, link_token):
        raise Refused(Reason.NOT_ADMITTED)
    seating.check(user, now, game)
    handover.give(game, free[0], user, now)
    Invitation.objects.filter(game=game, user=user).update(state=InvitationState.ACCEPTED)
    if link_token:
        invitations.accept_letter(game, user, link_token)
    invitations.recall(game, user, now)


@transaction.atomic
def invite(*, public_id: str, user_id: int, name: str, now: datetime) -> None:
    """Offer a seat that stands open to somebody by name. Asking twice is once."""
    game, mine = _offering(public_id, user_id, now)
    guest = User.objects.named(name)
    if guest is None:
        raise Refused(Reason.NO_PERSON)
    if Tenure.objects.filter(game=game, user=guest).exists():
        raise Refused(Reason.SAT_BEFORE)
    Invitation.objects.filter(game=game, user=guest, state=InvitationState.EXPIRED).delete()
    if not Invitation.objects.filter(game=game, user=guest).exists():
        invitations.ask(game, mine, [guest], now, kind=Kind.SEAT_OFFERED)


@transaction.atomic
def invite_by_mail(*, public_id: str, user_id: int, address: str, now: datetime) -> None:
    """Offer such a seat to whoever reads this address. Asking twice is once."""
    game, mine = _offering(public_id, user_id, now)
    invitations.write_once(game, mine, address, now, kind=Kind.SEAT_OFFERED)


def _offering(public_id: str, user_id: int, now: datetime) -> tuple[Game, User]:
    """The game, locked, and who offers a seat there; refused where none stands open."""
    game = play.lock(public_id)
    table, mine = sit(game, user_id, now)
    if mine.user is None or not any(tenure.offered_at for tenure in table.tenures):
        raise Refused(Reason.SEAT_GONE)
    return game, mine.user
