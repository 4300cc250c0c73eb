"""What clocks have cost and given, and when none of them ran."""

from django.db import models
from django.db.models import CheckConstraint, F, Q, UniqueConstraint
from django.utils.translation import gettext_lazy as _

from .prompt import Prompt
from .seat import Tenure


class ClockReason(models.TextChoices):
    OPENING = "opening", _("what one begins with")
    BURNT = "burnt", _("time beyond the grace")
    GIVEN_BACK = "given_back", _("given back for an answer")


class ClockEntry(models.Model):
    """A change of somebody's time bank, in milliseconds. Their sum is the bank."""

    tenure = models.ForeignKey(Tenure, on_delete=models.CASCADE, related_name="clock_entries")
    prompt = models.ForeignKey(
        Prompt, null=True, on_delete=models.CASCADE, related_name="clock_entries"
    )
    delta = models.BigIntegerField()
    reason = models.CharField(max_length=10, choices=ClockReason)

    class Meta:
        constraints = [
            UniqueConstraint(fields=["prompt", "reason"], name="games_clockentry_once_a_prompt"),
            UniqueConstraint(
                fields=["tenure"],
                condition=Q(reason=ClockReason.OPENING),
                name="games_clockentry_opened_once",
            ),
            CheckConstraint(
                condition=Q(reason=ClockReason.OPENING, prompt=None, delta__gt=0)
                | Q(reason=ClockReason.BURNT, prompt__isnull=False, delta__lt=0)
                | Q(reason=ClockReason.GIVEN_BACK, prompt__isnull=False, delta__gt=0),
                name="games_clockentry_reason",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.delta} ms ({self.reason}) for tenure {self.tenure_id}"


class Pause(models.Model):
    """No worker was there, so that no clock ran, at any table."""

    starts = models.DateTimeField()
    ends = models.DateTimeField(db_index=True)

    class Meta:
        constraints = [
            CheckConstraint(condition=Q(starts__lt=F("ends")), name="games_pause_has_length")
        ]

    def __str__(self) -> str:
        return f"pause from {self.starts} to {self.ends}"


class WorkerBeat(models.Model):
    """The last sign of life of any worker: one row for all of them."""

    id = models.PositiveSmallIntegerField(primary_key=True, default=1)
    at = models.DateTimeField()

    class Meta:
        constraints = [CheckConstraint(condition=Q(id=1), name="games_workerbeat_one")]

    def __str__(self) -> str:
        return f"a worker was there at {self.at}"
