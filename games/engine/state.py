"""The whole table, hidden cards included. Only the engine and its keepers may hold one."""

from dataclasses import dataclass

from .cards import Faction, Hand, Options, Role
from .events import Action, Cause
from .values import value


@value
class Choose:
    """The player in turn chooses an action."""


@value
class Respond:
    """The first window. `waiting` of `asked` have not answered; `block` is the target's, sealed."""

    action: Action
    asked: tuple[int, ...]
    waiting: tuple[int, ...]
    block: Role | None


@value
class Block:
    """After a failed challenge the target alone may block."""

    action: Action


@value
class RespondBlock:
    """A block by `seat` as `role` may be challenged."""

    action: Action
    seat: int
    role: Role
    asked: tuple[int, ...]
    waiting: tuple[int, ...]


@value
class Reveal:
    """`seat`, challenged for `role`, chooses the card to turn. `blocking`: the claim is a block."""

    action: Action
    seat: int
    role: Role
    challenger: int
    blocking: bool


@value
class Lose:
    action: Action
    seat: int
    cause: Cause


@value
class Exchange:
    action: Action
    drawn: Hand


@value
class Show:
    action: Action


@value
class Examine:
    action: Action
    shown: Role


@value
class Over:
    pass


type Acting = Respond | Block | RespondBlock | Reveal | Lose | Exchange | Show | Examine
type Phase = Choose | Acting | Over


@value
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


@dataclass(slots=True)
class Draft:
    """A table in the making: the fields of State, in the same order, still open to change."""

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


type Table = State | Draft


def thaw(state: State) -> Draft:
    """A copy to work on."""
    return Draft(
        state.options,
        state.turn,
        state.phase,
        state.coins,
        state.hands,
        state.revealed,
        state.deck,
        state.factions,
        state.almshouse,
        state.exiled,
        state.leaving,
    )


def freeze(draft: Draft) -> State:
    """The draft itself, closed to further change. The two classes have one layout, and a frozen
    dataclass is slow to construct: this is what makes a command of many events cheap."""
    draft.__class__ = State  # type: ignore[assignment]
    return draft  # type: ignore[return-value]


def without[T](items: tuple[T, ...], item: T) -> tuple[T, ...]:
    """`items` less the first that equals `item`."""
    left = list(items)
    left.remove(item)
    return tuple(left)


def placed[T](items: tuple[T, ...], at: int, item: T) -> tuple[T, ...]:
    """`items` with `item` in place `at`."""
    changed = list(items)
    changed[at] = item
    return tuple(changed)


def waiting(state: Table) -> tuple[int, ...]:
    """The seats that must answer now, in seat order."""
    phase = state.phase
    if isinstance(phase, (Respond, RespondBlock)):
        return phase.waiting
    if isinstance(phase, Choose):
        return (state.turn,)
    if isinstance(phase, (Reveal, Lose)):
        return (phase.seat,)
    if isinstance(phase, (Exchange, Examine)):
        return (phase.action.seat,)
    if isinstance(phase, (Block, Show)):
        assert phase.action.target is not None
        return (phase.action.target,)
    return ()
