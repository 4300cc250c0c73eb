"""Standing orders in words: what they say, how long they hold, what they did."""

from collections.abc import Sequence

from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from games.engine.cards import Role
from games.orders import Kind, Order, Scope, Why

from .terms import NOTHING, Message, as_role, fill, joined, listed, player, the

# By whether a player, and whether a role, is named.
_ALLOW: dict[tuple[bool, bool], Message] = {
    (False, False): _("Whatever anybody claims or asks for, allow it at once."),
    (True, False): _("Whatever {player} claims or asks for, allow it at once."),
    (False, True): _("If anybody claims {role}, allow it at once."),
    (True, True): _("If {player} claims {role}, allow it at once."),
}
_TOUCHING = _("Also where it is aimed at you or blocks you.")
_UNTOUCHING = _("Where it is aimed at you or blocks you, you are asked.")
_CHALLENGE = _("If the cards you can see make a claim impossible, challenge it.")
_BLOCK: dict[Role, Message] = {
    Role.DUKE: _("If anybody asks for foreign aid, block {as_role}."),
    Role.CONTESSA: _("If anybody would assassinate you, block {as_role}."),
    Role.CAPTAIN: _("If anybody would steal from you, block {as_role}."),
    Role.AMBASSADOR: _("If anybody would steal from you, block {as_role}."),
    Role.INQUISITOR: _("If anybody would steal from you, block {as_role}."),
}
_BLUFF = _("Whatever you hold then: it may be a bluff.")
_CARDS = _(
    "When you are challenged, show the claimed role if you hold it. If not, and whenever you lose"
    " a card, give up the first of these that you hold: {roles}."
)
_TITLE: dict[Kind, Message] = {
    Kind.ALLOW: _("Allow"),
    Kind.CHALLENGE: _("Challenge the impossible"),
    Kind.BLOCK: _("Block"),
    Kind.CARDS: _("Show or give up a card"),
}
_HELP: dict[Kind, Message] = {
    Kind.ALLOW: _(
        "An allow is sealed, so that it can be given at once; after a pause, where an order above"
        " it looks at your cards first."
    ),
    Kind.CHALLENGE: _(
        "It challenges what cannot be true, by your own cards, those face up, and those you were"
        " shown. Your list answers after a pause that is the same whatever you hold."
    ),
    Kind.BLOCK: _("A block is heard by all: it comes after a pause, like one of your own."),
    Kind.CARDS: _("It answers after a pause that is the same whatever you hold."),
}
_UNTIL: dict[Scope, Message] = {
    Scope.GAME: _("for this game"),
    Scope.TURN: _("until your next turn ends"),
    Scope.LOSS: _("until somebody loses a card"),
}
_WHY: dict[Why, Message] = {
    Why.POSSIBLE: _("The cards you can see do not rule the claim out."),
    Why.RULES: _("The rules do not allow that now."),
}


def order(what: Order, names: Sequence[str]) -> SafeString:
    """What an order says, in full."""
    role, name = the(what.role), player(names, what.player)
    match what.kind:
        case Kind.ALLOW:
            message = _ALLOW[what.player is not None, what.role is not None]
            more = fill(_UNTOUCHING if what.untouching else _TOUCHING)
            return _two(fill(message, player=name, role=role), more)
        case Kind.CHALLENGE:
            return fill(_CHALLENGE)
        case Kind.BLOCK:
            if what.role is None:
                return NOTHING
            return _two(fill(_BLOCK[what.role], as_role=as_role(what.role)), fill(_BLUFF))
        case Kind.CARDS:
            return fill(_CARDS, roles=listed([the(card) for card in what.ranking]))


def title(kind: Kind) -> str:
    return str(_TITLE[kind])


def help_for(kind: Kind) -> str:
    """When orders of this kind answer."""
    return str(_HELP[kind])


def until(scope: Scope) -> str:
    return str(_UNTIL[scope])


def why(reason: str) -> str:
    """Why an order did not answer; "" where none is given."""
    return str(_WHY[Why(reason)]) if reason else ""


def _two(one: SafeString, other: SafeString) -> SafeString:
    return joined((one, SafeString(" "), other))
