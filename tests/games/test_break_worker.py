"""What the worker makes of games that cannot be read, and of questions that are no more."""

from datetime import timedelta
from secrets import token_bytes

import pytest

from games import drive, lobby, store
from games.engine.commands import CHALLENGE, Command
from games.engine.view import TableView
from games.models import BotKind, Game, Job, Prompt, PromptState
from games.models.move import Move
from games.timing import Pace

from .cast import NOON, person, prompt_of, running_game, say, state_of

pytestmark = pytest.mark.django_db


def poison(game: Game) -> Prompt:
    """Make a game's past unreadable; its open question."""
    Move.objects.filter(game=game).update(events=["nonsense"])
    store.forget()
    return Prompt.objects.filter(game=game, state=PromptState.OPEN).get()


def test_games_that_cannot_be_read_keep_no_clock_of_another_waiting() -> None:
    for number in range(3):
        poison(running_game(3, seed=bytes([number]) * 32))
    game = running_game(3, pace=Pace.RELAXED)
    now = prompt_of(game, state_of(game).turn).due
    assert sum(drive.sweep(now + timedelta(seconds=second), at_most=3) for second in range(3)) == 1


def test_a_game_that_cannot_be_read_is_not_tried_at_every_look(
    caplog: pytest.LogCaptureFixture,
) -> None:
    prompt = poison(running_game(3))
    for look in range(50):
        assert drive.sweep(prompt.due + timedelta(milliseconds=200 * look)) == 0
    assert len(caplog.records) == 1


def test_a_question_that_another_bot_has_settled_fails_none(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def doubter(_kind: str, view: TableView, *_: object) -> Command:
        assert view.own
        return CHALLENGE if CHALLENGE in view.own.legal else view.own.legal[0]

    monkeypatch.setattr(drive, "answer", doubter)
    plan = lobby.Plan(size=4, pace=Pace.PRACTICE, bots=list(BotKind))
    while True:
        game = lobby.open_table(host=person("Ana"), plan=plan, seed=token_bytes(32), now=NOON)
        if state_of(game).turn == 0:
            break
    say(game, 0, "tax")
    jobs = Job.objects.filter(prompt__game=game, done_at=None)
    assert jobs.count() == 3
    drive.sweep(NOON + timedelta(hours=1))
    assert Prompt.objects.filter(game=game, state=PromptState.SUPERSEDED).count() == 2
    assert not Job.objects.filter(attempts__gt=1).exists()
    assert caplog.records == []
