"""The secret seed of a game, and the luck that is drawn from it.

The one place that reads or writes a GameSecret. Whoever knows a running game's seed knows every
card still to come: others get draws from it, and the seed itself once the game has ended.
"""

from games.chance import SEED_BYTES, Draws, commitment
from games.models import Game, Prompt
from games.models.secret import GameSecret


def new_secret(game: Game, seed: bytes) -> None:
    """Keep the seed of a game about to be saved, and set what is shown of it."""
    assert len(seed) == SEED_BYTES
    game.commitment = commitment(seed)
    game.save()
    GameSecret.objects.create(game=game, seed=seed)


def seed(game: Game) -> bytes:
    """The secret itself: to be shown of an ended game alone."""
    return bytes(GameSecret.objects.values_list("seed", flat=True).get(pk=game.pk))


def draws(game: Game, number: int) -> Draws:
    """The luck of move `number`."""
    return Draws(seed(game), game.start_names, number)


def bot_draws(game: Game, prompt: Prompt) -> Draws:
    """The luck of the bot that answers `prompt`: apart from the luck of any move."""
    return Draws(seed(game), [*game.start_names, f"bot for prompt {prompt.pk}"], 0)


def pause_draws(game: Game) -> Draws:
    """The luck of the pauses of bots after the table stood still: apart from that of any move."""
    return Draws(seed(game), [*game.start_names, f"going on at {game.version}"], 0)
