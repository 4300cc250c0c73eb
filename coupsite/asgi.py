"""One process for everything: pages, live updates and background work."""

import asyncio
import contextlib
import logging
import os
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from django.conf import settings
from django.contrib.staticfiles.handlers import ASGIStaticFilesHandler
from django.core.asgi import get_asgi_application
from django.http import parse_cookie

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "coupsite.settings")

# Before the imports below, which need the apps to be loaded.
http: Any = get_asgi_application()
if not settings.PRODUCTION:
    http = ASGIStaticFilesHandler(http)

from channels.auth import AuthMiddlewareStack  # noqa: E402
from channels.routing import URLRouter  # noqa: E402

from coupsite.middleware import LONGEST_BODY  # noqa: E402
from coupsite.origins import is_ours  # noqa: E402
from games import worker  # noqa: E402
from games.routing import websocket_urlpatterns  # noqa: E402

type Receive = Callable[[], Awaitable[dict[str, Any]]]
type Send = Callable[[Mapping[str, Any]], Awaitable[None]]

logger = logging.getLogger(__name__)

PAUSE_AFTER_CRASH = 5.0
"""Seconds before a worker that crashed is started again."""

# Any: channels' own types and Django's disagree about what a scope is.
websocket: Any = AuthMiddlewareStack(URLRouter(websocket_urlpatterns))


async def application(scope: dict[str, Any], receive: Receive, send: Send) -> None:
    """The whole site: pages, sockets from our own pages, and a start and end of the process."""
    match scope["type"]:
        case "http":
            await short_http(scope, receive, send)
        case "websocket" if is_ours(scope) and is_sound(scope):
            await websocket(scope, receive, send)
        case "websocket":
            await receive()
            await send({"type": "websocket.close"})
        case "lifespan":
            await lifespan(receive, send)


async def short_http(scope: dict[str, Any], receive: Receive, send: Send) -> None:
    """Serve a request whose body is no longer than may be. One that does not say how long it is
    (its parts come one by one) is read first: Django would write all of it to the disk."""
    headers = dict(scope["headers"])
    length = headers.get(b"content-length", b"")
    if length.isdigit() and int(length[:18]) > LONGEST_BODY:
        await too_long(send)
    elif length or b"transfer-encoding" not in headers:
        await http(scope, receive, send)
    elif (body := await read(receive)) is None:
        await too_long(send)
    else:
        whole = iter([{"type": "http.request", "body": body}])

        async def again() -> dict[str, Any]:
            return next(whole, None) or await receive()

        await http(scope, again, send)


async def read(receive: Receive) -> bytes | None:
    """The whole body; None if it is too long, or was broken off."""
    body, more = b"", True
    while more:
        message = await receive()
        body += message.get("body", b"")
        if message["type"] != "http.request" or len(body) > LONGEST_BODY:
            return None
        more = message.get("more_body", False)
    return body


async def too_long(send: Send) -> None:
    """No page: no browser sends what needs this answer, and it is not read to its end."""
    headers = [(b"content-type", b"text/plain"), (b"connection", b"close")]
    await send({"type": "http.response.start", "status": 413, "headers": headers})
    await send({"type": "http.response.body", "body": b"This is too long.\n"})


def is_sound(scope: Mapping[str, Any]) -> bool:
    """Whether the cookies can be read: none holds a NUL, with which PostgreSQL finds no session."""
    cookies = [value.decode("latin-1") for name, value in scope["headers"] if name == b"cookie"]
    return not any("\0" in cookie for text in cookies for cookie in parse_cookie(text).values())


async def lifespan(receive: Receive, send: Send) -> None:
    """Run the worker from the server's start to its end."""
    stop = asyncio.Event()
    await receive()
    task = asyncio.create_task(keep_working(stop), name="worker")
    await send({"type": "lifespan.startup.complete"})
    await receive()
    stop.set()
    await task
    await send({"type": "lifespan.shutdown.complete"})


async def keep_working(stop: asyncio.Event) -> None:
    """Run the worker until `stop`; log a crash, pause, start again."""
    while not stop.is_set():
        try:
            await worker.run(stop)
        except Exception:
            # Whatever it was: pages are served on, and games must not stand still for good.
            logger.exception("The worker crashed; it starts again in %s s.", PAUSE_AFTER_CRASH)
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(stop.wait(), PAUSE_AFTER_CRASH)
