"""How far behind the background work is. Writes nothing, and tells of nobody."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Min, QuerySet

from games.models import Job, Outbox, OutboxState, Prompt, PromptState, Status, WorkerBeat

SLOW = timedelta(minutes=1)
"""What is due for longer than this says that something is wrong."""


@dataclass(frozen=True, slots=True)
class Health:
    """Seconds: since a worker was there (None: never), and by which the oldest thing due is late.

    `dead` are jobs given up, `undelivered` messages given up within a day.
    """

    beat: int | None
    clocks: int
    jobs: int
    messages: int
    dead: int
    undelivered: int

    @property
    def is_well(self) -> bool:
        """Whether a worker is there and keeps up. What was given up is for a human to look at."""
        limit = SLOW.total_seconds()
        late = max(self.clocks, self.jobs, self.messages)
        return self.beat is not None and max(self.beat, late) <= limit


def health(now: datetime) -> Health:
    """The state of the background work. What failed and waits for its next try is not late."""
    beat = WorkerBeat.objects.values_list("at", flat=True).first()
    prompts = Prompt.objects.filter(
        state=PromptState.OPEN,
        game__status__in=[Status.RUNNING, Status.OPEN],
        game__frozen_at=None,
    )
    return Health(
        beat=_seconds(now - beat) if beat else None,
        clocks=_late(prompts, now),
        jobs=_late(Job.objects.filter(done_at=None, dead=False), now),
        messages=_late(Outbox.objects.filter(state=OutboxState.PENDING), now),
        dead=Job.objects.filter(dead=True, done_at=None).count(),
        undelivered=Outbox.objects.filter(
            state=OutboxState.DEAD, done_at__gte=now - timedelta(days=1)
        ).count(),
    )


def _late(waiting: QuerySet[Prompt] | QuerySet[Job] | QuerySet[Outbox], now: datetime) -> int:
    oldest = waiting.aggregate(oldest=Min("due"))["oldest"]
    return _seconds(now - oldest) if oldest and oldest < now else 0


def _seconds(span: timedelta) -> int:
    return max(0, int(span.total_seconds()))
