"""Every open page is current: by socket, by poll, after a break, in every tab."""

import re
from collections.abc import Callable

from playwright.sync_api import BrowserContext, Page, WebSocketRoute, expect

from games.models import Game, Watch
from tests.browser.conftest import Site
from tests.browser.players import SOON, all_current, at_one_table, look, say

type NewContext = Callable[..., BrowserContext]

SOCKETS = "**/ws/**"
POLL = 3_000
"""Milliseconds between two polls of a page whose socket is closed."""


def is_asked(page: Page, within: int = SOON) -> None:
    expect(page.locator("[id^=question-]")).to_be_visible(timeout=within)


def is_not_asked(page: Page, within: int = SOON) -> None:
    expect(page.locator("[id^=question-]")).to_have_count(0, timeout=within)


def counts(page: Page, waiting: int, within: int = SOON) -> None:
    """How many tables wait, in the header and in the title."""
    expect(page.locator("#waiting")).to_have_attribute("data-count", str(waiting), timeout=within)
    start = rf"\({waiting}\) " if waiting else r"[^(]"
    expect(page).to_have_title(re.compile(f"^{start}"), timeout=within)


def test_where_sockets_are_blocked_a_page_polls(new_context: NewContext, live_asgi: str) -> None:
    game, (first, second, _third) = at_one_table(new_context, live_asgi)
    second.page.context.route_web_socket(SOCKETS, lambda socket: socket.close(code=1006))
    look(second, game)
    elsewhere = second.page.context.new_page()
    elsewhere.goto("/lobby/")
    say(first.page, "tax")
    is_asked(second.page, within=POLL + SOON)
    counts(second.page, 1, within=SOON)
    counts(elsewhere, 1, within=POLL + SOON)
    say(second.page, "allow")
    counts(elsewhere, 0, within=POLL + SOON)


def test_a_dropped_socket_comes_back(new_context: NewContext, live_asgi: str) -> None:
    game, (first, second, _third) = at_one_table(new_context, live_asgi)
    sockets: list[WebSocketRoute] = []

    def connect(socket: WebSocketRoute) -> None:
        sockets.append(socket)
        socket.connect_to_server()

    second.page.context.route_web_socket(SOCKETS, connect)
    look(second, game)
    sockets[-1].close(code=1011)
    say(first.page, "tax")
    is_asked(second.page)
    assert len(sockets) == 2
    say(second.page, "challenge")
    all_current([first, second], game)


def test_pages_outlive_a_restart_of_the_server(
    new_context: NewContext, site: Site, complaints: list[str]
) -> None:
    game, (first, second, third) = at_one_table(new_context, site.address)
    site.stop()
    site.start()
    say(first.page, "tax")
    for player in (second, third):
        is_asked(player.page, within=2 * POLL + SOON)
    say(second.page, "challenge")
    all_current([first, second, third], game)
    # A server that is down, or going down in the middle of a handshake (500) or of what a page
    # fetches as it opens, is complained of.
    expected = (
        "ERR_CONNECTION_REFUSED",
        "WebSocket connection to",
        "htmx:ws:error",
        "Failed to fetch",
    )
    complaints[:] = [line for line in complaints if not any(part in line for part in expected)]


def test_two_tabs_of_one_person_keep_step(new_context: NewContext, live_asgi: str) -> None:
    game, (first, second, _third) = at_one_table(new_context, live_asgi)
    tab, lobby = second.page.context.new_page(), second.page.context.new_page()
    tab.goto(f"/g/{game.public_id}/")
    lobby.goto("/lobby/")
    say(first.page, "tax")
    for page in (second.page, tab):
        is_asked(page)
        counts(page, 1)
        expect(page).to_have_title(re.compile("You are asked"))
    counts(lobby, 1)
    expect(lobby.locator("#toast")).to_be_visible()
    # A sealed answer: nobody else's page moves, but all of one's own do.
    others = first.page.locator("#tag").input_value()
    say(tab, "allow")
    is_not_asked(second.page)
    for page in (second.page, tab):
        expect(page).to_have_title(re.compile("^Waiting for others"))
    for page in (second.page, tab, lobby):
        counts(page, 0)
    expect(first.page.locator("#tag")).to_have_value(others)


def test_a_hidden_tab_counts_what_waits(new_context: NewContext, live_asgi: str) -> None:
    _game, (first, second, _third) = at_one_table(new_context, live_asgi)
    # Headless, every tab is in front: this one is told that it is not.
    second.page.evaluate(
        """() => {
            Object.defineProperty(document, "hidden", {get: () => true});
            document.dispatchEvent(new Event("visibilitychange"));
        }"""
    )
    say(first.page, "tax")
    counts(second.page, 1)
    is_asked(second.page)


def test_after_the_lid_was_closed_a_page_is_current(
    new_context: NewContext, live_asgi: str
) -> None:
    _game, (first, second, _third) = at_one_table(new_context, live_asgi)
    lid = second.page.context.new_cdp_session(second.page)
    lid.send("Page.setWebLifecycleState", {"state": "frozen"})
    say(first.page, "tax")
    lid.send("Page.setWebLifecycleState", {"state": "active"})
    is_asked(second.page)
    counts(second.page, 1)


def test_what_is_refused_altogether_is_a_page_and_no_page_in_a_page(
    new_context: NewContext, live_asgi: str, complaints: list[str]
) -> None:
    game, (first, second, _third) = at_one_table(new_context, live_asgi)
    Game.objects.filter(pk=game.pk).update(watch=Watch.PLAYERS)
    first.page.context.clear_cookies(name="csrftoken")
    first.page.locator("[name=act][value=income]").check()
    first.page.get_by_role("button", name="Announce it").click()
    second.page.context.clear_cookies(name="sessionid")
    second.page.evaluate("window.dispatchEvent(new Event('online'))")
    for page in (first.page, second.page):
        expect(page.get_by_role("heading", name="You may not do that")).to_be_visible()
        expect(page.get_by_role("banner")).to_have_count(1)
        expect(page.get_by_role("main")).to_have_count(1)
    assert all("403 (Forbidden)" in complaint for complaint in complaints)
    complaints.clear()
