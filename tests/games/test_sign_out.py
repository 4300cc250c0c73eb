"""Whoever is signed out, in whatever way, is signed out everywhere it should be: the pages that are
open in those browsers hear nothing more, and show nothing more."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from channels.routing import URLRouter
from channels.testing import WebsocketCommunicator
from django.conf import settings
from django.test import Client
from django.utils import timezone

from accounts import guests
from accounts.models import SanctionKind, User
from coupsite import asgi
from games import consumers
from games.consumers import COME_BACK, NOT_FOR_YOU
from games.models import Game, Visibility
from games.moderation import people
from games.moderation.desk import Decision
from games.routing import websocket_urlpatterns
from tests.accounts.cast import PASSWORD, client_of, mailed_code, member
from tests.accounts.staff import code, with_second_factor
from tests.games.cast import running_game
from tests.games.moderation.staff import mod
from tests.games.test_sockets import PATIENCE, all_done

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.services]

NEW = "battery staple"


class Browser:
    """A browser with pages open, by its cookies alone, as the real site has it."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.pages: list[WebsocketCommunicator] = []

    async def open(self, path: str = "/ws/") -> bool:
        cookie = self.client.cookies.get(settings.SESSION_COOKIE_NAME)
        headers = [(b"host", b"localhost"), (b"origin", b"http://localhost")]
        if cookie:
            headers.append((b"cookie", f"{cookie.key}={cookie.value}".encode()))
        application: Any = asgi.application
        page = WebsocketCommunicator(application, path, headers)
        opened, _code = await page.connect(timeout=PATIENCE)
        if opened:
            self.pages.append(page)
        return opened

    async def codes(self) -> list[int]:
        """With what each page's socket was closed; 0 where it is open."""
        await all_done()
        return [await self._code(page) for page in self.pages]

    async def _code(self, page: WebsocketCommunicator) -> int:
        while not await page.receive_nothing(timeout=0.2):
            output = await page.receive_output(timeout=PATIENCE)
            if output["type"] == "websocket.close":
                return int(output["code"])
        return 0


@pytest.fixture(autouse=True)
def _quick_hashes(settings: Any) -> Iterator[None]:
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    yield
    consumers._open.clear()


async def two_browsers(who: Callable[[], User]) -> tuple[User, Browser, Browser, Browser]:
    """A person here and elsewhere, and somebody else; all look at a page."""
    user = await sync_to_async(who)()
    other = await sync_to_async(member)("Vuk")
    browsers = [Browser(await sync_to_async(client_of)(one)) for one in (user, user, other)]
    for browser in browsers:
        assert await browser.open()
    return (user, *browsers)


async def post(browser: Browser, path: str, **given: str) -> Any:
    return await sync_to_async(browser.client.post)(path, given)


async def signed_in(browser: Browser) -> bool:
    response: Any = await sync_to_async(browser.client.get)("/account/profile/")
    return bool(response.status_code == 200)


async def test_signing_out_closes_the_pages_of_that_browser_alone() -> None:
    _, here, elsewhere, other = await two_browsers(member)
    await here.open()
    await post(here, "/account/logout/")
    assert await here.codes() == [NOT_FOR_YOU, NOT_FOR_YOU]
    assert await elsewhere.codes() == await other.codes() == [0]
    assert await signed_in(elsewhere)
    assert not await here.open()


async def test_signing_out_everywhere_closes_them_all() -> None:
    _, here, elsewhere, other = await two_browsers(member)
    await post(here, "/account/sign-out-everywhere/")
    assert await here.codes() == await elsewhere.codes() == [NOT_FOR_YOU]
    assert await other.codes() == [0]
    assert not await signed_in(elsewhere)
    assert not await elsewhere.open()


async def test_a_new_password_leaves_only_the_browser_in_which_it_was_given() -> None:
    _, here, elsewhere, other = await two_browsers(member)
    given = {"oldpassword": PASSWORD, "password1": NEW}
    response = await post(here, "/account/password/", **given)
    assert response.status_code == 302
    assert await here.codes() == [COME_BACK]
    assert await elsewhere.codes() == [NOT_FOR_YOU]
    assert await other.codes() == [0]
    assert await signed_in(here)
    assert not await signed_in(elsewhere)
    assert await here.open()
    assert not await elsewhere.open()


async def test_a_forgotten_password_leaves_none() -> None:
    user, here, elsewhere, other = await two_browsers(member)
    stranger = Browser(Client())
    await post(stranger, "/account/reset/", email=str(user.email))
    mailed = await sync_to_async(mailed_code)()
    await post(stranger, "/account/reset/confirm/", code=mailed)
    assert await here.codes() == [0], "nothing has happened yet"
    await post(stranger, "/account/reset/password/", password1=NEW)
    assert await here.codes() == await elsewhere.codes() == [NOT_FOR_YOU]
    assert await other.codes() == [0]
    assert not await signed_in(here)
    assert not await signed_in(elsewhere)


async def test_a_ban_closes_all_pages_and_every_door() -> None:
    user, here, elsewhere, other = await two_browsers(member)
    decision = Decision(await sync_to_async(mod)(), "Because.", "t", timezone.now())
    ban = sync_to_async(people.impose)
    await ban(decision, user_id=user.pk, kind=SanctionKind.BAN, lasts=None)
    assert await here.codes() == await elsewhere.codes() == [NOT_FOR_YOU]
    assert await other.codes() == [0]
    assert not await signed_in(here)
    assert not await elsewhere.open()


