"""What one viewer may see, also while the table moves under their eyes."""

from random import Random
from typing import Any

import pytest
from django.db import connection

from games import selectors
from games.engine.view import Line
from games.models import Game, Prompt, PromptState, Tenure

from .cast import NAMES, person, prompt_of, running_game, say, state_of, stir, tenure_of

pytestmark = [pytest.mark.django_db, pytest.mark.services]


@pytest.mark.parametrize("table", ["games_tenure", "games_window", "games_prompt", "games_move"])
def test_an_old_question_never_bears_the_name_of_the_next(table: str) -> None:
    """A table is read by several queries, and moves may fall between any two of them."""
    game = running_game(3)
    turn = state_of(game).turn
    target, third = (turn + 1) % 3, (turn + 2) % 3
    assert "captain" not in state_of(game).hands[turn]
    user_id = tenure_of(game, target).user_id
    say(game, turn, f"steal {target}")
    seen_from = selectors.find(game.public_id)
    fallen = False

    def between(execute: Any, sql: str, *rest: Any) -> Any:
        nonlocal fallen
        if not fallen and f'FROM "{table}"' in sql:
            fallen = True
            say(game, third, "challenge")
            say(game, turn, f"reveal {state_of(game).hands[turn][0]}")
        return execute(sql, *rest)

    with connection.execute_wrapper(between):
        seen = selectors.table(seen_from, user_id=user_id)
    # The theft is void, and it is the target's turn.
    now = selectors.table(selectors.find(game.public_id), user_id=user_id)
    assert fallen
    assert now.prompt_id == prompt_of(game, target).pk
    if seen.prompt_id == now.prompt_id:
        assert seen.view == now.view
    # The next look heals what was torn.
    assert seen.tag != now.tag


def test_what_a_seat_alone_saw_is_for_whoever_saw_it() -> None:
    """A newcomer reads none of it, and then all of their own; whoever is gone reads it no more."""
    game = running_game(3, inquisitor=True)
    random = Random(2)
    while not (saw := [seat for seat in range(3) if _alone(game, NAMES[seat])]):
        list(stir(game, random, 1, late=0))
    seat, newcomer = saw[0], "Dov"
    old = tenure_of(game, seat)
    Tenure.objects.filter(pk=old.pk).update(ended="removed", to_move=game.last_move)
    Prompt.objects.filter(tenure=old, state=PromptState.OPEN).delete()
    Tenure.objects.create(
        game=game, seat=old.seat, user=person(newcomer), from_move=game.last_move + 1
    )
    assert not game.has_ended
    assert _alone(game, newcomer) == _alone(game, NAMES[seat]) == []


def _alone(game: Game, name: str) -> list[Line]:
    """The lines that tell this person what nobody else may read."""
    game.refresh_from_db()
    table = selectors.table(game, user_id=person(name).pk)
    return [entry.line for entry in table.entries if entry.line.seen]
