"""What is asked once more before it is said, because a slip would be costly."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from games.engine.commands import SEATS, Command, Verb, text
from games.engine.view import TableView

from .answers import answers
from .terms import NOTHING, Message, fill, player

_CHALLENGE = _("Challenge {player}?")
_COUP = _("Pay 7 coins for a coup against {player}?")
_COUP_DOES = _("{player} loses a card. Nothing can stop it, and it cannot be taken back.")
_REVEAL = _("Give your claim up?")


COSTLY = (Verb.CHALLENGE, Verb.COUP, Verb.REVEAL)


@dataclass(frozen=True, slots=True)
class Confirmation:
    """`value` is the answer as the form sends it, if it is meant."""

    value: str
    title: SafeString
    does: SafeString
    risk: SafeString


def confirmation(view: TableView, names: Sequence[str], command: Command) -> Confirmation | None:
    """The second question before a legal command, or None where none is worth asking.

    A challenge stakes a card and is final at once; a coup costs seven coins; turning another card
    than the claimed one, with that one in hand, throws the claim away.
    """
    value = text(command, SEATS)
    if view.own is None or command not in view.own.legal:
        return None
    if command.verb is Verb.COUP:
        whom = player(names, command.target)
        return Confirmation(value, fill(_COUP, player=whom), fill(_COUP_DOES, player=whom), NOTHING)
    if view.claim is None:
        return None
    if command.verb is Verb.CHALLENGE:
        return _second(view, names, value, _CHALLENGE)
    wrong_card = command.roles != (view.claim.role,) and view.claim.role in view.own.hand
    if command.verb is Verb.REVEAL and wrong_card:
        return _second(view, names, value, _REVEAL)
    return None


def _second(
    view: TableView, names: Sequence[str], value: str, message: Message
) -> Confirmation | None:
    claim = view.claim
    for answer in answers(view, names):
        if claim is not None and answer.value == value:
            title = fill(message, player=player(names, claim.seat))
            return Confirmation(value, title, answer.does, answer.risk)
    return None
