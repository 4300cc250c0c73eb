"""What a player may do in their turn, as radios: the action, then whom it is for."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy, pgettext_lazy

from games.engine.cards import Options, Role
from games.engine.commands import Verb
from games.engine.view import OwnView, PhaseName, TableView

from .sentence import FORCED_COUP
from .terms import COINS, EMBLEM, NOTHING, Message, as_role, fill, player, verb_name

COST = {Verb.COUP: 7, Verb.ASSASSINATE: 3, Verb.CONVERT: 1}
CLAIM = {
    Verb.TAX: Role.DUKE,
    Verb.STEAL: Role.CAPTAIN,
    Verb.ASSASSINATE: Role.ASSASSIN,
    Verb.EXCHANGE: Role.AMBASSADOR,
    Verb.EXAMINE: Role.INQUISITOR,
}
CLAIMING = (
    Verb.TAX,
    Verb.STEAL,
    Verb.ASSASSINATE,
    Verb.EXCHANGE,
    Verb.EXAMINE,
    Verb.EMBEZZLE,
)
PLAIN = (Verb.INCOME, Verb.FOREIGN_AID, Verb.COUP, Verb.CONVERT)


@dataclass(frozen=True, slots=True)
class Target:
    """Whom an action may be for. `only_convert`: of one's own side, so not to be harmed."""

    seat: int
    name: SafeString
    coins: SafeString
    only_convert: bool


@dataclass(frozen=True, slots=True)
class ActionChoice:
    """One action of this variant; `disabled` says why it cannot be taken now."""

    verb: Verb
    title: str
    cost: SafeString
    does: SafeString
    risk: SafeString
    note: str
    emblem: str
    icon_classes: str
    role: Role | None
    targets: tuple[int, ...]
    disabled: SafeString


@dataclass(frozen=True, slots=True)
class Actions:
    """The radios of a turn: `claiming` a role, `plain` ones, and all `targets` of any of them."""

    claiming: tuple[ActionChoice, ...]
    plain: tuple[ActionChoice, ...]
    targets: tuple[Target, ...]


_EMBLEM = {
    Verb.INCOME: "coin",
    Verb.FOREIGN_AID: "coins",
    Verb.COUP: "lost",
    Verb.CONVERT: "person",
    Verb.EMBEZZLE: "coins",
}
DOES: dict[Verb, Message] = {
    Verb.INCOME: _("Take 1 coin."),
    Verb.FOREIGN_AID: _("Take 2 coins."),
    Verb.COUP: _("Somebody loses a card."),
    Verb.TAX: _("Take 3 coins."),
    Verb.STEAL: _("Take 2 coins from somebody."),
    Verb.ASSASSINATE: _("Somebody loses a card."),
    Verb.EXCHANGE: _("Draw 2 cards, and put any 2 back."),
    Verb.EXAMINE: _("See a card of somebody’s choice; give it back or have it swapped."),
    Verb.CONVERT: _("Somebody, or you, changes sides. The coins go to the almshouse."),
    Verb.EMBEZZLE: _("Take all the almshouse holds."),
}
_INQUISITOR_EXCHANGE = _("Draw 1 card, and put any 1 back.")
RISK: dict[Verb, Message] = {
    Verb.INCOME: _("Nothing can stop it."),
    Verb.FOREIGN_AID: _("A Duke may block it."),
    Verb.COUP: _("Nothing can stop it."),
    Verb.STEAL: _("May be blocked."),
    Verb.ASSASSINATE: _("May be blocked."),
    Verb.CONVERT: _("Nothing can stop it."),
}
_AS = pgettext_lazy("the claimed role and the price of an action", "{as_role}, {amount} coins")
_COINS = ngettext_lazy("{amount} coin", "{amount} coins", "amount")
_CONVERT_COST = _("1 coin for yourself, 2 for another")
_NO_DUKE = _("as one without a Duke")
_SHORT = ngettext_lazy("You are {amount} coin short.", "You are {amount} coins short.", "amount")
_FORCED = _("With 10 coins or more it must be a coup.")
_EMPTY = _("The almshouse is empty.")
_HELD = _("You hold it.")
_BLUFF = _("A bluff.")
_TRUTHFUL = _("True: you hold none.")
_YOURSELF = _("Yourself")


