"""A table for everybody: by keyboard, aloud, by day and by night, on small screens."""

from collections.abc import Callable
from typing import Literal

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from games import store
from games.engine.state import Over, waiting
from tests.browser.checks import axe_violations, overflow
from tests.browser.director import next_answer, played
from tests.browser.players import SOON, at_one_table, moves, rename, say, sign_in, tag_for
from tests.games import cast
from tests.games.cast import NAMES, running_game, state_of

type NewContext = Callable[..., BrowserContext]


def focused(page: Page) -> str:
    """The id of the element that has the focus."""
    name: str = page.evaluate("document.activeElement.id")
    return name


# By keyboard


def outlined(page: Page) -> bool:
    """Whether one can see what has the focus: it, or the label around it, has an outline."""
    seen: bool = page.evaluate(
        """() => {
            const one = document.activeElement;
            return [one, one.closest("label")].some((element) => {
              const style = element && getComputedStyle(element);
              return style && style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2;
            });
        }"""
    )
    return seen


def tab_to(page: Page, wanted: str) -> None:
    """Press Tab until an element that matches has the focus; all on the way must be visible."""
    for _ in range(40):
        page.keyboard.press("Tab")
        assert outlined(page), focused(page)
        if page.evaluate("(wanted) => document.activeElement.matches(wanted)", wanted):
            return
    raise AssertionError(f"Tab does not lead to {wanted}")


def test_a_decision_by_keyboard_alone(new_context: NewContext, live_asgi: str) -> None:
    game, (first, second, _third) = at_one_table(new_context, live_asgi)
    page = first.page
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to your answer")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#answer")).to_be_focused()
    tab_to(page, "[name=act]")
    steal = page.locator("[name=act][value=steal]")
    while not steal.is_checked():
        page.keyboard.press("ArrowDown")
    tab_to(page, "[name=target]")
    page.keyboard.press("Space")
    target = page.locator("[name=target]:checked").get_attribute("value")
    tab_to(page, "[id^=announce]")
    page.keyboard.press("Enter")
    expect(page.locator("[id^=question-]")).to_have_count(0, timeout=SOON)
    assert focused(page) == "answer"
    assert str(state_of(game).phase.action.target) == target

    page = second.page
    expect(page.locator("[id^=question-]")).to_be_visible(timeout=SOON)
    assert focused(page) == "", "what others do takes no focus"
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    tab_to(page, "[name=answer][value=challenge]")
    page.keyboard.press("Space")
    expect(page.get_by_role("alertdialog")).to_be_focused()
    tab_to(page, "#confirm-yes")
    page.keyboard.press("Enter")
    expect(page.locator("#answer")).to_be_focused(timeout=SOON)
    assert moves(game) == 2


# Aloud

HEAR = """
    window.heard = [];
    const live = "[aria-live], [role=alert], [role=alertdialog]";
    new MutationObserver((records) => {
      const touched = new Set(records.flatMap(({target, addedNodes}) => [
        (target.closest ? target : target.parentElement)?.closest(live),
        ...[...addedNodes].map((node) => node.querySelector?.(live)),
      ]));
      touched.delete(null);
      touched.delete(undefined);
      for (const region of touched) {
        window.heard.push(`${region.id}: ${region.textContent.replace(/\\s+/g, " ").trim()}`);
      }
    }).observe(document.body, {characterData: true, childList: true, subtree: true});
"""


def test_a_screen_reader_hears_each_thing_once(new_context: NewContext, live_asgi: str) -> None:
    game, (first, second, third) = at_one_table(new_context, live_asgi)
    second.page.evaluate(HEAR)
    say(first.page, "tax")
    expect(second.page.locator("[id^=question-]")).to_be_visible(timeout=SOON)
    rename(third, "Cydonia")
    say(second.page, "allow")
    say(third.page, "allow")
    expect(second.page.locator("#tag")).to_have_value(tag_for(second, game), timeout=SOON)
    second.page.wait_for_timeout(700)
    heard = [line for line in second.page.evaluate("window.heard") if line.split(": ")[1]]
    assert len(heard) == len(set(heard)), heard
    # The claim with its question; that one has answered; the next turn.
    assert len([line for line in heard if line.startswith("sentence: ")]) == 3, heard


# Seen

WIDTHS = (1280, 640, 360)
"""A desktop; the same with letters twice as large; a phone."""


def is_fit(page: Page) -> None:
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 800})
        assert overflow(page) == 0, width
        assert axe_violations(page) == [], width


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_and_nothing_is_too_wide(
    new_context: NewContext, live_asgi: str, scheme: Literal["light", "dark"]
) -> None:
    game = running_game(3)
    pages = [
        sign_in(new_context(color_scheme=scheme, reduced_motion="reduce"), name, live_asgi)
        for name in NAMES[:3]
    ]

    def look(seat: int) -> Page:
        pages[seat].goto(f"/g/{game.public_id}/")
        return pages[seat]

    first = state_of(game).turn
    second = (first + 1) % 3
    page = look(first)
    page.locator("[name=act][value=steal]").check()
    is_fit(page)
    cast.say(game, first, f"steal {second}")
    is_fit(look(first))
    page = look(second)
    is_fit(page)
    for part in ("Claims", "Log", "Rules", "Table"):
        page.get_by_role("link", name=part, exact=True).click()
        assert axe_violations(page) == [], part
    page.locator("[name=answer][value=challenge]").click()
    expect(page.get_by_role("alertdialog")).to_be_visible()
    is_fit(page)
    cast.say(game, second, "challenge")
    is_fit(look(waiting(state_of(game))[0]))
    while not isinstance((state := state_of(game)).phase, Over):
        cast.say(game, *next_answer(state, played(store.load(game).steps)))
    page = look(first)
    expect(page.locator("#ranking-head")).to_be_visible()
    is_fit(page)


def test_six_at_a_table_with_everything_fit_on_a_phone(
    new_context: NewContext, live_asgi: str
) -> None:
    game = running_game(6, inquisitor=True, factions=True)
    first = state_of(game).turn
    page = sign_in(new_context(), NAMES[first], live_asgi)
    page.goto(f"/g/{game.public_id}/")
    is_fit(page)
    cast.say(game, first, "foreign_aid")
    other = waiting(state_of(game))[0]
    page = sign_in(new_context(), NAMES[other], live_asgi)
    page.goto(f"/g/{game.public_id}/")
    is_fit(page)
