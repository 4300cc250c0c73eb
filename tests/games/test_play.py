"""The door: what people, bots and the clock may change, and what it leaves behind."""

from collections import defaultdict
from random import Random

import pytest
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games import halts, play, store, verify
from games.engine.commands import ALLOW, CHALLENGE, INCOME, RESIGN, TAX, TIMEOUT, Command
from games.engine.observation import phase_name
from games.engine.view import PhaseName
from games.models import Game, Halt, Prompt, PromptState, Source, Status, Tenure, TenureEnd, Window
from games.models.move import Move
from games.refusal import Reason
from games.seats import seated

from .at_once import refusal
from .cast import NOON, person, prompt_of, running_game, say, state_of, stir, tenure_of

pytestmark = [pytest.mark.django_db, pytest.mark.services]


def answer(game: Game, name: str, prompt: Prompt, command: Command) -> None:
    play.answer(
        public_id=game.public_id,
        user_id=person(name).pk,
        prompt_id=prompt.pk,
        command=command,
        now=NOON,
    )


@pytest.fixture
def game() -> Game:
    """Three people; whose turn it is follows from the seed."""
    return running_game(3)


def name_of(game: Game, seat: int) -> str:
    return tenure_of(game, seat).name


def test_the_deal_asks_the_first_player(game: Game) -> None:
    state = state_of(game)
    prompt = Prompt.objects.get(game=game)
    assert prompt.seat.index == state.turn
    assert prompt.window.kind == PhaseName.ACTION
    assert prompt.due > NOON


def test_an_action_asks_the_others_and_closes_the_turns_window(game: Game) -> None:
    turn = state_of(game).turn
    say(game, turn, "tax")
    asked = Prompt.objects.filter(game=game, state=PromptState.OPEN)
    assert {prompt.seat.index for prompt in asked} == {0, 1, 2} - {turn}
    assert Window.objects.filter(game=game, closed_at=None).count() == 1


def test_a_sealed_answer_changes_nothing_public(game: Game) -> None:
    turn = state_of(game).turn
    say(game, turn, "tax")
    game.refresh_from_db()
    before = Game.objects.filter(pk=game.pk).values().get()
    one, other = (seat for seat in range(3) if seat != turn)
    say(game, one, "allow")
    after = Game.objects.filter(pk=game.pk).values().get()
    assert before | {"last_move": after["last_move"]} == after
    assert prompt_of(game, other).state == PromptState.OPEN


def test_the_same_answer_twice_is_one_move(game: Game) -> None:
    turn = state_of(game).turn
    prompt = prompt_of(game, turn)
    answer(game, name_of(game, turn), prompt, TAX)
    answer(game, name_of(game, turn), prompt, TAX)
    assert Move.objects.filter(game=game).count() == 2


def test_an_answer_given_is_final(game: Game) -> None:
    turn = state_of(game).turn
    prompt = prompt_of(game, turn)
    name = name_of(game, turn)
    answer(game, name, prompt, TAX)
    assert refusal(lambda: answer(game, name, prompt, INCOME)) is Reason.MOVED_ON
    assert Move.objects.filter(game=game).count() == 2


def test_an_answer_never_lands_on_the_next_question(game: Game) -> None:
    turn = state_of(game).turn
    say(game, turn, "tax")
    one, other = (seat for seat in range(3) if seat != turn)
    late = prompt_of(game, other)
    say(game, one, "challenge")
    assert refusal(lambda: answer(game, name_of(game, other), late, ALLOW)) is (Reason.MOVED_ON)
    late.refresh_from_db()
    assert late.state == PromptState.SUPERSEDED


def test_a_foreign_prompt_a_stranger_and_an_illegal_command_change_nothing(game: Game) -> None:
    turn = state_of(game).turn
    prompt = prompt_of(game, turn)
    rows = Move.objects.count()
    other = name_of(game, (turn + 1) % 3)
    assert refusal(lambda: answer(game, other, prompt, INCOME)) is Reason.NOT_YOURS
    assert refusal(lambda: answer(game, "Zoe", prompt, INCOME)) is Reason.NOT_SEATED
    mine = name_of(game, turn)
    assert refusal(lambda: answer(game, mine, prompt, CHALLENGE)) is Reason.ILLEGAL
    assert refusal(lambda: answer(game, mine, prompt, RESIGN)) is Reason.ILLEGAL
    assert refusal(lambda: answer(game, mine, prompt, TIMEOUT)) is Reason.ILLEGAL
    assert Move.objects.count() == rows


def test_a_frozen_game_takes_no_answer_and_times_nobody_out(game: Game) -> None:
    turn = state_of(game).turn
    prompt = prompt_of(game, turn)
    halts.freeze(public_id=game.public_id, now=NOON, source=Halt.MODERATOR)
    assert refusal(lambda: answer(game, name_of(game, turn), prompt, INCOME)) is (Reason.FROZEN)
    assert not play.answer_for(
        public_id=game.public_id,
        prompt_id=prompt.pk,
        command=TIMEOUT,
        source=Source.CLOCK,
        now=prompt.due,
    )


