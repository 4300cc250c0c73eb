"""The luck: even, never used twice, told by nothing before the end."""

import hashlib
from collections import Counter

import pytest

from games import store
from games.chance import Draws, commitment
from games.models import Prompt

from .cast import SEED, running_game, state_of

BOUNDS = (2, 3, 6, 15)


@pytest.mark.parametrize("bound", BOUNDS)
def test_draws_are_even_over_moves_and_within_one(bound: int) -> None:
    over = Counter(Draws(SEED, ("Ana", "Ben"), number).below(bound) for number in range(6000))
    luck = Draws(SEED, ("Ana", "Ben"), 1)
    within = Counter(luck.below(bound) for _ in range(6000))
    mean = 6000 / bound
    for counts in (over, within):
        chi_squared = sum((counts[value] - mean) ** 2 / mean for value in range(bound))
        assert chi_squared < bound + 5 * (2 * bound) ** 0.5


def test_every_order_of_three_cards_is_as_likely() -> None:
    orders = Counter(
        Draws(SEED, ("Ana",), number).shuffle(("a", "b", "c")) for number in range(6000)
    )
    assert len(orders) == 6
    assert all(abs(count - 1000) < 150 for count in orders.values())


def test_a_shuffle_keeps_the_cards() -> None:
    cards = tuple("aabbccddee")
    assert sorted(Draws(SEED, (), 3).shuffle(cards)) == sorted(cards)


def test_names_mix_without_ambiguity() -> None:
    rosters = [
        ("Ana", "Ben"), ("AnaBen",), ("An", "aBen"), ("Ben", "Ana"), ("Ana", "Ben", ""),
        ("", "Ana", "Ben"), ("Ana Ben",), (), ("",), ("1:0", "Ben"), ("Ana", "Bén"),
    ]  # fmt: skip
    first = {Draws(SEED, names, 0).below(2**200) for names in rosters}
    assert len(first) == len(rosters)


def test_no_draw_is_used_twice_whatever_its_number() -> None:
    drawn = [
        luck.below(2**200)
        for luck in [Draws(SEED, ("Ana", "Ben"), number) for number in range(120)]
        for _ in range(120)
    ]
    assert len(set(drawn)) == len(drawn)


def test_what_is_shown_is_the_hash_of_the_seed() -> None:
    assert commitment(SEED) == hashlib.sha256(SEED).hexdigest()


@pytest.mark.django_db
def test_a_bots_luck_is_not_that_of_a_move_or_of_another_question() -> None:
    game = running_game(3)
    state_of(game)
    prompts = [Prompt(pk=number) for number in (1, 11, 111)]
    lucks = [store.bot_draws(game, prompt) for prompt in prompts]
    lucks += [store.draws(game, number) for number in (0, 1, 11, 111)]
    drawn = [luck.below(2**200) for luck in lucks for _ in range(50)]
    assert len(set(drawn)) == len(drawn)
