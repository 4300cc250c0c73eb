"""What somebody has in hand while a table is fetched again: focus, place, panels, half a choice;
and clicks that come late, or twice."""

from collections.abc import Callable

from playwright.sync_api import APIResponse, BrowserContext, Route, expect

from tests.browser.players import SOON, at_one_table, moves, rename, say, sign_in, tag_for

type NewContext = Callable[..., BrowserContext]

FRAGMENTS = "**/table/*"


# Refreshed


def test_half_a_choice_outlasts_what_others_do(new_context: NewContext, live_asgi: str) -> None:
    _game, (first, second, third) = at_one_table(new_context, live_asgi)
    page = first.page
    page.set_viewport_size({"width": 1100, "height": 600})
    page.locator("[name=act][value=steal]").check()
    page.locator("#fold-rules summary").click()
    page.locator(f"[name=target][value='{second.seat}']").check()
    page.mouse.wheel(0, 150)
    page.wait_for_timeout(300)  # it scrolls smoothly
    page.locator(f"[name=target][value='{second.seat}']").focus()
    before = page.evaluate("[scrollY, document.activeElement.id]")
    rename(third, "Cydonia")
    expect(page.locator(f"#seat-{third.seat}")).to_contain_text("Cydonia", timeout=SOON)
    assert page.evaluate("[scrollY, document.activeElement.id]") == before
    expect(page.locator("#fold-rules")).to_have_attribute("open", "")
    page.get_by_role("button", name="Announce it").click()
    expect(second.page.locator("#claim")).to_contain_text("from you", timeout=SOON)


def test_a_reader_keeps_the_place(new_context: NewContext, live_asgi: str) -> None:
    game, (first, second, third) = at_one_table(new_context, live_asgi)
    page = third.page
    page.set_viewport_size({"width": 800, "height": 500})
    page.locator("#fold-rules summary").click()
    summary = page.locator("#fold-rules-head")
    summary.focus()
    say(first.page, "tax")
    expect(page.locator("[id^=question-]")).to_have_count(1, timeout=SOON)
    say(second.page, "challenge")
    expect(page.locator("#tag")).to_have_value(tag_for(third, game), timeout=SOON)
    expect(summary).to_be_focused()
    expect(summary).to_be_in_viewport()
    expect(page.locator("#fold-rules")).to_have_attribute("open", "")


def test_what_comes_late_does_not_turn_the_table_back(
    new_context: NewContext, live_asgi: str
) -> None:
    _game, (first, second, third) = at_one_table(new_context, live_asgi)
    page = second.page
    say(first.page, "tax")
    question = page.locator("[id^=question-]")
    expect(question).to_be_visible(timeout=SOON)
    on_the_way: list[tuple[Route, APIResponse]] = []

    def delay(route: Route) -> None:
        """The server has answered the first; the answer is slow to come."""
        if on_the_way:
            route.continue_()
        else:
            on_the_way.append((route, route.fetch()))

    page.route(FRAGMENTS, delay)
    rename(third, "Cydonia")
    expect(page.locator("#table")).to_be_visible()
    while not on_the_way:
        page.wait_for_timeout(20)
    say(page, "allow")
    expect(page.locator(f"#seat-{third.seat}")).to_contain_text("Cydonia")
    route, table = on_the_way[0]
    assert "question-" in table.text()
    page.evaluate(
        """() => {
            window.turnedBack = false;
            new MutationObserver(() => {
              if (document.querySelector("[id^=question-]")) window.turnedBack = true;
            }).observe(document.body, {childList: true, subtree: true});
        }"""
    )
    route.fulfill(response=table)
    page.wait_for_timeout(500)
    assert page.evaluate("window.turnedBack") is False


# Too late, and twice


def test_a_stale_tab_is_told_and_shown_the_table(
    new_context: NewContext, live_asgi: str, complaints: list[str]
) -> None:
    game, (first, second, third) = at_one_table(new_context, live_asgi)
    plain = sign_in(new_context(java_script_enabled=False), second.name, live_asgi)
    say(first.page, "tax")
    plain.goto(f"/g/{game.public_id}/")
    expect(second.page.locator("[id^=question-]")).to_be_visible(timeout=SOON)
    second.page.route(FRAGMENTS, lambda route: route.fulfill(status=204))
    say(third.page, "challenge")
    before = moves(game)
    for page in (second.page, plain):
        page.locator("button[name=answer][value=allow]").click()
        notice = page.get_by_role("alert")
        expect(notice).to_contain_text("The table has moved on.")
        expect(notice).to_contain_text(f"Meanwhile: {third.name} challenges")
        expect(page.locator("#tag")).to_have_value(tag_for(second, game))
        expect(page.locator("button[name=answer][value=allow]")).to_have_count(0)
    assert moves(game) == before
    complaints[:] = [line for line in complaints if "409 (Conflict)" not in line]


def test_a_double_click_is_one_answer(new_context: NewContext, live_asgi: str) -> None:
    game, (first, second, third) = at_one_table(new_context, live_asgi)
    plain = sign_in(new_context(java_script_enabled=False), third.name, live_asgi)
    first.page.locator("[name=act][value=tax]").check()
    first.page.get_by_role("button", name="Announce it").dblclick()
    expect(second.page.locator("[id^=question-]")).to_be_visible(timeout=SOON)
    assert moves(game) == 1
    second.page.locator("button[name=answer][value=allow]").dblclick()
    expect(second.page.locator("[id^=question-]")).to_have_count(0, timeout=SOON)
    plain.goto(f"/g/{game.public_id}/")
    plain.locator("button[name=answer][value=allow]").dblclick()
    expect(plain.locator("#claim")).to_contain_text("turn")
    assert moves(game) == 3
    for page in (first.page, second.page, plain):
        expect(page.get_by_role("alert")).to_have_count(0)


def test_the_second_of_two_clicks_answers_no_new_question(
    new_context: NewContext, live_asgi: str
) -> None:
    game, (first, second, _third) = at_one_table(new_context, live_asgi)
    say(first.page, "tax")
    page = second.page
    page.locator("button[name=answer][value=challenge]").click(timeout=SOON)
    sure = page.locator("#confirm-yes")
    box = sure.bounding_box(timeout=SOON)
    assert box
    # The pointer may be on "Yes" by now, but this click belongs to the one before.
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down(click_count=2)
    page.mouse.up(click_count=2)
    page.wait_for_timeout(300)
    assert moves(game) == 1
    sure.click()
    expect(sure).to_have_count(0, timeout=SOON)
    assert moves(game) == 2
