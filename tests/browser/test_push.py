"""Pushes in a browser: turned on, shown, clicked, turned off; a page for when there is no network.

A headless browser has no push service: what it would have been told is put in its place, and what
the site then sends is handed to the worker by the devtools.
"""

from collections.abc import Callable, Iterator
from urllib.parse import urlsplit

import pytest
from django.utils import timezone
from playwright.sync_api import BrowserContext, Page, Worker, expect
from pytest_django import Settings

from accounts.models import PushSubscription
from tests.browser.checks import axe_violations, overflow
from tests.browser.conftest import Site
from tests.browser.players import expect_soon, sign_in
from tests.games.cast import running_game, say, state_of, tenure_of
from tests.push_service import Browser, PushService, push_service

type NewContext = Callable[..., BrowserContext]

# What the browser holds outlives a page, as the real one does.
STAND_IN = """
  const held = () => localStorage.held ? {
    toJSON: () => JSON.parse(localStorage.held),
    unsubscribe: async () => { delete localStorage.held; return true; },
  } : null;
  PushManager.prototype.getSubscription = async () => held();
  PushManager.prototype.subscribe = async ({ userVisibleOnly, applicationServerKey }) => {
    if (!userVisibleOnly || applicationServerKey.length !== 87) throw new TypeError("no such key");
    localStorage.held = '%s';
    return held();
  };
"""


@pytest.fixture
def service(settings: Settings) -> Iterator[PushService]:
    with push_service() as running:
        settings.PUSH_STAND_IN = running.origin
        yield running


def device(new_context: NewContext, address: str, browser: Browser, name: str = "Ana") -> Page:
    """A page of this person, in a browser that takes pushes."""
    context = new_context()
    context.grant_permissions(["notifications"], origin=address)
    context.add_init_script(STAND_IN % browser.json)
    return sign_in(context, name, address)


def worker_of(page: Page) -> Worker:
    """The service worker, once it runs."""
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    (worker,) = page.context.service_workers
    return worker


def deliver(page: Page, data: str) -> None:
    """What a push service would do: hand this to the worker."""
    devtools = page.context.new_cdp_session(page)
    found: list[str] = []
    devtools.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda told: found.extend(one["registrationId"] for one in told["registrations"]),
    )
    devtools.send("ServiceWorker.enable")
    expect_soon(page, lambda: bool(found))
    where = urlsplit(page.url)
    devtools.send(
        "ServiceWorker.deliverPushMessage",
        {"origin": f"{where.scheme}://{where.netloc}", "registrationId": found[0], "data": data},
    )
    devtools.detach()


def shown(worker: Worker) -> list[dict[str, object]]:
    """The messages that the device shows."""
    notes: list[dict[str, object]] = worker.evaluate(
        "self.registration.getNotifications().then(all => all.map(({ title, body, tag, data }) =>"
        " ({ title, body, tag, data })))"
    )
    return notes


def turn_on(page: Page) -> None:
    page.goto("/account/profile/")
    page.get_by_role("button", name="Turn on for this device").click()
    expect(page.get_by_text("This device is told when you are asked.")).to_be_visible()


def test_a_question_is_pushed_shown_and_clicked(
    new_context: NewContext, live_asgi: str, service: PushService
) -> None:
    browser = service.browser()
    page = device(new_context, live_asgi, browser)
    turn_on(page)
    game = running_game(2, seed=bytes(32))
    for _ in range(2):  # asked now, and not at the noon of the tests
        say(game, state_of(game).turn, "income", timezone.now())
    if tenure_of(game, state_of(game).turn).name != "Ana":
        say(game, state_of(game).turn, "income", timezone.now())
    worker = worker_of(page)
    seen: list[str] = []

    def read() -> bool:
        seen[:] = [plain.decode() for plain in service.plain(browser)]
        return any("Choose one action" in text for text in seen)

    expect_soon(page, read)  # the worker of the site sends it
    for text in seen:
        deliver(page, text)
    table = f"/g/{game.public_id}/"
    asked = f"{game.name}: Choose one action and announce it."
    expect_soon(page, lambda: asked in [note["title"] for note in shown(worker)])
    before = len(shown(worker))
    deliver(page, seen[-1])
    assert len(shown(worker)) == before, "a repeat takes the place of the first"

    page.goto("/lobby/")
    assert click(worker, asked) == table
    page.goto(table)
    expect(
        page.locator("#sentence").get_by_text("Choose one action and announce it.")
    ).to_be_visible()
    expect_soon(page, lambda: not shown(worker))


