"""Views of a table in words: sentences, answers, the log, and all that a page shows of them.

Everything comes from `TableView` and `Line`, which are already one viewer's own.
"""

from .actions import actions
from .answers import Answer, answers
from .clock import Bank
from .confirm import COSTLY, Confirmation, confirmation
from .letters import asked_publicly, bare, claim_publicly, simple, since_last_move
from .log import emblem, line, plain
from .ready import are_you_ready
from .rules import rules_at_hand
from .seats import Player
from .sentence import sentence
from .table import Entry, Presentation, present
from .terms import faction_name, role_name, verb_name

__all__ = [
    "COSTLY",
    "Answer",
    "Bank",
    "Confirmation",
    "Entry",
    "Player",
    "Presentation",
    "actions",
    "answers",
    "are_you_ready",
    "asked_publicly",
    "bare",
    "claim_publicly",
    "confirmation",
    "emblem",
    "faction_name",
    "line",
    "plain",
    "present",
    "role_name",
    "rules_at_hand",
    "sentence",
    "simple",
    "since_last_move",
    "verb_name",
]
