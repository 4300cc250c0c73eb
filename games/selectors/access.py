"""Who may look at a table. Asked before anything of it is read or shown."""

from games.admission import may_enter
from games.models import Game, Tenure, TenureEnd, Visibility, Watch


class Hidden(Exception):
    """There is no such game for this viewer, or it is not for their eyes; `exists` tells which."""

    def __init__(self, *, exists: bool) -> None:
        super().__init__()
        self.exists = exists


def find(public_id: str) -> Game:
    """The game; Hidden if there is none."""
    game = Game.objects.filter(public_id=public_id).first()
    if game is None:
        raise Hidden(exists=False)
    return game


def may_watch(game: Game, *, link_token: str) -> bool:
    """Whether somebody without a seat may look at this table."""
    if link_token and link_token == game.link_token:
        return game.watch != Watch.PLAYERS
    return game.watch == Watch.ANYBODY and game.visibility != Visibility.PRIVATE


def may_see(game: Game, user_id: int | None, link_token: str) -> bool:
    """Whether this user may look at this table, from a seat or beside it."""
    if not game.has_begun:
        return may_enter(game, user_id, link_token)
    if may_watch(game, link_token=link_token):
        return True
    if user_id is None:
        return False
    sat = Tenure.objects.filter(game=game, user_id=user_id)
    if not game.has_ended:  # till then, who has given the seat away is like a stranger
        sat = sat.exclude(ended=TenureEnd.REPLACED)
    return sat.exists()


def is_secret(game: Game, user_id: int | None, link_token: str = "") -> bool:
    """Whether this user is not to know that there is such a table."""
    if game.visibility == Visibility.PRIVATE or not game.has_begun:
        return not may_see(game, user_id, link_token)
    return False


def sits(game: Game, user_id: int | None) -> bool:
    """Whether this user holds a seat there."""
    return user_id is not None and game.tenures.filter(user_id=user_id, ended="").exists()
