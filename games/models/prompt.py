"""Questions to seats, and the jobs that answer some of them."""

from django.db import models
from django.db.models import CheckConstraint, Q, UniqueConstraint
from django.utils.translation import gettext_lazy as _

from .game import Game
from .seat import Seat, Tenure

READY = "ready"
"""The kind of a window before the first card: whether everybody is there. The others are phases."""


class Source(models.TextChoices):
    DEAL = "deal", _("the deal")
    PERSON = "person", _("the person")
    ORDER = "order", _("a standing order")
    CLOCK = "clock", _("the clock")
    AUTOPILOT = "autopilot", _("autopilot")
    BOT = "bot", _("a bot")
    MODERATOR = "moderator", _("a moderator")


class Window(models.Model):
    """A question put to one or more seats at once, with one public deadline for all."""

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="windows")
    kind = models.CharField(max_length=16)
    opened_at = models.DateTimeField()
    deadline = models.DateTimeField()
    closed_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            UniqueConstraint(
                fields=["game"], condition=Q(closed_at=None), name="games_window_one_open"
            )
        ]
        indexes = [
            models.Index(
                fields=["deadline"], condition=Q(closed_at=None), name="games_window_deadline"
            )
        ]

    def __str__(self) -> str:
        return f"window {self.pk} ({self.kind}) of game {self.game_id}"


class PromptState(models.TextChoices):
    OPEN = "open", _("open")
    ANSWERED = "answered", _("answered")
    SUPERSEDED = "superseded", _("superseded")
    VOID = "void", _("void")


class Prompt(models.Model):
    """One question to one seat. Lists, badges, mails and clocks read these and nothing else.

    The answer itself stands in the move alone. `grace` and `bank` are milliseconds of waking time
    which its person had when it was put, and `sleep` their nights at that time: what `free_until`
    and `due` follow from, as if nobody answered. `burnt` is what it cost of the bank; others see
    that when the window closes.
    """

    window = models.ForeignKey(Window, on_delete=models.CASCADE, related_name="prompts")
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="prompts")
    seat = models.ForeignKey(Seat, on_delete=models.CASCADE, related_name="prompts")
    tenure = models.ForeignKey(Tenure, on_delete=models.CASCADE, related_name="prompts")
    state = models.CharField(max_length=10, choices=PromptState, default=PromptState.OPEN)
    opened_at = models.DateTimeField()
    grace = models.PositiveBigIntegerField()
    bank = models.PositiveBigIntegerField(default=0)
    sleep = models.CharField(max_length=80, blank=True)
    free_until = models.DateTimeField()
    due = models.DateTimeField()
    burnt = models.PositiveBigIntegerField(default=0)
    closed_at = models.DateTimeField(null=True)
    answered_by = models.CharField(max_length=10, choices=Source, blank=True)

    class Meta:
        constraints = [
            UniqueConstraint(fields=["window", "tenure"], name="games_prompt_once_a_window"),
            UniqueConstraint(
                fields=["seat"],
                condition=Q(state=PromptState.OPEN),
                name="games_prompt_one_open_a_seat",
            ),
            CheckConstraint(
                condition=Q(state=PromptState.OPEN, closed_at=None)
                | (~Q(state=PromptState.OPEN) & Q(closed_at__isnull=False)),
                name="games_prompt_closed",
            ),
            CheckConstraint(
                condition=(Q(state=PromptState.ANSWERED) & ~Q(answered_by=""))
                | (~Q(state=PromptState.ANSWERED) & Q(answered_by="")),
                name="games_prompt_answered_by",
            ),
        ]
        indexes = [
            models.Index(
                fields=["due"],
                condition=Q(state=PromptState.OPEN),
                name="games_prompt_due",
            ),
            models.Index(
                fields=["tenure"],
                condition=Q(state=PromptState.OPEN),
                name="games_prompt_waiting",
            ),
        ]

    def __str__(self) -> str:
        return f"prompt {self.pk} to seat {self.seat_id}"


class JobKind(models.TextChoices):
    BOT = "bot", _("a bot answers")
    ORDER = "order", _("a standing order answers")
    AUTOPILOT = "autopilot", _("autopilot answers")


class Job(models.Model):
    """Work for the worker, written in the transaction that makes it necessary.

    Done at least once: a claim is a lease that runs out, and a handler checks again.
    """

    kind = models.CharField(max_length=10, choices=JobKind)
    prompt = models.ForeignKey(Prompt, on_delete=models.CASCADE, related_name="jobs")
    due = models.DateTimeField()
    attempts = models.PositiveSmallIntegerField(default=0)
    done_at = models.DateTimeField(null=True)
    dead = models.BooleanField(default=False)

    class Meta:
        constraints = [UniqueConstraint(fields=["kind", "prompt"], name="games_job_once")]
        indexes = [
            models.Index(
                fields=["due"], condition=Q(done_at=None, dead=False), name="games_job_due"
            )
        ]

    def __str__(self) -> str:
        return f"job {self.pk} ({self.kind})"
