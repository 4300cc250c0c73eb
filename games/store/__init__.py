"""Where a game's past is kept: `load` folds the moves, `append` adds one and what follows from it.

This is the public face of the room: the rest of the site says `store.load`. `record` reads and
folds, `seeds` keeps the secret and draws from it, `windows` asks, `moves` writes.
"""

from .moves import LEFT, append, deal, is_public, take_back
from .record import (
    TAKE_BACK,
    Record,
    Step,
    Unreadable,
    after,
    forget,
    load,
    load_all,
    moments,
    said,
    said_by,
    taken_back_to,
)
from .seeds import bot_draws, draws, new_secret, pause_draws, seed
from .windows import Change, change_hands, reopen, show, void

__all__ = [
    "LEFT",
    "TAKE_BACK",
    "Change",
    "Record",
    "Step",
    "Unreadable",
    "after",
    "append",
    "bot_draws",
    "change_hands",
    "deal",
    "draws",
    "forget",
    "is_public",
    "load",
    "load_all",
    "moments",
    "new_secret",
    "pause_draws",
    "reopen",
    "said",
    "said_by",
    "seed",
    "show",
    "take_back",
    "taken_back_to",
    "void",
]
