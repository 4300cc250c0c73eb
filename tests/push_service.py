"""A push service on loopback, and browsers that take pushes from it: what is read is read by
http_ece, and each message has to come with a token that RFC 8292 would accept."""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

import http_ece
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature

from accounts import webpush


@dataclass
class Browser:
    """What a browser holds that subscribed; `place` is its path at the push service."""

    origin: str
    place: str
    key: ec.EllipticCurvePrivateKey = field(
        default_factory=lambda: ec.generate_private_key(webpush.CURVE)
    )
    secret: bytes = field(default_factory=lambda: os.urandom(16))

    @property
    def endpoint(self) -> str:
        return f"{self.origin}{self.place}"

    @property
    def told(self) -> dict[str, str]:
        """What it tells the site, flat."""
        return {
            "endpoint": self.endpoint,
            "p256dh": webpush.text(webpush.point(self.key)),
            "auth": webpush.text(self.secret),
        }

    @property
    def json(self) -> str:
        """The same as PushSubscription writes itself."""
        told = self.told
        keys = {"p256dh": told["p256dh"], "auth": told["auth"]}
        return json.dumps({"endpoint": self.endpoint, "expirationTime": None, "keys": keys})


@dataclass(frozen=True)
class Received:
    """A push: its headers, in small letters, and its body as it came."""

    place: str
    headers: dict[str, str]
    body: bytes


class PushService:
    """`statuses` is what it answers by place, 201 otherwise; `received` what it took in."""

    def __init__(self, origin: str) -> None:
        self.origin = origin
        self.statuses: dict[str, int] = {}
        self.received: list[Received] = []

    def browser(self, name: str = "a") -> Browser:
        return Browser(self.origin, f"/push/{name}")

    def read(self, browser: Browser) -> list[dict[str, Any]]:
        """What was sent to this browser, decrypted."""
        return [json.loads(plain) for plain in self.plain(browser)]

    def plain(self, browser: Browser) -> list[bytes]:
        return [
            http_ece.decrypt(
                push.body, private_key=browser.key, auth_secret=browser.secret, version="aes128gcm"
            )
            for push in self.received
            if push.place == browser.place
        ]


def verified(push: Received, origin: str) -> dict[str, Any]:
    """The claims of the token, if it is signed by the key beside it and meant for this service."""
    scheme, _space, rest = push.headers["authorization"].partition(" ")
    assert scheme == "vapid"
    token, key = (part.strip()[2:] for part in rest.split(","))
    head, claims, signature = token.split(".")
    halves = webpush.raw(signature)
    assert len(halves) == 64
    der = encode_dss_signature(int.from_bytes(halves[:32]), int.from_bytes(halves[32:]))
    signed = f"{head}.{claims}".encode()
    webpush.public_key(webpush.raw(key)).verify(der, signed, ec.ECDSA(hashes.SHA256()))
    assert json.loads(webpush.raw(head))["alg"] == "ES256"
    read: dict[str, Any] = json.loads(webpush.raw(claims))
    assert read["aud"] == origin
    return read | {"key": key}


@contextmanager
def push_service() -> Iterator[PushService]:
    service: PushService

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            headers = {name.lower(): value for name, value in self.headers.items()}
            service.received.append(Received(self.path, headers, body))
            status = service.statuses.get(self.path, 201)
            self.send_response(status)
            if 300 <= status < 400:
                self.send_header("Location", f"{service.origin}/elsewhere")
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_args: object) -> None:
            """Tests say what matters."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    service = PushService(f"http://127.0.0.1:{server.server_port}")
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    yield service
    server.shutdown()
    server.server_close()
    thread.join()
