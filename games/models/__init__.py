"""The tables, one file a subject.

`Move` and `GameSecret` hold hidden cards and are not offered here: store and verify import them
from their own modules, nobody else does.
"""

from . import move, secret  # noqa: F401  registered with Django, not offered
from .audit import Act, AuditEntry, AuditHead
from .clock import ClockEntry, ClockReason, Pause, WorkerBeat
from .game import PACES, Admits, Game, Halt, Status, Visibility, Watch
from .invitation import Invitation, InvitationState
from .note import Note
from .order import OrderEnd, OrderFiring, StandingOrder
from .outbox import Channel, Kind, Outbox, OutboxState, Why
from .prompt import READY, Job, JobKind, Prompt, PromptState, Source, Window
from .proposal import Outcome, Proposal, ProposalKind, Voice
from .recusal import Recusal
from .report import Report, ReportKind, ReportState
from .seat import BOT_NAMES, BotKind, Seat, Tenure, TenureEnd
from .talk import Mute, Phrase, TableMessage, TalkRead, TalkRoom

__all__ = [
    "BOT_NAMES",
    "PACES",
    "READY",
    "Act",
    "Admits",
    "AuditEntry",
    "AuditHead",
    "BotKind",
    "Channel",
    "ClockEntry",
    "ClockReason",
    "Game",
    "Halt",
    "Invitation",
    "InvitationState",
    "Job",
    "JobKind",
    "Kind",
    "Mute",
    "Note",
    "OrderEnd",
    "OrderFiring",
    "Outbox",
    "OutboxState",
    "Outcome",
    "Pause",
    "Phrase",
    "Prompt",
    "PromptState",
    "Proposal",
    "ProposalKind",
    "Recusal",
    "Report",
    "ReportKind",
    "ReportState",
    "Seat",
    "Source",
    "StandingOrder",
    "Status",
    "TableMessage",
    "TalkRead",
    "TalkRoom",
    "Tenure",
    "TenureEnd",
    "Visibility",
    "Voice",
    "Watch",
    "Why",
    "Window",
    "WorkerBeat",
]
