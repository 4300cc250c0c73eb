"""Every open page is current: by socket, by poll, after a break, in every tab."""

import re
from collections.abc import Callable

from playwright.sync_api import BrowserContext, Page, WebSocketRoute, expect

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
    game, (ana, ben, _cyd) = at_one_table(new_context, live_asgi)
    ben.page.context.route_web_socket(SOCKETS, lambda socket: socket.close(code=1006))
    look(ben, game)
    elsewhere = ben.page.context.new_page()
    elsewhere.goto("/lobby/")
    say(ana.page, "tax")
    is_asked(ben.page, within=POLL + SOON)
    counts(ben.page, 1, within=SOON)
    counts(elsewhere, 1, within=POLL + SOON)
    say(ben.page, "allow")
    counts(elsewhere, 0, within=POLL + SOON)


def test_a_dropped_socket_comes_back(new_context: NewContext, live_asgi: str) -> None:
    game, (ana, ben, _cyd) = at_one_table(new_context, live_asgi)
    sockets: list[WebSocketRoute] = []

    def connect(socket: WebSocketRoute) -> None:
        sockets.append(socket)
        socket.connect_to_server()

    ben.page.context.route_web_socket(SOCKETS, connect)
    look(ben, game)
    sockets[-1].close(code=1011)
    say(ana.page, "tax")
    is_asked(ben.page)
    assert len(sockets) == 2
    say(ben.page, "challenge")
    all_current([ana, ben], game)


def test_pages_outlive_a_restart_of_the_server(
    new_context: NewContext, site: Site, complaints: list[str]
) -> None:
    game, (ana, ben, cyd) = at_one_table(new_context, site.address)
    site.stop()
    site.start()
    say(ana.page, "tax")
    for player in (ben, cyd):
        is_asked(player.page, within=2 * POLL + SOON)
    say(ben.page, "challenge")
    all_current([ana, ben, cyd], game)
    complaints[:] = [line for line in complaints if "ERR_CONNECTION_REFUSED" not in line]


def test_two_tabs_of_one_person_keep_step(new_context: NewContext, live_asgi: str) -> None:
    game, (ana, ben, _cyd) = at_one_table(new_context, live_asgi)
    tab, lobby = ben.page.context.new_page(), ben.page.context.new_page()
    tab.goto(f"/g/{game.public_id}/")
    lobby.goto("/lobby/")
    say(ana.page, "tax")
    for page in (ben.page, tab):
        is_asked(page)
        counts(page, 1)
        expect(page).to_have_title(re.compile("You are asked"))
    counts(lobby, 1)
    expect(lobby.locator("#toast")).to_be_visible()
    # A sealed answer: nobody else's page moves, but all of one's own do.
    others = ana.page.locator("#tag").input_value()
    say(tab, "allow")
    is_not_asked(ben.page)
    for page in (ben.page, tab):
        expect(page).to_have_title(re.compile("^Waiting for others"))
    for page in (ben.page, tab, lobby):
        counts(page, 0)
    expect(ana.page.locator("#tag")).to_have_value(others)


def test_a_hidden_tab_counts_what_waits(new_context: NewContext, live_asgi: str) -> None:
    _game, (ana, ben, _cyd) = at_one_table(new_context, live_asgi)
    # Headless, every tab is in front: this one is told that it is not.
    ben.page.evaluate(
        """() => {
            Object.defineProperty(document, "hidden", {get: () => true});
            document.dispatchEvent(new Event("visibilitychange"));
        }"""
    )
    say(ana.page, "tax")
    counts(ben.page, 1)
    is_asked(ben.page)


def test_after_the_lid_was_closed_a_page_is_current(
    new_context: NewContext, live_asgi: str
) -> None:
    _game, (ana, ben, _cyd) = at_one_table(new_context, live_asgi)
    lid = ben.page.context.new_cdp_session(ben.page)
    lid.send("Page.setWebLifecycleState", {"state": "frozen"})
    say(ana.page, "tax")
    lid.send("Page.setWebLifecycleState", {"state": "active"})
    is_asked(ben.page)
    counts(ben.page, 1)
