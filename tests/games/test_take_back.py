"""Games that are taken back: what is undone stays stored and counts no more, and nobody knows more
than they ought to afterwards."""

import re
from datetime import timedelta
from random import Random

import pytest
from django.db import transaction
from django.test import Client
from django.utils import timezone

from games import halts, play, replay, store, verify
from games.engine.commands import SEATS, IllegalCommand, parse
from games.engine.state import Choose, Exchange, Over, Respond, waiting
from games.engine.view import LineKind
from games.models import Game, Halt, Prompt, PromptState, Source, Status, TenureEnd, Window
from games.models.move import Move
from games.refusal import Reason, Refused
from games.store import record

from .cast import NOON, person, prompt_of, running_game, say, state_of, stir, tenure_of
from .views.web import client_of

pytestmark = [pytest.mark.django_db, pytest.mark.services]

LATER = NOON + timedelta(hours=1)


def moments(game: Game) -> list[int]:
    game.refresh_from_db()
    return [step.version for step in store.moments(store.load(game))]


def take_back(game: Game, version: int) -> int:
    undone = halts.take_back(public_id=game.public_id, version=version, now=LATER)
    game.refresh_from_db()
    return undone


def latest(game: Game) -> int:
    """The version of the last step that opened a question: where the game is now."""
    game.refresh_from_db()
    return [step.version for step in store.load(game).steps if not step.goes_on][-1]


def page_of(game: Game, seat: int) -> str:
    """A seat's page, but for what differs with each request and the number of its question."""
    store.forget()
    client = client_of(("Ana", "Ben", "Cyd")[seat])
    page = client.get(f"/g/{game.public_id}/?log=all").content.decode()
    page = re.sub(r'name="(csrfmiddlewaretoken|form_token)" value="[^"]*"', "", page)
    prompt = Prompt.objects.filter(game=game, seat__index=seat, state=PromptState.OPEN).first()
    return re.sub(rf"\b{prompt.pk}\b", "PROMPT", page) if prompt else page


def sound(game: Game) -> None:
    """What is stored is what the moves come to, whether they are folded at once or one by one."""
    game.refresh_from_db()
    known = store.load(game)
    store.forget()
    assert store.load(game) == known
    assert list(verify.differences(game)) == []


@pytest.fixture
def game() -> Game:
    """Three people; the first turn is over, by an income, and the second begins."""
    game = running_game(3)
    say(game, state_of(game).turn, "income")
    return game


def test_the_table_is_as_it_was_and_the_question_is_asked_anew(game: Game) -> None:
    before, target = state_of(game), latest(game)
    first = before.turn
    say(game, first, "tax")
    game.refresh_from_db()
    old, version = set(Prompt.objects.filter(game=game, state=PromptState.OPEN)), game.version
    assert take_back(game, target) == 1
    after = state_of(game)
    assert (after.turn, after.hands, after.coins) == (before.turn, before.hands, before.coins)
    assert isinstance(after.phase, Choose)
    assert game.version == version + 1
    for prompt in old:
        prompt.refresh_from_db()
        assert prompt.state == PromptState.VOID
    assert prompt_of(game, first).due > LATER
    assert Window.objects.get(game=game, closed_at=None).opened_at == LATER
    sound(game)


def test_numbers_go_on_and_what_was_undone_is_marked(game: Game) -> None:
    (dealt,) = moments(game)
    say(game, state_of(game).turn, "income")
    assert take_back(game, dealt) == 2
    say(game, state_of(game).turn, "income")
    rows = list(Move.objects.filter(game=game).order_by("number"))
    back = rows[3]
    assert [row.number for row in rows] == [0, 1, 2, 3, 4]
    assert [row.undone_by for row in rows] == [None, back, back, None, None]
    assert (back.seat, back.tenure, back.source) == (None, None, Source.MODERATOR)
    sound(game)


def test_the_deck_is_shuffled_so_that_nobody_knows_what_comes(game: Game) -> None:
    turn, deck, target = state_of(game).turn, state_of(game).deck, latest(game)
    say(game, turn, "exchange")
    for seat in waiting(state_of(game)):
        say(game, seat, "allow")
    assert isinstance(state_of(game).phase, Exchange)
    take_back(game, target)
    assert sorted(state_of(game).deck) == sorted(deck)
    assert state_of(game).deck != deck
    sound(game)


def test_the_same_is_not_drawn_again_for_the_same_words(game: Game) -> None:
    """A claim that is proved shuffles the deck: with other luck the second time."""
    turn, target = state_of(game).turn, latest(game)
    role = state_of(game).hands[turn][0]
    action = {"duke": "tax", "ambassador": "exchange", "captain": "steal 0"}.get(role, "tax")
    decks = []
    for _again in range(2):
        say(game, turn, action)
        say(game, waiting(state_of(game))[0], "challenge")
        say(game, turn, f"reveal {role}")
        decks.append(state_of(game).deck)
        take_back(game, target)
    assert decks[0] != decks[1]
    sound(game)


