"""Standing still, coming back and answering at the same moment, on the real database."""

from collections.abc import Callable

import pytest

from games import drive, halts
from games.engine.commands import ALLOW, TAX
from games.models import Game, Halt, Job, JobKind, Prompt, PromptState, Tenure
from games.refusal import Reason

from .at_once import at_once
from .cast import NOON, prompt_of, running_game, say, state_of, tenure_of, whole
from .test_concurrency import answer

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.services]


def freeze(game: Game) -> Callable[[], None]:
    return lambda: halts.freeze(public_id=game.public_id, now=NOON, source=Halt.MODERATOR)


def thaw(game: Game) -> Callable[[], None]:
    return lambda: halts.thaw(public_id=game.public_id, now=NOON, source=Halt.MODERATOR)


def test_a_freeze_against_an_answer() -> None:
    for seed in range(4):
        game = running_game(3, seed=bytes([seed]) * 32)
        results = at_once(freeze(game), answer(game, state_of(game).turn, TAX))
        assert results[0] is None
        assert results[1] in (None, Reason.FROZEN)
        whole(game)
        assert game.frozen_at


def test_a_thaw_against_the_answer_to_the_old_question_and_another_thaw() -> None:
    for seed in range(4):
        game = running_game(3, seed=bytes([seed]) * 32)
        turn = state_of(game).turn
        say(game, turn, "tax")
        late = answer(game, (turn + 1) % 3, ALLOW)
        freeze(game)()
        results = at_once(thaw(game), late, thaw(game))
        assert results[0] is results[2] is None
        assert results[1] in (Reason.FROZEN, Reason.MOVED_ON)
        assert Prompt.objects.filter(game=game, state=PromptState.OPEN).count() == 2
        whole(game)


def test_coming_back_while_autopilot_answers() -> None:
    for seed in range(4):
        game = running_game(3, seed=bytes([seed]) * 32)
        turn = state_of(game).turn
        one, other = (n for n in range(3) if n != turn)
        Tenure.objects.filter(pk=tenure_of(game, one).pk).update(autopilot_since=NOON, timeouts=2)
        say(game, turn, "tax")
        prompt, user_id = prompt_of(game, one), tenure_of(game, one).user_id
        assert user_id
        back = lambda user_id=user_id, game=game: halts.come_back(  # noqa: E731
            public_id=game.public_id, user_id=user_id, now=NOON
        )
        assert at_once(lambda: drive.sweep(NOON) and None, back) == [None, None]
        tenure = tenure_of(game, one)
        assert (tenure.timeouts, tenure.autopilot_since) == (0, None)
        prompt.refresh_from_db()
        assert prompt.state in (PromptState.ANSWERED, PromptState.OPEN)
        assert Job.objects.get(prompt=prompt, kind=JobKind.AUTOPILOT).done_at
        say(game, other, "allow")
        whole(game)
