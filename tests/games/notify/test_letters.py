"""What a letter says, and that it says nothing that its reader's seat alone knows."""

import re
from random import Random

import pytest

from games import store
from games.engine.view import SPECTATOR
from games.models import Game, Outbox, Prompt, PromptState, Status
from games.notify.letters import Letter, letter
from tests.games.cast import NOON, prompt_of, say, state_of, stir, tenure_of
from tests.games.redeal import redeal, without_sealed
from tests.games.rewriting import history, rewrite, take_back

from .cast import HOUR, mailed_game, row

pytestmark = pytest.mark.django_db


def read(game: Game, seat: int) -> str:
    """The letter about a seat's open question, whole, folded from nothing."""
    store.forget()
    about = letter_about(game, seat)
    return about.subject + about.text + about.html


def letter_about(game: Game, seat: int) -> Letter:
    message = row(game, seat)
    user = tenure_of(game, seat).user
    assert user is not None
    return letter(user, [message], NOON + HOUR)


def test_a_claim_is_told_with_a_button_for_every_answer() -> None:
    game = mailed_game()
    turn = state_of(game).turn
    target = (turn + 1) % 3
    say(game, turn, f"steal {target}")
    about = letter_about(game, target)
    name = tenure_of(game, turn).name
    assert about.subject == f"{game.name}: Allow it, challenge it, or block it?"
    assert f"{name} claims to hold the Captain, to take 2 coins from you." in about.text
    titles = re.findall(r">([^<]+)</a>", about.html)
    assert titles[:5] == [
        "Allow", "Challenge", "Block as Captain", "Block as Ambassador", "Open the table",
    ]  # fmt: skip
    other = letter_about(game, next(s for s in range(3) if s not in (turn, target)))
    assert "Block" not in "".join(re.findall(r">([^<]+)</a>", other.html))


def test_what_happened_since_the_last_move_is_told_once() -> None:
    game = mailed_game()
    turn = state_of(game).turn
    say(game, turn, "income")
    following = state_of(game).turn
    say(game, following, "income")
    third = state_of(game).turn
    about = letter_about(game, third)
    for seat in (turn, following):
        assert about.text.count(f"{tenure_of(game, seat).name} takes income: 1 coin.") == 1
    say(game, third, "income")
    again = letter_about(game, turn)
    assert "takes income" in again.text
    assert "You take income" not in again.text


def test_it_says_when_the_time_bank_begins_to_run_and_then_that_it_runs() -> None:
    game = mailed_game()
    seat = state_of(game).turn
    about = letter_about(game, seat)
    for part in (about.text, about.html):
        assert "Your time bank runs from tomorrow, 12:00 PM UTC" in " ".join(part.split())
    user = tenure_of(game, seat).user
    assert user is not None
    user.time_zone = "Asia/Tokyo"
    late = letter(user, [row(game, seat)], NOON + 30 * HOUR)
    assert "Until tomorrow, 9:00 PM:" in late.text  # it is the third in Tokyo
    assert "Your time bank is running." in late.text
    assert "UTC" not in late.text


def test_whoever_looks_at_cards_is_told_so_and_of_no_card() -> None:
    game = mailed_game(inquisitor=True)
    turn = state_of(game).turn
    target = (turn + 1) % 3
    say(game, turn, f"examine {target}")
    for seat in range(3):
        if seat != turn:
            say(game, seat, "allow")
    say(game, target, f"show {state_of(game).hands[target][0]}")
    about = letter_about(game, turn)
    assert f"You look at a card of {tenure_of(game, target).name}." in about.text
    game = mailed_game(inquisitor=True)
    turn = state_of(game).turn
    say(game, turn, "exchange")
    for seat in range(3):
        if seat != turn:
            say(game, seat, "allow")
    assert "You look through cards of the court deck." in letter_about(game, turn).text


def test_names_are_escaped_and_keep_their_direction() -> None:
    game = mailed_game()
    turn = state_of(game).turn
    user = tenure_of(game, turn).user
    assert user is not None
    type(user).objects.filter(pk=user.pk).update(name="<b>Eve</b>", name_key="eve")
    say(game, turn, "tax")
    about = letter_about(game, (turn + 1) % 3)
    assert "<bdi>&lt;b&gt;Eve&lt;/b&gt;</bdi>" in about.html
    assert "<b>Eve</b> claims" in about.text
    assert "<svg" not in about.html


@pytest.mark.parametrize(("inquisitor", "factions"), [(False, False), (True, True)])
def test_cards_dealt_anew_change_no_byte(inquisitor: bool, factions: bool) -> None:
    random = Random(f"letters {inquisitor} {factions}")
    kinds: set[str] = set()
    changed = 0
    game = mailed_game(4, inquisitor=inquisitor, factions=factions)
    for _ in stir(game, random, 30):
        game.refresh_from_db()
        if game.status == Status.OVER:
            break
        open_prompts = Prompt.objects.filter(game=game, state=PromptState.OPEN)
        for prompt in open_prompts.select_related("seat", "window"):
            if not Outbox.objects.filter(prompt=prompt).exists():
                continue
            seat = prompt.seat.index
            stored = history(game)
            # The whole table's cards, the reader's own too.
            other = redeal(stored, SPECTATOR, random)
            changed += other != stored
            before = read(game, seat)
            rewrite(game, other)
            assert read(game, seat) == before, prompt.window.kind
            rewrite(game, stored)
            store.forget()
            kinds.add(prompt.window.kind)
    assert changed
    assert {"action", "respond"} < kinds


def test_sealed_answers_change_no_byte() -> None:
    random, taken_back = Random(5), 0
    game = mailed_game(4)
    for _ in stir(game, random, 40, late=0):
        game.refresh_from_db()
        if game.status == Status.OVER:
            break
        asked = Prompt.objects.filter(game=game, state=PromptState.OPEN).select_related("seat")
        for seat in [prompt.seat.index for prompt in asked]:
            before = read(game, seat)
            stored = history(game)
            if without_sealed(stored, seat) == stored:
                continue
            taken_back += take_back(game, without_sealed(stored, seat))
            assert read(game, seat) == before
            assert prompt_of(game, seat)
            break
    assert taken_back
