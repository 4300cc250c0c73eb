"""An open table under its lock: for its host alone, and given up."""

from datetime import datetime

from accounts.models import User
from games import play
from games.models import Game, Kind, Status, Tenure
from games.notify import outbox
from games.refusal import Reason, Refused


def hosted(public_id: str, host: User, *, unless: Status | None = None) -> Game:
    """The open table of this host, locked; or one that is `unless` already: nothing is to do."""
    game = play.lock(public_id)
    if game.host_id != host.pk:
        raise Refused(Reason.NOT_HOST)
    if game.status not in (Status.OPEN, unless):
        raise Refused(Reason.NOT_OPEN)
    return game


def give_up(game: Game, now: datetime, *, told_by: User | None = None) -> None:
    """The open table is no more: those who sat there are told, but for whoever ended it. What
    everybody sees of it is the caller's to save."""
    game.status, game.ended_at = Status.CANCELLED, now
    users = User.objects.filter(tenures__game=game, is_active=True)
    if told_by:
        users = users.exclude(pk=told_by.pk)
    outbox.tell(users=users, kind=Kind.EXPIRED, key=f"game.{game.pk}", now=now, game=game)


def without_host(game: Game, now: datetime) -> None:
    """The host has gone: the table goes to whoever has sat there longest, or is given up."""
    people = Tenure.objects.filter(game=game, user__isnull=False).order_by("pk")
    heir = people.values_list("user_id", flat=True).first()
    if heir is None:
        give_up(game, now)
    else:
        # The form was sent by the host before; the heir may have sent one with the same token.
        game.host_id, game.form_token = heir, ""
