"""What people at a table of the cast say, in tests."""

from itertools import count

from accounts.models import User
from games import talk
from games.models import Game, TableMessage, TalkRoom

from .cast import NOON

TABLE, SPECTATORS = TalkRoom.TABLE, TalkRoom.SPECTATORS
_tokens = count(1)


def tell(
    game: Game, user: User, text: str = "Hello", room: TalkRoom = TABLE, **more: object
) -> TableMessage:
    """Say it once; the message."""
    given = {"form_token": f"token{next(_tokens)}", "now": NOON, "text": text, **more}
    talk.say(public_id=game.public_id, user=user, room=room, **given)  # type: ignore[arg-type]
    return TableMessage.objects.filter(game=game, room=room).latest("number")
