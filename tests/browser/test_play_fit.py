"""What is asked, and the answers, are there before one scrolls."""

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from games import visits
from games.engine.state import waiting
from tests.browser.checks import axe_violations, overflow
from tests.browser.players import SOON, aside, at_one_table, say, sign_in
from tests.games import cast
from tests.games.cast import NAMES, person, running_game, state_of

type NewContext = Callable[..., BrowserContext]

SCREENS = [(1440, 900), (1366, 768), (1366, 650), (1024, 768), (768, 1024), (360, 740), (360, 640)]
"""Laptops, with and without the browser's own bars; a tablet, both ways up; phones."""


def unseen(page: Page, selector: str) -> list[str]:
    """What of these elements lies outside the window, or under something else."""
    found: list[str] = page.evaluate(
        """(selector) => [...document.querySelectorAll(selector)].flatMap((element) => {
            const box = element.getBoundingClientRect();
            const middle = box.left + box.width / 2;
            return [box.top + 3, box.top + box.height / 2, box.bottom - 3].filter((height) =>
              !element.contains(document.elementFromPoint(middle, height))
            ).map((height) => `${element.id || element.className} at ${Math.round(height)}`);
        })""",
        selector,
    )
    return found


def at_the_table(new_context: NewContext, address: str, words: str, *, asked: bool) -> Page:
    """Six play with everything; the page of whoever is asked about these words, or has the turn."""
    game = running_game(6, inquisitor=True, factions=True)
    seat = state_of(game).turn
    if asked:
        other = (seat + 1) % 6
        cast.say(game, seat, words.format(other=other))
        seat = other
    page = sign_in(new_context(reduced_motion="reduce"), NAMES[seat], address)
    page.goto(f"/g/{game.public_id}/")
    expect(page.locator("#answer form")).to_be_visible()
    return page


@pytest.mark.parametrize("words", ["tax", "foreign_aid", "steal {other}"])
def test_a_question_and_its_first_answer_need_no_scrolling(
    new_context: NewContext, live_asgi: str, words: str
) -> None:
    page = at_the_table(new_context, live_asgi, words, asked=True)
    for width, height in SCREENS:
        page.set_viewport_size({"width": width, "height": height})
        assert unseen(page, ".matter__claim, .matter__ask, .mine__who") == [], (width, height)
        assert unseen(page, ".answers__grid .answer:first-child") == [], (width, height)
    page.set_viewport_size({"width": 1440, "height": 900})
    assert unseen(page, ".answer") == []


def test_ones_turn_and_its_first_action_need_no_scrolling(
    new_context: NewContext, live_asgi: str
) -> None:
    page = at_the_table(new_context, live_asgi, "", asked=False)
    for width, height in SCREENS:
        page.set_viewport_size({"width": width, "height": height})
        assert unseen(page, ".matter__claim, .matter__ask, .mine__who") == [], (width, height)
        assert unseen(page, ".acts .act:nth-of-type(1)") == [], (width, height)


def test_what_was_chosen_can_be_announced_without_scrolling(
    new_context: NewContext, live_asgi: str
) -> None:
    page = at_the_table(new_context, live_asgi, "", asked=False)
    page.locator("[name=act][value=steal]").check()
    for width, height in [(1440, 900), (1366, 768), (360, 740)]:
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate("scrollTo(0, 0)")
        assert unseen(page, ".target:not(.target--convert), .announce button") == [], width


PHONE = {"width": 360, "height": 740}


def test_over_an_open_panel_a_phone_says_what_is_asked(
    new_context: NewContext, live_asgi: str
) -> None:
    _game, (first, second, _third) = at_one_table(new_context, live_asgi)
    page = second.page
    page.set_viewport_size(PHONE)
    page.locator("#tab-talk").click()
    expect(page.locator("#talk-head")).to_be_in_viewport()
    expect(page.locator("#to-answer")).to_have_count(0)
    say(first.page, "tax")
    expect(page.locator("#to-answer")).to_be_visible(timeout=SOON)
    assert unseen(page, "#to-answer, #talk-head") == []
    assert axe_violations(page) == []
    assert overflow(page) == 0
    page.locator("#to-answer").click()
    expect(page.locator("#talk-head")).to_be_hidden()
    expect(page.locator("#to-answer")).to_be_hidden()
    expect(page.locator("#answer")).to_be_focused()
    say(page, "allow")
    page.locator("#tab-log").click()
    expect(page.locator("#log-head")).to_be_visible()
    expect(page.locator("#to-answer")).to_have_count(0)


def test_the_log_once_opened_is_read(new_context: NewContext, live_asgi: str) -> None:
    game, (first, second, _third) = at_one_table(new_context, live_asgi)
    page = second.page
    page.set_viewport_size(PHONE)
    visits.read(public_id=game.public_id, user_id=person(second.name).pk, lines=1)
    page.reload()
    fresh = page.locator("#log-new")
    say(first.page, "income")
    expect(fresh).to_have_text("1", timeout=SOON)
    page.locator("#tab-log").click()
    expect(fresh).to_be_hidden()
    page.locator("#tab-table").click()
    expect(fresh).to_be_hidden()
    say(page, "foreign_aid")
    expect(fresh).to_have_text("1", timeout=SOON)
    page.locator("#tab-log").click()
    expect(fresh).to_be_hidden()
    # What comes while it is open is read, too.
    for seat in waiting(state_of(game)):
        aside(lambda seat=seat: cast.say(game, seat, "allow"))  # type: ignore[misc]
    expect(page.locator("#log-lines")).to_contain_text("You take 2 coins", timeout=SOON)
    expect(fresh).to_be_hidden()
