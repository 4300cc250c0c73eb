"""Who has looked at the hidden cards of a game, and so has no part in it any more."""

from django.conf import settings
from django.db import models
from django.db.models import UniqueConstraint

from .game import Game


class Recusal(models.Model):
    """A moderator who has seen cards takes no seat at this table, and does not talk there."""

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="recusals")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="recusals"
    )
    at = models.DateTimeField()

    class Meta:
        default_permissions = ()
        constraints = [UniqueConstraint(fields=["game", "user"], name="games_recusal_once")]

    def __str__(self) -> str:
        return f"user {self.user_id} has seen the cards of game {self.game_id}"
