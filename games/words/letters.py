"""A question in words that whoever it is put to need not be alone to read: for mail and pushes.

Given a table as a spectator sees it; `viewer` is the seat that is asked, so that it is told of as
"you", and `own` holds nothing but the answers that everybody knows it has.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from html import unescape

from django.utils.html import strip_tags
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext_lazy as _

from games.engine.view import SPECTATOR, LineKind, PhaseName, TableView

from .sentence import Sentence, question, sentence
from .table import RESTATED, Entry, in_words
from .terms import Message, fill, player

MOST_LINES = 12
"""Of what happened; a longer story is read at the table."""

# What a seat does itself, and everybody sees.
_ACTS = (
    LineKind.ANNOUNCED,
    LineKind.SEALED,
    LineKind.ALLOWED,
    LineKind.CHALLENGED,
    LineKind.BLOCKED,
    LineKind.PROVED,
    LineKind.CAUGHT,
    LineKind.LOST,
    LineKind.EXCHANGED,
    LineKind.SHOWN,
    LineKind.GIVEN_BACK,
    LineKind.SWAPPED,
)
# Here the sentence for the one who is asked tells of cards. Instead, to whoever looks at them:
_OWN_CARDS: dict[PhaseName, Message] = {
    PhaseName.EXCHANGE: _("<b>You</b> look through cards of the court deck."),
    PhaseName.EXAMINE: _("<b>You</b> look at a card of {target}."),
}
_KEEP: Message = _("Which cards do you keep?")


def claim_publicly(view: TableView, names: Sequence[str]) -> SafeString:
    """What is happening."""
    if view.phase not in _OWN_CARDS:
        return sentence(replace(view, own=None), names).claim
    assert view.action is not None
    if view.action.seat != view.viewer:
        return sentence(replace(view, viewer=SPECTATOR, own=None), names).claim
    return fill(_OWN_CARDS[view.phase], target=player(names, view.action.target))


def asked_publicly(view: TableView, names: Sequence[str]) -> Sentence:
    """What is happening, and what is asked of `viewer`."""
    claim = claim_publicly(view, names)
    if view.phase is PhaseName.EXCHANGE:
        return Sentence(claim, ask=fill(_KEEP))
    return Sentence(claim, ask=question(view))


def since_last_move(view: TableView, entries: Sequence[Entry]) -> tuple[SafeString, ...]:
    """What everybody has seen happen since `viewer` last did something, oldest first; without what
    the sentence says itself."""
    me, restated = view.viewer, RESTATED.get(view.phase, ())
    told = in_words(entries, me)
    acts = [
        at
        for at, (entry, _text) in enumerate(told)
        if entry.mine
        and entry.line.kind in _ACTS
        and (entry.line.seat == me or me in entry.line.seats)
    ]
    since = told[acts[-1] + 1 :] if acts else told
    if since and since[-1][0].line.kind in restated:
        since = since[:-1]
    return tuple(text for _entry, text in since[-MOST_LINES:])


_DRAWING = re.compile(r"<svg.*?</svg>", re.DOTALL)
_ROLE = re.compile(r"<span[^>]*>")


def simple(html: SafeString) -> SafeString:
    """Our markup as a letter may hold it: no drawings, and a role's name in bold."""
    text = _ROLE.sub("<b>", _DRAWING.sub("", html)).replace("</span>", "</b>")
    return mark_safe(text)  # noqa: S308 -- it was markup before, with less in it now


def bare(html: SafeString) -> str:
    """Our markup as plain text."""
    return unescape(strip_tags(html))
