"""Seats, and who sits on them from when to when."""

from django.conf import settings
from django.db import models
from django.db.models import CheckConstraint, Q, UniqueConstraint
from django.utils.translation import gettext_lazy as _

from .game import Game


class BotKind(models.TextChoices):
    HONEST = "honest", _("honest")
    BLUFFER = "bluffer", _("bluffer")
    COUNTER = "counter", _("counter")


BOT_NAMES = ("Ottavia", "Corvo", "Fiametta", "Lazzaro", "Bianca", "Sandro")
"""A bot's name says nothing of its kind; the table does not either."""


class TenureEnd(models.TextChoices):
    RESIGNED = "resigned", _("resigned")
    REMOVED = "removed", _("removed")
    REPLACED = "replaced", _("replaced")


class Seat(models.Model):
    """A place at the table. `place` is its rank once the game is over, 1 for the winner."""

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="seats")
    index = models.PositiveSmallIntegerField()
    place = models.PositiveSmallIntegerField(null=True)

    class Meta:
        constraints = [
            UniqueConstraint(fields=["game", "index"], name="games_seat_once"),
            CheckConstraint(condition=Q(index__lt=6), name="games_seat_index"),
        ]

    def __str__(self) -> str:
        return f"seat {self.index} of game {self.game_id}"


class Tenure(models.Model):
    """A user or a bot on a seat, from one move to another; open while `ended` is empty.

    `read_lines` is how much of the log, as this seat reads it, its holder has seen. `bank` is the
    sum of its clock entries, which are written when a window closes: all may see it. `timeouts`
    counts how often running the clock has answered. `autopilot_since` is its holder's own secret
    while a question is open; `absent_since` is what the others know of it, from when the question
    was closed. From `offered_at` on a newcomer may take the seat of somebody absent. At
    `taken_over_at` its holder came, if that was in the middle of the game.
    What hangs on a tenure ends with it, and a newcomer reads nothing its predecessor saw. One that
    is given up before the start is deleted: it leaves no trace.
    """

    seat = models.ForeignKey(Seat, on_delete=models.CASCADE, related_name="tenures")
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="tenures")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="tenures"
    )
    bot = models.CharField(max_length=10, choices=BotKind, blank=True)
    bot_name = models.CharField(max_length=30, blank=True)
    from_move = models.PositiveIntegerField(default=0)
    to_move = models.PositiveIntegerField(null=True)
    read_lines = models.PositiveIntegerField(default=0)
    bank = models.PositiveBigIntegerField(default=0)
    timeouts = models.PositiveSmallIntegerField(default=0)
    autopilot_since = models.DateTimeField(null=True)
    absent_since = models.DateTimeField(null=True)
    offered_at = models.DateTimeField(null=True)
    taken_over_at = models.DateTimeField(null=True)
    ended = models.CharField(max_length=12, choices=TenureEnd, blank=True)

    class Meta:
        constraints = [
            UniqueConstraint(
                fields=["seat"], condition=Q(ended=""), name="games_tenure_one_open_a_seat"
            ),
            UniqueConstraint(
                fields=["game", "user"],
                condition=Q(ended="", user__isnull=False),
                name="games_tenure_user_once_a_game",
            ),
            CheckConstraint(
                condition=Q(offered_at=None) | Q(ended="", user__isnull=False),
                name="games_tenure_offered",
            ),
            CheckConstraint(
                condition=Q(user__isnull=False, bot="") | (Q(user=None) & ~Q(bot="")),
                name="games_tenure_user_or_bot",
            ),
        ]

    def __str__(self) -> str:
        return f"tenure {self.pk} on seat {self.seat_id}"

    @property
    def name(self) -> str:
        """The public name of whoever sits here."""
        return self.user.name if self.user else self.bot_name
