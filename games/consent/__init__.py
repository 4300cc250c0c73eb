"""What those who play decide together at a running table, without a moderator: a pause and its end,
more time, an end without a result, and who takes the seat of somebody who has long been absent.

All is public and shown at once; `proposals` says who counts. This is the public face of the room:
the rest of the site says `consent.propose`.
"""

from .deciding import sweep
from .proposing import NOT_AGAIN, What, propose, say, withdraw
from .seats import invite, invite_by_mail, take_seat

__all__ = [
    "NOT_AGAIN",
    "What",
    "invite",
    "invite_by_mail",
    "propose",
    "say",
    "sweep",
    "take_seat",
    "withdraw",
]
