"""Requests that are wrong before any page is asked: answered, and no error of ours."""

from typing import Any

import pytest
from channels.testing import WebsocketCommunicator
from django.test import Client

from coupsite import asgi

pytestmark = pytest.mark.django_db(transaction=True)

HERE = b"http://localhost"


@pytest.mark.parametrize("host", ["evil.example", "a b", "[::", "\xff", "x" * 3000])
def test_a_host_that_is_not_ours_gets_a_page_for_400(host: str) -> None:
    response = Client().get("/", HTTP_HOST=host)
    assert response.status_code == 400
    assert "makes no sense here" in response.content.decode()


@pytest.mark.parametrize(
    ("path", "origin"),
    [
        ("/ws/nothing/", HERE),
        ("/ws/g/%00/", HERE),
        ("/ws/g/" + "a" * 6000 + "/", HERE),
        ("/", HERE),
        ("/ws/", HERE),
        ("/ws/", b"http://[::"),
        ("/ws/", b"\xff\xfe"),
        ("/ws/", b"null"),
        ("/ws/", b"http://evil.example"),
        ("/ws/", None),
    ],
)
async def test_a_socket_that_leads_nowhere_is_denied(path: str, origin: bytes | None) -> None:
    application: Any = asgi.application
    headers = [(b"host", b"localhost")] + ([(b"origin", origin)] if origin is not None else [])
    socket = WebsocketCommunicator(application, path, headers)
    connected, _code = await socket.connect(timeout=60)
    assert not connected
