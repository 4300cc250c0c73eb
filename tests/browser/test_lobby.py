"""Finding a game, in browsers: by one click, by a link; live, by key, without a script."""

import re
import time
from collections.abc import Callable
from datetime import timedelta
from random import Random
from typing import Any, Literal

import pytest
from django.utils import timezone
from playwright.sync_api import BrowserContext, Page, expect

from accounts.models import User
from games import lobby, play
from games.models import BotKind, Game, Visibility
from games.timing import Pace
from tests.browser.checks import axe_violations, overflow
from tests.browser.players import SOON, aside, sign_in
from tests.games.cast import SEED, person, running_game, say, state_of, stir

type NewContext = Callable[..., BrowserContext]


def opened(host: str, size: int, **plan: Any) -> Game:
    return lobby.open_table(
        host=person(host),
        plan=lobby.Plan(size, Pace.DAILY, **plan),
        seed=SEED,
        now=timezone.now(),
    )


@pytest.mark.parametrize("javascript", [True, False])
def test_one_click_to_a_table(new_context: NewContext, javascript: bool) -> None:
    page = new_context(java_script_enabled=javascript).new_page()
    page.goto("/")
    page.get_by_role("button", name="Play now").first.click()
    expect(page).to_have_url(re.compile(r"/g/[\w-]+/$"))
    expect(page.locator(".court")).to_be_visible()
    expect(page.locator(".card[data-role]").first).to_be_visible()


@pytest.mark.parametrize("javascript", [True, False])
def test_two_strangers_meet_by_a_link(
    new_context: NewContext, complaints: list[str], javascript: bool
) -> None:
    first, second = (new_context(java_script_enabled=javascript).new_page() for _who in range(2))
    first.goto("/")
    first.get_by_role("link", name="Open a table for your friends").click()
    first.get_by_label("Your name at the table").fill("Ana")
    first.get_by_label("2", exact=True).check()
    first.get_by_label("unlisted: whoever has the link may join").check()
    first.get_by_role("button", name="Open the table").click()
    expect(first.get_by_text("1 of 2 seats taken")).to_be_visible()
    second.goto(first.get_by_label("Send this link").input_value())
    second.get_by_label("Your name at the table").fill("ana")
    second.get_by_role("button", name="Take a seat").click()
    expect(second.get_by_text("Somebody has this name")).to_be_visible()
    complaints.clear()  # of the 422
    second.get_by_label("Your name at the table").fill("Ben")
    second.get_by_role("button", name="Take a seat").click()
    expect(second.locator(".court")).to_be_visible()
    if not javascript:
        first.reload()
    expect(first.locator(".court")).to_be_visible(timeout=SOON)
    expect(first.locator("body")).to_have_class("on-table")
    names = [page.locator(".seat__name").inner_text() for page in (first, second)]
    assert names == ["Ben", "Ana"]


