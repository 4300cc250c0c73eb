"""What waits for a person, on every page of theirs, on every device."""

import re
from collections.abc import Callable
from zoneinfo import ZoneInfo

from django.conf import settings
from playwright.sync_api import BrowserContext, Page, expect

from games import store
from games.models import Game
from tests.accounts.staff import staff_client
from tests.browser.checks import axe_violations
from tests.browser.players import SOON, Player, at_one_table, say, sign_in
from tests.games.cast import running_game
from tests.games.moderation.staff import worker

type NewContext = Callable[..., BrowserContext]


def counts(page: Page, waiting: int) -> None:
    """How many tables wait, in the header and in the title."""
    expect(page.locator("#waiting")).to_have_attribute("data-count", str(waiting), timeout=SOON)
    start = rf"\({waiting}\) " if waiting else r"[^(]"
    expect(page).to_have_title(re.compile(f"^{start}"), timeout=SOON)


def pages_of(player: Player, new_context: NewContext, address: str, game: Game) -> list[Page]:
    """Every kind of page that is not a table, on two devices."""
    devices = [player.page.context, sign_in(new_context(), player.name, address).context]
    kinds = (
        ("/", "/account/profile/", "/new/"),
        ("/lobby/", "/account/e-mail/", f"/g/{game.public_id}/replay/", "/no/such/page/"),
    )
    pages = []
    for device, paths in zip(devices, kinds, strict=True):
        for path in paths:
            pages.append(device.new_page())
            pages[-1].goto(path)
    return pages


def only_missing_pages(complaints: list[str]) -> None:
    complaints[:] = [line for line in complaints if "Failed to load resource" not in line]


def test_every_page_on_every_device_counts_and_leads_on(
    new_context: NewContext, live_asgi: str, complaints: list[str]
) -> None:
    game, (first, second, _third) = at_one_table(new_context, live_asgi)
    pages = pages_of(second, new_context, live_asgi, game)
    for page in pages:
        counts(page, 0)
    say(first.page, "tax")
    for page in [second.page, *pages]:
        counts(page, 1)
    for page in pages:
        expect(page.locator("#toast")).to_be_visible()
    pages[-1].keyboard.press("n")
    pages[-1].wait_for_url(f"**/g/{game.public_id}/")
    say(pages[-1], "allow")
    for page in [second.page, *pages]:
        counts(page, 0)
    for page in pages[:-1]:
        expect(page.locator("#toast")).to_be_hidden()
    only_missing_pages(complaints)


def test_the_lists_of_the_first_page_follow_and_keep_focus_and_place(
    new_context: NewContext, live_asgi: str
) -> None:
    game, (first, second, _third) = at_one_table(new_context, live_asgi)
    others = (running_game(3, seed=bytes([number] * 32)) for number in range(9))
    other = next(game for game in others if store.load(game).state.turn != second.seat)
    page = sign_in(new_context(viewport={"width": 360, "height": 300}), second.name, live_asgi)
    page.goto("/")
    going = page.locator(f"#going-{game.public_id}")
    expect(going).to_have_count(1)
    link = page.locator(f"#at-{other.public_id}")
    link.focus()
    place = page.evaluate("scrollY")
    assert place > 0
    waits = page.locator(f"#asked-{game.public_id}")
    say(first.page, "tax")
    expect(waits).to_have_count(1, timeout=SOON)
    expect(going).to_have_count(0)
    expect(link).to_be_focused()
    expect(link).to_be_in_viewport()
    say(second.page, "allow")
    expect(waits).to_have_count(0, timeout=SOON)
    expect(going).to_have_count(1)
    expect(link).to_be_focused()
    assert abs(page.evaluate("scrollY") - place) < 50


def in_the_administration(
    player: Player, new_context: NewContext, address: str, **options: object
) -> Page:
    """A player moderates too, in another browser."""
    client = staff_client(worker(player.name, "moderator"))
    name = settings.SESSION_COOKIE_NAME
    context = new_context(**options)
    context.add_cookies([{"name": name, "value": client.cookies[name].value, "url": address}])
    page = context.new_page()
    page.goto("/admin/")
    expect(page.get_by_role("heading", name="Administration", exact=True)).to_be_visible()
    return page


def test_whoever_moderates_is_called_from_the_administration(
    new_context: NewContext, live_asgi: str
) -> None:
    game, (first, second, _third) = at_one_table(new_context, live_asgi)
    page = in_the_administration(second, new_context, live_asgi)
    counts(page, 0)
    say(first.page, "tax")
    counts(page, 1)
    expect(page.locator("#toast")).to_be_visible()
    assert axe_violations(page) == []
    page.keyboard.press("n")
    page.wait_for_url(f"**/g/{game.public_id}/")


def test_a_refusal_that_is_a_page_has_its_own_title(
    new_context: NewContext, live_asgi: str, complaints: list[str]
) -> None:
    _game, (first, _second, _third) = at_one_table(new_context, live_asgi)
    counts(first.page, 1)
    first.page.context.clear_cookies(name="csrftoken")
    first.page.locator("[name=act][value=income]").check()
    first.page.get_by_role("button", name="Announce it").click()
    expect(first.page.get_by_role("heading", name="You may not do that")).to_be_visible()
    expect(first.page).to_have_title("(1) You may not do that")
    only_missing_pages(complaints)


def test_signed_out_everywhere_a_page_elsewhere_counts_no_more(
    new_context: NewContext, live_asgi: str
) -> None:
    _, (first, second, _third) = at_one_table(new_context, live_asgi)
    away = sign_in(new_context(), second.name, live_asgi)
    with away.expect_websocket() as opened:
        away.goto("/lobby/")
    counts(away, 0)
    here = second.page.context.new_page()
    here.goto("/account/profile/")
    with opened.value.expect_event("close"):
        here.get_by_role("button", name="Sign out everywhere").click()
    say(first.page, "tax")
    away.wait_for_timeout(500)
    assert away.locator("#waiting").get_attribute("data-count") == "0"


def test_a_stranger_reads_the_deadline_by_their_own_clock(
    new_context: NewContext, live_asgi: str
) -> None:
    game = running_game(2)
    due = game.windows.get().deadline
    for zone in ("Asia/Tokyo", "America/St_Johns"):
        page = new_context(timezone_id=zone, locale="en-GB").new_page()
        page.goto(f"/g/{game.public_id}/")
        hour = due.astimezone(ZoneInfo(zone)).strftime("%-I:%M")
        expect(page.locator("time[data-utc]")).to_contain_text(hour)
    without = new_context(java_script_enabled=False).new_page()
    without.goto(f"/g/{game.public_id}/")
    expect(without.locator("time[data-utc]")).to_contain_text(due.strftime("%-I:%M"))
    expect(without.locator("time[data-utc]")).to_contain_text("UTC")


def test_a_table_that_is_seen_says_so_to_the_site_alone(
    new_context: NewContext, live_asgi: str
) -> None:
    game, (first, second, _third) = at_one_table(new_context, live_asgi)
    beats: list[str] = []
    second.page.on("request", lambda request: beats.append(request.url))
    second.page.clock.install()
    second.page.reload()
    frames: list[str] = []
    first.page.on("request", lambda request: frames.append(request.url))
    for _ in range(19):  # in steps: what is on the way must not be out of time by this clock
        second.page.clock.run_for(5_000)
        second.page.wait_for_timeout(300)
    seen = [url for url in beats if url.endswith(f"/g/{game.public_id}/beat/")]
    assert len(seen) == 4  # at once, and every 30 seconds
    assert frames == []
