"""Handing a push over to the push service of a browser. Its address is what the browser said."""

import os
import re
import socket
import ssl
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from functools import cache
from http.client import HTTPConnection, HTTPException
from ipaddress import ip_address
from urllib.parse import urlsplit

from cryptography.hazmat.primitives.asymmetric import ec
from django.conf import settings
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from accounts import webpush
from accounts.models import ENDPOINT_LENGTH, PushSubscription

LENGTH = 2048
"""Bytes in every push, whatever it says: their number tells its push service nothing."""

LONGEST = timedelta(days=28)
"""How long push services keep what a sleeping browser has not fetched."""

TIMEOUT = 5
"""Seconds a push service has for each step."""

_UNKNOWN = _("Your browser uses a push service that this site does not send to.")
SENSELESS = _("What your browser said about its push service makes no sense.")

# Nothing else between the scheme and the path: no user, no port, no other way to write a host.
_ENDPOINT = re.compile(r"https://(?P<host>[a-z0-9-]+(?:\.[a-z0-9-]+)+)(?P<path>/[!-~]+)")
_P256DH, _AUTH = re.compile(r"[A-Za-z0-9_-]{87}"), re.compile(r"[A-Za-z0-9_-]{22}")
_TLS = ssl.create_default_context()


class Urgency(StrEnum):
    """Whether a phone that saves its battery is to be woken (RFC 8030)."""

    NORMAL = "normal"
    HIGH = "high"


class Outcome(StrEnum):
    """`GONE`: that browser takes none any more. `LATER`: it may be tried again."""

    TAKEN = "taken"
    GONE = "gone"
    LATER = "later"
    REFUSED = "refused"


type Result = tuple[Outcome, str]
"""What came of a push, and in which words of the protocol."""


@dataclass(frozen=True, slots=True)
class Push:
    """`topic`, of up to 32 letters, digits, - and _, names what it is about: of those that wait for
    a sleeping browser the last remains."""

    text: bytes
    until: datetime
    urgency: Urgency
    topic: str


def is_on() -> bool:
    """Whether this site can send pushes at all."""
    return bool(settings.PUSH_KEY)


def public_key() -> str:
    """What a browser must know to subscribe to this site."""
    return webpush.text(webpush.point(_key(settings.PUSH_KEY)))


def check(endpoint: str, p256dh: str, auth: str) -> None:
    """ValidationError, in words, unless these are what a browser of a known push service says."""
    if len(endpoint) > ENDPOINT_LENGTH or not _place(endpoint):
        raise ValidationError(_UNKNOWN)
    if not _P256DH.fullmatch(p256dh) or not _AUTH.fullmatch(auth):
        raise ValidationError(SENSELESS)
    try:
        webpush.public_key(webpush.raw(p256dh))
    except ValueError:
        raise ValidationError(SENSELESS) from None


def send(subscription: PushSubscription, push: Push, now: datetime) -> Result:
    """Hand it over to the push service."""
    place = _place(subscription.endpoint)
    if place is None:  # it was known when the browser subscribed
        return Outcome.GONE, "not a known push service"
    headers = {
        "Authorization": webpush.authorization(
            subscription.endpoint,
            key=_key(settings.PUSH_KEY),
            contact=settings.PUSH_CONTACT,
            now=now,
        ),
        "Content-Encoding": "aes128gcm",
        "Content-Type": "application/octet-stream",
        "TTL": str(int(max(timedelta(), min(push.until - now, LONGEST)).total_seconds())),
        "Urgency": push.urgency,
        "Topic": push.topic,
    }
    sealed = webpush.encrypt(
        push.text,
        receiver=webpush.raw(subscription.p256dh),
        auth=webpush.raw(subscription.auth),
        sender=ec.generate_private_key(webpush.CURVE),
        salt=os.urandom(16),
        length=LENGTH,
    )
    try:
        status = _post(place, headers, sealed)
    except (OSError, HTTPException) as error:
        return Outcome.LATER, type(error).__name__
    return _outcome(status), str(status)


def _outcome(status: int) -> Outcome:
    if 200 <= status < 300:
        return Outcome.TAKEN
    if status in (404, 410):
        return Outcome.GONE
    if status in (408, 425, 429) or status >= 500:
        return Outcome.LATER
    return Outcome.REFUSED


# --- the wire -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Place:
    host: str
    port: int
    path: str
    is_stand_in: bool


def _place(endpoint: str) -> _Place | None:
    """Where that is; None if it is none of the push services that we know."""
    stand_in = settings.PUSH_STAND_IN
    if stand_in and endpoint.startswith(f"{stand_in}/"):
        parts = urlsplit(endpoint)
        return _Place(parts.hostname or "", parts.port or 80, parts.path, is_stand_in=True)
    found = _ENDPOINT.fullmatch(endpoint)
    if not found or not _is_known(found["host"]):
        return None
    return _Place(found["host"], 443, found["path"], is_stand_in=False)


def _is_known(host: str) -> bool:
    return any(
        host.endswith(known) if known.startswith(".") else host == known
        for known in settings.PUSH_HOSTS
    )


def _post(place: _Place, headers: dict[str, str], body: bytes) -> int:
    """The status of the answer; what else it says is not read, and a redirect not followed."""
    with closing(socket.create_connection((place.host, place.port), TIMEOUT)) as plain:
        if place.is_stand_in:
            return _ask(plain, place, headers, body)
        # Asked of the connection itself: a name may mean another machine the next time.
        if not ip_address(plain.getpeername()[0]).is_global:
            raise OSError("The name of a push service leads to a private address.")
        with _TLS.wrap_socket(plain, server_hostname=place.host) as sealed:
            return _ask(sealed, place, headers, body)


def _ask(line: socket.socket, place: _Place, headers: dict[str, str], body: bytes) -> int:
    connection = HTTPConnection(place.host)
    connection.sock = line
    connection.request("POST", place.path, body, headers)
    return connection.getresponse().status


@cache
def _key(key: str) -> ec.EllipticCurvePrivateKey:
    return webpush.private_key(key)
