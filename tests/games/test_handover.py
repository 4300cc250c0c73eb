"""Seats that change hands: who left, who came, what each of them may see."""

from datetime import timedelta
from random import Random

import pytest
from django.test import Client
from django.utils import timezone

from games import drive, halts, play, selectors, store, verify
from games.engine.commands import CHALLENGE
from games.engine.rules import legal
from games.engine.state import waiting
from games.engine.view import LineKind
from games.handover import hand_over
from games.models import (
    BotKind,
    Game,
    Halt,
    Job,
    Prompt,
    PromptState,
    Seat,
    Source,
    Status,
    Tenure,
    TenureEnd,
    Watch,
)
from games.refusal import Reason
from games.seats import seated

from .at_once import refusal
from .cast import NOON, person, prompt_of, running_game, say, state_of, stir, tenure_of, whole
from .views.web import client_of

pytestmark = [pytest.mark.django_db, pytest.mark.services]

LATER = NOON + timedelta(hours=5)


@pytest.fixture(autouse=True)
def _fixed_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(timezone, "now", lambda: LATER)


@pytest.fixture
def game() -> Game:
    """Three people; one has claimed the Duke."""
    game = running_game(3)
    say(game, state_of(game).turn, "tax")
    return game


def give(game: Game, seat: int, name: str = "Zoe") -> Tenure:
    hand_over(public_id=game.public_id, seat=seat, to=person(name), now=LATER)
    game.refresh_from_db()
    return tenure_of(game, seat)


def others(game: Game) -> list[int]:
    return [seat for seat in range(3) if seat != state_of(game).turn]


def test_the_newcomer_is_asked_what_its_predecessor_was(game: Game) -> None:
    one, other = others(game)
    old = prompt_of(game, one)
    new = give(game, one)
    old.refresh_from_db()
    assert old.state == PromptState.VOID
    prompt = prompt_of(game, one)
    assert (prompt.tenure, prompt.window) == (new, old.window)
    assert prompt.due - LATER == old.due - NOON
    assert prompt.window.deadline == prompt.due
    assert old.tenure.name not in {t.name for t in seated(game)}
    gone = Tenure.objects.get(pk=old.tenure_id)
    assert (gone.ended, gone.to_move, new.from_move) == (TenureEnd.REPLACED, 1, 2)
    say(game, one, "allow", LATER)
    say(game, other, "allow", LATER)
    whole(game)


def test_the_deadline_that_all_see_does_not_tell_whether_the_seat_had_answered(game: Game) -> None:
    twin = running_game(3)
    say(twin, state_of(twin).turn, "tax")
    one = others(game)[0]
    say(twin, one, "allow")
    seen = []
    for table in (game, twin):
        give(table, one)
        told = selectors.table(selectors.find(table.public_id), user_id=None)
        seen.append((table.version, told.opened, told.deadline, told.entries, told.view))
    assert seen[0] == seen[1]


def test_a_sealed_answer_stays_and_the_newcomer_does_not_learn_it(game: Game) -> None:
    one, other = others(game)
    answered = prompt_of(game, one)
    say(game, one, "allow")
    new = give(game, one)
    table = selectors.table(selectors.find(game.public_id), user_id=new.user_id)
    assert table.prompt_id is None
    assert table.view.own
    assert table.view.own.sealed is None
    # Neither by saying it once more and seeing whether it is taken for the same.
    for command in legal(state_of(game), other):
        again = lambda command=command: play.answer(  # noqa: E731
            public_id=game.public_id,
            user_id=new.user_id,
            prompt_id=answered.pk,
            command=command,
            now=LATER,
        )
        assert refusal(again) is Reason.MOVED_ON
    say(game, other, "allow", LATER)
    whole(game)


