"""Who was asked by name to sit down at an open table."""

from django.conf import settings
from django.db import models
from django.db.models import UniqueConstraint
from django.utils.translation import gettext_lazy as _

from .game import Game


class InvitationState(models.TextChoices):
    OPEN = "open", _("open")
    ACCEPTED = "accepted", _("accepted")
    DECLINED = "declined", _("declined")


class Invitation(models.Model):
    """One for each person and table. It expires with the open table, which does not stay so."""

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="invitations")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="invitations"
    )
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    state = models.CharField(max_length=10, choices=InvitationState, default=InvitationState.OPEN)
    created_at = models.DateTimeField()

    class Meta:
        constraints = [
            UniqueConstraint(fields=["game", "user"], name="games_invitation_once"),
        ]
        indexes = [models.Index(fields=["by", "created_at"])]

    def __str__(self) -> str:
        return f"invitation of user {self.user_id} to game {self.game_id}"
