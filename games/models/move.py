"""What was said at a table, and what came of it. Holds hidden cards: see the walls."""

from django.db import models
from django.db.models import CheckConstraint, Q, UniqueConstraint

from .game import Game
from .prompt import Prompt, Source
from .seat import Tenure


class Move(models.Model):
    """Nothing leads here from another row: the store alone reads and writes moves.

    Move 0 is the deal. `events` are facts with their cards; `version` the public one after. One
    that a moderator has taken back stays, `undone_by` the move that takes the game back: that one
    is nobody's at the table, and its command names the last move that counts."""

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="+")
    number = models.PositiveIntegerField()
    tenure = models.ForeignKey(Tenure, null=True, on_delete=models.PROTECT, related_name="+")
    seat = models.PositiveSmallIntegerField(null=True)
    prompt = models.OneToOneField(Prompt, null=True, on_delete=models.PROTECT, related_name="+")
    command = models.CharField(max_length=60, blank=True)
    source = models.CharField(max_length=10, choices=Source)
    events = models.JSONField()
    schema = models.PositiveSmallIntegerField()
    version = models.PositiveIntegerField()
    at = models.DateTimeField()
    undone_by = models.ForeignKey(
        "self", null=True, on_delete=models.RESTRICT, related_name="undone"
    )

    class Meta:
        constraints = [
            UniqueConstraint(fields=["game", "number"], name="games_move_number_once"),
            CheckConstraint(
                condition=Q(number=0, tenure=None, source=Source.DEAL)
                | Q(number__gt=0, tenure__isnull=False)
                | Q(number__gt=0, tenure=None, seat=None, source=Source.MODERATOR),
                name="games_move_by_somebody",
            ),
        ]

    def __str__(self) -> str:
        return f"move {self.number} of game {self.game_id}"
