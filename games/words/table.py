"""All that a page of a table shows, ready for the template: `present` and what it hands over."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Protocol

from django.utils.html import format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext_lazy, ngettext_lazy
from django.utils.translation import gettext as _

from games.engine.cards import Role
from games.engine.cards import roles as roles_in_play
from games.engine.commands import Verb
from games.engine.view import SPECTATOR, Claims, Line, LineKind, PhaseName, TableView

from . import marks
from .actions import Actions, actions
from .answers import Answer, answers
from .clock import Bank, Until, time_left
from .log import emblem, line_in
from .rules import rules_list
from .seats import Mine, Place, Player, Seat, all_seats, opponent, order, own_seat, ranking
from .sentence import Sentence, sentence
from .terms import COINS, NOTHING, fill, icon, joined, role_icon, role_name, sprite

LOG_SHOWN = 60
_WINDOWS = (PhaseName.RESPOND, PhaseName.RESPOND_BLOCK)
_SEALED = gettext_lazy(
    "Sealed: nobody sees what you answered, or whether you did, until the window closes. "
    "An answer is final."
)
_DECK = ngettext_lazy(
    "Court deck: <b>{amount}</b> card", "Court deck: <b>{amount}</b> cards", "amount"
)
_ALMSHOUSE = ngettext_lazy(
    "Almshouse: <b>{amount}</b> coin", "Almshouse: <b>{amount}</b> coins", "amount"
)
_FINAL = gettext_lazy("An answer is final.")


class Entry(Protocol):
    """A line of the log with its place in the game."""

    @property
    def number(self) -> int: ...
    @property
    def turn(self) -> int: ...
    @property
    def line(self) -> Line: ...
    @property
    def by_clock(self) -> bool: ...
    @property
    def by_order(self) -> bool: ...
    @property
    def names(self) -> tuple[str, ...]: ...
    @property
    def mine(self) -> bool: ...


@dataclass(frozen=True, slots=True)
class LogLine:
    """A line of the log. `html` is the item of the list, `text` its sentence alone."""

    number: int
    text: SafeString
    is_new: bool
    html: SafeString


@dataclass(frozen=True, slots=True)
class LedgerRow:
    name: str
    classes: str
    cells: SafeString


@dataclass(frozen=True, slots=True)
class Presentation:
    """A table for one viewer. `over`: with a winner or without one. `just`: what happened last;
    `seen`: what this viewer alone saw."""

    title: str
    classes: str
    sprite: str
    over: bool
    sentence: Sentence
    just: tuple[SafeString, ...]
    until: Until | None
    answers: tuple[Answer, ...]
    foot: str
    cards_to_choose: bool
    actions: Actions | None
    seats: tuple[Seat, ...]
    seats_classes: str
    mine: Mine | None
    deck: SafeString
    almshouse: SafeString
    log: tuple[LogLine, ...]
    log_items: SafeString
    log_new: int
    log_cut: bool
    lines: int
    ledger_head: SafeString
    ledger: tuple[LedgerRow, ...]
    rules: SafeString
    seen: tuple[SafeString, ...]
    ranking: tuple[Place, ...]


def present(
    view: TableView,
    players: Sequence[Player],
    entries: Sequence[Entry],
    ledger: Mapping[tuple[int, Role], Claims],
    *,
    now: datetime,
    seat: int = SPECTATOR,
    opened: datetime | None = None,
    due: datetime | None = None,
    bank: Bank | None = None,
    read_to: int | None = None,
    whole_log: bool = False,
    without_result: str = "",
) -> Presentation:
    """The table for its viewer.

    `seat` is the reader's own, also after the end, when the view is everybody's. `entries` is the
    whole log, oldest first; `due` the deadline to show, the viewer's own where there is one; `bank`
    the viewer's; `read_to` the number of the last entry the viewer has seen before this visit;
    `without_result` says how a game that nobody won has ended.
    """
    if seat >= 0 and view.viewer != seat:
        view = replace(view, viewer=seat)
    names = tuple(player.name for player in players)
    over = view.phase is PhaseName.OVER
    if without_result:
        view, over = _broken_off(view), True
    said = Sentence(fill(without_result)) if without_result else sentence(view, names)
    choices = tuple(answers(view, names))
    told = in_words(entries, view.viewer)
    around = order(view)
    log = _log(told, read_to, None if whole_log else LOG_SHOWN)
    return Presentation(
        title=_title(said, over=over),
        classes=_classes(view, said),
        sprite=sprite(),
        over=over,
        sentence=said,
        just=_just(view, told),
        until=time_left(now, opened, due, bank if said.ask else None),
        answers=choices,
        foot=str(_SEALED if view.phase in _WINDOWS else _FINAL),
        cards_to_choose=any(choice.drawn for choice in choices),
        actions=actions(view, names),
        seats=tuple(opponent(view, players[seat], seat, ledger) for seat in around),
        seats_classes=f"seats seats--{len(around)}",
        mine=own_seat(view, view.own, bank) if view.own else None,
        deck=fill(_DECK, amount=view.deck),
        almshouse=fill(_ALMSHOUSE, amount=view.almshouse) if view.options.factions else NOTHING,
        log=log,
        log_items=joined(line.html for line in log),
        log_new=sum(line.is_new for line in log),
        log_cut=not whole_log and len(told) > LOG_SHOWN,
        lines=len(entries),
        ledger_head=_ledger_head(view),
        ledger=tuple(_ledger_row(view, names, seat, ledger) for seat in all_seats(view)),
        rules=rules_list(view.options),
        seen=_seen(view, told),
        ranking=ranking(view, names),
    )


# --- the log --------------------------------------------------------------------------------------

type Told = list[tuple[Entry, SafeString]]


def in_words(entries: Sequence[Entry], viewer: int) -> Told:
    """The log in words, oldest first.

    A new turn is told by its number in the margin, an income in one line with its coin.
    """
    told: Told = []
    lost: dict[int, int] = {}
    income, language = False, get_language()
    for entry in entries:
        what = entry.line
        if what.kind is LineKind.TURN or (what.kind is LineKind.GAINED and income):
            continue
        income = what.verb is Verb.INCOME
        out = False
        if what.kind in (LineKind.LOST, LineKind.CAUGHT):
            lost[what.seat] = lost.get(what.seat, 0) + 1
            out = lost[what.seat] == 2
        reader = viewer if entry.mine else SPECTATOR
        told.append((entry, line_in(language, what, entry.names, reader, out)))
    return told


def _log(told: Told, read_to: int | None, limit: int | None) -> tuple[LogLine, ...]:
    """Newest first. A turn's number stands once; a rule marks where the viewer had read up to."""
    shown = told if limit is None else told[-limit:]
    turn_above, new_above = 0, False
    lines = []
    for entry, text in reversed(shown):
        new = read_to is not None and entry.number > read_to
        html = marks.log_item(
            text,
            number=entry.number,
            turn="" if entry.turn == turn_above else str(entry.turn),
            mark=_mark(entry),
            by_clock=entry.by_clock,
            by_order=entry.by_order,
            read_to_here=new_above and not new,
        )
        lines.append(LogLine(entry.number, text, new, html))
        turn_above, new_above = entry.turn, new
    return tuple(lines)