def test_an_examined_card_is_not_shown_to_whoever_comes_later() -> None:
    game = running_game(3, inquisitor=True)
    turn = state_of(game).turn
    target = (turn + 1) % 3
    say(game, turn, f"examine {target}")
    for seat in others(game):
        say(game, seat, "allow")
    say(game, target, f"show {state_of(game).hands[target][0]}")
    new = give(game, turn)
    table = selectors.table(selectors.find(game.public_id), user_id=new.user_id)
    assert table.view.own
    assert table.view.own.seen == ()
    page = client_of("Zoe").get(f"/g/{game.public_id}/").content.decode()
    assert "which you have not seen" in page
    hand_over(public_id=game.public_id, seat=turn, to=BotKind.COUNTER, now=LATER)
    assert drive.sweep(Job.objects.get(done_at=None).due) == 1
    assert state_of(game).turn != turn
    whole(game)


def test_the_log_names_who_sat_there_then(game: Game) -> None:
    turn = state_of(game).turn
    before = tenure_of(game, turn).name
    give(game, turn)
    one, other = others(game)
    say(game, one, "allow", LATER)
    say(game, other, "allow", LATER)
    while state_of(game).turn != turn:
        say(game, state_of(game).turn, "income", LATER)
    say(game, turn, "income", LATER)
    page = client_of("Zoe").get(f"/g/{game.public_id}/").content.decode()
    log = page.split('id="log-lines"')[1].split("</ol>")[0]
    assert f"<bdi>{before}</bdi> claims" in log
    assert f"You take the seat of <bdi>{before}</bdi>." in log
    assert "You take income" in log
    assert "You claim" not in log
    stranger = Client().get(f"/g/{game.public_id}/").content.decode()
    assert f"<bdi>Zoe</bdi> takes the seat of <bdi>{before}</bdi>." in stranger
    entries = selectors.table(selectors.find(game.public_id), user_id=None).entries
    assert [entry.number for entry in entries] == list(range(1, len(entries) + 1))
    assert [entry.line.kind for entry in entries].count(LineKind.TOOK_OVER) == 1


def test_who_left_is_like_a_stranger_until_the_end(game: Game) -> None:
    one = others(game)[0]
    leaver = tenure_of(game, one).name
    give(game, one)
    client = client_of(leaver)
    page = client.get(f"/g/{game.public_id}/").content.decode()
    assert 'name="answer"' not in page
    assert 'id="mine"' not in page
    assert client.post(f"/g/{game.public_id}/leave/").status_code == 403
    Game.objects.filter(pk=game.pk).update(watch=Watch.PLAYERS)
    assert client.get(f"/g/{game.public_id}/").status_code == 403
    game.refresh_from_db()
    assert not selectors.may_see(game, person(leaver).pk, "")
    assert "somebody else plays on from your seat" in client.get("/").content.decode()


def test_the_place_is_the_holders_and_the_leavers_result_is_left(game: Game) -> None:
    one, other = others(game)
    leaver = tenure_of(game, one).name
    Game.objects.filter(pk=game.pk).update(watch=Watch.PLAYERS)
    give(game, one)
    for seat in (other, state_of(game).turn):
        play.leave(public_id=game.public_id, user_id=tenure_of(game, seat).user_id or 0, now=LATER)
    game.refresh_from_db()
    assert game.status == Status.OVER
    assert Seat.objects.get(game=game, index=one).place == 1
    whole(game)
    page = client_of(leaver).get("/").content.decode()
    assert "You left; <bdi>Zoe</bdi> won." in page
    assert "You won, first of 3." in client_of("Zoe").get("/").content.decode()
    table = client_of(leaver).get(f"/g/{game.public_id}/").content.decode()
    assert "Left before the end:" in table
    assert f"<bdi>{leaver}</bdi>" in table.split("Left before the end:")[1][:60]
    replay = client_of(leaver).get(f"/g/{game.public_id}/replay/").content.decode()
    assert f"{leaver} / Zoe" in replay


def test_nobody_takes_a_seat_twice_and_nobody_takes_one_that_is_out(game: Game) -> None:
    one, other = others(game)
    leaver = tenure_of(game, one).name
    give(game, one)
    for name in (leaver, "Zoe", tenure_of(game, other).name):
        assert refusal(lambda name=name: give(game, other, name)) is Reason.SAT_BEFORE
    play.leave(public_id=game.public_id, user_id=tenure_of(game, other).user_id or 0, now=LATER)
    assert refusal(lambda: give(game, other, "Yan")) is Reason.FULL
    assert refusal(lambda: give(game, 7, "Yan")) is Reason.FULL


