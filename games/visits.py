"""What a player sees of a table: that they do, just now, and how far they have read its log, which
is where "since your last visit" begins. Neither concerns anybody else."""

from datetime import datetime

from games.models import Tenure
from games.notify import beats


def read(*, public_id: str, user_id: int, lines: int) -> None:
    """The person has seen this many lines. It never goes back, and concerns nobody else."""
    Tenure.objects.filter(
        game__public_id=public_id, user_id=user_id, ended="", read_lines__lt=lines
    ).update(read_lines=lines)


def see(*, public_id: str, user_id: int, now: datetime) -> None:
    """The person has the table before their eyes. Of somebody without a seat nothing is noted."""
    if Tenure.objects.filter(game__public_id=public_id, user_id=user_id, ended="").exists():
        beats.beat(user_id=user_id, public_id=public_id, now=now)
