"""What happens to a person, for those who keep something of theirs: accounts knows no games."""

from django.dispatch import Signal


class MergeRefused(Exception):
    """A guest and an account cannot become one; `args[0]` says why, to the person."""


name_changed = Signal()
"""Sent with `user` and `now`, in the transaction that changes a public name."""

guest_merges = Signal()
"""Sent with `guest`, `user` and `now`: hand over what is the guest's, or raise MergeRefused.

The guest goes afterwards; whatever is left with it stays with "a former player"."""

still_needed = Signal()
"""Sent with `user` and `since`: a receiver answers True to keep a guest idle since then."""

signed_out = Signal()
"""Sent with `user`: every session of theirs has ended."""

others_ended = Signal()
"""Sent with `user`: every session of theirs has ended but the one in which they are now."""

session_ended = Signal()
"""Sent with `session`, a key that counts no more, and `renewed`: whether its browser has another
session instead."""

account_closes = Signal()
"""Sent with `user` and `now`, in the transaction that closes the account: leave every table."""

data_asked = Signal()
"""Sent with `user`: a receiver answers with a dict of what it keeps of them, by section."""

blocked = Signal()
"""Sent with `by`, `blocked` and `now`, after the block is stored, outside its transaction."""

rests_changed = Signal()
"""Sent with `user` and `now`, after their holidays have changed: deadlines may have moved."""

account_mail = Signal()
"""Sent with `message`, a mail that allauth has written, and `now`: it is to go out at once."""