def test_a_seat_goes_to_a_bot_that_plays_on() -> None:
    game = running_game(2)
    turn = state_of(game).turn
    for seat in (turn, 1 - turn):
        hand_over(public_id=game.public_id, seat=seat, to=BotKind.HONEST, now=LATER)
    now = LATER
    for _ in range(500):
        now += timedelta(hours=1)
        drive.sweep(now)
    game.refresh_from_db()
    assert game.status == Status.OVER
    whole(game)
    names = {tenure.name for tenure in seated(game)}
    assert len(names) == 2


def test_a_frozen_seat_changes_hands_and_goes_on_afterwards(game: Game) -> None:
    one = others(game)[0]
    halts.freeze(public_id=game.public_id, now=NOON, source=Halt.MODERATOR)
    new = give(game, one)
    assert not Job.objects.exists()
    whole(game)
    halts.thaw(public_id=game.public_id, now=LATER, source=Halt.MODERATOR)
    assert prompt_of(game, one).tenure == new
    say(game, one, "challenge", LATER)
    whole(game)


def test_verify_knows_who_sat_where_and_when(game: Game) -> None:
    one = others(game)[0]
    new = give(game, one)
    say(game, one, "allow", LATER)
    game.refresh_from_db()
    whole(game)
    Tenure.objects.filter(pk=new.pk).update(from_move=3)
    found = list(verify.differences(game))
    assert any("does not follow" in text for text in found)
    assert any("did not sit there" in text for text in found)


def disturb(game: Game, random: Random, number: int) -> None:
    """Something other than a move: a standstill, a time-out, a seat that changes hands."""
    what = random.random()
    state = state_of(game)
    if what < 0.2:
        halts.freeze(public_id=game.public_id, now=LATER, source=Halt.MODERATOR)
        if what < 0.1:
            whole(game)
        halts.thaw(public_id=game.public_id, now=LATER, source=Halt.MODERATOR)
    elif what < 0.5 and waiting(state) and not game.frozen_at:
        play.answer_for(
            public_id=game.public_id,
            prompt_id=prompt_of(game, random.choice(waiting(state))).pk,
            command=drive.TIMEOUT,
            source=Source.CLOCK,
            now=LATER,
        )
    elif what < 0.7:
        seat = random.choice([n for n in range(game.size) if n not in state.exiled])
        give(game, seat, f"Newcomer {number}")
    else:
        halts.extend(public_id=game.public_id, now=LATER) if not game.frozen_at else None


@pytest.mark.parametrize("number", range(6))
def test_random_games_full_of_comings_and_goings_are_what_their_moves_come_to(number: int) -> None:
    random = Random(f"comings {number}")
    game = running_game(
        3 + number % 4,
        seed=random.randbytes(32),
        inquisitor=bool(number & 1),
        factions=bool(number & 2),
    )
    for step, _ in enumerate(stir(game, random, 80, late=0.2)):
        game.refresh_from_db()
        if game.status == Status.RUNNING and random.random() < 0.5:
            disturb(game, random, step)
            store.forget()
            game.refresh_from_db()
            whole(game)
    assert Prompt.objects.filter(game=game).exists()
    assert Tenure.objects.filter(game=game, ended=TenureEnd.REPLACED).exists()


def test_an_old_question_is_not_the_newcomers(game: Game) -> None:
    one = others(game)[0]
    old, leaver = prompt_of(game, one), tenure_of(game, one)
    new = give(game, one)
    for user_id, reason in ((leaver.user_id, "not_seated"), (new.user_id, "not_yours")):
        late = lambda user_id=user_id: play.answer(  # noqa: E731
            public_id=game.public_id,
            user_id=user_id,
            prompt_id=old.pk,
            command=CHALLENGE,
            now=LATER,
        )
        assert refusal(late) == reason
