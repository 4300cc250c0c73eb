"""A replay in a browser: by key, both ways of writing, in both schemes, on a phone."""

import re
from concurrent.futures import ThreadPoolExecutor
from random import Random
from typing import Literal

import pytest
from django.db import connection
from playwright.sync_api import Page, expect

from games.models import Game
from games.replay import replay
from tests.browser.checks import axe_violations, overflow
from tests.games.cast import person, running_game, stir


@pytest.fixture
def finished(transactional_db: None) -> Game:
    """A game of four, played to its end; in a thread of its own, for Playwright's has a loop."""

    def play() -> Game:
        game = running_game(4, factions=True, inquisitor=True)
        list(stir(game, Random(7), 2000))
        game.refresh_from_db()
        connection.close()
        return game

    with ThreadPoolExecutor(1) as thread:
        return thread.submit(play).result()


def steps_of(game: Game) -> int:
    return len(replay(game, user_id=person("Ana").pk).moments)


def test_keys_walk_through_a_game(page: Page, finished: Game) -> None:
    steps = steps_of(finished)
    page.goto(f"/g/{finished.public_id}/replay/")
    count = page.locator("#step-head")
    expect(count).to_have_text(f"Step 1 of {steps}")
    for key, step in [("ArrowRight", 2), ("ArrowRight", 3), ("ArrowLeft", 2), ("End", steps)]:
        page.keyboard.press(key)
        expect(count).to_have_text(f"Step {step} of {steps}")
        expect(page).to_have_url(re.compile(f"/replay/{step}/$"))
        expect(page).to_have_title(re.compile(f"^Step {step} "))
    page.keyboard.press("ArrowRight")  # there is no more
    page.keyboard.press("Home")
    expect(count).to_have_text(f"Step 1 of {steps}")
    page.go_back()
    expect(count).to_have_text(f"Step {steps} of {steps}")