def test_who_sits_down_slowly_is_not_led_away(
    new_context: NewContext, live_asgi: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The room hears that the game begins before its own form is answered: the answer brings the
    session, and nothing that is fetched meanwhile may cut it off."""
    take_seat = lobby.sit

    def slowly(**arguments: Any) -> Game:
        game = take_seat(**arguments)
        time.sleep(1.5)
        return game

    monkeypatch.setattr(lobby, "sit", slowly)
    first, second = (new_context().new_page() for _who in range(2))
    first.goto("/new/")
    first.get_by_label("Your name at the table").fill("Ana")
    first.get_by_label("2", exact=True).check()
    first.get_by_role("button", name="Open the table").click()
    expect(first.get_by_text("1 of 2 seats taken")).to_be_visible()
    second.goto(first.url)
    second.get_by_label("Your name at the table").fill("Ben")
    second.get_by_role("button", name="Take a seat").click()
    expect(second.locator("#mine")).to_be_visible(timeout=SOON)
    expect(second.locator(".seat__name")).to_have_text(["Ana"])


def test_the_room_shows_at_once_who_comes_and_goes(new_context: NewContext, live_asgi: str) -> None:
    game = aside(lambda: opened("Ana", 3))
    ana, stranger = sign_in(new_context(), "Ana", live_asgi), new_context().new_page()
    for page in (ana, stranger):
        page.goto(f"/g/{game.public_id}/")
        expect(page.get_by_text("1 of 3 seats taken")).to_be_visible()
    ana.get_by_label("Name or e-mail address", exact=True).fill("half a na")
    now = timezone.now()
    aside(lambda: lobby.sit(public_id=game.public_id, user=person("Ben"), now=now))
    for page in (ana, stranger):
        expect(page.get_by_text("2 of 3 seats taken")).to_be_visible(timeout=SOON)
    expect(ana.get_by_label("Name or e-mail address", exact=True)).to_have_value("half a na")
    expect(ana.get_by_label("Name or e-mail address", exact=True)).to_be_focused()
    aside(lambda: lobby.get_up(public_id=game.public_id, user=person("Ben"), now=now))
    expect(ana.get_by_text("1 of 3 seats taken")).to_be_visible(timeout=SOON)
    aside(lambda: lobby.cancel(public_id=game.public_id, host=person("Ana"), now=now))
    for page in (ana, stranger):
        expect(page.get_by_text("The host gave it up.")).to_be_visible(timeout=SOON)


def test_the_host_starts_by_keyboard(new_context: NewContext, live_asgi: str) -> None:
    game = aside(lambda: opened("Ana", 4, bots=[BotKind.HONEST]))
    page = sign_in(new_context(), "Ana", live_asgi)
    page.goto(f"/g/{game.public_id}/")
    for _press in range(40):
        page.keyboard.press("Tab")
        if page.locator("#start:focus").count():
            break
    page.keyboard.press("Enter")
    expect(page.locator(".court")).to_be_visible()


def test_the_count_is_live_in_the_header_and_the_title_and_a_key_leads_there(
    new_context: NewContext, live_asgi: str
) -> None:
    game = aside(lambda: running_game(2))
    turn = aside(lambda: state_of(game).turn)
    waiting = game.start_names[1 - turn]
    page = sign_in(new_context(), waiting, live_asgi)
    other_tab = page.context.new_page()
    for tab in (page, other_tab):
        tab.goto("/lobby/")
        expect(tab).to_have_title("Open tables · Coup")
    aside(lambda: say(game, turn, "tax", timezone.now()))
    for tab in (page, other_tab):
        expect(tab.locator("#waiting .badge")).to_have_text("1", timeout=SOON)
        expect(tab).to_have_title("(1) Open tables · Coup")
        expect(tab.locator("#toast")).to_be_visible()
        expect(tab.locator("#say-politely")).to_have_text("A table waits for you.")
    page.keyboard.press("n")
    expect(page).to_have_url(re.compile(f"/g/{game.public_id}/$"))
    for words in ("allow", "income"):  # an answer, and then a turn of one's own
        aside(lambda: say(game, 1 - turn, words, timezone.now()))  # noqa: B023
    expect(other_tab).to_have_title("Open tables · Coup", timeout=SOON)
    expect(other_tab.locator("#waiting .badge")).to_have_count(0)


def test_a_key_pressed_while_writing_is_a_letter(new_context: NewContext, live_asgi: str) -> None:
    game = aside(lambda: opened("Ana", 3))
    page = sign_in(new_context(), "Ana", live_asgi)
    page.goto(f"/g/{game.public_id}/")
    field = page.get_by_label("Name or e-mail address", exact=True)
    field.press_sequentially("nina")
    expect(field).to_have_value("nina")


def test_a_double_click_opens_one_table(new_context: NewContext, live_asgi: str) -> None:
    page = new_context().new_page()
    page.goto("/new/")
    page.get_by_label("Your name at the table").fill("Zed")
    page.get_by_role("button", name="Open the table").dblclick()
    expect(page.get_by_text("1 of 4 seats taken")).to_be_visible()
    assert aside(Game.objects.count) == 1


def tables_of_every_kind() -> dict[str, list[str]]:
    """Fill lobby and dashboard; the paths worth a look, by who looks at them."""
    long = "Wwwwwwwwwwwwww Mmmmmmmmmmmmmm"
    host = User.objects.create_guest(long)
    title = "The table of those who do not know when to stop, and so on"
    for number in range(22):
        plan = lobby.Plan(6, Pace.RELAXED, title=title, factions=True, bots=[BotKind.HONEST] * 2)
        lobby.open_table(host=host, plan=plan, seed=SEED, now=timezone.now() + timedelta(number))
    game = running_game(3, factions=True)
    list(stir(game, Random(1), 9, late=0))
    running_game(2)
    over = running_game(2, seed=bytes(32))
    play.leave(public_id=over.public_id, user_id=person("Ben").pk, now=timezone.now())
    mine = opened("Ana", 5, visibility=Visibility.UNLISTED, title=title, invited=[host])
    invited = opened("Ben", 3, visibility=Visibility.PRIVATE, invited=[person("Ana")], title=title)
    gone = opened("Ana", 3)
    lobby.cancel(public_id=gone.public_id, host=person("Ana"), now=timezone.now())
    rooms = [f"/g/{table.public_id}/" for table in (mine, invited, gone)]
    return {
        "Ana": ["/", "/lobby/", "/lobby/?page=2", "/lobby/?size=2", "/new/", *rooms],
        "Eva": ["/"],
        "": ["/", "/lobby/", "/new/", f"{rooms[0]}?k={mine.link_token}"],
    }


@pytest.mark.usefixtures("pseudo_languages")
@pytest.mark.parametrize("language", ["en", "en-xa", "ar-xb"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pages_fit_a_phone_and_axe_finds_nothing(
    new_context: NewContext,
    live_asgi: str,
    complaints: list[str],
    scheme: Literal["light", "dark"],
    language: str,
) -> None:
    looks = aside(tables_of_every_kind)
    options = {
        "color_scheme": scheme,
        "viewport": {"width": 360, "height": 740},
        "extra_http_headers": {"Accept-Language": language},
    }
    for name, paths in looks.items():
        context = new_context(**options)
        page = sign_in(context, name, live_asgi) if name else context.new_page()
        for path in paths:
            page.goto(path)
            expect(page.locator("html")).to_have_attribute("lang", language)
            fits(page)
        page.goto("/new/")
        page.locator("[name=title]").fill("x\u202e")
        page.locator(".create button").click()
        expect(page.get_by_role("alert")).to_be_visible()
        complaints.clear()  # of the 422
        fits(page)


def fits(page: Page) -> None:
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    assert axe_violations(page) == [], page.url
    assert overflow(page) == 0, page.url


def test_a_rematch_shows_live_to_those_who_played(new_context: NewContext, live_asgi: str) -> None:
    game = aside(lambda: running_game(2))
    turn = aside(lambda: state_of(game).turn)
    user = person(game.start_names[turn])
    aside(lambda: play.leave(public_id=game.public_id, user_id=user.pk, now=timezone.now()))
    ana, ben = (sign_in(new_context(), name, live_asgi) for name in ("Ana", "Ben"))
    for page in (ana, ben):
        page.goto(f"/g/{game.public_id}/")
        expect(page.locator("#rematch")).to_have_text("Play again with the same people")
    ana.locator("#rematch").click()
    expect(ana.get_by_text("1 of 2 seats taken")).to_be_visible()
    expect(ben.locator("#again-said")).to_have_text(
        "Ana has opened a table for playing again.", timeout=SOON
    )
    assert axe_violations(ben) == []
    ben.locator("#rematch").click()
    expect(ben.locator(".court")).to_be_visible()
    assert ben.url != f"{live_asgi}/g/{game.public_id}/"
