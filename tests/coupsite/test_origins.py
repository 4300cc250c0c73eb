"""From which pages a socket can be opened: by scheme, host and port, like a form."""

from typing import Any

import pytest
from channels.testing import WebsocketCommunicator
from django.test import override_settings

from coupsite import asgi
from tests.games.cast import running_game

pytestmark = pytest.mark.django_db(transaction=True)

HERE = "localhost:8000"


@pytest.fixture
def path() -> str:
    """Where anybody may watch: nothing but the origin stands between."""
    return f"/ws/g/{running_game(2).public_id}/"


async def opens(path: str, *headers: tuple[str, str], scheme: str = "ws") -> bool:
    application: Any = asgi.application
    given = [(name.encode(), value.encode("latin-1")) for name, value in headers]
    socket = WebsocketCommunicator(application, path, given)
    socket.scope["scheme"] = scheme
    connected, _code = await socket.connect(timeout=5)
    await socket.disconnect()
    return connected


@pytest.mark.parametrize("host", [HERE, "localhost", "127.0.0.1:8000", "[::1]:8000"])
async def test_the_sites_own_pages_open_sockets(path: str, host: str) -> None:
    assert await opens(path, ("host", host), ("origin", f"http://{host}"))
    assert await opens(path, ("host", host), ("origin", f"https://{host}"), scheme="wss")


@pytest.mark.parametrize(
    "origin",
    [
        "http://localhost:8001",
        "http://localhost",
        "https://localhost:8000",
        "ws://localhost:8000",
        "http://127.0.0.1:8000",
        "http://evil.localhost:8000",
        "http://localhost:8000.evil.example",
        "http://localhost:8000/",
        "http://localhost:8000,http://localhost:8000",
        "http://[::",
        "null",
        "",
    ],
)
async def test_a_page_on_another_port_scheme_or_host_opens_none(path: str, origin: str) -> None:
    assert not await opens(path, ("host", HERE), ("origin", origin))


async def test_a_host_that_is_not_ours_or_not_said_opens_none(path: str) -> None:
    evil = "evil.example"
    assert not await opens(path, ("host", evil), ("origin", f"http://{evil}"))
    assert not await opens(path, ("origin", f"http://{HERE}"))
    assert not await opens(path, ("host", HERE))
    twice = [("origin", f"http://{HERE}")] * 2
    assert not await opens(path, ("host", HERE), *twice)


@pytest.mark.parametrize("said", ["https", "wss"])
async def test_behind_a_proxy_its_word_for_the_scheme_counts(path: str, said: str) -> None:
    given = [("host", "localhost"), ("x-forwarded-proto", said)]
    with override_settings(SECURE_PROXY_SSL_HEADER=("HTTP_X_FORWARDED_PROTO", "https")):
        assert await opens(path, *given, ("origin", "https://localhost"))
        assert not await opens(path, *given, ("origin", "http://localhost"))
    assert not await opens(path, *given, ("origin", "https://localhost"))


async def test_trusted_origins_are_trusted_whole(path: str) -> None:
    with override_settings(CSRF_TRUSTED_ORIGINS=["https://a.example", "https://*.b.example:444"]):
        for origin, good in {
            "https://a.example": True,
            "https://x.b.example:444": True,
            "https://x.b.example": False,
            "http://a.example": False,
            "https://a.example:444": False,
        }.items():
            assert await opens(path, ("host", HERE), ("origin", origin)) == good, origin
