"""Traces of devices and networks, by which a moderator may notice one person on two seats.

Salted hashes, kept for a month. They lead nowhere but to each other, and nothing follows from them
by itself: families share a network, and classes share a computer.
"""

from datetime import datetime, timedelta
from ipaddress import ip_address, ip_network

from django.utils.crypto import salted_hmac

from accounts.models import Trace, TraceKind, User

KEPT = timedelta(days=30)
LOOKS_AGAIN = timedelta(days=1)
"""How often it is written down that somebody is still here by the same device and network."""


def scrambled(kind: TraceKind, what: str) -> str:
    """What is kept of a device's mark, or of an address: of the newer kind of address, its network,
    within which a home's devices change theirs daily."""
    if kind is TraceKind.NETWORK:
        address = ip_address(what)
        what = str(address if address.version == 4 else ip_network((address, 64), strict=False))
    return salted_hmac(f"accounts.traces.{kind}", what, algorithm="sha256").hexdigest()


def leave(user: User, found: dict[TraceKind, str], now: datetime) -> None:
    """Write down that this person is here by these, given scrambled."""
    for kind, hash_ in found.items():
        Trace.objects.update_or_create(user=user, kind=kind, hash=hash_, defaults={"seen_at": now})


def hand_over(*, guest: User, user: User) -> None:
    """The guest was the same person: nobody shares a device with themselves."""
    for trace in Trace.objects.filter(user=guest):
        leave(user, {TraceKind(trace.kind): trace.hash}, trace.seen_at)
    Trace.objects.filter(user=guest).delete()


def sweep(now: datetime) -> int:
    """Let go of what is older than a month; how much it was."""
    gone, _by_table = Trace.objects.filter(seen_at__lt=now - KEPT).delete()
    return gone
