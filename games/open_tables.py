"""An open table under its lock: for its host alone, and shown to all who look at it."""

from datetime import datetime

from django.db import transaction

from accounts.models import User
from games import play
from games.models import Game, Status
from games.notify import in_page
from games.play import Reason, Refused


def hosted(public_id: str, host: User, *, unless: Status | None = None) -> Game:
    """The open table of this host, locked; or one that is `unless` already: nothing is to do."""
    game = play.lock(public_id)
    if game.host_id != host.pk:
        raise Refused(Reason.NOT_HOST)
    if game.status not in (Status.OPEN, unless):
        raise Refused(Reason.NOT_OPEN)
    return game


def show(game: Game, now: datetime) -> None:
    """Save what everybody at the table sees, and poke their pages."""
    game.version, game.changed_at = game.version + 1, now
    game.save()
    tables = [(game.public_id, game.version)]
    transaction.on_commit(lambda: in_page.poke(tables=tables))
