"""Lists that others change while somebody reads them: the lobby's, and that of messages."""

from collections.abc import Callable
from typing import Any

import pytest
from django.utils import timezone
from playwright.sync_api import BrowserContext, WebSocketRoute, expect

from games import lobby
from games.models import Game
from games.timing import Pace
from tests.browser.checks import axe_violations, overflow
from tests.browser.players import SOON, aside, sign_in
from tests.games.cast import SEED, person, running_game, say, state_of

type NewContext = Callable[..., BrowserContext]


def opened(host: str, title: str, **plan: Any) -> Game:
    return lobby.open_table(
        host=person(host),
        plan=lobby.Plan(4, Pace.DAILY, title=title, **plan),
        seed=SEED,
        now=timezone.now(),
    )


@pytest.mark.parametrize("signed_in", [True, False])
def test_the_lobby_is_live_and_loses_nothing(
    new_context: NewContext, live_asgi: str, signed_in: bool
) -> None:
    first = aside(lambda: opened("Ana", "First light"))
    context = new_context()
    page = sign_in(context, "Zoe", live_asgi) if signed_in else context.new_page()
    page.goto("/lobby/")
    expect(page.locator(".lob")).to_have_count(1)
    page.get_by_label("Pace").select_option("relaxed")  # not sent yet
    page.locator(f"#go-{first.public_id}").focus()
    aside(lambda: opened("Ben", "Second thoughts"))
    expect(page.locator(".lob")).to_have_count(2, timeout=SOON)
    expect(page.get_by_label("Pace")).to_have_value("relaxed")
    expect(page.locator(f"#go-{first.public_id}")).to_be_focused()
    now = timezone.now()
    aside(lambda: lobby.sit(public_id=first.public_id, user=person("Cyd"), now=now))
    expect(page.get_by_text("2 of 4")).to_be_visible(timeout=SOON)
    aside(lambda: lobby.cancel(public_id=first.public_id, host=person("Ana"), now=now))
    expect(page.locator(".lob")).to_have_count(1, timeout=SOON)
    assert axe_violations(page) == []
    assert overflow(page) == 0


def test_the_lobby_asks_by_itself_where_sockets_are_blocked(
    new_context: NewContext, live_asgi: str, complaints: list[str]
) -> None:
    def block(socket: WebSocketRoute) -> None:
        socket.close()

    page = new_context().new_page()
    page.route_web_socket("**/ws/**", block)
    page.goto("/lobby/?pace=daily")
    expect(page.locator(".empty")).to_be_visible()
    aside(lambda: opened("Ben", "Second thoughts"))
    expect(page.locator(".lob")).to_have_count(1, timeout=SOON)
    complaints.clear()  # of the blocked socket


def test_messages_are_live_and_what_is_chosen_stays(
    new_context: NewContext, live_asgi: str
) -> None:
    game = aside(lambda: running_game(2))
    turn = aside(lambda: state_of(game).turn)
    page = sign_in(new_context(), game.start_names[1 - turn], live_asgi)
    page.goto("/messages/")
    expect(page.get_by_text("Somebody’s claim")).to_have_count(0)
    page.get_by_label("Mail goes out after").select_option("60")
    page.get_by_label("Mail goes out after").focus()
    aside(lambda: say(game, turn, "tax", timezone.now()))
    expect(page.get_by_text("Somebody’s claim")).to_be_visible(timeout=SOON)
    expect(page.get_by_label("Mail goes out after")).to_have_value("60")
    expect(page.get_by_label("Mail goes out after")).to_be_focused()
    page.get_by_role("button", name="Send me a test message").click()
    expect(page.locator("#told").get_by_text("Sent", exact=False).first).to_be_visible(timeout=SOON)
