"""A real browser against the real ASGI server, in this process."""

import os
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import uvicorn
from playwright.sync_api import BrowserContext, ConsoleMessage, Playwright, expect

from scripts import chromium

# Playwright runs an event loop in the test's own thread; the ORM is used beside it, not in it.
os.environ.setdefault("DJANGO_ALLOW_ASYNC_UNSAFE", "true")

PATIENCE = 20_000
"""Milliseconds that anything may take on a busy machine, where a test does not say otherwise."""

expect.set_options(timeout=PATIENCE)


@pytest.fixture(scope="session")
def browser_type_launch_args(
    browser_type_launch_args: dict[str, Any], playwright: Playwright
) -> dict[str, Any]:
    path = chromium.find(playwright.chromium)
    assert path, "There is no Chromium: make test finds or installs one."
    return {**browser_type_launch_args, "executable_path": path, "args": chromium.FLAGS}


class Server(uvicorn.Server):
    """uvicorn in a daemon thread, on a free port."""

    def install_signal_handlers(self) -> None:
        """Signals belong to the main thread, that is to pytest."""

    def start(self) -> str:
        """Start, wait until it listens, and return the address."""
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.thread.start()
        while not self.started:
            assert self.thread.is_alive(), "the server did not start"
            time.sleep(0.01)
        host, port = self.servers[0].sockets[0].getsockname()
        return f"http://{host}:{port}"

    def stop(self) -> None:
        self.should_exit = True
        self.thread.join(timeout=20)
        assert not self.thread.is_alive(), "the server did not stop"


def new_server(port: int = 0) -> Server:
    from coupsite.asgi import application

    return Server(
        uvicorn.Config(
            application,
            host="127.0.0.1",
            port=port,
            lifespan="on",
            log_level="warning",
            timeout_graceful_shutdown=2,
        )
    )


class Site:
    """The site as `make run` serves it: pages, sockets and the worker. Started again, it has the
    address that it had before."""

    def start(self) -> None:
        self.server = new_server(getattr(self, "port", 0))
        self.address = self.server.start()
        self.port = int(self.address.rpartition(":")[2])

    def stop(self) -> None:
        self.server.stop()


@pytest.fixture
def site(transactional_db: None) -> Iterator[Site]:
    """To stop and start; whoever only visits takes `live_asgi`."""
    running = Site()
    running.start()
    yield running
    running.stop()


@pytest.fixture
def live_asgi(site: Site) -> str:
    """The address of the site."""
    return site.address


@pytest.fixture
def browser_context_args(browser_context_args: dict[str, Any], live_asgi: str) -> dict[str, Any]:
    """`page.goto("/")` goes to the live server."""
    return {**browser_context_args, "base_url": live_asgi}


@pytest.fixture
def complaints() -> Iterator[list[str]]:
    """What consoles said against the pages: errors, uncaught exceptions, violations of the content
    security policy. Any left at the end fails the test; one that provokes some clears the list."""
    found: list[str] = []
    yield found
    assert found == []


@pytest.fixture
def new_context(
    new_context: Callable[..., BrowserContext], complaints: list[str]
) -> Callable[..., BrowserContext]:
    """Another person's browser: `new_context()` shares nothing with `page` but the server."""

    def watched(**options: Any) -> BrowserContext:
        context = new_context(**options)
        context.set_default_timeout(2 * PATIENCE)

        def on_console(message: ConsoleMessage) -> None:
            if message.type == "error" or "Content Security Policy" in message.text:
                complaints.append(f"{message.text} ({message.location.get('url', '')})")

        context.on("console", on_console)
        context.on("weberror", lambda error: complaints.append(str(error.error)))
        return context

    return watched