def test_what_was_answered_under_seal_is_undone_and_told_to_nobody(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether one or the other had allowed the claim that is taken back to: no page tells."""
    monkeypatch.setattr(timezone, "now", lambda: LATER)
    turn = state_of(game).turn
    say(game, turn, "tax")
    claimed = latest(game)
    others = [seat for seat in range(3) if seat != turn]
    seen = []
    for seat in others:
        before = transaction.savepoint_create()
        say(game, seat, "allow")
        take_back(game, claimed)
        phase = state_of(game).phase
        assert isinstance(phase, Respond)
        assert list(phase.waiting) == others
        seen.append([page_of(game, viewer) for viewer in range(3)])
        transaction.savepoint_rollback(before)
        store.forget()
    assert seen[0] == seen[1]


def test_whoever_left_holds_the_seat_again(game: Game) -> None:
    leaver = next(seat for seat in range(3) if seat != state_of(game).turn)
    version = moments(game)[0]
    user = tenure_of(game, leaver).user
    assert user
    play.leave(public_id=game.public_id, user_id=user.pk, now=NOON)
    assert game.tenures.get(seat__index=leaver).ended == TenureEnd.RESIGNED
    take_back(game, version)
    assert game.tenures.get(seat__index=leaver).ended == ""
    assert leaver not in state_of(game).exiled
    sound(game)


def refusal(game: Game, version: int) -> Reason | None:
    try:
        take_back(game, version)
    except Refused as refused:
        return refused.reason
    return None


def test_only_a_moment_that_counts_in_a_game_that_runs(game: Game) -> None:
    (dealt,) = moments(game)
    assert refusal(game, 999) is Reason.NO_MOMENT
    say(game, state_of(game).turn, "income")
    later = moments(game)[-1]
    assert refusal(game, dealt) is None
    assert refusal(game, later) is Reason.NO_MOMENT
    halts.cancel(public_id=game.public_id, now=LATER, source=Halt.MODERATOR)
    assert refusal(game, dealt) is Reason.NOT_RUNNING


def test_a_frozen_game_stays_frozen_and_asks_when_it_goes_on(game: Game) -> None:
    (dealt,) = moments(game)
    halts.freeze(public_id=game.public_id, now=NOON, source=Halt.MODERATOR)
    take_back(game, dealt)
    assert game.frozen_at
    halts.thaw(public_id=game.public_id, now=LATER, source=Halt.MODERATOR)
    say(game, state_of(game).turn, "income")
    sound(game)


def test_a_process_that_knows_the_undone_moves_learns_that_they_are_undone(game: Game) -> None:
    say(game, state_of(game).turn, "tax")
    for seat in waiting(state_of(game)):
        say(game, seat, "allow")
    stale = dict(record._FOLDED)
    take_back(game, moments(game)[0])
    say(game, state_of(game).turn, "income")
    here = store.load(game)
    record._FOLDED.clear()
    record._FOLDED.update(stale)
    assert store.load(game) == here


@pytest.mark.parametrize("seed", range(3))
def test_games_taken_back_again_and_again_are_sound_to_the_end(seed: int) -> None:
    random = Random(seed)
    game = running_game(3, seed=bytes([seed]) * 32, inquisitor=bool(seed % 2), factions=seed > 1)
    for _round in range(4):
        for _said in stir(game, random, random.randrange(4, 15)):
            pass
        game.refresh_from_db()
        if game.status != Status.RUNNING:
            break
        take_back(game, random.choice(moments(game)))
        sound(game)
    for _said in stir(game, random, 1000):
        pass
    sound(game)
    assert isinstance(state_of(game).phase, Over)
    told = replay.replay(game, user_id=person("Ana").pk)
    backs = [moment for moment in told.moments if moment.line.kind is LineKind.TAKEN_BACK]
    assert told.states[-1] == state_of(game)
    assert len(backs) <= 4
    draws = verify.draws(game)["moves"]
    undone = Move.objects.filter(game=game, undone_by__isnull=False)
    assert [move["number"] for move in draws if move["undone"]] == sorted(
        undone.values_list("number", flat=True)
    )


def test_everybody_reads_that_it_was_taken_back(game: Game) -> None:
    take_back(game, moments(game)[0])
    page = Client().get(f"/g/{game.public_id}/").content.decode()
    assert "A moderator has taken the game back to here." in page


def test_no_player_can_say_it(game: Game) -> None:
    for words in (f"{store.TAKE_BACK}0", "take_back"):
        with pytest.raises(IllegalCommand):
            parse(words, SEATS)
