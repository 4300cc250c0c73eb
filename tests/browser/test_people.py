"""From guest to account, in a browser; and the pages of the person, looked at with axe."""

import re
from collections.abc import Callable
from typing import Literal

import pytest
from django.test import Client
from playwright.sync_api import BrowserContext, Page, expect

from accounts import guests
from accounts.models import User
from tests.accounts.cast import PASSWORD, client_of, mailed_code, member
from tests.browser.checks import axe_violations, overflow

ANYBODYS = ["/account/login/", "/account/signup/", "/account/reset/", "/account/closed/"]
OWN = ["/account/profile/", "/account/password/", "/account/e-mail/", "/account/reauthenticate/",
       "/account/logout/"]  # fmt: skip


def admit(page: Page, address: str, client: Client) -> None:
    """Hand the session of a test client to the browser."""
    cookie = client.cookies["sessionid"]
    page.context.add_cookies([{"name": cookie.key, "value": cookie.value, "url": address}])


def is_fit(page: Page) -> None:
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    assert axe_violations(page) == [], page.url
    assert overflow(page) == 0, page.url


@pytest.mark.parametrize("javascript", [True, False])
def test_a_guest_signs_up_confirms_signs_out_and_in(
    new_context: Callable[..., BrowserContext], live_asgi: str, javascript: bool
) -> None:
    context = new_context(java_script_enabled=javascript, timezone_id="Asia/Tehran")
    page = context.new_page()
    guest = guests.create("Quiet Heron")
    admit(page, live_asgi, client_of(guest))
    page.goto("/")
    page.get_by_text("Quiet Heron").click()
    page.get_by_role("link", name="Sign up and keep your games").click()

    page.get_by_label("E-mail address").fill("miriam@example.org")
    page.get_by_label("Public name").fill("Admin")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign up").click()
    expect(page.get_by_text("This name would mislead others.")).to_be_visible()
    expect(page.get_by_label("Password")).to_have_value(PASSWORD)
    page.get_by_label("Public name").fill("Miriam")
    page.get_by_role("button", name="Sign up").click()

    page.get_by_label("Code").fill("wrong")
    page.get_by_role("button", name="Confirm").click()
    expect(page.get_by_text("This is not the code from the mail.")).to_be_visible()
    page.get_by_label("Code").fill(mailed_code())
    page.get_by_role("button", name="Confirm").click()
    expect(page.get_by_text("miriam@example.org is confirmed.")).to_be_visible()

    page.locator("summary", has_text="Miriam").click()
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_text("You are signed out.")).to_be_visible()
    page.get_by_role("link", name="Sign in").click()
    page.get_by_label("E-mail address").fill("miriam@example.org")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_text("You are signed in as Miriam.")).to_be_visible()

    miriam = User.objects.get()
    assert miriam == guest
    assert miriam.time_zone == ("Asia/Tehran" if javascript else "")
    page.goto("/account/profile/")
    expect(page.get_by_text(re.compile(r"by this clock"))).to_be_visible()


def test_the_browsers_time_zone_is_offered(
    new_context: Callable[..., BrowserContext], live_asgi: str
) -> None:
    page = new_context(timezone_id="Europe/Athens").new_page()
    user = member("Miriam")
    admit(page, live_asgi, client_of(user))
    page.goto("/account/profile/")
    page.get_by_role("button", name="Use that").click()
    expect(page.get_by_text("Your browser says")).to_be_hidden()
    page.get_by_role("button", name="Save").first.click()
    expect(page.get_by_text("by this clock (Europe/Athens)")).to_be_visible()


def test_the_menu_by_keyboard(page: Page, live_asgi: str) -> None:
    admit(page, live_asgi, client_of(member("Miriam")))
    page.goto("/")
    menu = page.locator("summary", has_text="Miriam")
    menu.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("link", name="Name and preferences")).to_be_visible()
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="People you played with")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.get_by_role("link", name="Name and preferences")).to_be_hidden()
    expect(menu).to_be_focused()


@pytest.mark.usefixtures("pseudo_languages")
@pytest.mark.parametrize("language", ["en", "en-xa", "ar-xb"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pages_fit_a_phone_and_axe_finds_nothing(
    page: Page, live_asgi: str, scheme: Literal["light", "dark"], language: str
) -> None:
    page.emulate_media(color_scheme=scheme)
    page.set_viewport_size({"width": 360, "height": 740})
    page.set_extra_http_headers({"Accept-Language": language})
    for path in ANYBODYS:
        page.goto(path)
        expect(page.locator("html")).to_have_attribute("lang", language)
        is_fit(page)
    page.goto("/account/login/")
    page.get_by_role("textbox").first.fill("a@b.example")
    page.locator("input[type=password]").fill("wrong")
    page.locator("main button").click()
    expect(page.get_by_role("alert")).to_be_visible()
    is_fit(page)
    for user in (member("Miriam"), guests.create("Wwwwwwwwwwwwww Mmmmmmmmmmmmmm")):
        admit(page, live_asgi, client_of(user))
        for path in OWN:
            page.goto(path)
            page.locator("details.menu summary").click()
            is_fit(page)
