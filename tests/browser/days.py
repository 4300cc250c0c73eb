"""A calendar that a test turns: days pass for the site, its worker, and whoever looks at a page.

Nothing is skipped. What falls due on the way is done when it is due, by the worker of the site.
"""

import time
from datetime import datetime, timedelta

import pytest
from django.db.models import Q
from django.utils import timezone
from playwright.sync_api import BrowserContext

from games.models import Job, Outbox, OutboxState, Prompt, PromptState, Status, WorkerBeat

PATIENCE = 60
"""Seconds of ours that the worker has for what is due at one time."""


class Calendar:
    """`now` is the time for everybody. To be made before the site is: its worker looks at it."""

    def __init__(self, begins: datetime, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = begins
        self._browsers: list[BrowserContext] = []
        monkeypatch.setattr(timezone, "now", lambda: self.now)

    def hang_in(self, context: BrowserContext) -> BrowserContext:
        """Let the pages of this browser live by it, until it is closed."""
        context.clock.set_fixed_time(self.now)
        self._browsers.append(context)
        context.on("close", lambda closed: self._browsers.remove(closed))
        return context

    def wait(self, **length: float) -> None:
        """Let so many `minutes`, `hours` or `days` pass."""
        self.turn_to(self.now + timedelta(**length))

    def turn_to(self, then: datetime) -> None:
        """Let time pass until then, from one thing that falls due to the next."""
        while self.now < then:
            self._settle()
            following = min(_falls_due(self.now), default=then)
            self._turn(min(following, then))
        self._settle()

    def _turn(self, at: datetime) -> None:
        WorkerBeat.objects.update(at=at)  # the worker was there all the while
        self.now = at
        for context in self._browsers:
            context.clock.set_fixed_time(at)

    def _settle(self) -> None:
        """Until the worker has done what is due."""
        ends = time.monotonic() + PATIENCE
        while owed := _owed(self.now):
            assert time.monotonic() < ends, f"not done at {self.now}: {owed}"
            time.sleep(0.02)


_RUNNING = {"game__status": Status.RUNNING, "game__frozen_at": None}


def _owed(now: datetime) -> list[object]:
    """What is due and not done, or begun and not ended."""
    begun = Q(due__lte=now) | Q(attempts__gt=0)
    return [
        *Job.objects.filter(begun, done_at=None, dead=False),
        *Prompt.objects.filter(state=PromptState.OPEN, due__lte=now, **_RUNNING),
        *Outbox.objects.filter(begun, state=OutboxState.PENDING),
    ]


def _falls_due(now: datetime) -> list[datetime]:
    """When something falls due, of everything that is known of now."""
    later = (
        Job.objects.filter(done_at=None, dead=False, due__gt=now),
        Prompt.objects.filter(state=PromptState.OPEN, due__gt=now, **_RUNNING),
        Outbox.objects.filter(state=OutboxState.PENDING, due__gt=now),
    )
    return [due for rows in later for due in rows.values_list("due", flat=True)]
