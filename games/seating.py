"""Whether a person may take one more seat: whichever way, and at an open table or a running one."""

from datetime import datetime

from accounts import sanctions
from accounts.models import User
from accounts.sanctions import What
from games import selectors
from games.admission import must_not_meet
from games.models import Game, Recusal
from games.refusal import Reason, Refused

MOST_WAITING = 20
"""Whoever keeps so many tables waiting sits down at no other."""


def check(user: User, now: datetime, game: Game | None = None) -> None:
    """Refused if they may not; `game` is locked, and None where it is only just being opened.

    Locks the person's row until the end of the transaction: a guest who has just become somebody
    else takes no seat any more, and a block is seen here or sees what follows.
    """
    person = User.objects.select_for_update().filter(pk=user.pk, is_active=True).first()
    if person is None:
        raise Refused(Reason.SOMEBODY_ELSE)
    if sanctions.hindrance(person, What.SIT, now):
        raise Refused(Reason.SUSPENDED)
    if selectors.open_prompts(user.pk) >= MOST_WAITING:
        raise Refused(Reason.TOO_BUSY)
    if game is not None and Recusal.objects.filter(game=game, user=user).exists():
        raise Refused(Reason.SAW_CARDS)
    if game is not None and must_not_meet(game, user.pk):
        raise Refused(Reason.NO_GAME)
