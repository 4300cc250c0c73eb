"""What happened: facts with the dealt cards in them, stored for ever, never validated again.

Structs of msgspec: frozen, slotted, made in a fraction of a dataclass's time, and their own JSON.
"""

from enum import StrEnum
from typing import final

from msgspec import Struct

from .cards import Faction, Hand, Role
from .commands import Verb


class Cause(StrEnum):
    """Why an influence is lost, which is also how the turn goes on."""

    CLAIM_STOOD = "claim_stood"  # the challenge of an action failed: the action goes on
    BLOCK_STOOD = "block_stood"  # the challenge of a block failed: the block holds
    EFFECT = "effect"  # a coup or an assassination
    CAUGHT = "caught"  # the claim was not proven


@final
class Action(Struct, frozen=True, array_like=True):
    """An announced action. `role` is the claimed one; an embezzler claims to hold no Duke."""

    seat: int
    verb: Verb
    target: int | None
    role: Role | None
    cost: int


@final
class Dealt(Struct, frozen=True, array_like=True, tag=True):
    """The start. `deck` is top first; `factions` is empty without that variant."""

    first: int
    coins: tuple[int, ...]
    hands: tuple[Hand, ...]
    deck: Hand
    factions: tuple[Faction, ...]


@final
class Announced(Struct, frozen=True, array_like=True, tag=True):
    """The cost is paid, and the seats in `asked` (maybe none) may answer."""

    action: Action
    asked: tuple[int, ...]


@final
class Answered(Struct, frozen=True, array_like=True, tag=True):
    """A sealed answer: allow, or the target's block as `block`."""

    seat: int
    block: Role | None


@final
class Allowed(Struct, frozen=True, array_like=True, tag=True):
    """A window closed in which these seats, in seat order, allowed."""

    seats: tuple[int, ...]


@final
class Challenged(Struct, frozen=True, array_like=True, tag=True):
    """The open claim is challenged; its window is closed."""

    seat: int


@final
class BlockAsked(Struct, frozen=True, array_like=True, tag=True):
    """A challenge failed: the target alone may still block."""


@final
class Blocked(Struct, frozen=True, array_like=True, tag=True):
    """A block is announced, which the seats in `asked` may challenge."""

    seat: int
    role: Role
    asked: tuple[int, ...]


@final
class Proved(Struct, frozen=True, array_like=True, tag=True):
    """The claimed role was shown, went into the deck, which was shuffled; `drawn` replaced it."""

    seat: int
    role: Role
    drawn: Role
    deck: Hand


@final
class LossAsked(Struct, frozen=True, array_like=True, tag=True):
    seat: int
    cause: Cause


@final
class Lost(Struct, frozen=True, array_like=True, tag=True):
    """A card is turned up for good; who has none left is exiled."""

    seat: int
    role: Role
    cause: Cause


@final
class Refunded(Struct, frozen=True, array_like=True, tag=True):
    """The price of an assassination whose own claim was false."""

    seat: int
    amount: int


@final
class Gained(Struct, frozen=True, array_like=True, tag=True):
    """Coins from the treasury."""

    seat: int
    amount: int


@final
class Stole(Struct, frozen=True, array_like=True, tag=True):
    seat: int
    target: int
    amount: int


@final
class Embezzled(Struct, frozen=True, array_like=True, tag=True):
    seat: int
    amount: int


@final
class Converted(Struct, frozen=True, array_like=True, tag=True):
    seat: int
    target: int
    faction: Faction


@final
class Exposed(Struct, frozen=True, array_like=True, tag=True):
    """A challenged embezzler shows every face-down card."""

    seat: int
    cards: Hand


@final
class Replaced(Struct, frozen=True, array_like=True, tag=True):
    """Shown cards went back into the deck, which was shuffled, and as many were drawn."""

    seat: int
    returned: Hand
    drawn: Hand
    deck: Hand


@final
class Drew(Struct, frozen=True, array_like=True, tag=True):
    """The cards of an exchange, before the choice."""

    seat: int
    cards: Hand
    deck: Hand


@final
class Exchanged(Struct, frozen=True, array_like=True, tag=True):
    seat: int
    hand: Hand
    returned: int
    deck: Hand


@final
class ShowAsked(Struct, frozen=True, array_like=True, tag=True):
    """The target of an examination chooses a card to show."""


@final
class Shown(Struct, frozen=True, array_like=True, tag=True):
    """`seat` shows a card to `to` alone."""

    seat: int
    to: int
    role: Role


@final
class GivenBack(Struct, frozen=True, array_like=True, tag=True):
    seat: int
    target: int


@final
class Swapped(Struct, frozen=True, array_like=True, tag=True):
    """`target` drew a card first; the shown one went into the deck, which was shuffled."""

    seat: int
    target: int
    role: Role
    drawn: Role
    deck: Hand


@final
class Resigned(Struct, frozen=True, array_like=True, tag=True):
    """Private until the turn ends (rules.md §7)."""

    seat: int


@final
class Left(Struct, frozen=True, array_like=True, tag=True):
    """A leaver is exiled: cards face up in hand order, coins to the treasury."""

    seat: int
    cards: Hand


@final
class TurnEnded(Struct, frozen=True, array_like=True, tag=True):
    """Coins of the exiled go to the treasury; `seat` is next."""

    seat: int


@final
class Ended(Struct, frozen=True, array_like=True, tag=True):
    winner: int


@final
class Reshuffled(Struct, frozen=True, array_like=True, tag=True):
    """The game was taken back to where it is the turn of `seat`, and the deck shuffled anew: some
    have seen what was drawn from it."""

    seat: int
    deck: Hand


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
    | Reshuffled
)
