"""The mark "by the clock" tells of the window it stands at, and of no other."""

import pytest

from games import selectors
from games.engine.commands import TIMEOUT
from games.engine.view import LineKind
from games.models import Game, Source
from games.play import answer_for

from .cast import NOON, prompt_of, running_game, say, state_of

pytestmark = pytest.mark.django_db


def out_of_time(game: Game, seat: int) -> None:
    prompt = prompt_of(game, seat)
    answer_for(
        public_id=game.public_id,
        prompt_id=prompt.pk,
        command=TIMEOUT,
        source=Source.CLOCK,
        now=NOON,
    )


def marks(game: Game) -> list[bool]:
    """The marks of the allows in the log that everybody reads."""
    game.refresh_from_db()
    entries = selectors.table(game, user_id=None).entries
    return [entry.by_clock for entry in entries if entry.line.kind is LineKind.ALLOWED]


@pytest.mark.parametrize("late", [True, False])
def test_a_sealed_answer_by_the_clock_that_became_void_marks_no_later_one(late: bool) -> None:
    for seed in range(40):
        game = running_game(3, seed=bytes([seed]) * 32)
        turn = state_of(game).turn
        target, third = (turn + 1) % 3, (turn + 2) % 3
        if "captain" in state_of(game).hands[turn]:
            break
    say(game, turn, f"steal {target}")
    if late:
        out_of_time(game, target)
    say(game, third, "challenge")
    say(game, turn, "reveal captain")
    say(game, third, f"lose {state_of(game).hands[third][0]}")
    say(game, target, "allow")
    assert marks(game) == [False]


def test_an_allow_by_the_clock_is_marked() -> None:
    game = running_game(3)
    turn = state_of(game).turn
    say(game, turn, "tax")
    for seat in ((turn + 1) % 3, (turn + 2) % 3):
        out_of_time(game, seat)
    assert marks(game) == [True]
