"""What moderators did: a log that only grows, and whose gaps and edits show."""

from typing import Any, NoReturn

from django.conf import settings
from django.db import models
from django.db.models import Q, UniqueConstraint
from django.utils.translation import gettext_lazy as _

from .game import Game

FIRST = "0" * 64
"""What stands for the hash before the first entry."""


class Act(models.TextChoices):
    FREEZE = "freeze", _("froze the game")
    THAW = "thaw", _("unfroze the game")
    EXTEND = "extend", _("gave more time")
    ANSWER = "answer", _("gave the default answer")
    HAND_OVER = "hand_over", _("handed a seat over")
    REMOVE = "remove", _("removed a player")
    CANCEL = "cancel", _("cancelled the game")
    TAKE_BACK = "take_back", _("took the game back")
    ANNOUNCE = "announce", _("announced to the table")
    RETITLE = "retitle", _("took a table's title away")
    LOOK = "look", _("looked at hidden cards")
    WARN = "warn", _("warned")
    MUTE = "mute", _("muted")
    SUSPEND = "suspend", _("suspended")
    BAN = "ban", _("banned")
    HIDE = "hide", _("hid a message")
    UNHIDE = "unhide", _("showed a message again")
    LIFT = "lift", _("lifted a sanction")
    TAKE_REPORT = "take_report", _("took a report")
    RESOLVE_REPORT = "resolve_report", _("resolved a report")
    RENAME = "rename", _("renamed a person")
    GIVE_ROLE = "give_role", _("gave or took a role")


class AppendOnly(models.QuerySet["AuditEntry"]):
    """Refuses what the database refuses too, before it is asked."""

    def update(self, **_fields: Any) -> NoReturn:
        raise TypeError("The audit log is never edited.")

    def delete(self) -> NoReturn:
        raise TypeError("Nothing is deleted from the audit log.")


class AuditEntry(models.Model):
    """One act of one moderator. Written by `games.moderation.audit.append` alone.

    `hash` is the SHA-256 of the entry before and of this entry's content. `details` never holds a
    card. Messages and reports are named by number: the log outlives them.
    """

    number = models.PositiveBigIntegerField(primary_key=True)
    at = models.DateTimeField()
    actor = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    act = models.CharField(max_length=16, choices=Act)
    game = models.ForeignKey(Game, null=True, on_delete=models.PROTECT, related_name="+")
    person = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+"
    )
    message_number = models.PositiveBigIntegerField(null=True)
    report_number = models.PositiveBigIntegerField(null=True)
    reason = models.TextField()
    form_token = models.CharField(max_length=32, blank=True)
    details = models.JSONField(default=dict)
    previous = models.CharField(max_length=64)
    hash = models.CharField(max_length=64, unique=True)

    objects = AppendOnly.as_manager()

    class Meta:
        verbose_name = _("audit entry")
        verbose_name_plural = _("audit log")
        default_permissions = ("view",)
        constraints = [
            # A form sent twice is one act.
            UniqueConstraint(
                fields=["actor", "form_token"],
                condition=~Q(form_token=""),
                name="games_auditentry_once_a_form",
            )
        ]
        indexes = [models.Index(fields=["game", "number"])]

    def __str__(self) -> str:
        return f"audit entry {self.number} ({self.act})"

    def delete(self, *_args: Any, **_kwargs: Any) -> NoReturn:
        raise TypeError("Nothing is deleted from the audit log.")


class AuditHead(models.Model):
    """The end of the log, in the one row that whoever appends locks."""

    number = models.PositiveBigIntegerField(default=0)
    hash = models.CharField(max_length=64, default=FIRST)

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return f"the audit log ends at {self.number}"
