"""Reading: what one viewer may see of a table. Writes nothing.

This is the public face of the room: the rest of the site says `selectors.table`.
"""

from games.store import Unreadable

from .access import Hidden, find, is_secret, may_see, sits
from .free_seats import Vacancy, vacancies, vacant
from .seen import (
    PUBLIC_ANSWERS,
    answered,
    as_asked,
    hidden_cards,
    moments,
    public_entries,
    public_view,
    seat_view,
    seat_views,
)
from .tables import Table, table
from .waiting import next_waiting, open_prompts, waiting_for

__all__ = [
    "PUBLIC_ANSWERS",
    "Hidden",
    "Table",
    "Unreadable",
    "Vacancy",
    "answered",
    "as_asked",
    "find",
    "hidden_cards",
    "is_secret",
    "may_see",
    "moments",
    "next_waiting",
    "open_prompts",
    "public_entries",
    "public_view",
    "seat_view",
    "seat_views",
    "sits",
    "table",
    "vacancies",
    "vacant",
    "waiting_for",
]
