"""A standing order in a browser: set, fired, switched off."""

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, expect

from tests.browser.checks import axe_violations, overflow
from tests.browser.players import at_one_table, look, say


@pytest.mark.parametrize("width", [360, 1440])
def test_an_order_is_set_fires_and_is_switched_off(
    new_context: Callable[..., BrowserContext], live_asgi: str, width: int
) -> None:
    game, (first, second, third) = at_one_table(new_context, live_asgi)
    page = second.page
    page.set_viewport_size({"width": width, "height": 800})
    if width < 768:
        page.locator("#tab-orders").click()
    page.locator("#orders-more").click()
    page.locator("#new-allow-head").click()
    says = page.locator("#says-allow")
    expect(says).to_contain_text("Whatever anybody claims")
    page.get_by_label("Which role", exact=True).select_option("duke")
    expect(says).to_contain_text("If anybody claims the Duke, allow it at once.")
    assert not axe_violations(page)
    assert not overflow(page)
    page.locator("#set-allow").click()
    expect(page.locator("ol.orders")).to_contain_text("If anybody claims the Duke")

    look(second, game)
    say(first.page, "tax")
    expect(page.locator("#sentence")).to_contain_text("Your standing order said so.")
    expect(page.locator("[id^=question-]")).to_have_count(0)
    expect(third.page.locator("[id^=question-]")).to_be_visible()
    say(third.page, "allow")
    expect(page.locator("#log-lines")).to_contain_text("by your standing order")
    assert "by your standing order" not in third.page.locator("#log-lines").inner_text()

    if width < 768:
        page.locator("#tab-orders").click()
    switch = page.locator("#orders [role=switch]")
    expect(switch).to_have_attribute("aria-checked", "true")
    switch.click()
    expect(page.locator("#orders [role=switch]")).to_have_attribute("aria-checked", "false")
    if width < 768:
        page.locator("#tab-table").click()
    say(page, "income")
    say(third.page, "tax")
    expect(page.locator("button[name=answer][value=allow]")).to_be_visible()
    page.wait_for_timeout(700)  # the worker looks five times a second
    expect(page.locator("button[name=answer][value=allow]")).to_be_visible()
