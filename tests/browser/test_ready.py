"""Whether everybody is there, in browsers: three people at a live table; too late; no script."""

import re
from collections.abc import Callable
from datetime import timedelta
from typing import Literal

import pytest
from django.utils import timezone
from playwright.sync_api import BrowserContext, Page, expect

from games import heartbeat, lobby
from games.models import Game
from games.timing import Pace
from tests.browser.checks import axe_violations, overflow
from tests.browser.players import SOON, sign_in
from tests.browser.test_lobby import aside
from tests.games.cast import NAMES, SEED, person

type NewContext = Callable[..., BrowserContext]


def opened(size: int = 3, ago: timedelta = timedelta()) -> Game:
    """A live table that Ana has opened."""
    plan, now = lobby.Plan(size, Pace.LIVE), timezone.now() - ago
    return lobby.open_table(host=person("Ana"), plan=plan, seed=SEED, now=now)


def sit(game: Game, *names: str, ago: timedelta = timedelta()) -> None:
    for name in names:
        now = timezone.now() - ago
        lobby.sit(public_id=game.public_id, user=person(name), now=now)


def say(page: Page) -> None:
    page.get_by_role("button", name="I am ready").click()


@pytest.mark.parametrize("javascript", [True, False])
def test_three_people_at_a_live_table(
    new_context: NewContext, live_asgi: str, javascript: bool
) -> None:
    game = aside(opened)
    pages = [
        sign_in(new_context(java_script_enabled=javascript), name, live_asgi) for name in NAMES[:3]
    ]
    ana, ben, cyd = pages

    def look(*viewers: Page) -> None:
        for viewer in viewers:
            if not javascript:
                viewer.reload()

    for page in pages:
        page.goto(f"/g/{game.public_id}/")
    for page in (ben, cyd):
        page.get_by_role("button", name="Take a seat").click()
        expect(page.locator("#get-up")).to_be_visible()
    elsewhere = ana.context.new_page()
    elsewhere.goto("/lobby/")
    expect(elsewhere).to_have_title(re.compile(r"^\(1\) "))
    look(ana, ben)
    for page in (ana, ben):
        expect(page.get_by_text("Are you ready?")).to_be_visible(timeout=SOON)
        expect(page).to_have_title(re.compile(r"^\(1\) "), timeout=SOON)
    expect(cyd.get_by_text("You are ready.")).to_be_visible()
    expect(cyd.get_by_text("1 of 3 are ready")).to_be_visible()
    say(ben)
    expect(ben.get_by_text("2 of 3 are ready")).to_be_visible()
    look(ana, cyd)
    for page in (ana, cyd):
        expect(page.get_by_text("2 of 3 are ready")).to_be_visible(timeout=SOON)
        expect(page.locator(".sitter__ready")).to_have_text(["not ready yet", "ready", "ready"])
    say(ana)
    look(ben, cyd)
    for page in pages:
        expect(page.locator(".court")).to_be_visible(timeout=2 * SOON)


def test_who_looks_elsewhere_is_told_by_count_toast_and_voice_and_comes_by_a_key(
    new_context: NewContext, live_asgi: str
) -> None:
    game = aside(lambda: opened(2))
    page = sign_in(new_context(), "Ana", live_asgi)
    page.goto("/lobby/")
    expect(page).to_have_title("Open tables · Coup")
    aside(lambda: sit(game, "Ben"))
    expect(page).to_have_title("(1) Open tables · Coup", timeout=SOON)
    expect(page.locator("#toast")).to_be_visible()
    expect(page.locator("#say-politely")).to_have_text("A table waits for you.")
    page.keyboard.press("n")
    page.wait_for_url(f"**/g/{game.public_id}/")
    page.locator("#ready").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".court")).to_be_visible()


def test_an_open_room_counts_down_and_the_seat_is_free(
    new_context: NewContext, live_asgi: str
) -> None:
    game, ago = aside(lambda: opened(3)), timedelta(seconds=70)
    aside(lambda: sit(game, "Ben", "Cyd", ago=ago))
    ana, cyd = (sign_in(new_context(), name, live_asgi) for name in ("Ana", "Cyd"))
    for page in (ana, cyd):
        page.goto(f"/g/{game.public_id}/")
        expect(page.locator("#table [data-due]")).to_have_text(re.compile(r"^\d+ sec$"))
    aside(lambda: heartbeat.beat(timezone.now()))
    for page in (ana, cyd):
        expect(page.get_by_text("1 of 3 seats taken")).to_be_visible(timeout=2 * SOON)
    expect(cyd.get_by_text("you, the host")).to_be_visible()
    expect(ana.get_by_text("You were not there when the game was to begin.")).to_be_visible()
    expect(ana).to_have_title(re.compile(r"^[^(]"))
    ana.get_by_role("button", name="Take a seat").click()
    expect(ana.get_by_text("2 of 3 seats taken")).to_be_visible()


@pytest.mark.usefixtures("pseudo_languages")
@pytest.mark.parametrize("language", ["en", "en-xa", "ar-xb"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_room_that_asks_fits_a_phone_and_axe_finds_nothing(
    new_context: NewContext,
    live_asgi: str,
    scheme: Literal["light", "dark"],
    language: str,
) -> None:
    game = aside(lambda: opened(3))
    aside(lambda: sit(game, "Ben", "Cyd"))
    for name in ("Ana", "Cyd", "Dov"):
        context = new_context(
            color_scheme=scheme,
            viewport={"width": 360, "height": 740},
            extra_http_headers={"Accept-Language": language},
        )
        page = sign_in(context, name, live_asgi)
        for path in (f"/g/{game.public_id}/", "/"):
            page.goto(path)
            assert overflow(page) <= 0
            assert axe_violations(page) == []
