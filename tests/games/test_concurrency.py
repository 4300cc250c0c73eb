"""Several people at once, on the real database: one wins, the others are told, nothing doubles."""

from collections.abc import Callable

import pytest

from games import play
from games.engine.commands import ALLOW, CHALLENGE, TAX, Command
from games.engine.state import Reveal
from games.models import Game, Prompt, PromptState
from games.models.move import Move
from games.refusal import Reason

from .at_once import at_once
from .cast import NOON, prompt_of, running_game, say, state_of, tenure_of, whole

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.services]


def answer(game: Game, seat: int, command: Command) -> Callable[[], None]:
    """The answer of that seat to the prompt it has now."""
    prompt_id, user_id = prompt_of(game, seat).pk, tenure_of(game, seat).user_id
    assert user_id is not None
    return lambda: play.answer(
        public_id=game.public_id, user_id=user_id, prompt_id=prompt_id, command=command, now=NOON
    )


def leave(game: Game, seat: int) -> Callable[[], None]:
    user_id = tenure_of(game, seat).user_id
    assert user_id is not None
    return lambda: play.leave(public_id=game.public_id, user_id=user_id, now=NOON)


def test_eight_times_the_same_answer_is_one_move() -> None:
    game = running_game(3)
    same = answer(game, state_of(game).turn, TAX)
    assert at_once(*[same] * 8) == [None] * 8
    assert Move.objects.filter(game=game).count() == 2
    whole(game)


def test_of_two_challenges_one_wins_and_the_other_is_told() -> None:
    for seed in range(4):
        game = running_game(3, seed=bytes([seed]) * 32)
        turn = state_of(game).turn
        say(game, turn, "tax")
        one, other = (seat for seat in range(3) if seat != turn)
        results = at_once(answer(game, one, CHALLENGE), answer(game, other, CHALLENGE))
        assert sorted(map(str, results)) == ["None", "moved_on"]
        challenger = (one, other)[results.index(None)]
        phase = state_of(game).phase
        assert isinstance(phase, Reveal)
        assert phase.challenger == challenger
        whole(game)


def test_a_challenge_against_the_last_allow() -> None:
    for seed in range(4):
        game = running_game(3, seed=bytes([seed]) * 32)
        turn = state_of(game).turn
        say(game, turn, "tax")
        one, other = (seat for seat in range(3) if seat != turn)
        results = at_once(answer(game, one, CHALLENGE), answer(game, other, ALLOW))
        # The allow is sealed: it comes first and stands, or comes late and is refused.
        assert results in ([None, None], [None, Reason.MOVED_ON])
        states = set(Prompt.objects.filter(game=game).values_list("state", flat=True))
        assert PromptState.OPEN in states
        whole(game)


def test_a_leave_against_an_answer() -> None:
    for seed in range(4):
        game = running_game(3, seed=bytes([seed]) * 32)
        turn = state_of(game).turn
        say(game, turn, "tax")
        one, other = (seat for seat in range(3) if seat != turn)
        results = at_once(leave(game, one), answer(game, other, ALLOW))
        assert results == [None, None]
        assert one in state_of(game).exiled
        whole(game)


def test_leaving_while_answering_oneself() -> None:
    for seed in range(4):
        game = running_game(3, seed=bytes([seed]) * 32)
        turn = state_of(game).turn
        say(game, turn, "tax")
        one = next(seat for seat in range(3) if seat != turn)
        results = at_once(leave(game, one), answer(game, one, ALLOW))
        # Leaving gives the default answer: an allow after it is late, one before it stands.
        assert results[0] is None
        assert results[1] in (None, Reason.MOVED_ON)
        whole(game)


def test_everybody_leaves_at_once() -> None:
    game = running_game(4)
    results = at_once(*[leave(game, seat) for seat in range(4)])
    assert results.count(None) >= 3
    assert set(results) <= {None, Reason.NOT_RUNNING}
    whole(game)
