"""Two time-outs running lead to autopilot, one click out of it; others learn it at a close."""

from datetime import timedelta

import pytest
from django.test import Client

from games import drive, halts, lobby, play, selectors, timing, verify
from games.engine.commands import TIMEOUT
from games.models import (
    BotKind,
    Game,
    Halt,
    Job,
    JobKind,
    Kind,
    Outbox,
    Prompt,
    PromptState,
    Source,
    Status,
)
from games.models.move import Move
from games.refusal import Reason
from games.timing import Pace

from .at_once import refusal
from .cast import NOON, SEED, person, prompt_of, running_game, say, state_of, tenure_of

pytestmark = [pytest.mark.django_db, pytest.mark.services]


def clock(game: Game, seat: int) -> None:
    """The time of this seat runs out."""
    play.answer_for(
        public_id=game.public_id,
        prompt_id=prompt_of(game, seat).pk,
        command=TIMEOUT,
        source=Source.CLOCK,
        now=NOON,
    )


def income(game: Game) -> None:
    say(game, state_of(game).turn, "income")


def on_autopilot(game: Game, seat: int) -> bool:
    return tenure_of(game, seat).autopilot_since is not None


def shown(game: Game, seat: int) -> bool:
    """Whether others see this seat on autopilot."""
    return selectors.table(selectors.find(game.public_id), user_id=None).players[seat].autopilot


def away(game: Game) -> int:
    """Let the seat whose turn it is time out twice; its number. Nobody is asked but the next."""
    seat = state_of(game).turn
    clock(game, seat)
    while state_of(game).turn != seat:
        income(game)
    clock(game, seat)
    assert on_autopilot(game, seat)
    return seat


def come_back(game: Game, seat: int) -> None:
    user_id = tenure_of(game, seat).user_id
    assert user_id
    halts.come_back(public_id=game.public_id, user_id=user_id, now=NOON)


@pytest.fixture
def game() -> Game:
    return running_game(3)


def test_two_time_outs_running_and_no_fewer(game: Game) -> None:
    seat = state_of(game).turn
    for said in (None, "income", None):
        if said:
            say(game, seat, said)
        else:
            clock(game, seat)
        assert not on_autopilot(game, seat)
        while state_of(game).turn != seat:
            income(game)
    clock(game, seat)
    assert on_autopilot(game, seat)


def test_autopilot_answers_at_once_as_the_clock_would_and_is_marked_so(game: Game) -> None:
    seat = away(game)
    while state_of(game).turn != seat:
        income(game)
    coins = state_of(game).coins[seat]
    assert Job.objects.get(kind=JobKind.AUTOPILOT, done_at=None).due == NOON
    assert drive.sweep(NOON) == 1
    assert state_of(game).coins[seat] == coins + 1
    assert Move.objects.filter(game=game).latest("number").source == Source.AUTOPILOT
    table = selectors.table(selectors.find(game.public_id), user_id=None)
    assert [e.by_clock for e in table.entries if e.line.seat == seat and e.line.verb][-1]


def test_it_is_no_quicker_for_one_question_than_for_another(game: Game) -> None:
    seat = away(game)
    for words in ("tax", "steal"):
        turn = state_of(game).turn
        target = f" {seat}" if words == "steal" else ""
        say(game, turn, words + target)
        assert Job.objects.get(kind=JobKind.AUTOPILOT, done_at=None).due == NOON
        drive.sweep(NOON)
        other = next(n for n in range(3) if n not in (seat, turn))
        say(game, other, "allow")


def test_others_learn_of_it_when_the_window_closes_and_not_before() -> None:
    game = running_game(3)
    turn = state_of(game).turn
    one, other = (n for n in range(3) if n != turn)
    tenure = tenure_of(game, one)
    tenure.timeouts = 1
    tenure.save()
    say(game, turn, "tax")
    clock(game, one)
    assert on_autopilot(game, one)
    assert not shown(game, one)
    mine = selectors.table(selectors.find(game.public_id), user_id=tenure.user_id)
    assert mine.on_autopilot
    say(game, other, "allow")
    assert shown(game, one)
    # and the other way round: coming back is told at the close, too
    say(game, state_of(game).turn, "tax")
    come_back(game, one)
    assert shown(game, one)


