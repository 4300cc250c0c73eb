"""What people tell the moderators of: a message, a person, or a game."""

from django.conf import settings
from django.db import models
from django.db.models import CheckConstraint, Q, UniqueConstraint
from django.utils.translation import gettext_lazy as _

from .game import Game
from .talk import TableMessage

LONGEST_REPORT = 1000
SUBJECTS = ("message", "person", "game")


class ReportKind(models.TextChoices):
    ABUSE = "abuse", _("insults, threats or hatred")
    SPAM = "spam", _("advertising or flooding")
    CHEATING = "cheating", _("cheating: playing together, or more than one seat")
    STALLING = "stalling", _("holding up the game on purpose")
    NAME = "name", _("an offensive name")
    FAULT = "fault", _("something on this site went wrong")
    OTHER = "other", _("something else")


class ReportState(models.TextChoices):
    OPEN = "open", _("not looked at yet")
    ACTED = "acted", _("something was done")
    DISMISSED = "dismissed", _("nothing was found to do")


def _one_subject() -> Q:
    found = Q()
    for subject in SUBJECTS:
        found |= Q(**{f"{other}__isnull": other != subject for other in SUBJECTS})
    return found


class Report(models.Model):
    """`game` where the game itself is reported; a message's own is `message.game`.

    `taken_by` is the moderator who looks into it. `answer` is what the reporter is told, beside the
    state, once a moderator has closed it.
    """

    reporter = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="reports"
    )
    message = models.ForeignKey(
        TableMessage, null=True, on_delete=models.CASCADE, related_name="reports"
    )
    person = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        on_delete=models.PROTECT,
        related_name="reports_of_them",
    )
    game = models.ForeignKey(Game, null=True, on_delete=models.CASCADE, related_name="reports")
    kind = models.CharField(max_length=10, choices=ReportKind)
    words = models.CharField(max_length=LONGEST_REPORT, blank=True)
    state = models.CharField(max_length=10, choices=ReportState, default=ReportState.OPEN)
    answer = models.CharField(max_length=LONGEST_REPORT, blank=True)
    at = models.DateTimeField()
    taken_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+"
    )
    closed_at = models.DateTimeField(null=True)
    closed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+"
    )

    class Meta:
        constraints = [
            CheckConstraint(condition=_one_subject(), name="games_report_one_subject"),
            *(
                UniqueConstraint(
                    fields=["reporter", subject],
                    condition=Q(state=ReportState.OPEN, **{f"{subject}__isnull": False}),
                    name=f"games_report_one_open_{subject}",
                )
                for subject in SUBJECTS
            ),
            CheckConstraint(
                condition=Q(state=ReportState.OPEN, closed_at=None, closed_by=None)
                | (~Q(state=ReportState.OPEN) & Q(closed_at__isnull=False)),
                name="games_report_closed",
            ),
        ]
        default_permissions = ("view",)
        permissions = [("resolve_report", "Can take reports and resolve them")]
        indexes = [
            models.Index(fields=["state", "at"]),
            models.Index(fields=["reporter", "at"]),
        ]

    def __str__(self) -> str:
        return f"report {self.pk} ({self.kind})"
