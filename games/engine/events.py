"""What happened: facts with the dealt cards in them, stored for ever, never validated again."""

from enum import StrEnum

from .cards import Faction, Hand, Role
from .commands import Verb
from .values import value


class Cause(StrEnum):
    """Why an influence is lost, which is also how the turn goes on."""

    CLAIM_STOOD = "claim_stood"  # the challenge of an action failed: the action goes on
    BLOCK_STOOD = "block_stood"  # the challenge of a block failed: the block holds
    EFFECT = "effect"  # a coup or an assassination
    CAUGHT = "caught"  # the claim was not proven


@value
class Action:
    """An announced action. `role` is the claimed one; an embezzler claims to hold no Duke."""

    seat: int
    verb: Verb
    target: int | None
    role: Role | None
    cost: int


@value
class Dealt:
    """The start. `deck` is top first; `factions` is empty without that variant."""

    first: int
    coins: tuple[int, ...]
    hands: tuple[Hand, ...]
    deck: Hand
    factions: tuple[Faction, ...]


@value
class Announced:
    """The cost is paid, and the seats in `asked` (maybe none) may answer."""

    action: Action
    asked: tuple[int, ...]


@value
class Answered:
    """A sealed answer: allow, or the target's block as `block`."""

    seat: int
    block: Role | None


@value
class Allowed:
    """A window closed in which these seats, in seat order, allowed."""

    seats: tuple[int, ...]


@value
class Challenged:
    """The open claim is challenged; its window is closed."""

    seat: int


@value
class BlockAsked:
    """A challenge failed: the target alone may still block."""


@value
class Blocked:
    """A block is announced, which the seats in `asked` may challenge."""

    seat: int
    role: Role
    asked: tuple[int, ...]


@value
class Proved:
    """The claimed role was shown, went into the deck, which was shuffled; `drawn` replaced it."""

    seat: int
    role: Role
    drawn: Role
    deck: Hand


@value
class LossAsked:
    seat: int
    cause: Cause


@value
class Lost:
    """A card is turned up for good; who has none left is exiled."""

    seat: int
    role: Role
    cause: Cause


@value
class Refunded:
    """The price of an assassination whose own claim was false."""

    seat: int
    amount: int


@value
class Gained:
    """Coins from the treasury."""

    seat: int
    amount: int


@value
class Stole:
    seat: int
    target: int
    amount: int


@value
class Embezzled:
    seat: int
    amount: int


@value
class Converted:
    seat: int
    target: int
    faction: Faction


@value
class Exposed:
    """A challenged embezzler shows every face-down card."""

    seat: int
    cards: Hand


@value
class Replaced:
    """Shown cards went back into the deck, which was shuffled, and as many were drawn."""

    seat: int
    returned: Hand
    drawn: Hand
    deck: Hand


@value
class Drew:
    """The cards of an exchange, before the choice."""

    seat: int
    cards: Hand
    deck: Hand


@value
class Exchanged:
    seat: int
    hand: Hand
    returned: int
    deck: Hand


@value
class ShowAsked:
    """The target of an examination chooses a card to show."""


@value
class Shown:
    """`seat` shows a card to `to` alone."""

    seat: int
    to: int
    role: Role


@value
class GivenBack:
    seat: int
    target: int


@value
class Swapped:
    """`target` drew a card first; the shown one went into the deck, which was shuffled."""

    seat: int
    target: int
    role: Role
    drawn: Role
    deck: Hand


@value
class Resigned:
    """Private until the turn ends (rules.md §7)."""

    seat: int


@value
class Left:
    """A leaver is exiled: cards face up in hand order, coins to the treasury."""

    seat: int
    cards: Hand


@value
class TurnEnded:
    """Coins of the exiled go to the treasury; `seat` is next."""

    seat: int


@value
class Ended:
    winner: int


type Event = (
    Dealt
    | Announced
    | Answered
    | Allowed
    | Challenged
    | BlockAsked
    | Blocked
    | Proved
    | LossAsked
    | Lost
    | Refunded
    | Gained
    | Stole
    | Embezzled
    | Converted
    | Exposed
    | Replaced
    | Drew
    | Exchanged
    | ShowAsked
    | Shown
    | GivenBack
    | Swapped
    | Resigned
    | Left
    | TurnEnded
    | Ended
)