def test_one_click_brings_back_and_a_second_changes_nothing(game: Game) -> None:
    seat = away(game)
    while state_of(game).turn != seat:
        income(game)
    client = Client()
    client.force_login(tenure_of(game, seat).user)  # type: ignore[arg-type]
    page = f"/g/{game.public_id}/"
    assert "You are on autopilot" in client.get(page).content.decode()
    tag = client.get(f"{page}table/").content.decode().split('name="seen" value="')[1].split('"')[0]
    for _ in range(2):
        assert client.post(f"{page}back/").status_code == 302
    assert client.get(f"{page}table/?seen={tag}").status_code == 200
    assert "You are on autopilot" not in client.get(page).content.decode()
    drive.sweep(NOON)  # the job finds somebody there
    told = Outbox.objects.filter(prompt=prompt_of(game, seat), kind=Kind.ASKED)
    assert told.count() == 1  # they may be gone again before they answer
    assert Job.objects.filter(kind=JobKind.AUTOPILOT, done_at=None).count() == 0
    say(game, seat, "income")


def test_an_answer_by_hand_brings_back_too(game: Game) -> None:
    seat = away(game)
    while state_of(game).turn != seat:
        income(game)
    income(game)
    tenure = tenure_of(game, seat)
    assert (tenure.timeouts, tenure.autopilot_since) == (0, None)


def test_a_strangers_click_brings_nobody_back(game: Game) -> None:
    seat = away(game)
    client = Client()
    assert client.post(f"/g/{game.public_id}/back/").status_code == 403
    client.force_login(person("Zoe"))
    assert client.post(f"/g/{game.public_id}/back/").status_code == 403
    assert client.get(f"/g/{game.public_id}/back/").status_code == 405
    assert on_autopilot(game, seat)


def lonely() -> Game:
    """A game among bots whose one person is on autopilot: it pauses."""
    plan = lobby.Plan(size=3, pace=Pace.DAILY, bots=[BotKind.HONEST, BotKind.BLUFFER])
    game = lobby.open_table(host=person("Ana"), plan=plan, seed=SEED, now=NOON)
    now = NOON
    while not game.frozen_at:
        now += timedelta(hours=1)
        drive.sweep(now)
        game.refresh_from_db()
    assert game.frozen_for == Halt.AUTOPILOT
    return game


def test_a_game_pauses_when_all_its_people_are_on_autopilot_and_goes_on_when_one_is_back() -> None:
    game = lonely()
    assert drive.sweep(NOON + timedelta(days=90)) in (0, 1, 2)
    moves = Move.objects.filter(game=game).count()
    assert list(verify.differences(game)) == []
    client = Client()
    client.force_login(person("Ana"))
    page = client.get(f"/g/{game.public_id}/").content.decode()
    assert "Everybody is on autopilot" in page
    assert "I am back" in page
    assert client.post(f"/g/{game.public_id}/back/").status_code == 302
    game.refresh_from_db()
    assert game.frozen_at is None
    assert Prompt.objects.filter(game=game, state=PromptState.OPEN).exists()
    assert list(verify.differences(game)) == []
    assert Move.objects.filter(game=game).count() == moves


def test_after_two_weeks_it_ends_without_a_result() -> None:
    game = lonely()
    assert game.frozen_at
    end = game.frozen_at + timing.ABANDONED
    assert halts.end_abandoned(end - timedelta(seconds=1)) == 0
    assert halts.end_abandoned(end) == 1
    assert halts.end_abandoned(end) == 0
    game.refresh_from_db()
    assert game.status == Status.CANCELLED
    assert list(verify.differences(game)) == []
    refused = lambda: halts.come_back(  # noqa: E731
        public_id=game.public_id, user_id=game.host_id, now=end
    )
    assert refusal(refused) is Reason.NOT_RUNNING
    client = Client()
    client.force_login(person("Ana"))
    assert "Nobody came back" in client.get(f"/g/{game.public_id}/").content.decode()


def test_it_stands_still_again_if_a_moderator_lets_it_go_on_and_nobody_is_back() -> None:
    game = lonely()
    halts.thaw(public_id=game.public_id, now=NOON, source=Halt.MODERATOR)
    game.refresh_from_db()
    assert game.frozen_for == Halt.AUTOPILOT
