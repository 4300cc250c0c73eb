"""What changes is told to each kind of page over its socket, also where nobody looks at it.

A hidden tab asks by itself once a minute: what it shows before, it was told.
"""

from collections.abc import Callable

from django.utils import timezone
from playwright.sync_api import BrowserContext, Page, expect

from games import lobby
from tests.browser.players import SOON, aside, at_one_table, say, sign_in
from tests.browser.test_lobby import opened
from tests.browser.test_talk import write
from tests.games.cast import person

type NewContext = Callable[..., BrowserContext]

HIDDEN = 'Object.defineProperty(document, "hidden", { get: () => true });'
A_MINUTE = 60_000


def hidden(page: Page, path: str) -> Page:
    """This page, in a tab behind another, from the start."""
    page.add_init_script(HIDDEN)
    page.goto(path)
    assert page.evaluate("document.hidden") is True
    return page


def test_hidden_pages_are_told_by_their_sockets(new_context: NewContext, live_asgi: str) -> None:
    assert SOON < A_MINUTE
    game, (first, second, _third) = at_one_table(new_context, live_asgi)
    path = f"/g/{game.public_id}/"
    player = hidden(second.page.context.new_page(), path)
    elsewhere = hidden(second.page.context.new_page(), "/lobby/")
    stranger = hidden(new_context().new_page(), path)
    listener = hidden(new_context().new_page(), f"{path}talk/")
    for page in (player, elsewhere):
        expect(page.locator("#waiting")).to_have_attribute("data-count", "0")
    say(first.page, "tax")
    for page in (player, elsewhere):
        expect(page.locator("#waiting")).to_have_attribute("data-count", "1", timeout=SOON)
    expect(player.locator("[id^=question-]")).to_be_visible(timeout=SOON)
    expect(stranger.locator("#claim")).to_contain_text("Duke", timeout=SOON)
    write(first.page, "I am she.")
    for page in (player, stranger, listener):
        expect(page.locator("#log-table").get_by_text("I am she.")).to_be_attached(timeout=SOON)


def test_a_hidden_waiting_room_is_told_too(new_context: NewContext, live_asgi: str) -> None:
    game = aside(lambda: opened("Ana", 3))
    page = hidden(sign_in(new_context(), "Ana", live_asgi), f"/g/{game.public_id}/")
    expect(page.get_by_text("1 of 3 seats taken")).to_be_visible()
    now = timezone.now()
    aside(lambda: lobby.sit(public_id=game.public_id, user=person("Ben"), now=now))
    expect(page.get_by_text("2 of 3 seats taken")).to_be_visible(timeout=SOON)