def click(worker: Worker, title: str) -> str:
    """Click a message; where a window is opened. It takes a person to be allowed to open one."""
    opened: str = worker.evaluate(
        """(title) => new Promise(async (done) => {
          const all = await self.registration.getNotifications();
          const notification = all.find((one) => one.title === title);
          self.clients.openWindow = async (url) => done(url);
          self.dispatchEvent(new NotificationEvent("notificationclick", { notification }));
        })""",
        title,
    )
    return opened


def test_it_is_turned_on_and_off_again_and_ends_with_the_session(
    new_context: NewContext, live_asgi: str, service: PushService
) -> None:
    browser = service.browser()
    page = device(new_context, live_asgi, browser)
    page.goto("/account/profile/")
    page.get_by_role("button", name="Turn on for this device").click()
    off = page.get_by_role("button", name="Turn off on this device")
    expect(off).to_be_focused()
    assert PushSubscription.objects.get().endpoint == browser.endpoint
    assert axe_violations(page) == []
    page.set_viewport_size({"width": 360, "height": 740})
    assert overflow(page) == 0
    off.click()
    expect(page.get_by_role("button", name="Turn on for this device")).to_be_visible()
    assert not PushSubscription.objects.exists()
    expect_soon(page, lambda: not is_held(page))

    turn_on(page)
    page.goto("/account/logout/")
    page.locator("main").get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("link", name="Sign in")).to_be_visible()
    assert not PushSubscription.objects.exists()
    expect_soon(page, lambda: not is_held(page))


def is_held(page: Page) -> bool:
    """Whether the browser still holds a subscription."""
    return page.evaluate("localStorage.held ?? null") is not None


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ("denied", "Your browser has been told not to show messages of this site"),
        ("default", "You have not said yes yet"),
    ],
)
def test_a_no_is_taken_kindly(
    new_context: NewContext, live_asgi: str, answer: str, words: str
) -> None:
    context = new_context()
    # Nobody is asked before they click.
    context.add_init_script(
        f"window.asked = 0; Notification.requestPermission = async () => (asked++, '{answer}');"
    )
    page = sign_in(context, "Ana", live_asgi)
    page.goto("/account/profile/")
    button = page.get_by_role("button", name="Turn on for this device")
    expect(button).to_be_visible()
    assert page.evaluate("asked") == 0
    button.click()
    expect(page.get_by_text(words)).to_be_visible()
    assert page.evaluate("asked") == 1
    assert axe_violations(page) == []
    expect(button).to_be_visible(visible=answer == "default")
    assert not PushSubscription.objects.exists()


def test_without_a_network_it_says_so_and_keeps_nothing_of_anybody(
    new_context: NewContext, site: Site, service: PushService, complaints: list[str]
) -> None:
    page = device(new_context, site.address, service.browser())
    turn_on(page)
    game = running_game(2)
    worker_of(page)
    table = f"/g/{game.public_id}/"
    page.goto(table)
    site.stop()
    page.goto(table)
    expect(page.get_by_role("heading", name="No connection")).to_be_visible()
    kept = page.evaluate(
        """async () => {
          const found = [];
          for (const name of await caches.keys()) {
            const kept = await (await caches.open(name)).keys();
            for (const { url } of kept) found.push(new URL(url).pathname);
          }
          return found.sort();
        }"""
    )
    assert kept == ["/offline/", "/static/css/base.css", "/static/css/tokens.css"]
    site.start()
    page.get_by_role("link", name="Try again").click()
    expect(page.locator("#table")).to_be_visible()
    # What was under way as the site stopped failed, too.
    expected = ("net::ERR", "WebSocket", "htmx:ws:error", "Failed to fetch")
    complaints[:] = [line for line in complaints if not any(part in line for part in expected)]


def test_chromium_finds_the_manifest_in_order(new_context: NewContext, live_asgi: str) -> None:
    page = new_context().new_page()
    page.goto(live_asgi)
    devtools = page.context.new_cdp_session(page)
    found = devtools.send("Page.getAppManifest")
    assert found["url"] == f"{live_asgi}/manifest.webmanifest"
    assert found["errors"] == []
    errors = devtools.send("Page.getInstallabilityErrors")["installabilityErrors"]
    # A context of a test is private, and nothing else may be in the way.
    assert {error["errorId"] for error in errors} <= {"in-incognito"}
