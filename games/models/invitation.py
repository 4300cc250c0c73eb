"""Who was asked to sit down at an open table, by name or by e-mail."""

from django.conf import settings
from django.db import models
from django.db.models import CheckConstraint, Q, UniqueConstraint
from django.utils.translation import gettext_lazy as _

from .game import Game


class InvitationState(models.TextChoices):
    OPEN = "open", _("open")
    ACCEPTED = "accepted", _("accepted")
    DECLINED = "declined", _("declined")
    EXPIRED = "expired", _("expired")
    MISSED = "missed", _("was not there when the game was to begin")


class Invitation(models.Model):
    """One for each person and table. It expires after a week, or with the open table.

    One that went by e-mail has a `token`, which its link carries, and no `user` before somebody
    comes by it; of the address a keyed hash is kept, so that nobody is asked too often. Whoever
    has lost a seat because they did not say that they were ready is invited back, by themselves.
    """

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="invitations")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.CASCADE, related_name="invitations"
    )
    token = models.CharField(max_length=32, blank=True)
    address_key = models.CharField(max_length=64, blank=True)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    state = models.CharField(max_length=10, choices=InvitationState, default=InvitationState.OPEN)
    created_at = models.DateTimeField()

    class Meta:
        constraints = [
            UniqueConstraint(fields=["game", "user"], name="games_invitation_once"),
            UniqueConstraint(
                fields=["game", "address_key"],
                condition=~Q(address_key=""),
                name="games_invitation_once_an_address",
            ),
            CheckConstraint(
                condition=Q(user__isnull=False) | ~Q(token=""), name="games_invitation_of_somebody"
            ),
        ]
        indexes = [models.Index(fields=["by", "created_at"]), models.Index(fields=["address_key"])]

    def __str__(self) -> str:
        return f"invitation of user {self.user_id} to game {self.game_id}"
