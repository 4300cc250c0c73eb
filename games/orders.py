"""Standing orders: what a player wants said for them, as data, and what it comes to.

Like a bot, an order is given what its seat sees and nothing else. Whether it concerns a question
hangs on public facts alone; so does when its list answers.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import assert_never

from .bots.sight import Sight, look, truth
from .engine import commands as say
from .engine.cards import Hand, Options, Role, roles
from .engine.commands import Command, Verb
from .engine.view import Line, PhaseName, TableView


class Kind(StrEnum):
    """What an order does: allow, challenge the impossible, block, or choose among one's cards."""

    ALLOW = "allow"
    CHALLENGE = "challenge"
    BLOCK = "block"
    CARDS = "cards"


class Scope(StrEnum):
    """How long an order holds. The turn is the player's next: one that is on does not count."""

    GAME = "game"
    TURN = "turn"
    LOSS = "loss"


class Why(StrEnum):
    """Why an order that concerns a question cannot answer it."""

    POSSIBLE = "possible"  # the claim may be true, for all the seat knows
    RULES = "rules"


class Moment(StrEnum):
    """When a list answers a question."""

    NEVER = "never"
    AT_ONCE = "at_once"
    DRAWN = "drawn"


@dataclass(frozen=True, slots=True)
class Order:
    """One order of a list.

    ALLOW: claims by `player`, of `role`, if given; else whatever can be answered, foreign aid
    included; `untouching`: only what does not touch the player whose order it is.
    BLOCK: what `role` blocks, as that role, whatever is held: it may well be a bluff.
    CARDS: when challenged, show the claimed role if it is held; else, and when losing an
    influence, give up the first of `ranking` (all roles of the table) that is held.
    """

    kind: Kind
    player: int | None = None
    role: Role | None = None
    untouching: bool = False
    ranking: Hand = ()


@dataclass(frozen=True, slots=True)
class Answer:
    order: Order
    command: Command


@dataclass(frozen=True, slots=True)
class Silence:
    """An order that concerns the question, and why it does not answer it."""

    order: Order
    why: Why


BLOCKED_BY = {
    Role.DUKE: Verb.FOREIGN_AID,
    Role.CONTESSA: Verb.ASSASSINATE,
    Role.CAPTAIN: Verb.STEAL,
    Role.AMBASSADOR: Verb.STEAL,
    Role.INQUISITOR: Verb.STEAL,
}
"""What a role blocks."""

_CLAIMS = (PhaseName.RESPOND, PhaseName.RESPOND_BLOCK)
_CARDS = (PhaseName.REVEAL, PhaseName.LOSE)


def fits(order: Order, options: Options, seat: int) -> bool:
    """Whether a player in `seat` can give this order at a table of these options."""
    known = roles(options)
    if order.role is not None and order.role not in known:
        return False
    if order.player is not None and (
        order.player == seat or order.player not in range(options.players)
    ):
        return False
    if order.kind is Kind.BLOCK:
        return order.role in BLOCKED_BY
    return order.kind is not Kind.CARDS or sorted(order.ranking) == sorted(known)


def concerns(order: Order, view: TableView, seat: int) -> bool:
    """Whether the open question is one that `order`, of the player in `seat`, is about.

    Reads what is public of `view`, and may be given a spectator's.
    """
    if seat not in view.asked:
        return False
    match order.kind:
        case Kind.ALLOW:
            return _allows(order, view, seat)
        case Kind.CHALLENGE:
            return view.phase in _CLAIMS and view.claim is not None
        case Kind.BLOCK:
            return _blocks(order, view, seat)
        case Kind.CARDS:
            return view.phase in _CARDS
        case _:
            assert_never(order.kind)


def _allows(order: Order, view: TableView, seat: int) -> bool:
    action, claim = view.action, view.claim
    if view.phase not in _CLAIMS or action is None:
        return False
    if order.role is not None and (claim is None or claim.role is not order.role):
        return False
    if order.player not in (None, claim.seat if claim else action.seat):
        return False
    touched = action.target if view.phase is PhaseName.RESPOND else action.seat
    return not (order.untouching and touched == seat)


def _blocks(order: Order, view: TableView, seat: int) -> bool:
    action = view.action
    if action is None or order.role is None or BLOCKED_BY[order.role] is not action.verb:
        return False
    if action.verb is Verb.FOREIGN_AID:
        return view.phase is PhaseName.RESPOND
    return action.target == seat and view.phase in (PhaseName.RESPOND, PhaseName.BLOCK)


def moment(view: TableView, seat: int, orders: Iterable[Order]) -> Moment:
    """When this list answers the open question; `view` may be a spectator's, and should be.

    An allow is sealed, and where it comes first it hangs on no card: it need not wait. Everything
    else hangs on cards, or is heard by all the moment it is said, and its haste would tell.
    """
    first = next((order for order in orders if concerns(order, view, seat)), None)
    if first is None:
        return Moment.NEVER
    return Moment.AT_ONCE if first.kind is Kind.ALLOW else Moment.DRAWN


def decide(
    view: TableView, lines: Sequence[Line], orders: Iterable[Order]
) -> Answer | tuple[Silence, ...]:
    """What the list says to the question put to the viewer: the first order that can answer does.

    `view` and `lines` are what a person in that seat has. Where no order answers: those that are
    about the question, and why they do not.
    """
    if view.own is None or not view.own.legal:
        return ()
    silent = []
    for order in orders:
        if not concerns(order, view, view.viewer):
            continue
        said = _command(order, look(view, lines))
        if isinstance(said, Command):
            return Answer(order, said)
        silent.append(Silence(order, said))
    return tuple(silent)


def _command(order: Order, sight: Sight) -> Command | Why:
    said: Command | None
    match order.kind:
        case Kind.ALLOW:
            said = say.ALLOW
        case Kind.CHALLENGE:
            if truth(sight) > 0:
                return Why.POSSIBLE
            said = say.CHALLENGE
        case Kind.BLOCK:
            said = say.BLOCK[order.role] if order.role else None
        case Kind.CARDS:
            said = _card(order, sight)
        case _:
            assert_never(order.kind)
    return said if said in sight.own.legal else Why.RULES


def _card(order: Order, sight: Sight) -> Command | None:
    """The claimed role, or the first that may go."""
    claim, verb = sight.view.claim, Verb.LOSE
    ranking = order.ranking
    if sight.view.phase is PhaseName.REVEAL and claim and claim.role:
        verb, ranking = Verb.REVEAL, (claim.role, *ranking)
    role = next((role for role in ranking if role in sight.own.hand), None)
    return Command(verb, None, (role,)) if role else None
