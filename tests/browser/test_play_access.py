"""A table for everybody: by keyboard, aloud, by day and by night, on small screens."""

from collections.abc import Callable
from typing import Literal

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from accounts.models import User
from games import store
from games.engine.state import Over, waiting
from games.models import Tenure
from games.timing import HOUR, Pace
from tests.browser.checks import axe_violations, overflow, sticking_out
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
    expect(page.locator("#confirm-text b")).to_have_css("display", "inline")  # in its line
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


@pytest.mark.parametrize(("size", "locale"), [(4, "en-xa"), (6, "ar-xb")])
@pytest.mark.usefixtures("pseudo_languages")
def test_the_longest_names_and_marks_stay_on_their_plaques(
    new_context: NewContext, live_asgi: str, size: int, locale: str
) -> None:
    game = running_game(size, pace=Pace.RELAXED, inquisitor=True, factions=True)
    for seat in range(size):
        User.objects.filter(name=NAMES[seat]).update(name="WMЖЩم@"[seat] * 30)
        Tenure.objects.filter(game=game, seat__index=seat).update(
            bank=84 * HOUR, absent_since=cast.NOON if seat % 2 else None
        )
    first = state_of(game).turn
    cast.say(game, first, "tax")
    asked = cast.tenure_of(game, (first + 1) % size)
    for name in (asked.name, "Somebody"):
        page = sign_in(new_context(locale=locale), name, live_asgi)
        page.goto(f"/g/{game.public_id}/")
        for width in (360, 768, 1440):
            page.set_viewport_size({"width": width, "height": 800})
            assert sticking_out(page, ".seat") == [], width
            assert overflow(page) == 0, width
    page = sign_in(new_context(locale=locale), asked.name, live_asgi)
    page.goto(f"/g/{game.public_id}/")
    for width in (360, 1024, 1440):
        page.set_viewport_size({"width": width, "height": 800})
        head, site = (page.locator(it).bounding_box() for it in (".play__head", ".top nav"))
        assert head
        assert site
        apart = head["x"] - site["x"] - site["width"], site["x"] - head["x"] - head["width"]
        assert max(apart) >= 0, f"the one in the other's way at {width}"


def test_autopilot_is_told_beside_ones_cards_above_the_answers(
    new_context: NewContext, live_asgi: str
) -> None:
    game = running_game(3)
    turn = state_of(game).turn
    Tenure.objects.filter(game=game, seat__index=turn).update(autopilot_since=cast.NOON)
    page = sign_in(new_context(), NAMES[turn], live_asgi)
    page.set_viewport_size({"width": 1440, "height": 900})
    page.goto(f"/g/{game.public_id}/")
    told, answers = page.locator("#away").bounding_box(), page.locator("form.turn").bounding_box()
    assert told
    assert answers
    assert (told["x"], told["width"]) == (answers["x"], answers["width"])
    assert told["width"] > 400
    assert told["y"] < answers["y"]
