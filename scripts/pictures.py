"""The pictures of README.md: `make pictures`. A site of its own, in a throwaway data folder.

python -m scripts.pictures [FOLDER]
"""

import os
import sys
import tempfile
import threading
import time
from base64 import b64decode
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unittest import mock

if TYPE_CHECKING:
    from playwright.sync_api import Page

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "pictures"


@dataclass(frozen=True, slots=True)
class Picture:
    """A screenful, wide and high; `address` may name the games of the demo in braces."""

    name: str
    address: str
    size: tuple[int, int]
    dark: bool = False


DESK, PHONE = (1440, 1100), (390, 844)
PICTURES = (
    Picture("table", "/g/{tense}/", DESK),
    Picture("table-dark", "/g/{tense}/", DESK, dark=True),
    Picture("table-phone", "/g/{tense}/", PHONE),
    Picture("lobby", "/lobby/", DESK),
    Picture("dashboard", "/", DESK),
    Picture("replay", "/g/{retell}/replay/{lie}/", DESK),
    Picture("replay-phone", "/g/{retell}/replay/{lie}/", PHONE),
)


def main(folder: Path) -> None:
    with tempfile.TemporaryDirectory(prefix="coup-pictures-") as data:
        os.environ |= {
            "COUP_DATA_DIR": data,
            "DJANGO_SETTINGS_MODULE": "coupsite.settings",
            # Playwright's event loop sits in the thread that also talks to the database.
            "DJANGO_ALLOW_ASYNC_UNSAFE": "true",
        }
        os.environ.pop("DATABASE_URL", None)
        os.environ.pop("REDIS_URL", None)
        take(folder)


def take(folder: Path) -> None:
    """Set the stage, stop the clock, and take every picture."""
    import django

    django.setup()
    from django.core.management import call_command

    from scripts import demo

    call_command("migrate", verbosity=0)
    names = demo.fill()
    folder.mkdir(parents=True, exist_ok=True)
    with mock.patch("django.utils.timezone.now", return_value=demo.NOW):
        address, cookie = serve(), cookie_of(demo.VIEWER)
        photograph(folder, address, cookie, names)


def serve() -> str:
    """The site on a free port, without the worker: nothing shall move."""
    import uvicorn

    from coupsite.asgi import application

    server = uvicorn.Server(
        uvicorn.Config(application, port=0, lifespan="off", log_level="warning")
    )
    threading.Thread(target=server.run, daemon=True).start()
    while not server.started:
        time.sleep(0.01)
    host, port = server.servers[0].sockets[0].getsockname()
    return f"http://{host}:{port}"


def cookie_of(name: str) -> dict[str, str]:
    """What makes a browser this person's."""
    from django.conf import settings
    from django.test import Client

    from accounts.models import User

    client = Client()
    client.force_login(User.objects.get(name=name))
    key = settings.SESSION_COOKIE_NAME
    return {"name": key, "value": client.cookies[key].value}


def photograph(folder: Path, address: str, cookie: dict[str, str], names: dict[str, Any]) -> None:
    from playwright.sync_api import sync_playwright

    from scripts import chromium, demo

    with sync_playwright() as playwright:
        path = chromium.find(playwright.chromium)
        browser = playwright.chromium.launch(executable_path=path, args=chromium.FLAGS)
        pages = []
        # All are opened before one is closed: a table that is left counts as read.
        for picture in PICTURES:
            context = browser.new_context(**look(picture))
            context.add_cookies([cookie | {"url": address}])
            page = context.new_page()
            page.clock.set_fixed_time(demo.NOW)
            page.goto(address + picture.address.format(**names), wait_until="networkidle")
            pages.append(page)
        for picture, page in zip(PICTURES, pages, strict=True):
            file = folder / f"{picture.name}.webp"
            file.write_bytes(webp(page))
            print(f"{file}  {file.stat().st_size // 1024} kB")
        browser.close()


def webp(page: "Page") -> bytes:
    """A third of what Playwright's own screenshot weighs, which knows no WebP."""
    devtools = page.context.new_cdp_session(page)
    shot = devtools.send("Page.captureScreenshot", {"format": "webp", "quality": 88})
    return b64decode(shot["data"])


def look(picture: Picture) -> dict[str, Any]:
    width, height = picture.size
    return {
        "viewport": {"width": width, "height": height},
        "device_scale_factor": 2 if picture.size == PHONE else 1,
        "color_scheme": "dark" if picture.dark else "light",
        "timezone_id": "Europe/Prague",
        "reduced_motion": "reduce",
    }


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER)
