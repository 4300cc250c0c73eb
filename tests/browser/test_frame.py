"""The frame of every page, on the pages that have little else."""

from typing import Literal

import pytest
from playwright.sync_api import Page, expect

from tests.browser.checks import axe_violations, overflow

PAGES = ["/", "/no-such-page/"]


def quiet_about_404(complaints: list[str]) -> None:
    """Chromium calls a page's own 404 an error; here it is what is asked for."""
    complaints[:] = [line for line in complaints if "404 (Not Found)" not in line]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("path", PAGES)
def test_axe_finds_nothing(
    page: Page, path: str, scheme: Literal["light", "dark"], complaints: list[str]
) -> None:
    page.emulate_media(color_scheme=scheme)
    page.goto(path)
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    assert axe_violations(page) == []
    quiet_about_404(complaints)


@pytest.mark.usefixtures("pseudo_languages")
@pytest.mark.parametrize("language", ["en", "en-xa", "ar-xb"])
@pytest.mark.parametrize("path", PAGES)
def test_nothing_is_wider_than_a_phone(
    page: Page, path: str, language: str, complaints: list[str]
) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    page.set_extra_http_headers({"Accept-Language": language})
    page.goto(path)
    expect(page.locator("html")).to_have_attribute("lang", language)
    assert overflow(page) == 0
    quiet_about_404(complaints)


def test_the_skip_link_comes_first_and_leads_to_the_content(page: Page) -> None:
    page.goto("/")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#main")).to_be_focused()
