"""How far a player has read the log of a table: where "since your last visit" begins."""

from games.models import Tenure


def read(*, public_id: str, user_id: int, lines: int) -> None:
    """The person has seen this many lines. It never goes back, and concerns nobody else."""
    Tenure.objects.filter(
        game__public_id=public_id, user_id=user_id, ended="", read_lines__lt=lines
    ).update(read_lines=lines)
