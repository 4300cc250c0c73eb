"""What people say to each other at a table, how far they have read, and whom they fold away."""

from django.conf import settings
from django.db import models
from django.db.models import CheckConstraint, F, Q, UniqueConstraint
from django.utils.translation import gettext_lazy as _

from .game import Game

LONGEST_MESSAGE = 300


class TalkRoom(models.TextChoices):
    """Players read the second one only after the end."""

    TABLE = "table", _("at the table")
    SPECTATORS = "spectators", _("beside the table")


class Phrase(models.TextChoices):
    """What is said at one touch; stored by key, so that everybody reads it in their language."""

    HELLO = "hello", _("Hello, everybody.")
    LUCK = "luck", _("Good luck to all.")
    THINKING = "thinking", _("Let me think.")
    HONEST = "honest", _("I would never lie to you.")
    DOUBT = "doubt", _("I do not believe a word of it.")
    BOLD = "bold", _("That was bold.")
    SORRY = "sorry", _("Nothing personal.")
    WELL_PLAYED = "well_played", _("Well played.")
    THANKS = "thanks", _("Thank you for the game.")


class TableMessage(models.Model):
    """A message in one room of a table: `text`, or a `phrase` by its key.

    `number` counts the messages of its room alone, so that what players are shown says nothing of
    the room they may not read. One that a moderator has hidden keeps its words, unshown.
    """

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="messages")
    room = models.CharField(max_length=10, choices=TalkRoom)
    number = models.PositiveIntegerField()
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="messages"
    )
    text = models.CharField(max_length=LONGEST_MESSAGE, blank=True)
    phrase = models.CharField(max_length=12, choices=Phrase, blank=True)
    form_token = models.CharField(max_length=32, blank=True)
    at = models.DateTimeField()
    hidden_at = models.DateTimeField(null=True)
    hidden_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+"
    )

    class Meta:
        constraints = [
            UniqueConstraint(fields=["game", "room", "number"], name="games_message_number_once"),
            # A form sent twice says it once.
            UniqueConstraint(
                fields=["game", "user", "form_token"],
                condition=~Q(form_token=""),
                name="games_message_once_a_form",
            ),
            CheckConstraint(
                condition=(Q(text="") & ~Q(phrase="")) | (~Q(text="") & Q(phrase="")),
                name="games_message_text_or_phrase",
            ),
            CheckConstraint(
                condition=Q(hidden_at=None, hidden_by=None)
                | Q(hidden_at__isnull=False, hidden_by__isnull=False),
                name="games_message_hidden_by_somebody",
            ),
        ]
        default_permissions = ("view",)
        permissions = [("hide_message", "Can hide messages")]
        indexes = [models.Index(fields=["user", "at"])]

    def __str__(self) -> str:
        return f"message {self.number} {self.room} of game {self.game_id}"

    @property
    def words(self) -> str:
        """What was said, in the reader's language where it is a phrase."""
        return str(Phrase(self.phrase).label) if self.phrase else self.text


class TalkRead(models.Model):
    """How far somebody has read the talk of a table: the number of a message, for each room."""

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="+")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    table = models.PositiveIntegerField(default=0)
    spectators = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = [UniqueConstraint(fields=["game", "user"], name="games_talk_read_once")]

    def __str__(self) -> str:
        return f"user {self.user_id} in the talk of game {self.game_id}"


class Mute(models.Model):
    """Whose messages somebody has folded away, at every table. Nobody else knows."""

    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="mutes")
    whom = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")

    class Meta:
        constraints = [
            UniqueConstraint(fields=["by", "whom"], name="games_mute_once"),
            CheckConstraint(condition=~Q(by=F("whom")), name="games_mute_of_another"),
        ]

    def __str__(self) -> str:
        return f"user {self.by_id} mutes user {self.whom_id}"
