"""Who sits at a table, and who has sat there: seat by seat, with their users."""

from collections import defaultdict
from collections.abc import Iterable

from games.models import Game, Tenure


def ever_seated(game: Game) -> list[Tenure]:
    """Everybody who sat at a table, seat by seat, one after the other."""
    tenures = Tenure.objects.filter(game=game).order_by("seat__index", "pk")
    return list(tenures.select_related("user", "seat"))


def latest(tenures: Iterable[Tenure]) -> list[Tenure]:
    """Of `ever_seated`, who sits, or sat last, on each seat."""
    return list({tenure.seat_id: tenure for tenure in tenures}.values())


def seated(game: Game) -> list[Tenure]:
    """Who sits, or sat last, on each seat, in the order of the seats."""
    return latest(ever_seated(game))


def seated_at(games: Iterable[Game]) -> dict[int, dict[int, Tenure]]:
    """The same of many games, by game and index of the seat: one query."""
    tenures = Tenure.objects.filter(game__in=[game.pk for game in games])
    by_game: dict[int, dict[int, Tenure]] = defaultdict(dict)
    for tenure in tenures.select_related("user", "seat").order_by("seat__index", "pk"):
        by_game[tenure.game_id][tenure.seat.index] = tenure
    return by_game
