"""Calls that meet, each in a thread of its own; and what a call was refused for."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from threading import Barrier

from django.db import connection

from games.refusal import Reason, Refused


def refusal(call: Callable[[], object]) -> Reason | None:
    """Do this: what it was refused for, or None."""
    try:
        call()
    except Refused as refused:
        return refused.reason
    return None


def in_threads[T](*calls: Callable[[], T]) -> list[T]:
    """Run the calls in threads that start together: what each returned."""
    barrier = Barrier(len(calls))

    def run(call: Callable[[], T]) -> T:
        try:
            barrier.wait()
            return call()
        finally:
            connection.close()

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(run, calls))


def at_once(*calls: Callable[[], object]) -> list[Reason | None]:
    """Run the calls in threads that start together: what each was refused for, or None."""
    return in_threads(*(partial(refusal, call) for call in calls))
