"""Games that stand still, go on with a fresh window, get more time, or end without a result."""

from datetime import timedelta
from random import Random

import pytest
from django.test import Client
from django.utils import timezone

from games import drive, halts, lobby, play, selectors, store, verify
from games.engine.commands import TIMEOUT
from games.engine.rules import legal
from games.models import (
    BotKind,
    Game,
    Halt,
    Job,
    Prompt,
    PromptState,
    Source,
    Status,
    Tenure,
    Window,
)
from games.models.move import Move
from games.refusal import Reason
from games.timing import Pace

from .at_once import refusal
from .cast import NOON, SEED, person, prompt_of, running_game, say, state_of, stir, tenure_of

pytestmark = [pytest.mark.django_db, pytest.mark.services]

LATER = NOON + timedelta(hours=5)


def freeze(game: Game, source: Halt = Halt.MODERATOR) -> None:
    halts.freeze(public_id=game.public_id, now=NOON, source=source)


def thaw(game: Game, source: Halt = Halt.MODERATOR) -> None:
    halts.thaw(public_id=game.public_id, now=LATER, source=source)
    game.refresh_from_db()


def asked(game: Game) -> set[int]:
    prompts = Prompt.objects.filter(game=game, state=PromptState.OPEN)
    return set(prompts.values_list("seat__index", flat=True))


@pytest.fixture
def game() -> Game:
    """Three people; one has claimed the Duke."""
    game = running_game(3)
    say(game, state_of(game).turn, "tax")
    return game


def others(game: Game) -> list[int]:
    return [seat for seat in range(3) if seat != state_of(game).turn]


def test_resuming_gives_a_full_fresh_window_and_keeps_sealed_answers(game: Game) -> None:
    one, other = others(game)
    say(game, one, "allow")
    old = prompt_of(game, other)
    freeze(game)
    thaw(game)
    old.refresh_from_db()
    assert old.state == PromptState.VOID
    assert asked(game) == {other}
    new = prompt_of(game, other)
    assert new.due - LATER == old.due - NOON
    assert new.window.opened_at == LATER
    assert new.window.kind == old.window.kind
    assert list(verify.differences(game)) == []
    say(game, other, "allow", LATER)
    assert state_of(game).coins[(one + 1) % 3 if (one + 1) % 3 != other else (other + 1) % 3] == 5


def test_the_public_sees_one_deadline_whoever_has_answered(game: Game) -> None:
    """Twin tables, one with a sealed answer: what strangers see of freeze and thaw is the same."""
    twin = running_game(3)
    say(twin, state_of(twin).turn, "tax")
    say(twin, others(twin)[0], "allow")
    seen = []
    for table in (game, twin):
        freeze(table)
        thaw(table)
        told = selectors.table(selectors.find(table.public_id), user_id=None)
        seen.append((table.version, told.opened, told.deadline, told.entries, told.view))
    assert seen[0] == seen[1]


def test_going_on_tells_nobody_who_came_to_be_on_autopilot_meanwhile(game: Game) -> None:
    one, other = others(game)
    Tenure.objects.filter(game=game, seat__index=one).update(timeouts=1)
    play.answer_for(
        public_id=game.public_id,
        prompt_id=prompt_of(game, one).pk,
        command=TIMEOUT,
        source=Source.CLOCK,
        now=NOON,
    )
    freeze(game)
    thaw(game)
    assert tenure_of(game, one).autopilot_since
    table = selectors.table(selectors.find(game.public_id), user_id=None)
    assert not table.players[one].autopilot
    say(game, other, "allow", LATER)
    table = selectors.table(selectors.find(game.public_id), user_id=None)
    assert table.players[one].autopilot


def test_an_old_answer_does_not_fall_on_the_fresh_window(game: Game) -> None:
    one, _ = others(game)
    old, user_id = prompt_of(game, one), tenure_of(game, one).user_id or 0
    freeze(game)
    thaw(game)
    said = legal(state_of(game), one)[0]
    again = lambda: play.answer(  # noqa: E731
        public_id=game.public_id, user_id=user_id, prompt_id=old.pk, command=said, now=LATER
    )
    assert refusal(again) is Reason.MOVED_ON


def test_freezing_and_thawing_twice_is_once(game: Game) -> None:
    freeze(game)
    version = Game.objects.get(pk=game.pk).version
    freeze(game)
    assert Game.objects.get(pk=game.pk).version == version
    thaw(game)
    thaw(game)
    assert game.version == version + 1
    assert Window.objects.filter(game=game, closed_at=None).count() == 1


def test_what_a_moderator_stopped_the_players_do_not_let_go_on(game: Game) -> None:
    freeze(game, Halt.CONSENT)
    freeze(game)  # from here on it is the moderator's
    freeze(game, Halt.CONSENT)
    assert refusal(lambda: thaw(game, Halt.CONSENT)) is Reason.FROZEN
    thaw(game)
    assert game.frozen_at is None


