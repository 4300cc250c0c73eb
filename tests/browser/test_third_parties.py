"""No page asks anything of anybody but this site: nobody else learns who reads what here."""

from collections.abc import Callable
from urllib.parse import urlsplit

from django.conf import settings
from django.test import Client
from playwright.sync_api import BrowserContext, Page

from games.models import Visibility
from tests.accounts.staff import staff_client
from tests.browser.players import sign_in
from tests.coupsite.everybody import routes, table
from tests.coupsite.test_bodies import fill
from tests.games.cast import person
from tests.games.moderation.staff import adm, mod

type NewContext = Callable[..., BrowserContext]


def pages_for(client: Client, ids: list[str], rows: dict[str, int]) -> list[str]:
    """The addresses at which somebody is shown a page, each once."""
    found = {}
    for route in routes():
        for public_id in ids if "public_id" in route else [""]:
            path = route.replace("<slug:public_id>", public_id).replace("<str:name>", "Ana")
            for model, pk in rows.items():
                path = path.replace(f"/{model}/<path:object_id>", f"/{model}/{pk}")
            path = fill(path.replace("^(?P<app_label>games|accounts)/$", "games/"))
            if "(?P" in path or "logout" in path:
                continue
            answer = client.get(path)
            is_page = answer.headers.get("Content-Type", "").startswith("text/html")
            if answer.status_code == 200 and is_page and "Content-Disposition" not in answer:
                found[path] = True
    return list(found)


def walk(page: Page, paths: list[str], address: str) -> list[str]:
    """What else than this site was asked for on the way."""
    asked: list[str] = []
    page.set_default_timeout(60_000)  # so many pages: some are slow on a busy machine
    page.on("request", lambda request: asked.append(request.url))
    page.on("websocket", lambda socket: asked.append(socket.url))
    for path in paths:
        page.goto(path)
    page.wait_for_timeout(500)
    assert len(asked) > 5 * len(paths), "styles, scripts and fonts were seen, too"
    assert any(url.startswith("ws://") for url in asked) or "/account/profile/" not in paths
    here = urlsplit(address).netloc
    return [url for url in asked if urlsplit(url).netloc != here and not url.startswith("data:")]


def test_no_page_asks_anything_of_anybody_else(
    new_context: NewContext, live_asgi: str, complaints: list[str]
) -> None:
    seated = {kind: person(name) for kind, name in zip("pxmubP", NAMES, strict=True)}
    people = seated | {"L": adm(), "M": mod()}
    for user in people.values():
        user.set_password("correct horse")
        user.save()
    games = [table(people, state, Visibility.PUBLIC) for state in ("waiting", "running", "ended")]
    ids = [game.public_id for game in games]
    stranger = pages_for(Client(), ids[1:], {})
    assert len(stranger) > 20
    assert walk(new_context().new_page(), stranger, live_asgi) == []

    ana = Client()
    ana.force_login(person("Ana"))
    paths = pages_for(ana, ids, {})
    assert len(paths) > 35
    assert walk(sign_in(new_context(), "Ana", live_asgi), paths, live_asgi) == []

    staff, name = staff_client(adm()), settings.SESSION_COOKIE_NAME
    paths = [
        path
        for path in pages_for(staff, [], {"game": games[1].pk, "user": person("Ana").pk})
        if path.startswith("/admin/")
    ]
    assert len(paths) > 8
    context = new_context()
    context.add_cookies([{"name": name, "value": staff.cookies[name].value, "url": live_asgi}])
    assert walk(context.new_page(), paths, live_asgi) == []
    assert complaints == []


NAMES = ("Ana", "Eve", "Mut", "Sue", "Bob", "Pia")