def test_leaving_in_an_action_is_told_when_the_turn_ends(game: Game) -> None:
    turn = state_of(game).turn
    one, other = (seat for seat in range(3) if seat != turn)
    say(game, turn, "tax")
    game.refresh_from_db()
    version = game.version
    leaver = tenure_of(game, one)
    for _ in range(2):  # saying it again changes nothing
        play.leave(public_id=game.public_id, user_id=leaver.user_id or 0, now=NOON)
    game.refresh_from_db()
    assert game.version == version
    leaver.refresh_from_db()
    assert leaver.ended == ""
    say(game, other, "allow")
    leaver.refresh_from_db()
    assert leaver.ended == TenureEnd.RESIGNED
    assert one in state_of(game).exiled


def test_the_end_ranks_everybody_and_closes_every_question() -> None:
    game = running_game(2)
    loser = state_of(game).turn
    play.leave(public_id=game.public_id, user_id=tenure_of(game, loser).user_id or 0, now=NOON)
    game.refresh_from_db()
    assert game.status == Status.OVER
    places = {tenure.seat.index: tenure.seat.place for tenure in seated(game)}
    assert places == {loser: 2, 1 - loser: 1}
    assert not Prompt.objects.filter(game=game, state=PromptState.OPEN).exists()
    assert not Window.objects.filter(game=game, closed_at=None).exists()


@pytest.mark.parametrize("number", range(8))
def test_random_games_are_what_their_moves_come_to(number: int) -> None:
    random = Random(number)
    game = running_game(
        2 + number % 5,
        seed=random.randbytes(32),
        inquisitor=bool(number & 1),
        factions=bool(number & 2),
    )
    for _ in stir(game, random, 60):
        if random.random() < 0.2:
            game.refresh_from_db()
            assert list(verify.differences(game)) == []
            store.forget()
    game.refresh_from_db()
    assert list(verify.differences(game)) == []
    call_command("verify_games")


def test_verify_names_what_differs(game: Game, capsys: pytest.CaptureFixture[str]) -> None:
    say(game, state_of(game).turn, "income")
    Move.objects.filter(game=game, number=1).update(events=[["Gained", 0, 9]])
    store.forget()
    with pytest.raises(SystemExit) as caught:
        call_command("verify_games")
    assert caught.value.code == 1
    assert game.public_id in capsys.readouterr().out


BROKEN = {
    "a command that could not be said": {"command": "coup 3"},
    "events that lead elsewhere": {"events": []},
    "events that nobody knows": {"events": [["Won", 1]]},
    "a schema that nobody knows": {"schema": 99},
}


@pytest.mark.parametrize("fields", BROKEN.values(), ids=BROKEN.keys())
def test_verify_outlasts_what_cannot_be_replayed(
    game: Game, fields: dict[str, object], capsys: pytest.CaptureFixture[str]
) -> None:
    turn = state_of(game).turn
    say(game, turn, "tax")
    say(game, (turn + 1) % 3, "challenge")
    Move.objects.filter(game=game, number=1).update(**fields)
    other = running_game(4)
    say(other, state_of(other).turn, "income")
    Move.objects.filter(game=other, number=1).update(events=[["Gained", 0, 9]])
    store.forget()
    with pytest.raises(SystemExit):
        call_command("verify_games")
    told = capsys.readouterr().out
    assert game.public_id in told
    assert other.public_id in told
    assert "2 games replayed, 2 differ." in told


def test_a_move_costs_the_same_queries_however_long_the_game_and_however_many() -> None:
    costs: dict[tuple[object, ...], set[int]] = defaultdict(set)
    lengths = []
    for seed in range(6):
        random = Random(seed)
        game = running_game(2 + seed % 5, seed=random.randbytes(32), factions=seed % 2 == 1)
        going, before = stir(game, random, 150, late=0), state_of(game)
        while True:
            with CaptureQueriesContext(connection) as queries:
                command = next(going, None)
            if command is None:
                break
            after = state_of(game)
            kind = (phase_name(before.phase), command.verb, phase_name(after.phase))
            costs[kind].add(len(queries))
            before = after
        lengths.append(game.last_move)
    assert max(lengths) > 2 * min(lengths)
    assert len(costs) > 20
    # What is given back to a bank that is not full takes two, and so one more to close the
    # questions that a challenge has settled.
    assert max(max(seen) - min(seen) for seen in costs.values()) <= 3


def test_verify_knows_who_left(game: Game) -> None:
    leaver = tenure_of(game, (state_of(game).turn + 1) % 3)
    play.leave(public_id=game.public_id, user_id=leaver.user_id or 0, now=NOON)
    game.refresh_from_db()
    assert list(verify.differences(game)) == []
    Tenure.objects.filter(pk=leaver.pk).update(to_move=7)
    assert list(verify.differences(game)) == ["who left, and when, differs"]


def test_verify_knows_which_moves_are_public(game: Game) -> None:
    say(game, state_of(game).turn, "income")
    Move.objects.filter(game=game, number=1).update(version=1)
    game.refresh_from_db()
    assert any("version" in difference for difference in verify.differences(game))
