"""What was done in a transaction that came to nothing has not happened, in memory either."""

from datetime import timedelta

import pytest
from django.db import transaction

from accounts.models import User
from games import play, store
from games.engine.commands import SEATS, TIMEOUT, parse
from games.engine.state import waiting
from games.models import Game, PromptState, Source, WorkerBeat
from games.refusal import Reason, Refused

from .cast import NOON, prompt_of, running_game, say, state_of, tenure_of

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.services]


def in_a_window() -> tuple[Game, int, int]:
    """A claim, and the two who are asked about it."""
    game = running_game(3)
    say(game, state_of(game).turn, "tax")
    one, other = waiting(state_of(game))
    return game, one, other


def test_a_refused_answer_takes_back_what_the_clock_said_on_the_way() -> None:
    """Two are late. The clock has answered for one; the other takes an hour of holiday, and says
    what cannot be said: all that is undone. What is remembered of it would stop the game."""
    game, one, other = in_a_window()
    late = max(prompt_of(game, seat).due for seat in (one, other)) + timedelta(minutes=1)
    WorkerBeat.objects.update_or_create(defaults={"at": late})
    slow = tenure_of(game, other).user
    assert slow
    User.objects.filter(pk=slow.pk).update(holiday_by_itself=True)
    with pytest.raises(Refused) as refused:
        play.answer(
            public_id=game.public_id,
            user_id=slow.pk,
            prompt_id=prompt_of(game, other).pk,
            command=parse("block duke", SEATS),
            now=late,
        )
    assert refused.value.reason is Reason.ILLEGAL
    assert set(waiting(state_of(game))) == {one, other}
    assert play.time_out(public_id=game.public_id, now=late) == 1
    assert waiting(state_of(game)) == (other,)
    say(game, other, "allow", late)
    assert not game.prompts.filter(state=PromptState.OPEN, window__kind="respond").exists()


def test_another_move_in_its_place_is_the_one_that_counts() -> None:
    """The same number, and another move: by another process, say."""
    game, one, other = in_a_window()
    prompts = {seat: prompt_of(game, seat) for seat in (one, other)}

    def allow(seat: int) -> None:
        play.answer_for(
            public_id=game.public_id,
            prompt_id=prompts[seat].pk,
            command=TIMEOUT,
            source=Source.CLOCK,
            now=NOON,
        )

    with transaction.atomic():
        allow(one)
        assert waiting(state_of(game)) == (other,)
        transaction.set_rollback(True)
    known = store.record._FOLDED.copy()
    allow(other)
    store.record._FOLDED.clear()
    store.record._FOLDED.update(known)  # of a process that has not seen it
    assert waiting(state_of(game)) == (one,)
