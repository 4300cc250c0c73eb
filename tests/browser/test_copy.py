"""The link of a table is copied by a button, where there is a script to do it."""

from collections.abc import Callable

from django.utils import timezone
from playwright.sync_api import BrowserContext, expect

from games import lobby
from games.models import Game, Visibility
from games.timing import Pace
from tests.browser.checks import axe_violations, overflow
from tests.browser.players import aside, sign_in
from tests.games.cast import SEED, person

type NewContext = Callable[..., BrowserContext]


def opened() -> Game:
    plan = lobby.Plan(3, Pace.DAILY, visibility=Visibility.UNLISTED)
    return lobby.open_table(host=person("Ana"), plan=plan, seed=SEED, now=timezone.now())


def test_a_button_copies_the_link_and_says_so(new_context: NewContext, live_asgi: str) -> None:
    game = aside(opened)
    context = new_context(permissions=["clipboard-read", "clipboard-write"])
    page = sign_in(context, "Ana", live_asgi)
    page.goto(f"/g/{game.public_id}/")
    link = page.locator("#link").input_value()
    page.locator("#copy-link").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#copy-link")).to_have_text("Copied")
    expect(page.locator("#say-politely")).to_have_text("Copied")
    assert page.evaluate("navigator.clipboard.readText()") == link
    assert game.link_token in link
    assert axe_violations(page) == []
    # It stands there still when somebody has come.
    k, now = game.link_token, timezone.now()
    aside(lambda: lobby.sit(public_id=game.public_id, user=person("Ben"), link_token=k, now=now))
    expect(page.get_by_text("2 of 3 seats taken")).to_be_visible()
    expect(page.locator("#copy-link")).to_be_visible()
    expect(page.locator("#copy-link")).to_have_text("Copy", timeout=5000)
    page.set_viewport_size({"width": 360, "height": 740})
    assert overflow(page) == 0


def test_where_a_page_may_not_copy_the_link_is_copied_the_old_way(
    new_context: NewContext, live_asgi: str
) -> None:
    game = aside(opened)
    page = sign_in(new_context(permissions=["clipboard-read"]), "Ana", live_asgi)
    page.add_init_script("Object.defineProperty(navigator, 'clipboard', {value: undefined})")
    page.goto(f"/g/{game.public_id}/")
    page.locator("#copy-link").click()
    expect(page.locator("#say-politely")).to_have_text("Copied")
    field = page.locator("#link")
    start, end = field.evaluate("(field) => [field.selectionStart, field.selectionEnd]")
    assert end - start == len(field.input_value())


def test_without_a_script_there_is_no_such_button(new_context: NewContext, live_asgi: str) -> None:
    game = aside(opened)
    page = sign_in(new_context(java_script_enabled=False), "Ana", live_asgi)
    page.goto(f"/g/{game.public_id}/")
    expect(page.locator("#link")).to_be_visible()
    expect(page.locator("#copy-link")).to_be_hidden()
