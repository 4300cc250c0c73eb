"""The whole table, hidden cards included. Only the engine and its keepers may hold one."""

from dataclasses import dataclass

from .cards import Faction, Hand, Options, Role
from .events import Action, Cause


@dataclass(frozen=True, slots=True)
class Choose:
    """The player in turn chooses an action."""


@dataclass(frozen=True, slots=True)
class Respond:
    """The first window. `waiting` of `asked` have not answered; `block` is the target's, sealed."""

    action: Action
    asked: tuple[int, ...]
    waiting: tuple[int, ...]
    block: Role | None


@dataclass(frozen=True, slots=True)
class Block:
    """After a failed challenge the target alone may block."""

    action: Action


@dataclass(frozen=True, slots=True)
class RespondBlock:
    """A block by `seat` as `role` may be challenged."""

    action: Action
    seat: int
    role: Role
    asked: tuple[int, ...]
    waiting: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Reveal:
    """`seat`, challenged for `role`, chooses the card to turn. `blocking`: the claim is a block."""

    action: Action
    seat: int
    role: Role
    challenger: int
    blocking: bool


@dataclass(frozen=True, slots=True)
class Lose:
    action: Action
    seat: int
    cause: Cause


@dataclass(frozen=True, slots=True)
class Exchange:
    action: Action
    drawn: Hand


@dataclass(frozen=True, slots=True)
class Show:
    action: Action


@dataclass(frozen=True, slots=True)
class Examine:
    action: Action
    shown: Role


@dataclass(frozen=True, slots=True)
class Over:
    pass


type Acting = Respond | Block | RespondBlock | Reveal | Lose | Exchange | Show | Examine
type Phase = Choose | Acting | Over


@dataclass(frozen=True, slots=True)
class State:
    """Seats are indices into parallel tuples. `exiled` and `leaving` are in order of time.

    `factions` is empty without that variant; `deck` is top first; hands are in hand order.
    """

    options: Options
    turn: int
    phase: Phase
    coins: tuple[int, ...]
    hands: tuple[Hand, ...]
    revealed: tuple[Hand, ...]
    deck: Hand
    factions: tuple[Faction, ...]
    almshouse: int
    exiled: tuple[int, ...]
    leaving: tuple[int, ...]


def without[T](items: tuple[T, ...], item: T) -> tuple[T, ...]:
    """`items` less the first that equals `item`."""
    at = items.index(item)
    return items[:at] + items[at + 1 :]


def placed[T](items: tuple[T, ...], at: int, item: T) -> tuple[T, ...]:
    """`items` with `item` in place `at`."""
    return (*items[:at], item, *items[at + 1 :])


def waiting(state: State) -> tuple[int, ...]:
    """The seats that must answer now, in seat order."""
    match state.phase:
        case Choose():
            return (state.turn,)
        case Respond(waiting=seats) | RespondBlock(waiting=seats):
            return seats
        case Reveal(seat=seat) | Lose(seat=seat):
            return (seat,)
        case Exchange(action=action) | Examine(action=action):
            return (action.seat,)
        case Block(action=action) | Show(action=action):
            assert action.target is not None
            return (action.target,)
        case Over():
            return ()
