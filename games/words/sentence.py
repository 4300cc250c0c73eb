"""What is happening, and what is asked: the biggest words of the table."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from games.engine.commands import Verb
from games.engine.view import PhaseName, TableView

from .terms import NOTHING, THEY, Message, as_role, fill, part, people, player, the

FORCED_COUP = 10

# By the viewer's part: of others, of the viewer, of somebody doing it to the viewer.
type Told = tuple[Message, ...]


@dataclass(frozen=True, slots=True)
class Sentence:
    """`claim`: what is happening. `ask`: the question to the viewer. `note`: why there is none."""

    claim: SafeString
    ask: SafeString = NOTHING
    note: SafeString = NOTHING


_CLAIMS: dict[Verb, Told] = {
    Verb.FOREIGN_AID: (
        _("{player} asks for 2 coins of foreign aid."),
        _("<b>You</b> ask for 2 coins of foreign aid."),
    ),
    Verb.TAX: (
        _("{player} claims to hold {role}, to take 3 coins."),
        _("<b>You</b> claim to hold {role}, to take 3 coins."),
    ),
    Verb.ASSASSINATE: (
        _("{player} claims to hold {role} and pays 3 coins to make {target} lose a card."),
        _("<b>You</b> claim to hold {role} and pay 3 coins to make {target} lose a card."),
        _("{player} claims to hold {role} and pays 3 coins to make <b>you</b> lose a card."),
    ),
    Verb.STEAL: (
        _("{player} claims to hold {role}, to take 2 coins from {target}."),
        _("<b>You</b> claim to hold {role}, to take 2 coins from {target}."),
        _("{player} claims to hold {role}, to take 2 coins from <b>you</b>."),
    ),
    Verb.EXCHANGE: (
        _("{player} claims to hold {role}, to exchange cards with the court deck."),
        _("<b>You</b> claim to hold {role}, to exchange cards with the court deck."),
    ),
    Verb.EXAMINE: (
        _("{player} claims to hold {role}, to look at a card of {target}."),
        _("<b>You</b> claim to hold {role}, to look at a card of {target}."),
        _("{player} claims to hold {role}, to look at a card of <b>yours</b>."),
    ),
    Verb.EMBEZZLE: (
        ngettext_lazy(
            "{player} claims to hold no Duke, to take the {amount} coin in the almshouse.",
            "{player} claims to hold no Duke, to take the {amount} coins in the almshouse.",
            "amount",
        ),
        ngettext_lazy(
            "<b>You</b> claim to hold no Duke, to take the {amount} coin in the almshouse.",
            "<b>You</b> claim to hold no Duke, to take the {amount} coins in the almshouse.",
            "amount",
        ),
    ),
}

# The last question after a failed challenge, to the target alone.
_GOES_ON: dict[Verb, Told] = {
    Verb.ASSASSINATE: (
        _("{player} did show {role}: {target} loses a card, unless {target} blocks."),
        _("<b>You</b> did show {role}: {target} loses a card, unless {target} blocks."),
        _("{player} did show {role}: <b>you</b> lose a card, unless you block."),
    ),
    Verb.STEAL: (
        _("{player} did show {role} and steals from {target}, unless {target} blocks."),
        _("<b>You</b> did show {role} and steal from {target}, unless {target} blocks."),
        _("{player} did show {role} and steals from <b>you</b>, unless you block."),
    ),
}

# Here {player} blocks {target}.
_BLOCKS: dict[Verb, Told] = {
    Verb.FOREIGN_AID: (
        _("{player} claims to hold {role} and blocks the foreign aid of {target}."),
        _("<b>You</b> claim to hold {role} and block the foreign aid of {target}."),
        _("{player} claims to hold {role} and blocks <b>your</b> foreign aid."),
    ),
    Verb.STEAL: (
        _("{player} claims to hold {role} and blocks the theft by {target}."),
        _("<b>You</b> claim to hold {role} and block the theft by {target}."),
        _("{player} claims to hold {role} and blocks <b>your</b> theft."),
    ),
    Verb.ASSASSINATE: (
        _("{player} claims to hold {role} and blocks the assassination by {target}."),
        _("<b>You</b> claim to hold {role} and block the assassination by {target}."),
        _("{player} claims to hold {role} and blocks <b>your</b> assassination."),
    ),
}

_TURN = _("It is the turn of {player}.")
_YOUR_TURN = ngettext_lazy(
    "It is <b>your</b> turn, and you have {coins} coin.",
    "It is <b>your</b> turn, and you have {coins} coins.",
    "coins",
)
# Here {player} challenges {target}.
_CHALLENGED: Told = (
    _("{player} challenges {target} to show {role}."),
    _("<b>You</b> challenge {target} to show {role}."),
    _("{player} challenges <b>you</b> to show {role}."),
)
_COUP: Told = (
    _("{player} stages a coup: {target} loses a card."),
    _("<b>You</b> stage a coup: {target} loses a card."),
    _("{player} stages a coup: <b>you</b> lose a card."),
)
_LOSES: Told = (_("{player} loses a card."), _("<b>You</b> lose a card."))
_EXCHANGES: Told = (
    _("{player} looks through cards of the court deck."),
    ngettext_lazy(
        "<b>You</b> draw {amount} card, and put as many back as you drew.",
        "<b>You</b> draw {amount} cards, and put as many back as you drew.",
        "amount",
    ),
)
_SHOWS: Told = (
    _("{player} is to see one card of {target}."),
    _("<b>You</b> are to see one card of {target}."),
    _("{player} is to see one of <b>your</b> cards."),
)
_LOOKS: Told = (
    _("{player} looks at a card of {target}."),
    _("{target} shows <b>you</b> {role}."),
    _("{player} looks at <b>your</b> card, {role}."),
)
# The same to somebody who was not there when the card was shown.
_LOOKS_UNSEEN: Told = (
    _("{player} looks at a card of {target}."),
    _("{target} has shown a card to whoever sat here before <b>you</b>."),
    _("{player} looks at one of <b>your</b> cards."),
)
_WINS: Told = (_("{player} wins the game."), _("<b>You</b> win the game."))

_CHOOSE = _("Choose one action and announce it.")
_MUST_COUP = _("Ten coins or more: it must be a coup. Against whom?")
_ALLOW_CHALLENGE = _("Allow it, or challenge it?")
_ALLOW_BLOCK = _("Allow it, or block it?")
_ALLOW_CHALLENGE_BLOCK = _("Allow it, challenge it, or block it?")
_BLOCK_OR_ALLOW = _("Block it, or let it happen?")
_ALLOW_THE_BLOCK = _("Allow the block, or challenge it?")
_TURN_UP = _("Which card do you turn up?")
_GIVE_UP = _("Which card do you give up?")
_SHOW = _("Which card do you show?")
_KEEP = ngettext_lazy(
    "Which {count} card do you keep?", "Which {count} cards do you keep?", "count"
)
_RETURN_OR_SWAP = _("Give it back, or have it swapped for another?")

_SEALED = _("You allow. Nobody learns it before the window closes.")
_SEALED_BLOCK = _(
    "You block {as_role}, unless somebody else challenges first. "
    "Nobody learns it before the window closes."
)
_ASKED = _("Asked: {players}.")
_LEAVING = _("You leave the game when this turn ends.")
_EXILED = _("You are exiled, and may watch.")


def sentence(view: TableView, names: Sequence[str]) -> Sentence:
    """What is happening at the table, and what is asked of its viewer."""
    claim = _claim(view, names)
    own = view.own
    if view.phase is PhaseName.OVER:
        return Sentence(claim)
    if own is None:
        return Sentence(claim, note=_waiting(view, names))
    if own.legal:
        return Sentence(claim, ask=_ask(view))
    if own.sealed:
        block = own.sealed.verb is Verb.BLOCK
        role = own.sealed.roles[0] if block else None
        note = fill(_SEALED_BLOCK if block else _SEALED, as_role=as_role(role))
        return Sentence(claim, note=note)
    if own.leaving:
        return Sentence(claim, note=fill(_LEAVING))
    if view.seats[view.viewer].exiled:
        return Sentence(claim, note=fill(_EXILED))
    return Sentence(claim, note=_waiting(view, names))


def _waiting(view: TableView, names: Sequence[str]) -> SafeString:
    """Whom the question was put to, which is public; in a turn not begun the sentence says it."""
    if view.phase is PhaseName.ACTION:
        return NOTHING
    return fill(_ASKED, players=people(names, view.asked))


def _claim(view: TableView, names: Sequence[str]) -> SafeString:
    def told(message: Told, seat: int, target: int | None = None, **parts: str | int) -> SafeString:
        """The form of `message` for the viewer's part in it."""
        mine = part(view.viewer, seat, target)
        form = message[mine if mine < len(message) else THEY]
        return fill(form, player=player(names, seat), target=player(names, target), **parts)

    action, claim = view.action, view.claim
    match view.phase:
        case PhaseName.OVER:
            return told(_WINS, view.ranking[0])
        case PhaseName.ACTION:
            coins = view.seats[view.turn].coins
            return told((_TURN, _YOUR_TURN), view.turn, coins=coins)
    assert action is not None
    seat, target = action.seat, action.target
    role = the(action.role, drawn=True)
    match view.phase:
        case PhaseName.RESPOND:
            return told(_CLAIMS[action.verb], seat, target, role=role, amount=view.almshouse)
        case PhaseName.BLOCK:
            return told(_GOES_ON[action.verb], seat, target, role=role)
        case PhaseName.RESPOND_BLOCK:
            assert claim is not None
            role = the(claim.role, drawn=True)
            return told(_BLOCKS[action.verb], claim.seat, seat, role=role)
        case PhaseName.REVEAL:
            assert claim is not None
            assert claim.challenger is not None
            role = the(claim.role, drawn=True)
            return told(_CHALLENGED, claim.challenger, claim.seat, role=role)
        case PhaseName.LOSE:
            if action.verb is Verb.COUP:
                return told(_COUP, seat, target)
            return told(_LOSES, view.asked[0])
        case PhaseName.EXCHANGE:
            return told(_EXCHANGES, seat, amount=len(view.own.seen) if view.own else 0)
        case PhaseName.SHOW:
            return told(_SHOWS, seat, target)
        case _:
            seen = view.own.seen if view.own else ()
            role = the(seen[0] if seen else None, drawn=True)
            return told(_LOOKS if seen else _LOOKS_UNSEEN, seat, target, role=role)


