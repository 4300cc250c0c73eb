"""Messages that are to leave the site, and what became of them."""

from django.conf import settings
from django.db import models
from django.db.models import CheckConstraint, Q, UniqueConstraint
from django.utils.translation import gettext_lazy as _

from .game import Game
from .prompt import Prompt


class Channel(models.TextChoices):
    EMAIL = "email", _("E-mail")
    PUSH = "push", _("Push")


class Kind(models.TextChoices):
    """What a message is about. `games.notify.kinds` says how each is treated."""

    ASKED = "asked", _("You are asked")
    REMINDER = "reminder", _("Your time is running out")
    READY = "ready", _("A game is about to begin")
    MISSED = "missed", _("Your seat was given up: you were not there")
    INVITED = "invited", _("You are invited to a table")
    STARTED = "started", _("A game has begun")
    OVER = "over", _("A game is over")
    EXPIRED = "expired", _("A table did not fill, or was given up")
    SEAT_OFFERED = "seat_offered", _("A seat is offered to you")
    PROPOSED = "proposed", _("Something is proposed at your table")
    SEAT_AT_STAKE = "at_stake", _("Your seat is offered to others")
    SEAT_HANDED_OVER = "handed_over", _("Your seat was handed over")
    ORDER_FIRED = "order_fired", _("A standing order answered for you")
    NOTICE = "notice", _("A moderator writes to you")
    ACCOUNT = "account", _("About your account")
    TEST = "test", _("A test that you asked for")


class OutboxState(models.TextChoices):
    PENDING = "pending", _("waiting")
    SENT = "sent", _("sent")
    DROPPED = "dropped", _("not sent")
    DEAD = "dead", _("failed")


class Why(models.TextChoices):
    """Why a message was not sent, or not yet."""

    ANSWERED = "answered", _("The question was settled before it was time to write.")
    FROZEN = "frozen", _("The game stood still.")
    LEFT = "left", _("You no longer sat there.")
    PAST = "past", _("By then it was no longer true.")
    OFF = "off", _("You had switched it off.")
    CLOSED = "closed", _("The account is closed.")
    NO_ADDRESS = "no_address", _("We have no address of yours.")
    UNVERIFIED = "unverified", _("Your address is not confirmed.")
    BOUNCED = "bounced", _("Your mail server does not take mail for your address.")
    NO_DEVICE = "no_device", _("None of your devices takes pushes.")
    REFUSED = "refused", _("The other side refused it.")
    UNREACHABLE = "unreachable", _("The other side could not be reached.")
    INTERNAL = "internal", _("Something went wrong here.")


class Outbox(models.Model):
    """A message to a person by one channel, written in the transaction of what it tells.

    `key` names what it is about, so that nothing is told twice. `since` is from when on it is
    news; `due` when to look at it, and the lease of whoever sends it. Rows that go out in one
    letter share a `batch`. `payload` is the text of account mail, which no later moment could
    render; it goes when the letter does.
    """

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.CASCADE, related_name="+"
    )
    kind = models.CharField(max_length=12, choices=Kind)
    channel = models.CharField(max_length=5, choices=Channel)
    key = models.CharField(max_length=40)
    prompt = models.ForeignKey(Prompt, null=True, on_delete=models.CASCADE, related_name="messages")
    game = models.ForeignKey(Game, null=True, on_delete=models.CASCADE, related_name="+")
    payload = models.JSONField(null=True)
    since = models.DateTimeField()
    due = models.DateTimeField()
    postponed = models.BooleanField(default=False)
    attempts = models.PositiveSmallIntegerField(default=0)
    batch = models.CharField(max_length=32, blank=True)
    state = models.CharField(max_length=8, choices=OutboxState, default=OutboxState.PENDING)
    why = models.CharField(max_length=12, choices=Why, blank=True)
    detail = models.CharField(max_length=200, blank=True)
    done_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            UniqueConstraint(
                fields=["user", "key", "channel", "kind"], name="games_outbox_told_once"
            ),
            CheckConstraint(
                condition=Q(state=OutboxState.PENDING, done_at=None)
                | (~Q(state=OutboxState.PENDING) & Q(done_at__isnull=False)),
                name="games_outbox_done",
            ),
        ]
        indexes = [
            models.Index(
                fields=["due"], condition=Q(state=OutboxState.PENDING), name="games_outbox_due"
            )
        ]

    def __str__(self) -> str:
        return f"{self.channel} {self.pk} ({self.kind}) to user {self.user_id}"
