"""The log in words: one line of it as one sentence, for the one who reads it."""

from collections.abc import Sequence
from functools import lru_cache
from html import unescape

from django.utils.html import strip_tags
from django.utils.safestring import SafeString
from django.utils.translation import get_language, ngettext_lazy
from django.utils.translation import gettext_lazy as _

from games.engine.commands import Verb
from games.engine.view import Line, LineKind

from .terms import EMBLEM, Message, as_role, fill, part, people, player, roles, side, the

# Each entry: told of others, of the reader, of somebody doing it to the reader.
type Told = tuple[Message, Message, Message]


def _told(they: Message, you: Message, at_you: Message | None = None) -> Told:
    return they, you, at_you or they


def _together(all_of_them: Message, at_you: Message | None = None) -> Told:
    """What the players did together."""
    return all_of_them, all_of_them, at_you or all_of_them


_ANNOUNCED: dict[Verb, Told] = {
    Verb.INCOME: _told(_("{player} takes income: 1 coin."), _("You take income: 1 coin.")),
    Verb.FOREIGN_AID: _told(_("{player} asks for foreign aid."), _("You ask for foreign aid.")),
    Verb.COUP: _told(
        _("{player} pays 7 coins for a coup against {target}."),
        _("You pay 7 coins for a coup against {target}."),
        _("{player} pays 7 coins for a coup against you."),
    ),
    Verb.TAX: _told(
        _("{player} claims {role}, to take 3 coins."), _("You claim {role}, to take 3 coins.")
    ),
    Verb.ASSASSINATE: _told(
        _("{player} claims {role} against {target} and pays 3 coins."),
        _("You claim {role} against {target} and pay 3 coins."),
        _("{player} claims {role} against you and pays 3 coins."),
    ),
    Verb.STEAL: _told(
        _("{player} claims {role}, to steal from {target}."),
        _("You claim {role}, to steal from {target}."),
        _("{player} claims {role}, to steal from you."),
    ),
    Verb.EXCHANGE: _told(
        _("{player} claims {role}, to exchange cards."), _("You claim {role}, to exchange cards.")
    ),
    Verb.EXAMINE: _told(
        _("{player} claims {role}, to examine {target}."),
        _("You claim {role}, to examine {target}."),
        _("{player} claims {role}, to examine you."),
    ),
    Verb.CONVERT: _told(
        ngettext_lazy(
            "{player} pays {amount} coin to convert {target}.",
            "{player} pays {amount} coins to convert {target}.",
            "amount",
        ),
        ngettext_lazy(
            "You pay {amount} coin to convert {target}.",
            "You pay {amount} coins to convert {target}.",
            "amount",
        ),
        ngettext_lazy(
            "{player} pays {amount} coin to convert you.",
            "{player} pays {amount} coins to convert you.",
            "amount",
        ),
    ),
    Verb.EMBEZZLE: _told(
        _("{player} claims to hold no Duke, to empty the almshouse."),
        _("You claim to hold no Duke, to empty the almshouse."),
    ),
}
_CONVERT_ONESELF = _told(
    _("{player} pays 1 coin to change sides."), _("You pay 1 coin to change sides.")
)

_TAKEN_BACK = _(
    "A moderator has taken the game back to here. What came after is undone, and the deck is"
    " shuffled anew."
)

