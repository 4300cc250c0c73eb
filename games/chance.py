"""Luck that can be checked afterwards: every draw follows from the game's secret seed.

The seed's SHA-256 is shown when the table opens, the seed itself when the game has ended. Until
the start the players' names are unknown, so nobody can choose a seed for a table.
"""

import hashlib
import hmac
from collections.abc import Sequence

SEED_BYTES = 32

type Cards[T] = tuple[T, ...]


def commitment(seed: bytes) -> str:
    """What is shown of a seed while it is secret: its SHA-256, in hexadecimal."""
    return hashlib.sha256(seed).hexdigest()


class Draws:
    """The draws of move `number`: draw k is HMAC-SHA256(key, "number:k"), k counting from 0.

    `key` is HMAC-SHA256(seed, names), the seated players' names in seat order, each ended by a
    zero byte. A draw below a bound is its 256-bit number modulo the bound (the bias is below
    2**-250); a shuffle is Fisher-Yates from the end. No number may be used for two moves.
    """

    __slots__ = ("_count", "_key", "_number")

    def __init__(self, seed: bytes, names: Sequence[str], number: int) -> None:
        mixed = b"".join(name.encode() + b"\0" for name in names)
        self._key = hmac.digest(seed, mixed, "sha256")
        self._number, self._count = number, 0

    def apart(self, label: str) -> "Draws":
        """Luck of its own beside this move's: neither takes a draw from the other."""
        beside = Draws.__new__(Draws)
        beside._key = hmac.digest(self._key, f"{self._number}:{label}".encode(), "sha256")
        beside._number, beside._count = self._number, 0
        return beside

    def below(self, bound: int, /) -> int:
        label = f"{self._number}:{self._count}".encode()
        self._count += 1
        return int.from_bytes(hmac.digest(self._key, label, "sha256")) % bound

    def shuffle[T](self, cards: Cards[T], /) -> Cards[T]:
        mixed = list(cards)
        for last in range(len(mixed) - 1, 0, -1):
            other = self.below(last + 1)
            mixed[last], mixed[other] = mixed[other], mixed[last]
        return tuple(mixed)
