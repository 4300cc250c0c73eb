"""Where sockets are."""

from typing import Any

from django.urls import path

from games.consumers import PageConsumer

# Any: channels' application is not the view that Django's `path` is typed for.
_page: Any = PageConsumer.as_asgi()

websocket_urlpatterns = [
    path("ws/", _page),
    path("ws/g/<slug:public_id>/", _page),
]