_LINES: dict[LineKind, Told] = {
    LineKind.DEALT: _told(
        _("The cards are dealt. {player} begins."), _("The cards are dealt. You begin.")
    ),
    LineKind.SEALED: _told(_("{player} allows, sealed."), _("You allow, sealed.")),
    LineKind.TOOK_OVER: _told(
        _("{player} takes the seat of {target}."), _("You take the seat of {target}.")
    ),
    LineKind.PAUSED: _together(_("The players pause the game.")),
    LineKind.WENT_ON: _together(_("The game goes on.")),
    LineKind.EXTENDED: _together(_("The players give the open question its time once more.")),
    LineKind.BROKEN_OFF: _together(_("The players end the game without a result.")),
    LineKind.OFFERED: _together(
        _("The seat of {target} stands open to a newcomer."),
        _("Your seat stands open to a newcomer."),
    ),
    LineKind.CHALLENGED: _told(_("{player} challenges."), _("You challenge.")),
    LineKind.BLOCKED: _told(_("{player} blocks {as_role}."), _("You block {as_role}.")),
    LineKind.PROVED: _told(
        _("{player} shows {role}, and draws another card for it."),
        _("You show {role}, and draw another card for it."),
    ),
    LineKind.LOST: _told(_("{player} loses {role}."), _("You lose {role}.")),
    LineKind.CAUGHT: _told(
        _("{player} does not prove it, and loses {role}."),
        _("You do not prove it, and lose {role}."),
    ),
    LineKind.REFUNDED: _told(
        ngettext_lazy(
            "{player} gets {amount} coin back.", "{player} gets {amount} coins back.", "amount"
        ),
        ngettext_lazy("You get {amount} coin back.", "You get {amount} coins back.", "amount"),
    ),
    LineKind.GAINED: _told(
        ngettext_lazy("{player} takes {amount} coin.", "{player} takes {amount} coins.", "amount"),
        ngettext_lazy("You take {amount} coin.", "You take {amount} coins.", "amount"),
    ),
    LineKind.STOLE: _told(
        ngettext_lazy(
            "{player} takes {amount} coin from {target}.",
            "{player} takes {amount} coins from {target}.",
            "amount",
        ),
        ngettext_lazy(
            "You take {amount} coin from {target}.",
            "You take {amount} coins from {target}.",
            "amount",
        ),
        ngettext_lazy(
            "{player} takes {amount} coin from you.",
            "{player} takes {amount} coins from you.",
            "amount",
        ),
    ),
    LineKind.EMBEZZLED: _told(
        ngettext_lazy(
            "{player} takes {amount} coin from the almshouse.",
            "{player} takes {amount} coins from the almshouse.",
            "amount",
        ),
        ngettext_lazy(
            "You take {amount} coin from the almshouse.",
            "You take {amount} coins from the almshouse.",
            "amount",
        ),
    ),
    LineKind.CONVERTED: _told(
        _("{player} makes {target} go over to {side}."),
        _("You make {target} go over to {side}."),
        _("{player} makes you go over to {side}."),
    ),
    LineKind.EXPOSED: _told(_("{player} shows {roles}."), _("You show {roles}.")),
    LineKind.REPLACED: _told(
        ngettext_lazy(
            "{player} draws {amount} card in its place.",
            "{player} draws {amount} cards in their place.",
            "amount",
        ),
        ngettext_lazy(
            "You draw {amount} card in its place.",
            "You draw {amount} cards in their place.",
            "amount",
        ),
    ),
    LineKind.DREW: _told(
        ngettext_lazy(
            "{player} draws {amount} card to choose from.",
            "{player} draws {amount} cards to choose from.",
            "amount",
        ),
        ngettext_lazy(
            "You draw {amount} card to choose from.",
            "You draw {amount} cards to choose from.",
            "amount",
        ),
    ),
    LineKind.EXCHANGED: _told(
        ngettext_lazy(
            "{player} puts {amount} card back into the deck.",
            "{player} puts {amount} cards back into the deck.",
            "amount",
        ),
        ngettext_lazy(
            "You put {amount} card back into the deck.",
            "You put {amount} cards back into the deck.",
            "amount",
        ),
    ),
    LineKind.SHOWN: _told(
        _("{player} shows {target} a card."),
        _("You show {target} a card."),
        _("{player} shows you a card."),
    ),
    LineKind.GIVEN_BACK: _told(
        _("{player} gives {target} the card back."),
        _("You give {target} the card back."),
        _("{player} gives you the card back."),
    ),
    LineKind.SWAPPED: _told(
        _("{player} makes {target} swap the card for another."),
        _("You make {target} swap the card for another."),
        _("{player} makes you swap the card for another."),
    ),
    LineKind.RESIGNED: _told(
        _("{player} resigns."), _("You resign. The others learn it when the turn ends.")
    ),
    LineKind.LEFT: _told(
        _("{player} leaves the game and turns up {roles}."),
        _("You leave the game and turn up {roles}."),
    ),
    LineKind.TURN: _told(_("{player} is next."), _("You are next.")),
    LineKind.ENDED: _told(_("{player} wins the game."), _("You win the game.")),
    LineKind.TAKEN_BACK: _told(_TAKEN_BACK, _TAKEN_BACK),
}

# The same where this reader also sees the cards.
_SEEN: dict[LineKind, Told] = {
    LineKind.PROVED: _told(
        _("{player} shows {role}, and draws {seen} for it."),
        _("You show {role}, and draw {seen} for it."),
    ),
    LineKind.REPLACED: _told(_("{player} draws {seen} instead."), _("You draw {seen} instead.")),
    LineKind.DREW: _told(
        _("{player} draws {seen} to choose from."), _("You draw {seen} to choose from.")
    ),
    LineKind.EXCHANGED: _told(
        ngettext_lazy(
            "{player} puts {amount} card back into the deck and keeps {seen}.",
            "{player} puts {amount} cards back into the deck and keeps {seen}.",
            "amount",
        ),
        ngettext_lazy(
            "You put {amount} card back into the deck and keep {seen}.",
            "You put {amount} cards back into the deck and keep {seen}.",
            "amount",
        ),
    ),
    LineKind.SHOWN: _told(
        _("{player} shows {target} {seen}."),
        _("You show {target} {seen}."),
        _("{player} shows you {seen}."),
    ),
    LineKind.SWAPPED: _told(
        _("{player} makes {target} swap the card for {seen}."),
        _("You make {target} swap the card for {seen}."),
        _("{player} makes you swap the card for {seen}."),
    ),
}

