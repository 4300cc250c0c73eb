"""One process for everything: pages, live updates and background work."""

import asyncio
import contextlib
import logging
import os
from collections.abc import Awaitable, Callable, Mapping
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib.staticfiles.handlers import ASGIStaticFilesHandler
from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "coupsite.settings")

# Before the imports below, which need the apps to be loaded.
http: Any = get_asgi_application()
if not settings.PRODUCTION:
    http = ASGIStaticFilesHandler(http)

from channels.auth import AuthMiddlewareStack  # noqa: E402
from channels.routing import URLRouter  # noqa: E402
from channels.security.websocket import AllowedHostsOriginValidator  # noqa: E402

from games import worker  # noqa: E402
from games.routing import websocket_urlpatterns  # noqa: E402

type Receive = Callable[[], Awaitable[dict[str, Any]]]
type Send = Callable[[Mapping[str, Any]], Awaitable[None]]

logger = logging.getLogger(__name__)

PAUSE_AFTER_CRASH = 5.0
"""Seconds before a worker that crashed is started again."""

# Any: channels' own types and Django's disagree about what a scope is.
websocket: Any = AllowedHostsOriginValidator(AuthMiddlewareStack(URLRouter(websocket_urlpatterns)))


async def application(scope: dict[str, Any], receive: Receive, send: Send) -> None:
    match scope["type"]:
        case "http":
            await http(scope, receive, send)
        case "websocket" if has_origin(scope):
            await websocket(scope, receive, send)
        case "websocket":
            await receive()
            await send({"type": "websocket.close"})
        case "lifespan":
            await lifespan(receive, send)


def has_origin(scope: Mapping[str, Any]) -> bool:
    """Whether the header Origin can be read, which the validator takes for granted."""
    try:
        for name, value in scope["headers"]:
            if name == b"origin":
                urlsplit(value.decode("latin-1"))
    except ValueError:
        return False
    return True


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
