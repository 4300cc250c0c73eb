"""The seed of a game. See the walls."""

from django.db import models

from .game import Game


class GameSecret(models.Model):
    """The seed every draw of the game follows from. Shown when the game has ended."""

    game = models.OneToOneField(Game, primary_key=True, on_delete=models.CASCADE, related_name="+")
    seed = models.BinaryField(max_length=32)

    def __str__(self) -> str:
        return f"the secret of game {self.game_id}"
