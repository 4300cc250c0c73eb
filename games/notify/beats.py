"""Who looks at a table just now: its visible page says so every 30 seconds.

Kept in the cache and nowhere else: it is of no use a minute later, and if it is lost, somebody is
told what they see.
"""

from datetime import datetime, timedelta

from django.core.cache import cache

FRESH = timedelta(seconds=60)


def beat(*, user_id: int, public_id: str, now: datetime) -> None:
    """This person has that table before their eyes."""
    cache.set(_key(user_id, public_id), now.timestamp(), FRESH.total_seconds())


def watches(*, user_id: int, public_id: str, now: datetime) -> bool:
    """Whether they had it before their eyes a moment ago."""
    last = cache.get(_key(user_id, public_id))
    return last is not None and now.timestamp() - last < FRESH.total_seconds()


def _key(user_id: int, public_id: str) -> str:
    return f"beat.{user_id}.{public_id}"
