"""The buttons under a question: what each answer does, and what it risks."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from games.engine.cards import Role
from games.engine.commands import SEATS, Command, Verb, text
from games.engine.view import ActionView, OwnView, PhaseName, TableView

from . import marks
from .terms import (
    AT_YOU,
    EMBLEM,
    NOTHING,
    THEY,
    Message,
    as_role,
    fill,
    part,
    player,
    roles,
    the,
    verb_name,
)

STEAL = 2


@dataclass(frozen=True, slots=True)
class Answer:
    """One legal answer. `value` is what the form sends; `role` colours the emblem.

    `drawn`: the cards on the button, where the answer is a choice of cards.
    """

    value: str
    title: SafeString
    does: SafeString
    risk: SafeString = NOTHING
    note: SafeString = NOTHING
    emblem: str = ""
    role: Role | None = None
    drawn: SafeString = NOTHING


_ALLOW: dict[Verb, tuple[Message, ...]] = {
    Verb.FOREIGN_AID: (_("{player} takes 2 coins."),),
    Verb.TAX: (_("{player} takes 3 coins."),),
    Verb.STEAL: (
        ngettext_lazy(
            "{player} takes {amount} coin from {target}, unless {target} blocks.",
            "{player} takes {amount} coins from {target}, unless {target} blocks.",
            "amount",
        ),
        "",
        ngettext_lazy("You lose {amount} coin.", "You lose {amount} coins.", "amount"),
    ),
    Verb.ASSASSINATE: (
        _("{target} loses a card, unless {target} blocks."),
        "",
        ngettext_lazy(
            "You lose your last card, and are exiled.",
            "You lose one card, of your choice.",
            "cards",
        ),
    ),
    Verb.EXCHANGE: (_("{player} exchanges cards with the court deck."),),
    Verb.EXAMINE: (
        _("{player} sees one card of {target}."),
        "",
        _("{player} sees one of your cards, and may have it swapped."),
    ),
    Verb.EMBEZZLE: (
        ngettext_lazy(
            "{player} takes {amount} coin from the almshouse.",
            "{player} takes {amount} coins from the almshouse.",
            "amount",
        ),
    ),
}
_NOTHING_TO_STEAL: tuple[Message, ...] = (
    _("{target} has no coins to lose."),
    "",
    _("You have no coins to lose."),
)
_NO_RISK = _("none.")
_NO_MORE_BLOCK = _("you cannot block it later, unless somebody else’s challenge fails.")
_NO_MORE_BLOCK_OF_TWO = _("you cannot block it later.")

_FINAL = _("final at once")
_LIE = ngettext_lazy(
    "If it is a lie, {player} loses the last card and is exiled.",
    "If it is a lie, {player} loses a card, and nothing comes of it.",
    "cards",
)
_EMBEZZLER_LIES = _("If {player} holds a Duke, it is lost, and the almshouse stays as it is.")
_TRUE = ngettext_lazy(
    "if it is true, you lose your last card and are exiled.",
    "if it is true, you lose a card.",
    "cards",
)
_TRUE_AND_ATTACKED = ngettext_lazy(
    "if it is true, you lose your last card and are exiled.",
    "if it is true, you lose a card, and the other as well unless you then block.",
    "cards",
)
_TRUE_AND_STOLEN = ngettext_lazy(
    "if it is true, you lose your last card and are exiled.",
    "if it is true, you lose a card, and the coins as well unless you then block.",
    "cards",
)
_BLOCK_LIE = _("If it is a lie, {player} loses a card, and the block falls.")

_BLOCK_TITLE = _("Block {as_role}")
_HELD = _("you hold it")
_BLUFF = _("a bluff")
_BLOCK: dict[Verb, Message] = {
    Verb.FOREIGN_AID: _("You claim {role}. Believed, {player} takes nothing."),
    Verb.STEAL: _("You claim {role}. Believed, you keep your coins."),
    Verb.ASSASSINATE: _("You claim {role}. Believed, you lose nothing."),
}
_BLOCK_HELD = _("none. Challenged, you can show it.")
_BLOCK_BLUFF: dict[Verb, Message] = {
    Verb.FOREIGN_AID: ngettext_lazy(
        "challenged, you lose your last card and are exiled.",
        "challenged, you lose a card.",
        "cards",
    ),
    Verb.STEAL: ngettext_lazy(
        "challenged, you lose your last card and are exiled.",
        "challenged, you lose a card and the coins.",
        "cards",
    ),
    Verb.ASSASSINATE: ngettext_lazy(
        "challenged, you lose your last card and are exiled.",
        "challenged, you lose both cards.",
        "cards",
    ),
}
# Told where others may read it, or to whom the cards are not shown.
_BLOCK_UNSEEN: dict[Verb, Message] = {
    Verb.FOREIGN_AID: _("challenged, you lose a card unless you show it."),
    Verb.STEAL: _("challenged, you lose a card and the coins unless you show it."),
    Verb.ASSASSINATE: _("challenged, you lose all your cards unless you show it."),
}
# Here {player} acts and {target} blocks.
_ALLOW_BLOCK: dict[Verb, tuple[Message, Message]] = {
    Verb.FOREIGN_AID: (
        _("The block holds: {player} takes nothing."),
        _("The block holds: you take nothing."),
    ),
    Verb.STEAL: (
        _("The block holds: {target} keeps the coins."),
        _("The block holds: {target} keeps the coins."),
    ),
    Verb.ASSASSINATE: (
        _("The block holds: {target} loses nothing."),
        _("The block holds: {target} loses nothing, and your 3 coins are spent."),
    ),
}

_REVEAL_TRUE = _("It proves your claim: {player} loses a card, and you draw another for it.")
_REVEAL_FALSE = _("You lose it, and your claim falls.")
_LOSE = _("It stays face up for the rest of the game.")
_SHOW = _("{player} alone sees it.")
_KEEP_TITLE = _("Keep {roles}")
_KEEP = _("Back into the deck: {roles}.")
_RETURN = _("{target} keeps {role}.")
_SWAP = _("{target} draws another card, and {role} goes into the deck.")
_RETURN_UNSEEN = _("{target} keeps the card, which you have not seen.")
_SWAP_UNSEEN = _("{target} draws another card for it. You have not seen it.")
_CARD_TITLE: dict[Verb, Message] = {
    Verb.REVEAL: _("Turn up {role}"),
    Verb.LOSE: _("Give up {role}"),
    Verb.SHOW: _("Show {role}"),
}
_PROOF = _("the one to prove")


def answers(view: TableView, names: Sequence[str]) -> list[Answer]:
    """One for each answer the viewer may give; [] in a turn not begun, which has actions."""
    own, action = view.own, view.action
    if own is None or action is None:
        return []
    return [_answer(view, names, own, action, command) for command in own.legal]


def said(command: Command) -> SafeString:
    """An answer to a question, as its button has it; not a choice of cards to keep."""
    match command.verb:
        case Verb.BLOCK:
            return fill(_BLOCK_TITLE, as_role=as_role(command.roles[0]))
        case Verb.REVEAL | Verb.LOSE | Verb.SHOW:
            return fill(_CARD_TITLE[command.verb], role=the(command.roles[0]))
    return fill(verb_name(command.verb))


def _answer(
    view: TableView, names: Sequence[str], own: OwnView, action: ActionView, command: Command
) -> Answer:
    verb = command.verb
    make = partial(Answer, text(command, SEATS))
    actor, target = player(names, action.seat), player(names, action.target)
    match verb:
        case Verb.ALLOW:
            does, risk = _allow(view, names, action)
            return make(said(command), does, risk, emblem="allow")
        case Verb.CHALLENGE:
            does, risk = _challenge(view, names, action)
            return make(said(command), does, risk, fill(_FINAL), emblem="challenge")
        case Verb.BLOCK:
            role = command.roles[0]
            does = fill(_BLOCK[action.verb], role=the(role), player=actor)
            risk, note = _block(own, action, role)
            return make(said(command), does, risk, note, EMBLEM[role], role)
        case Verb.KEEP:
            left = list(own.hand + own.seen)
            for role in command.roles:
                left.remove(role)
            title = fill(_KEEP_TITLE, roles=roles(command.roles))
            return make(title, fill(_KEEP, roles=roles(left)), drawn=marks.cards(command.roles))
        case Verb.RETURN | Verb.SWAP:
            back = verb is Verb.RETURN
            drawn = "allow" if back else "next"
            if own.seen:
                does = fill(_RETURN if back else _SWAP, target=target, role=the(own.seen[0]))
            else:
                does = fill(_RETURN_UNSEEN if back else _SWAP_UNSEEN, target=target)
            return make(said(command), does, emblem=drawn)
    role = command.roles[0]
    title = said(command)
    if verb is Verb.REVEAL:
        return _reveal(view, names, make(title, NOTHING, role=role, drawn=marks.card(role)))
    does = fill(_LOSE) if verb is Verb.LOSE else fill(_SHOW, player=actor)
    return make(title, does, role=role, drawn=marks.card(role))


def _allow(
    view: TableView, names: Sequence[str], action: ActionView
) -> tuple[SafeString, SafeString]:
    """What an allow does, and what it risks."""
    mine = part(view.viewer, action.seat, action.target)
    actor = player(names, action.seat)
    if view.phase is PhaseName.RESPOND_BLOCK:
        assert view.claim is not None
        blocker = player(names, view.claim.seat)
        message = _ALLOW_BLOCK[action.verb][0 if mine == THEY else 1]
        return fill(message, player=actor, target=blocker), fill(_NO_RISK)
    forms = _ALLOW[action.verb]
    amount = view.almshouse
    if action.verb is Verb.STEAL and action.target is not None:
        amount = min(STEAL, view.seats[action.target].coins)
    if action.verb is Verb.STEAL and not amount:
        forms = _NOTHING_TO_STEAL
    does = fill(
        forms[mine if mine < len(forms) else THEY],
        player=actor,
        target=player(names, action.target),
        amount=amount,
        cards=view.seats[view.viewer].hidden,
    )
    if mine != AT_YOU or action.verb not in (Verb.STEAL, Verb.ASSASSINATE):
        return does, fill(_NO_RISK)
    if view.phase is not PhaseName.RESPOND:
        # A card that is lost for certain is more than a risk.
        return does, NOTHING if action.verb is Verb.ASSASSINATE else fill(_NO_RISK)
    alone = sum(not seat.exiled for seat in view.seats) == 2
    return does, fill(_NO_MORE_BLOCK_OF_TWO if alone else _NO_MORE_BLOCK)


def _challenge(
    view: TableView, names: Sequence[str], action: ActionView
) -> tuple[SafeString, SafeString]:
    claim = view.claim
    assert claim is not None
    claimant, cards = player(names, claim.seat), view.seats[view.viewer].hidden
    true = _TRUE
    if claim.blocking:
        lie = _BLOCK_LIE
    elif action.verb is Verb.EMBEZZLE:
        lie = _EMBEZZLER_LIES
    else:
        lie = _LIE
        if action.target == view.viewer:
            true = {Verb.ASSASSINATE: _TRUE_AND_ATTACKED, Verb.STEAL: _TRUE_AND_STOLEN}.get(
                action.verb, _TRUE
            )
    return fill(lie, player=claimant, cards=view.seats[claim.seat].hidden), fill(true, cards=cards)


def _block(own: OwnView, action: ActionView, role: Role) -> tuple[SafeString, SafeString]:
    """What a block risks, and whether it is true."""
    if not own.hand:
        return fill(_BLOCK_UNSEEN[action.verb]), NOTHING
    if role in own.hand:
        return fill(_BLOCK_HELD), fill(_HELD)
    return fill(_BLOCK_BLUFF[action.verb], cards=len(own.hand)), fill(_BLUFF)


def _reveal(view: TableView, names: Sequence[str], answer: Answer) -> Answer:
    """A card to turn up in a challenge: the claimed role proves the claim, any other is lost."""
    claim = view.claim
    assert claim is not None
    if answer.role is not claim.role:
        return Answer(
            answer.value, answer.title, fill(_REVEAL_FALSE), role=answer.role, drawn=answer.drawn
        )
    does = fill(_REVEAL_TRUE, player=player(names, claim.challenger))
    return Answer(
        answer.value, answer.title, does, note=fill(_PROOF), role=answer.role, drawn=answer.drawn
    )
