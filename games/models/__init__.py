"""The tables, one file a subject.

`Move` and `GameSecret` hold hidden cards and are not offered here: store and verify import them
from their own modules, nobody else does.
"""

from . import move, secret  # noqa: F401  registered with Django, not offered
from .game import PACES, Game, Status, Visibility, Watch
from .invitation import Invitation, InvitationState
from .prompt import Job, JobKind, Prompt, PromptState, Source, Window
from .seat import BotKind, Seat, Tenure, TenureEnd

__all__ = [
    "PACES",
    "BotKind",
    "Game",
    "Invitation",
    "InvitationState",
    "Job",
    "JobKind",
    "Prompt",
    "PromptState",
    "Seat",
    "Source",
    "Status",
    "Tenure",
    "TenureEnd",
    "Visibility",
    "Watch",
    "Window",
]
