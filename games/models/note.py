"""What a player writes down for themselves."""

from django.db import models
from django.db.models import CheckConstraint, Q, UniqueConstraint

from games.engine.cards import Role

from .seat import Tenure

LONGEST_NOTE = 200


class Note(models.Model):
    """About a seat, or about its claim to a `role`. It is the tenure's: a newcomer has none."""

    tenure = models.ForeignKey(Tenure, on_delete=models.CASCADE, related_name="notes")
    seat = models.PositiveSmallIntegerField()
    role = models.CharField(max_length=12, choices=[(r.value, r.value) for r in Role], blank=True)
    text = models.CharField(max_length=LONGEST_NOTE)

    class Meta:
        constraints = [
            UniqueConstraint(fields=["tenure", "seat", "role"], name="games_note_once"),
            CheckConstraint(condition=Q(seat__lt=6), name="games_note_seat"),
            CheckConstraint(condition=~Q(text=""), name="games_note_says_something"),
        ]

    def __str__(self) -> str:
        return f"note of tenure {self.tenure_id} about seat {self.seat}"
