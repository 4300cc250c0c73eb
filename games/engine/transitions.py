"""`evolve`: what an event does to a table. It validates nothing: events are facts."""

from typing import assert_never

from .cards import Hand, Options
from .commands import Verb
from .events import (
    Allowed,
    Announced,
    Answered,
    BlockAsked,
    Blocked,
    Challenged,
    Converted,
    Dealt,
    Drew,
    Embezzled,
    Ended,
    Event,
    Exchanged,
    Exposed,
    Gained,
    GivenBack,
    Left,
    LossAsked,
    Lost,
    Proved,
    Refunded,
    Replaced,
    Resigned,
    ShowAsked,
    Shown,
    Stole,
    Swapped,
    TurnEnded,
)
from .state import (
    Acting,
    Block,
    Choose,
    Examine,
    Exchange,
    Lose,
    Over,
    Phase,
    Respond,
    RespondBlock,
    Reveal,
    Show,
    State,
    placed,
    without,
)


def start(options: Options, dealt: Dealt) -> State:
    """The table after the deal."""
    nothing: tuple[Hand, ...] = ((),) * options.players
    return State(
        options=options,
        turn=dealt.first,
        phase=Choose(),
        coins=dealt.coins,
        hands=dealt.hands,
        revealed=nothing,
        deck=dealt.deck,
        factions=dealt.factions,
        almshouse=0,
        exiled=(),
        leaving=(),
    )


def evolve(state: State, event: Event) -> State:
    """The table after `event`. The cases are in order of frequency: this is the hot path."""
    match event:
        case Answered():
            return _answered(state, event)
        case Announced():
            return _announced(state, event)
        case TurnEnded():
            coins = state.coins
            for seat in state.exiled:
                if coins[seat]:
                    coins = placed(coins, seat, 0)
            return _table(state, Choose(), coins, turn=event.seat)
        case Challenged():
            return _challenged(state, event)
        case LossAsked():
            return _table(state, Lose(_acting(state).action, event.seat, event.cause), state.coins)
        case Lost():
            return _lost(state, event)
        case Proved():
            hand = (*without(state.hands[event.seat], event.role), event.drawn)
            return _cards(state, event.seat, hand, event.deck)
        case Allowed() | Exposed():
            return state
        case Gained() | Refunded():
            return _gain(state, event.seat, event.amount)
        case Stole():
            coins = placed(state.coins, event.target, state.coins[event.target] - event.amount)
            return _table(
                state, state.phase, placed(coins, event.seat, coins[event.seat] + event.amount)
            )
        case Blocked():
            action = _acting(state).action
            phase = RespondBlock(action, event.seat, event.role, event.asked, event.asked)
            return _table(state, phase, state.coins)
        case BlockAsked():
            return _table(state, Block(_acting(state).action), state.coins)
        case Drew():
            drawing = Exchange(_acting(state).action, event.cards)
            return _cards(state, event.seat, state.hands[event.seat], event.deck, drawing)
        case Exchanged():
            return _cards(state, event.seat, event.hand, event.deck)
        case ShowAsked():
            return _table(state, Show(_acting(state).action), state.coins)
        case Shown():
            return _table(state, Examine(_acting(state).action, event.role), state.coins)
        case GivenBack():
            return state
        case Swapped():
            hand = (*without(state.hands[event.target], event.role), event.drawn)
            return _cards(state, event.target, hand, event.deck)
        case Replaced():
            return _cards(state, event.seat, event.drawn, event.deck)
        case Embezzled():
            return _gain(state, event.seat, event.amount, almshouse=state.almshouse - event.amount)
        case Converted():
            return _converted(state, event)
        case Resigned():
            return _table(state, state.phase, state.coins, leaving=(*state.leaving, event.seat))
        case Left():
            return _left(state, event)
        case Ended():
            coins = tuple(0 if seat in state.exiled else n for seat, n in enumerate(state.coins))
            return _table(state, Over(), coins)
        case Dealt():
            return start(state.options, event)
        case _:
            assert_never(event)


def _acting(state: State) -> Acting:
    phase = state.phase
    assert not isinstance(phase, Choose | Over)
    return phase