def _ask(view: TableView) -> SafeString:
    if view.phase is PhaseName.EXCHANGE:
        assert view.own is not None
        return fill(_KEEP, count=len(view.own.hand))
    return question(view)


def question(view: TableView) -> SafeString:
    """What is asked of the viewer, in words that follow from what everybody knows; but for an
    exchange, where they take the viewer's cards."""
    match view.phase:
        case PhaseName.ACTION:
            forced = view.seats[view.viewer].coins >= FORCED_COUP
            return fill(_MUST_COUP if forced else _CHOOSE)
        case PhaseName.RESPOND:
            assert view.own is not None
            verbs = {command.verb for command in view.own.legal}
            if Verb.BLOCK not in verbs:
                return fill(_ALLOW_CHALLENGE)
            return fill(_ALLOW_CHALLENGE_BLOCK if Verb.CHALLENGE in verbs else _ALLOW_BLOCK)
    return fill(_ASKS[view.phase])


_ASKS: dict[PhaseName, Message] = {
    PhaseName.BLOCK: _BLOCK_OR_ALLOW,
    PhaseName.RESPOND_BLOCK: _ALLOW_THE_BLOCK,
    PhaseName.REVEAL: _TURN_UP,
    PhaseName.LOSE: _GIVE_UP,
    PhaseName.SHOW: _SHOW,
    PhaseName.EXAMINE: _RETURN_OR_SWAP,
}
