"""Where sockets are."""

from typing import Any

from django.urls import path, re_path

from games.consumers import PageConsumer

# Any: channels' application is not the view that Django's `path` is typed for.
_page: Any = PageConsumer.as_asgi()


async def _deny(_scope: Any, receive: Any, send: Any) -> None:
    """Deny a socket that leads to no page."""
    await receive()
    await send({"type": "websocket.close"})


_nowhere: Any = _deny

websocket_urlpatterns = [
    path("ws/", _page),
    path("ws/lobby/", _page, {"lobby": True}),
    path("ws/g/<slug:public_id>/", _page),
    path("ws/g/<slug:public_id>/talk/", _page, {"talk_alone": True}),
    re_path("", _nowhere),
]
