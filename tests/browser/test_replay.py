"""A replay in a browser: by key, both ways of writing, in both schemes, on a phone."""

import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from random import Random
from typing import Literal

import pytest
from django.db import connection
from playwright.sync_api import BrowserContext, Page, expect

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


def test_keys_are_left_to_fields_and_to_what_scrolls(page: Page, finished: Game) -> None:
    page.goto(f"/g/{finished.public_id}/replay/2/")
    for name in ("#turn", "#steps"):
        page.locator(name).focus()
        page.keyboard.press("ArrowRight")
        page.keyboard.press("End")
    expect(page).to_have_url(re.compile("/replay/2/$"))
    page.locator("[data-walk=next]").focus()
    page.keyboard.press("ArrowRight")
    expect(page).to_have_url(re.compile("/replay/3/$"))
    expect(page.locator("[data-walk=next]")).to_be_focused()


@pytest.mark.usefixtures("pseudo_languages")
def test_arrows_point_where_the_next_step_is(page: Page, finished: Game) -> None:
    page.set_extra_http_headers({"Accept-Language": "ar-xb"})
    page.goto(f"/g/{finished.public_id}/replay/2/")
    expect(page.locator("html")).to_have_attribute("dir", "rtl")
    page.keyboard.press("ArrowLeft")
    expect(page).to_have_url(re.compile("/replay/3/$"))
    page.keyboard.press("ArrowRight")
    expect(page).to_have_url(re.compile("/replay/2/$"))


def test_opened_tables_stay_open_and_the_list_follows(page: Page, finished: Game) -> None:
    page.set_viewport_size({"width": 1280, "height": 1600})
    page.goto(f"/g/{finished.public_id}/replay/")
    page.locator("#plots summary").first.click()
    page.get_by_role("link", name="Next").click()
    expect(page).to_have_url(re.compile("/replay/2/$"))
    expect(page.locator("#plots details").first).to_have_attribute("open", "")
    page.keyboard.press("End")
    expect(page.locator("#steps [aria-current]")).to_be_in_viewport()


def test_it_works_without_scripts(
    new_context: Callable[..., BrowserContext], finished: Game
) -> None:
    steps = steps_of(finished)
    page = new_context(java_script_enabled=False).new_page()
    page.goto(f"/g/{finished.public_id}/")
    page.get_by_role("link", name="The replay").click()
    for name, step in [("Next", 2), ("Back", 1), ("Last", steps), ("First", 1)]:
        page.get_by_role("link", name=name, exact=True).click()
        expect(page.locator("#step-head")).to_have_text(f"Step {step} of {steps}")
    page.get_by_label("Turn", exact=True).select_option("2")
    page.get_by_role("button", name="Go").click()
    expect(page.locator(".turnno")).to_have_text(re.compile("2$"))


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(page: Page, finished: Game, scheme: Literal["light", "dark"]) -> None:
    page.emulate_media(color_scheme=scheme)
    for step in (1, steps_of(finished) // 2, steps_of(finished)):
        page.goto(f"/g/{finished.public_id}/replay/{step}/")
        page.locator("#plots summary").first.click()
        assert axe_violations(page) == []


@pytest.mark.usefixtures("pseudo_languages")
@pytest.mark.parametrize("language", ["en", "en-xa", "ar-xb"])
def test_nothing_is_wider_than_a_phone(page: Page, finished: Game, language: str) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    page.set_extra_http_headers({"Accept-Language": language})
    for step in (1, steps_of(finished) // 2):
        page.goto(f"/g/{finished.public_id}/replay/{step}/")
        for summary in page.locator("#plots summary").all():
            summary.click()
        assert overflow(page) == 0