def _mark(entry: Entry) -> SafeString:
    if entry.by_clock:
        return icon("hourglass")
    if entry.line.role:
        return role_icon(entry.line.role)
    drawing = emblem(entry.line)
    return icon(drawing, "ico ico--coin" if drawing in COINS else "ico")


# What the sentence says itself.
RESTATED = {
    PhaseName.RESPOND: (LineKind.ANNOUNCED,),
    PhaseName.BLOCK: (LineKind.PROVED,),
    PhaseName.RESPOND_BLOCK: (LineKind.BLOCKED,),
    PhaseName.REVEAL: (LineKind.CHALLENGED,),
    PhaseName.EXCHANGE: (LineKind.DREW,),
    PhaseName.EXAMINE: (LineKind.SHOWN,),
    PhaseName.OVER: (LineKind.ENDED,),
}


def _just(view: TableView, told: Told) -> tuple[SafeString, ...]:
    """The last two things that happened, but for what the sentence says."""
    restated = RESTATED.get(view.phase, ())
    last = [text for entry, text in told[-4:] if entry.line.kind not in restated]
    return tuple(last[-2:])


def _seen(view: TableView, told: Told) -> tuple[SafeString, ...]:
    """What this viewer alone was shown, newest first."""
    if view.own is None:
        return ()
    return tuple(text for entry, text in reversed(told) if entry.line.seen)


# --- the ledger -----------------------------------------------------------------------------------


def _ledger_head(view: TableView) -> SafeString:
    return format_html_join(
        "",
        '<th scope="col">{}<span class="vh">{}</span></th>',
        ((role_icon(role), role_name(role)) for role in roles_in_play(view.options)),
    )


def _ledger_row(
    view: TableView,
    names: Sequence[str],
    seat: int,
    ledger: Mapping[tuple[int, Role], Claims],
) -> LedgerRow:
    open_claim = view.claim
    cells = []
    for role in roles_in_play(view.options):
        now = open_claim and open_claim.seat == seat and open_claim.role is role
        claims = ledger.get((seat, role))
        cells.append((' class="is-now"' if now else "", marks.pip(claims) if claims else NOTHING))
    return LedgerRow(
        name=_("You") if seat == view.viewer else names[seat],
        classes="is-out" if view.seats[seat].exiled else "",
        cells=format_html_join("", "<td{}>{}</td>", ((fill(c), text) for c, text in cells)),
    )


# --- the page -------------------------------------------------------------------------------------


def _classes(view: TableView, said: Sentence) -> str:
    if said.ask and view.phase is PhaseName.ACTION:
        return "play play--turn"
    if said.ask:
        return "play play--asked"
    watches = view.own is None and view.phase is not PhaseName.OVER
    return "play play--watch" if watches else "play"


def _title(said: Sentence, *, over: bool) -> str:
    """What the browser's tab says."""
    if said.ask:
        return _("You are asked")
    return _("The game is over") if over else _("Waiting for others")


def _broken_off(view: TableView) -> TableView:
    """The table of a game that nobody goes on with: it is nobody's turn, and nobody is asked."""
    seats = tuple(replace(seat, asked=False) for seat in view.seats)
    return replace(view, seats=seats, asked=(), turn=SPECTATOR)