# The same where it costs the last card.
_EXILED: dict[LineKind, Told] = {
    LineKind.LOST: _told(
        _("{player} loses {role} and is exiled."), _("You lose {role} and are exiled.")
    ),
    LineKind.CAUGHT: _told(
        _("{player} does not prove it, loses {role} and is exiled."),
        _("You do not prove it, lose {role} and are exiled."),
    ),
}

_SEALED_BLOCK = _told(
    _("{player} means to block {as_role}, sealed."), _("You mean to block {as_role}, sealed.")
)
_NOTHING_TO_STEAL = _told(
    _("{player} finds no coins to take from {target}."),
    _("You find no coins to take from {target}."),
    _("{player} finds no coins to take from you."),
)
_NO_CARDS_LEFT = _told(_("{player} leaves the game."), _("You leave the game."))
_GO_OVER = _told(_("{player} goes over to {side}."), _("You go over to {side}."))
_ALLOWED = ngettext_lazy("{players} allows.", "{players} allow.", "count")
_YOU_ALLOWED = _("You allow.")
_YOU_TOO = ngettext_lazy(
    "You allow, and so does {players}.", "You allow, and so do {players}.", "count"
)

_DRAWN = {
    LineKind.DEALT: "scroll",
    LineKind.ALLOWED: "allow",
    LineKind.SEALED: "envelope",
    LineKind.CHALLENGED: "challenge",
    LineKind.REFUNDED: "coin",
    LineKind.GAINED: "coin",
    LineKind.STOLE: "coin",
    LineKind.EMBEZZLED: "coins",
    LineKind.CONVERTED: "person",
    LineKind.RESIGNED: "next",
    LineKind.LEFT: "next",
    LineKind.TURN: "next",
    LineKind.TAKEN_BACK: "hourglass",
    LineKind.PAUSED: "hourglass",
    LineKind.WENT_ON: "hourglass",
    LineKind.EXTENDED: "hourglass",
    LineKind.BROKEN_OFF: "hourglass",
    LineKind.OFFERED: "person",
    LineKind.ENDED: "crown",
    LineKind.SHOWN: "eye",
    LineKind.GIVEN_BACK: "eye",
    LineKind.SWAPPED: "eye",
}
_DRAWN_ACTION = {
    Verb.INCOME: "coin",
    Verb.FOREIGN_AID: "coins",
    Verb.COUP: "lost",
    Verb.CONVERT: "person",
    Verb.EMBEZZLE: "coins",
}


def line(line: Line, names: Sequence[str], viewer: int, *, exiled: bool = False) -> SafeString:
    """The line as a sentence for `viewer`; `exiled` where the loss it tells was the last card."""
    return line_in(get_language(), line, tuple(names), viewer, exiled)


def plain(line: Line, names: Sequence[str], viewer: int) -> str:
    """The same for where there is no markup: mail, titles."""
    return unescape(strip_tags(line_in(get_language(), line, tuple(names), viewer)))


def emblem(line: Line) -> str:
    """The drawing that stands beside the line."""
    if line.role is not None:
        return EMBLEM[line.role]
    if line.verb is not None:
        return _DRAWN_ACTION[line.verb]
    return _DRAWN.get(line.kind, "scroll")


@lru_cache(maxsize=4096)
def line_in(
    language: str | None, line: Line, names: tuple[str, ...], viewer: int, exiled: bool = False
) -> SafeString:
    """The same in the language that is active, named once for many lines.

    Kept by reader and language: a log is mostly what it was a moment ago.
    """
    if line.kind is LineKind.ALLOWED:
        return _allowed(line, names, viewer)
    return fill(
        _message(line, exiled)[part(viewer, line.seat, line.target)],
        player=player(names, line.seat),
        target=player(names, line.target),
        role=the(line.role),
        as_role=as_role(line.role),
        roles=roles(line.roles),
        seen=roles(line.seen),
        side=side(line.faction),
        amount=line.amount,
    )


def _message(line: Line, exiled: bool) -> Told:
    match line:
        case Line(kind=LineKind.ANNOUNCED, verb=Verb.CONVERT) if line.target == line.seat:
            return _CONVERT_ONESELF
        case Line(kind=LineKind.ANNOUNCED, verb=Verb() as verb):
            return _ANNOUNCED[verb]
        case Line(kind=LineKind.SEALED, role=role) if role is not None:
            return _SEALED_BLOCK
        case Line(kind=LineKind.STOLE, amount=0):
            return _NOTHING_TO_STEAL
        case Line(kind=LineKind.LEFT, roles=()):
            return _NO_CARDS_LEFT
        case Line(kind=LineKind.CONVERTED) if line.target == line.seat:
            return _GO_OVER
    if exiled and line.kind in _EXILED:
        return _EXILED[line.kind]
    if line.seen:
        return _SEEN[line.kind]
    return _LINES[line.kind]


def _allowed(line: Line, names: tuple[str, ...], viewer: int) -> SafeString:
    others = [seat for seat in line.seats if seat != viewer]
    if not others:
        return fill(_YOU_ALLOWED)
    message = _ALLOWED if len(others) == len(line.seats) else _YOU_TOO
    return fill(message, players=people(names, others), count=len(others))
