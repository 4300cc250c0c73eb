"""The whole table, hidden cards included. Only the engine and its keepers may hold one."""

from typing import final

from msgspec import Struct

from .cards import Faction, Hand, Options, Role
from .events import Action, Cause


@final
class Choose(Struct, frozen=True, array_like=True, tag=True):
    """The player in turn chooses an action."""


@final
class Respond(Struct, frozen=True, array_like=True, tag=True):
    """The first window. `waiting` of `asked` have not answered; `block` is the target's, sealed."""

    action: Action
    asked: tuple[int, ...]
    waiting: tuple[int, ...]
    block: Role | None


@final
class Block(Struct, frozen=True, array_like=True, tag=True):
    """After a failed challenge the target alone may block."""

    action: Action


@final
class RespondBlock(Struct, frozen=True, array_like=True, tag=True):
    """A block by `seat` as `role` may be challenged."""

    action: Action
    seat: int
    role: Role
    asked: tuple[int, ...]
    waiting: tuple[int, ...]


@final
class Reveal(Struct, frozen=True, array_like=True, tag=True):
    """`seat`, challenged for `role`, chooses the card to turn. `blocking`: the claim is a block."""

    action: Action
    seat: int
    role: Role
    challenger: int
    blocking: bool


@final
class Lose(Struct, frozen=True, array_like=True, tag=True):
    action: Action
    seat: int
    cause: Cause


@final
class Exchange(Struct, frozen=True, array_like=True, tag=True):
    action: Action
    drawn: Hand


@final
class Show(Struct, frozen=True, array_like=True, tag=True):
    action: Action


@final
class Examine(Struct, frozen=True, array_like=True, tag=True):
    action: Action
    shown: Role


@final
class Over(Struct, frozen=True, array_like=True, tag=True):
    pass


type Acting = Respond | Block | RespondBlock | Reveal | Lose | Exchange | Show | Examine
type Phase = Choose | Acting | Over


@final
class State(Struct, frozen=True, array_like=True):
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


class Draft(Struct):
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
    """The draft as it is now, closed to further change."""
    return State(
        draft.options,
        draft.turn,
        draft.phase,
        draft.coins,
        draft.hands,
        draft.revealed,
        draft.deck,
        draft.factions,
        draft.almshouse,
        draft.exiled,
        draft.leaving,
    )


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
    if type(phase) is Choose:
        return (state.turn,)
    if isinstance(phase, (Reveal, Lose)):
        return (phase.seat,)
    if isinstance(phase, (Exchange, Examine)):
        return (phase.action.seat,)
    if isinstance(phase, (Block, Show)):
        assert phase.action.target is not None
        return (phase.action.target,)
    return ()


def ranking(state: State) -> tuple[int, ...]:
    """The seats of a finished game, best first: the winner, then in reverse order of exile."""
    winner = (seat for seat in range(state.options.players) if seat not in state.exiled)
    return (*winner, *reversed(state.exiled))