def test_a_frozen_game_times_nobody_out_and_its_bots_go_on_after_it() -> None:
    plan = lobby.Plan(size=2, pace=Pace.DAILY, bots=[BotKind.HONEST])
    game = lobby.open_table(host=person("Ana"), plan=plan, seed=SEED, now=NOON)
    if state_of(game).turn == 0:
        say(game, 0, "income")
    freeze(game)
    due = Job.objects.get().due
    assert drive.sweep(due) == 1  # it finds the game frozen, and does nothing
    assert drive.sweep(due + timedelta(days=9)) == 0
    moves = Move.objects.filter(game=game).count()
    thaw(game)
    job = Job.objects.get(done_at=None)
    assert drive.sweep(job.due) == 1
    assert Move.objects.filter(game=game).count() == moves + 1


def test_the_haste_of_a_bot_does_not_tell_that_all_people_have_answered() -> None:
    pauses = []
    for sealed in (False, True):
        plan = lobby.Plan(size=3, pace=Pace.DAILY, bots=[BotKind.HONEST])
        game = lobby.open_table(host=person("Ana"), plan=plan, seed=SEED, now=NOON)
        lobby.sit(public_id=game.public_id, user=person("Ben"), now=NOON)
        bot = next(n for n in range(3) if Tenure.objects.get(game=game, seat__index=n).bot)
        if state_of(game).turn == bot:
            drive.sweep(Job.objects.get(prompt__game=game).due)
            for seat in set(asked(game)):
                say(game, seat, "allow")
        turn = state_of(game).turn
        assert turn != bot
        say(game, turn, "tax")
        if sealed:
            say(game, next(n for n in range(3) if n not in (turn, bot)), "allow")
        freeze(game)
        thaw(game)
        assert (bot in asked(game), len(asked(game))) == (True, 1 if sealed else 2)
        pauses.append(Job.objects.get(prompt=prompt_of(game, bot)).due - LATER)
    assert pauses[0] == pauses[1] >= timedelta(minutes=2)


def test_more_time_is_the_time_for_an_answer_once_more(game: Game) -> None:
    one, other = others(game)
    say(game, one, "allow")
    before = prompt_of(game, other)
    halts.extend(public_id=game.public_id, now=LATER)
    after = prompt_of(game, other)
    assert after.pk == before.pk
    assert after.due - before.due == timedelta(days=1)
    assert after.window.deadline == after.due
    freeze(game)
    assert refusal(lambda: halts.extend(public_id=game.public_id, now=LATER)) is Reason.FROZEN


def test_a_game_that_is_cancelled_has_no_result_and_asks_nothing(game: Game) -> None:
    freeze(game)
    for _ in range(2):
        halts.cancel(public_id=game.public_id, now=LATER, source=Halt.MODERATOR)
    game.refresh_from_db()
    assert (game.status, game.ended_at, game.frozen_at) == (Status.CANCELLED, LATER, None)
    assert asked(game) == set()
    assert list(verify.differences(game)) == []
    assert refusal(lambda: freeze(game)) is Reason.NOT_RUNNING
    assert refusal(lambda: thaw(game)) is Reason.NOT_RUNNING


@pytest.mark.parametrize(
    ("source", "words"),
    [
        (Halt.MODERATOR, "A moderator has stopped this game"),
        (Halt.CONSENT, "All agreed to a pause"),
        (Halt.AUTOPILOT, "Everybody is on autopilot"),
    ],
)
def test_the_table_says_why_it_stands_still(game: Game, source: Halt, words: str) -> None:
    freeze(game, source)
    client = Client()
    client.force_login(person("Ana"))
    for page in (f"/g/{game.public_id}/", "/"):
        told = client.get(page).content.decode()
        assert words in told
        assert 'name="answer"' not in told


def test_a_cancelled_game_shows_its_cards_and_its_replay_and_a_rematch(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(timezone, "now", lambda: LATER)
    halts.cancel(public_id=game.public_id, now=LATER, source=Halt.CONSENT)
    client = Client()
    client.force_login(person("Ana"))
    table = client.get(f"/g/{game.public_id}/").content.decode()
    assert "By agreement of all, this game has ended without a result." in table
    assert "The game is over" in table
    assert 'name="answer"' not in table
    assert "to play" not in table
    replay = client.get(f"/g/{game.public_id}/replay/").content.decode()
    assert "2 turns" not in replay
    assert "without a result" in replay
    assert "It ended without a result." in client.get("/").content.decode()
    again = client.post(f"/g/{game.public_id}/rematch/")
    assert again.status_code == 302
    assert Game.objects.get(rematch_of=game).host == person("Ana")


@pytest.mark.parametrize("number", range(4))
def test_random_games_with_standstills_are_what_their_moves_come_to(number: int) -> None:
    random = Random(number)
    game = running_game(3 + number % 3, seed=random.randbytes(32), factions=bool(number & 1))
    for _ in stir(game, random, 60):
        if random.random() < 0.3 and state_of(game) and game.status == Status.RUNNING:
            freeze(game)
            assert list(verify.differences(game)) == []
            thaw(game)
        store.forget()
        game.refresh_from_db()
        assert list(verify.differences(game)) == []