@pytest.mark.parametrize("playing", [False, True])
async def test_closing_the_account_closes_its_pages_elsewhere(playing: bool) -> None:
    def ana() -> User:
        user = member("Ana")
        if playing:  # the row stays until the game has ended
            running_game(3)
        return user

    user, here, elsewhere, other = await two_browsers(ana)
    await post(here, "/account/close/", password=PASSWORD, sure="on")
    assert await User.objects.filter(pk=user.pk).aexists() == playing
    assert await elsewhere.codes() == [NOT_FOR_YOU]
    assert (await here.codes())[0] in (NOT_FOR_YOU, COME_BACK)
    assert await other.codes() == [0]
    assert not await elsewhere.open()


async def test_a_guest_who_signs_up_is_signed_in_there_alone() -> None:
    _, here, elsewhere, other = await two_browsers(lambda: guests.create("Quiet Heron"))
    given = {"email": "new@example.org", "username": "Nina", "password1": PASSWORD}
    await post(here, "/account/signup/", **given)
    await post(here, "/account/confirm/", code=await sync_to_async(mailed_code)())
    assert await here.codes() == [COME_BACK]
    assert await elsewhere.codes() == [NOT_FOR_YOU]
    assert await other.codes() == [0]
    assert await here.open()
    assert not await elsewhere.open()


async def test_a_guest_who_signs_in_leaves_no_page_of_the_guests_open() -> None:
    _, here, elsewhere, other = await two_browsers(lambda: guests.create("Quiet Heron"))
    await sync_to_async(member)("Miriam")
    await post(here, "/account/login/", login="miriam@example.org", password=PASSWORD)
    codes = await here.codes() + await elsewhere.codes()
    assert all(code in (NOT_FOR_YOU, COME_BACK) for code in codes)
    assert await other.codes() == [0]
    assert await here.open()


async def test_a_page_whose_person_is_signed_out_while_it_opens_is_not_opened() -> None:
    """The session was read; by the time its socket would hear of the end, it has ended."""
    game = await sync_to_async(running_game)(3)
    user = await User.objects.aget(name="Ana")
    await sync_to_async(user.end_sessions)()  # `user` here is as it was before
    sockets: Any = URLRouter(websocket_urlpatterns)
    for path in ("/ws/", f"/ws/g/{game.public_id}/"):
        page = WebsocketCommunicator(sockets, path)
        page.scope["user"] = user
        assert not (await page.connect(timeout=PATIENCE))[0]
        page = WebsocketCommunicator(sockets, path)
        page.scope["user"] = await User.objects.aget(pk=user.pk)
        assert (await page.connect(timeout=PATIENCE))[0]
        await page.disconnect()


async def test_at_a_private_table_a_signed_out_page_is_a_strangers() -> None:
    def table() -> Game:
        for name in ("Ana", "Ben", "Cyd"):
            member(name)
        game = running_game(3)
        Game.objects.filter(pk=game.pk).update(visibility=Visibility.PRIVATE)
        return game

    game = await sync_to_async(table)()
    ana = await User.objects.aget(name="Ana")
    here, elsewhere = [Browser(await sync_to_async(client_of)(ana)) for _ in range(2)]
    for browser in (here, elsewhere):
        assert await browser.open(f"/ws/g/{game.public_id}/")
    given = {"oldpassword": PASSWORD, "password1": NEW}
    await post(here, "/account/password/", **given)
    assert await elsewhere.codes() == [NOT_FOR_YOU]
    assert not await elsewhere.open(f"/ws/g/{game.public_id}/")
    path = f"/g/{game.public_id}/table/"
    for browser, status in ((here, 200), (elsewhere, 404)):
        response: Any = await sync_to_async(browser.client.get)(path)
        assert response.status_code == status


def test_the_key_of_a_session_changes_whenever_somebody_comes_in() -> None:
    """A key that somebody was made to use, or that was seen before, is worth nothing afterwards."""

    def key(client: Client) -> str:
        cookie = client.cookies.get(settings.SESSION_COOKIE_NAME)
        return cookie.value if cookie else ""

    def is_worthless(old: str) -> bool:
        thief = Client()
        thief.cookies[settings.SESSION_COOKIE_NAME] = old
        return thief.get("/account/password/").status_code != 200

    member("Miriam")
    client = Client()
    client.cookies[settings.SESSION_COOKIE_NAME] = planted = "a" * 32
    client.post("/account/login/", {"login": "miriam@example.org", "password": PASSWORD})
    assert key(client) != planted
    seen = [planted, key(client)]

    client.post("/account/password/", {"oldpassword": PASSWORD, "password1": NEW})
    seen.append(key(client))
    client.post("/account/logout/")
    assert len(set(seen)) == 3
    assert all(map(is_worthless, seen))

    client = Client()
    given = {"email": "n@example.org", "username": "Nina", "password1": PASSWORD}
    client.post("/account/signup/", given)
    as_guest = key(client)
    assert as_guest
    client.post("/account/confirm/", {"code": mailed_code()})
    assert key(client) != as_guest
    assert is_worthless(as_guest)
    assert client.get("/account/password/").status_code == 200


def test_the_key_changes_with_the_second_factor_too() -> None:
    user = with_second_factor(member("Miriam"))
    client = Client()
    asked = client.post("/account/login/", {"login": str(user.email), "password": PASSWORD})
    before = client.cookies[settings.SESSION_COOKIE_NAME].value
    client.post(asked.headers["Location"], {"code": code()})
    assert client.get("/account/password/").status_code == 200
    assert client.cookies[settings.SESSION_COOKIE_NAME].value != before
    thief = Client()
    thief.cookies[settings.SESSION_COOKIE_NAME] = before
    assert thief.get("/account/password/").status_code == 302
