"""Seats that stand open in running games: who may take one, and what they may know before."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from games import store
from games.admission import inviter, may_join
from games.engine.observation import observe
from games.engine.view import SPECTATOR
from games.models import Game, Status, Tenure
from games.seats import ever_seated, latest

from .access import Hidden, is_secret


@dataclass(frozen=True, slots=True)
class Vacancy:
    """A running game with seats that stand open, for somebody who may take one. `names` are of all
    who sit there; `free` says of each open seat whose it was, how many cards it holds face down,
    and its coins; `by`, if anybody, has invited them."""

    game: Game
    names: tuple[str, ...]
    free: tuple[tuple[str, int, int], ...]
    by: str = ""


def is_free(game: Game, tenures: Iterable[Tenure]) -> bool:
    """Whether somebody may sit down in the middle of this game."""
    stands_open = any(tenure.offered_at for tenure in tenures)
    return stands_open and game.status == Status.RUNNING and game.frozen_at is None


def vacant(game: Game, *, user_id: int | None, link_token: str = "") -> Vacancy:
    """The seats of this game that this user may take; Hidden if there are none for them."""
    everybody = ever_seated(game)
    sat = any(user_id is not None and tenure.user_id == user_id for tenure in everybody)
    if sat or not is_free(game, everybody) or not may_join(game, user_id, link_token):
        raise Hidden(exists=not is_secret(game, user_id, link_token))
    (vacancy,) = _vacancies({game: latest(everybody)})
    return replace(vacancy, by=inviter(game, user_id, link_token))


def vacancies(games: Sequence[Game], tenures: Mapping[int, Iterable[Tenure]]) -> list[Vacancy]:
    """Of games with seats that stand open: `tenures` by primary key are who sits there. One query
    for all; one that cannot be read is left out."""
    return _vacancies({game: list(tenures[game.pk]) for game in games})


def _vacancies(seated: Mapping[Game, Sequence[Tenure]]) -> list[Vacancy]:
    records = store.load_all(list(seated))
    return [
        Vacancy(
            game,
            tuple(tenure.name for tenure in tenures),
            tuple(
                (tenure.name, seats[tenure.seat.index].hidden, seats[tenure.seat.index].coins)
                for tenure in tenures
                if tenure.offered_at
            ),
        )
        for game, tenures in seated.items()
        if game.pk in records
        for seats in [observe(records[game.pk].state, SPECTATOR).seats]
    ]