def actions(view: TableView, names: Sequence[str]) -> Actions | None:
    """The viewer's choices in their turn, also the closed ones; None if it is not their turn."""
    own = view.own
    if view.phase is not PhaseName.ACTION or own is None or not own.legal:
        return None
    targets: dict[Verb, list[int]] = {}
    for command in own.legal:
        seats = targets.setdefault(command.verb, [])
        if command.target is not None:
            seats.append(command.target)
    return Actions(
        claiming=tuple(
            _choice(view, own, verb, targets) for verb in CLAIMING if exists(view.options, verb)
        ),
        plain=tuple(
            _choice(view, own, verb, targets) for verb in PLAIN if exists(view.options, verb)
        ),
        targets=_targets(view, names, targets),
    )


def claimed(options: Options, verb: Verb) -> Role | None:
    """The role an action claims at a table with these options."""
    if verb is Verb.EXCHANGE and options.inquisitor:
        return Role.INQUISITOR
    return CLAIM.get(verb)


def emblem(options: Options, verb: Verb) -> str:
    """The drawing of an action: that of the role it claims."""
    role = claimed(options, verb)
    return EMBLEM[role] if role else _EMBLEM[verb]


def does(options: Options, verb: Verb) -> SafeString:
    """What an action does, said to the one who takes it."""
    inquisitor = verb is Verb.EXCHANGE and options.inquisitor
    return fill(_INQUISITOR_EXCHANGE if inquisitor else DOES[verb])


def price(options: Options, verb: Verb) -> SafeString:
    """What an action claims and costs, in a few words."""
    role, cost = claimed(options, verb), COST.get(verb, 0)
    if verb is Verb.CONVERT:
        return fill(_CONVERT_COST)
    if verb is Verb.EMBEZZLE:
        return fill(_NO_DUKE)
    if role and cost:
        return fill(_AS, as_role=as_role(role), amount=cost)
    if role:
        return as_role(role)
    return fill(_COINS, amount=cost) if cost else NOTHING


def exists(options: Options, verb: Verb) -> bool:
    """Whether this variant has the action."""
    if verb is Verb.EXAMINE:
        return options.inquisitor
    return options.factions or verb not in (Verb.CONVERT, Verb.EMBEZZLE)


def _choice(
    view: TableView, own: OwnView, verb: Verb, targets: dict[Verb, list[int]]
) -> ActionChoice:
    role, drawn = claimed(view.options, verb), emblem(view.options, verb)
    return ActionChoice(
        verb=verb,
        title=verb_name(verb),
        cost=price(view.options, verb),
        does=does(view.options, verb),
        risk=fill(RISK.get(verb, "")),
        note=_note(own, verb, role),
        emblem=drawn,
        icon_classes="ico act__ico ico--coin" if drawn in COINS else "ico act__ico",
        role=role,
        targets=tuple(targets.get(verb, ())),
        disabled=NOTHING if verb in targets else _why_not(view, verb),
    )


def _note(own: OwnView, verb: Verb, role: Role | None) -> str:
    """Whether the claim is true: for its owner alone."""
    if verb is Verb.EMBEZZLE:
        return str(_BLUFF if Role.DUKE in own.hand else _TRUTHFUL)
    if role is None:
        return ""
    return str(_HELD if role in own.hand else _BLUFF)


def _why_not(view: TableView, verb: Verb) -> SafeString:
    coins = view.seats[view.viewer].coins
    if coins >= FORCED_COUP:
        return fill(_FORCED)
    if verb is Verb.EMBEZZLE:
        return fill(_EMPTY)
    return fill(_SHORT, amount=COST.get(verb, 0) - coins)


def _targets(
    view: TableView, names: Sequence[str], targets: dict[Verb, list[int]]
) -> tuple[Target, ...]:
    """In seat order from the viewer on, who may be converted last of all."""
    harmed = {seat for verb, seats in targets.items() if verb is not Verb.CONVERT for seat in seats}
    every = harmed.union(targets.get(Verb.CONVERT, ()))
    count = len(view.seats)
    return tuple(
        Target(
            seat=seat,
            name=fill(_YOURSELF) if seat == view.viewer else player(names, seat),
            coins=fill(_COINS, amount=view.seats[seat].coins),
            only_convert=seat not in harmed,
        )
        for seat in sorted(every, key=lambda seat: (seat - view.viewer - 1) % count)
    )
