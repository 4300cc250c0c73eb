"""A finished game retold: what was true, what was secret, who lied when. For everybody alike."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.utils.html import format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from games.engine.cards import Hand, Role
from games.engine.view import EVERYTHING, LineKind, Moment, Outcome, PhaseName, TableView, Truth

from . import marks
from .log import emblem, line
from .terms import COINS, NOTHING, Message, fill, icon, player, role_icon, role_name, the


@dataclass(frozen=True, slots=True)
class Step:
    """A moment in words. `turn` is "" where the step above says it already; `lie`: it claims what
    is not true."""

    number: str
    turn: str
    text: SafeString
    icon: SafeString
    by_clock: bool
    lie: bool


@dataclass(frozen=True, slots=True)
class OpenHand:
    """A seat with its cards up. `note` says what matters in this moment; `apart` are cards drawn
    or shown, not yet chosen among."""

    number: int
    name: str
    classes: str
    arms: str
    coins: SafeString
    flag: SafeString
    cards: SafeString
    held: str
    note: SafeString
    apart: SafeString
    apart_is: str


@dataclass(frozen=True, slots=True)
class ClaimRow:
    """Who said what, and what it was worth. `fell`: a challenge broke it."""

    moment: int
    turn: int
    name: str
    mark: SafeString
    role: str
    blocking: bool
    held: bool
    fell: bool
    result: SafeString


@dataclass(frozen=True, slots=True)
class Total:
    """A player's claims, how many of them were lies, how many lies were caught; challenges made
    that broke a claim, and that did not."""

    name: str
    claims: int
    lies: int
    caught: int
    right: int
    wrong: int


_TRUE, _LIE = gettext_lazy("It is true."), gettext_lazy("It is a lie.")
_WAS_TRUE, _WAS_LIE = gettext_lazy("The claim is true."), gettext_lazy("The claim is a lie.")
_NOT_SHOWN = gettext_lazy("The claim was true: the card stayed hidden.")
_VOID_TRUE = gettext_lazy("It would have been true. Void: nobody learned it before the end.")
_VOID_LIE = gettext_lazy("It would have been a lie. Void: nobody learned it before the end.")
_UNTOLD = gettext_lazy("Nobody learned it before the end.")
_LATER = gettext_lazy("The others learn it when the turn ends.")

_SAID = (LineKind.ANNOUNCED, LineKind.SEALED, LineKind.BLOCKED)
_RESULTS: dict[Outcome, Message] = {
    Outcome.BELIEVED: gettext_lazy("believed"),
    Outcome.PROVED: gettext_lazy("challenged by {player}: shown"),
    Outcome.FELL: gettext_lazy("challenged by {player}: caught"),
    Outcome.VOID: gettext_lazy("sealed, and never told"),
    Outcome.UNSETTLED: gettext_lazy("the game ended first"),
}
_RESULT_NOT_SHOWN = gettext_lazy("challenged by {player}: not shown")

_CLAIMS_TRULY = gettext_lazy("claims {role}: true")
_CLAIMS_FALSELY = gettext_lazy("claims {role}: a lie")
_NO_DUKE_TRULY = gettext_lazy("claims to hold no Duke: true")
_NO_DUKE_FALSELY = gettext_lazy("claims to hold no Duke: a lie")


def steps(moments: Iterable[Moment], names: Sequence[str]) -> tuple[Step, ...]:
    """Every moment in words, oldest first."""
    told, above = [], 0
    cards: dict[int, int] = {}
    for moment in moments:
        what = moment.line
        out = False
        if what.kind in (LineKind.LOST, LineKind.CAUGHT):
            cards[what.seat] = cards.get(what.seat, 2) - 1
            out = cards[what.seat] == 0
        drawing = "hourglass" if moment.by_clock else emblem(what)
        mark = (
            role_icon(what.role)
            if what.role and not moment.by_clock
            else icon(drawing, "ico ico--coin" if drawing in COINS else "ico")
        )
        lie = what.kind in _SAID and moment.truth is not None and not moment.truth.held
        turn = "" if moment.turn == above else str(moment.turn)
        above = moment.turn
        text = line(what, names, EVERYTHING, exiled=out)
        told.append(Step(str(moment.number), turn, text, mark, moment.by_clock, lie))
    return tuple(told)


def remark(moment: Moment) -> SafeString:
    """What nobody, or not everybody, could know in that moment."""
    truth = moment.truth
    match moment.line.kind:
        case LineKind.ANNOUNCED | LineKind.BLOCKED if truth:
            return fill(_TRUE if truth.held else _LIE)
        case LineKind.CHALLENGED if truth:
            return fill(_WAS_TRUE if truth.held else _WAS_LIE)
        case LineKind.CAUGHT if truth and truth.held:
            return fill(_NOT_SHOWN)
        case LineKind.SEALED if truth and moment.told is None:
            return fill(_VOID_TRUE if truth.held else _VOID_LIE)
        case LineKind.SEALED if truth:
            return fill(_TRUE if truth.held else _LIE)
        case LineKind.SEALED | LineKind.RESIGNED if moment.told is None:
            return fill(_UNTOLD)
        case LineKind.RESIGNED if moment.told != moment.number + 1:
            return fill(_LATER)
    return NOTHING


def hands(view: TableView, moment: Moment, names: Sequence[str]) -> tuple[OpenHand, ...]:
    """All seats as they lie in that moment."""
    return tuple(_hand(view, moment, names[seat], seat) for seat in range(len(view.seats)))


def _hand(view: TableView, moment: Moment, name: str, number: int) -> OpenHand:
    seat, held = view.seats[number], view.hands[number]
    apart = _apart(view, moment, number)
    classes = "hand"
    if seat.exiled:
        classes = "hand is-out"
    elif number == view.turn and view.phase is not PhaseName.OVER:
        classes = "hand is-turn flip"
    up = [(marks.card(role),) for role in held]
    lost = [(marks.card(role, lost=True),) for role in seat.revealed]
    says = [role_name(role) for role in held]
    says += [_("{role} (lost)").format(role=role_name(role)) for role in seat.revealed]
    return OpenHand(
        number=number,
        name=name,
        classes=classes,
        arms=f"arms-{number + 1}",
        coins=marks.coins(seat.coins),
        flag=marks.flag(seat.faction),
        cards=format_html_join("", "{}", up + lost),
        held=pgettext("between the items of a list", ", ").join(says),
        note=_note(view, moment, number),
        apart=format_html_join("", "{}", ((marks.mini(role),) for role in apart)),
        apart_is=_("drawn:") if view.phase is PhaseName.EXCHANGE else _("shown:"),
    )


def _note(view: TableView, moment: Moment, number: int) -> SafeString:
    claim, held = view.claim, view.hands[number]
    if view.phase is PhaseName.OVER:
        return fill(_("place {place}"), place=view.ranking.index(number) + 1)
    if view.seats[number].exiled:
        return fill(_("exiled"))
    if claim and claim.seat == number and moment.asked:
        if claim.role is None:
            return fill(_NO_DUKE_FALSELY if Role.DUKE in held else _NO_DUKE_TRULY)
        return fill(_CLAIMS_TRULY if claim.role in held else _CLAIMS_FALSELY, role=the(claim.role))
    if number in moment.asked:
        return fill(_("to play") if view.phase is PhaseName.ACTION else _("asked"))
    return NOTHING


def _apart(view: TableView, moment: Moment, number: int) -> Hand:
    """Drawn cards lie with who drew them, a shown one with its owner."""
    if not moment.apart or view.action is None:
        return ()
    drawn = view.phase is PhaseName.EXCHANGE
    owner = view.action.seat if drawn else view.action.target
    return moment.apart if number == owner else ()


def claim_rows(truths: Iterable[Truth], names: Sequence[str]) -> tuple[ClaimRow, ...]:
    """Who lied when, in order of time."""
    return tuple(
        ClaimRow(
            moment=truth.moment,
            turn=truth.turn,
            name=names[truth.seat],
            mark=role_icon(truth.role) if truth.role else icon("coins", "ico ico--coin"),
            role=role_name(truth.role) if truth.role else _("no Duke"),
            blocking=truth.blocking,
            held=truth.held,
            fell=truth.outcome is Outcome.FELL,
            result=_result(truth, names),
        )
        for truth in truths
    )


def _result(truth: Truth, names: Sequence[str]) -> SafeString:
    not_shown = truth.outcome is Outcome.FELL and truth.held
    message = _RESULT_NOT_SHOWN if not_shown else _RESULTS[truth.outcome]
    return fill(message, player=player(names, truth.challenger))


def totals(truths: Iterable[Truth], names: Sequence[str]) -> tuple[Total, ...]:
    """Per player, in seat order. A sealed block that was never told is no claim."""
    told = [truth for truth in truths if truth.outcome is not Outcome.VOID]

    def total(seat: int) -> Total:
        made = [truth for truth in told if truth.seat == seat]
        lies = [truth for truth in made if not truth.held]
        tested = [truth.outcome for truth in told if truth.challenger == seat]
        return Total(
            name=names[seat],
            claims=len(made),
            lies=len(lies),
            caught=sum(truth.outcome is Outcome.FELL for truth in lies),
            right=tested.count(Outcome.FELL),
            wrong=tested.count(Outcome.PROVED),
        )

    return tuple(total(seat) for seat in range(len(names)))
