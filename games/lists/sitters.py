"""Who sits at a table, seat by seat: what every list and waiting room shows of it."""

from collections.abc import Collection
from dataclasses import dataclass

from games.models import Game, Tenure
from games.words.people import record, standing


@dataclass(frozen=True, slots=True)
class Sitter:
    """Who sits on a seat of an open table; `name` is empty if nobody does."""

    index: int
    name: str = ""
    is_bot: bool = False
    is_host: bool = False
    is_me: bool = False
    standing: str = ""
    record: str = ""
    is_ready: bool = False


def is_seated(tenures: dict[int, Tenure], user_id: int | None) -> bool:
    """Whether this user is one of those who sit there."""
    return user_id is not None and any(t.user_id == user_id for t in tenures.values())


def sitters(
    game: Game,
    tenures: dict[int, Tenure],
    user_id: int | None,
    absent: Collection[int] | None = None,
) -> tuple[Sitter, ...]:
    """Seat by seat; `absent` are the tenures of those who are asked whether they are ready and have
    not said so, None where nobody is asked."""
    return tuple(
        _sitter(index, tenures.get(index), game.host_id, user_id, absent)
        for index in range(game.size)
    )


def _sitter(
    index: int,
    tenure: Tenure | None,
    host_id: int,
    user_id: int | None,
    absent: Collection[int] | None,
) -> Sitter:
    if tenure is None:
        return Sitter(index)
    return Sitter(
        index=index,
        name=tenure.name,
        is_bot=bool(tenure.bot),
        is_host=tenure.user_id == host_id,
        is_me=user_id is not None and tenure.user_id == user_id,
        standing=standing(tenure.user) if tenure.user else "",
        record=record(tenure.user) if tenure.user else "",
        is_ready=absent is not None and tenure.pk not in absent,
    )
