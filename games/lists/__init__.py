"""Reading around the games: a waiting room, tables to sit down at, one's own games. Writes nothing.

This is the public face of the room: the rest of the site says `lists.room`.
"""

from .finding import (
    Wish,
    listed,
    lobby_tag,
    my_invitations,
    my_open_tables,
    open_tables,
    vacant_games,
)
from .own import Going, asked, ended, prompts_for, seats_ended, seats_waiting, tag, waiting
from .rooms import ROOM, Room, room

__all__ = [
    "ROOM",
    "Going",
    "Room",
    "Wish",
    "asked",
    "ended",
    "listed",
    "lobby_tag",
    "my_invitations",
    "my_open_tables",
    "open_tables",
    "prompts_for",
    "room",
    "seats_ended",
    "seats_waiting",
    "tag",
    "vacant_games",
    "waiting",
]
