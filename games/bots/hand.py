"""Choices among one's own cards: what to turn, to lose, to show, to keep, to take away."""

from ..engine import commands as say
from ..engine.cards import Hand, Role
from ..engine.commands import Command
from ..engine.view import PhaseName
from .sight import Sight

WORTH = {
    Role.DUKE: 5,
    Role.CAPTAIN: 4,
    Role.ASSASSIN: 4,
    Role.CONTESSA: 3,
    Role.INQUISITOR: 3,
    Role.AMBASSADOR: 2,
}
TAKEN_AWAY = 4  # an examined card worth this much is swapped


def worth(sight: Sight, hand: Hand) -> int:
    """What a hand is worth: a second card of a role adds little, a role claimed before a bit."""
    claims = sight.record.claims[sight.me]
    return len(hand) + sum(WORTH[role] + (role in claims) for role in set(hand))


def choose(sight: Sight) -> Command:
    """The answer to a question about cards: of every phase that asks no claim and no action."""
    legal, hand = sight.own.legal, sight.own.hand
    match sight.view.phase:
        case PhaseName.EXAMINE:
            shown = sight.own.seen  # none if it was shown to whoever sat here before
            return say.SWAP if shown and WORTH[shown[0]] >= TAKEN_AWAY else say.RETURN
        case PhaseName.EXCHANGE:
            return max(legal, key=lambda kept: worth(sight, kept.roles))
        case PhaseName.REVEAL:
            claim = sight.view.claim
            if claim and claim.role in hand:
                return say.REVEAL[claim.role]
    return min(legal, key=lambda given: worth(sight, given.roles))


def weak(sight: Sight) -> bool:
    """Whether a hand is worth changing: two equal cards, or none that earns coins."""
    hand = sight.own.hand
    return len(set(hand)) < len(hand) or not {Role.DUKE, Role.CAPTAIN, Role.ASSASSIN} & set(hand)