# `dataclasses.replace` costs a factor of four here, so the constructor is called by position.


def _table(
    state: State,
    phase: Phase,
    coins: tuple[int, ...],
    turn: int | None = None,
    leaving: tuple[int, ...] | None = None,
) -> State:
    return State(
        state.options,
        state.turn if turn is None else turn,
        phase,
        coins,
        state.hands,
        state.revealed,
        state.deck,
        state.factions,
        state.almshouse,
        state.exiled,
        state.leaving if leaving is None else leaving,
    )


def _cards(state: State, seat: int, hand: Hand, deck: Hand, phase: Phase | None = None) -> State:
    return State(
        state.options,
        state.turn,
        state.phase if phase is None else phase,
        state.coins,
        placed(state.hands, seat, hand),
        state.revealed,
        deck,
        state.factions,
        state.almshouse,
        state.exiled,
        state.leaving,
    )


def _gain(state: State, seat: int, amount: int, almshouse: int | None = None) -> State:
    return State(
        state.options,
        state.turn,
        state.phase,
        placed(state.coins, seat, state.coins[seat] + amount),
        state.hands,
        state.revealed,
        state.deck,
        state.factions,
        state.almshouse if almshouse is None else almshouse,
        state.exiled,
        state.leaving,
    )


def _announced(state: State, event: Announced) -> State:
    action = event.action
    coins, almshouse = state.coins, state.almshouse
    if action.cost:
        coins = placed(coins, action.seat, coins[action.seat] - action.cost)
        if action.verb is Verb.CONVERT:
            almshouse += action.cost
    return State(
        state.options,
        state.turn,
        Respond(action, event.asked, event.asked, None),
        coins,
        state.hands,
        state.revealed,
        state.deck,
        state.factions,
        almshouse,
        state.exiled,
        state.leaving,
    )


def _answered(state: State, event: Answered) -> State:
    phase = state.phase
    if isinstance(phase, Respond):
        left = without(phase.waiting, event.seat)
        phase = Respond(phase.action, phase.asked, left, event.block or phase.block)
    elif isinstance(phase, RespondBlock):
        left = without(phase.waiting, event.seat)
        phase = RespondBlock(phase.action, phase.seat, phase.role, phase.asked, left)
    return _table(state, phase, state.coins)


def _challenged(state: State, event: Challenged) -> State:
    phase = state.phase
    if isinstance(phase, RespondBlock):
        phase = Reveal(phase.action, phase.seat, phase.role, event.seat, blocking=True)
    elif isinstance(phase, Respond) and phase.action.role is not None:
        action = phase.action
        assert action.role is not None
        phase = Reveal(action, action.seat, action.role, event.seat, blocking=False)
    return _table(state, phase, state.coins)


def _lost(state: State, event: Lost) -> State:
    seat = event.seat
    hand = without(state.hands[seat], event.role)
    exiled, leaving = state.exiled, state.leaving
    if not hand:
        exiled = (*exiled, seat)
        if seat in leaving:
            leaving = without(leaving, seat)
    return State(
        state.options,
        state.turn,
        state.phase,
        state.coins,
        placed(state.hands, seat, hand),
        placed(state.revealed, seat, (*state.revealed[seat], event.role)),
        state.deck,
        state.factions,
        state.almshouse,
        exiled,
        leaving,
    )


def _left(state: State, event: Left) -> State:
    seat = event.seat
    return State(
        state.options,
        state.turn,
        state.phase,
        placed(state.coins, seat, 0),
        placed(state.hands, seat, ()),
        placed(state.revealed, seat, state.revealed[seat] + event.cards),
        state.deck,
        state.factions,
        state.almshouse,
        (*state.exiled, seat),
        tuple(other for other in state.leaving if other != seat),
    )


def _converted(state: State, event: Converted) -> State:
    return State(
        state.options,
        state.turn,
        state.phase,
        state.coins,
        state.hands,
        state.revealed,
        state.deck,
        placed(state.factions, event.target, event.faction),
        state.almshouse,
        state.exiled,
        state.leaving,
    )
