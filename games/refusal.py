"""Why something was not done. Whatever changes a game, or refuses to, says it in these terms."""

from enum import StrEnum


class Reason(StrEnum):
    """Why something was refused, in terms a page turns into words."""

    NO_GAME = "no_game"
    NOT_SEATED = "not_seated"
    NOT_YOURS = "not_yours"
    NOT_RUNNING = "not_running"
    FROZEN = "frozen"
    MOVED_ON = "moved_on"
    TOO_LATE = "too_late"
    CALLED_OFF = "called_off"
    NOT_OPEN = "not_open"
    FULL = "full"
    ILLEGAL = "illegal"
    NOT_OVER = "not_over"
    SAT_BEFORE = "sat_before"
    NOT_HOST = "not_host"
    NO_PERSON = "no_person"
    BLOCKED = "blocked"
    SOMEBODY_ELSE = "somebody_else"
    TOO_FEW = "too_few"
    TOO_BUSY = "too_busy"
    TOO_MANY_INVITATIONS = "too_many_invitations"
    NOT_ADMITTED = "not_admitted"
    NEEDS_ACCOUNT = "needs_account"
    BY_ORDER = "by_order"
    ORDER_GONE = "order_gone"
    TOO_MANY_ORDERS = "too_many_orders"
    NO_VOICE = "no_voice"
    NOTHING_SAID = "nothing_said"
    TOO_FAST = "too_fast"
    NO_MESSAGE = "no_message"
    NO_NOTE = "no_note"
    TOO_MANY_REPORTS = "too_many_reports"
    NOT_MODERATOR = "not_moderator"
    PLAYED_HERE = "played_here"
    NO_MOMENT = "no_moment"
    SAW_CARDS = "saw_cards"
    NO_REPORT = "no_report"
    REPORT_CLOSED = "report_closed"
    SUSPENDED = "suspended"
    NAME_TAKEN = "name_taken"
    NO_SAY = "no_say"
    NOT_BACK = "not_back"
    NO_PROPOSAL = "no_proposal"
    OTHER_PROPOSAL = "other_proposal"
    JUST_PROPOSED = "just_proposed"
    DECIDED = "decided"
    NOT_NOW = "not_now"
    NOT_ABSENT = "not_absent"
    SEAT_GONE = "seat_gone"


class Refused(Exception):
    """Nothing was changed; `reason` says why."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason)
        self.reason = reason
