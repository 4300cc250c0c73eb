"""`evolve`: what an event does to a table. It validates nothing: events are facts."""

from typing import assert_never

from .cards import Hand, Options, Role
from .commands import Verb
from .events import (
    Action,
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
    Block,
    Choose,
    Draft,
    Examine,
    Exchange,
    Lose,
    Over,
    Respond,
    RespondBlock,
    Reveal,
    Show,
    State,
    freeze,
    placed,
    thaw,
    without,
)

CHOOSE = Choose()


def start(options: Options, dealt: Dealt) -> State:
    """The table after the deal."""
    nothing: tuple[Hand, ...] = ((),) * options.players
    return State(
        options=options,
        turn=dealt.first,
        phase=CHOOSE,
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
    """The table after `event`."""
    table = thaw(state)
    apply(table, event)
    return freeze(table)


def apply(table: Draft, event: Event) -> None:
    """What `event` does to a table in the making.

    Most frequent first; `isinstance`, which costs a fifth of a class pattern: every event of
    every game comes through here.
    """
    if isinstance(event, Announced):
        action, asked = event.action, event.asked
        table.phase = Respond(action, asked, asked, None)
        if action.cost:
            _pay(table, action.seat, -action.cost)
            if action.verb is Verb.CONVERT:
                table.almshouse += action.cost
    elif isinstance(event, TurnEnded):
        if table.exiled:
            _empty_purses(table)
        table.turn, table.phase = event.seat, CHOOSE
    elif isinstance(event, Answered):
        phase = table.phase
        if isinstance(phase, Respond):
            left = without(phase.waiting, event.seat)
            table.phase = Respond(phase.action, phase.asked, left, event.block or phase.block)
        elif isinstance(phase, RespondBlock):
            left = without(phase.waiting, event.seat)
            table.phase = RespondBlock(phase.action, phase.seat, phase.role, phase.asked, left)
    elif isinstance(event, Lost):
        _lost(table, event.seat, event.role)
    elif isinstance(event, Challenged):
        _challenged(table, event.seat)
    elif isinstance(event, Gained):
        _pay(table, event.seat, event.amount)
    elif isinstance(event, Allowed):
        pass
    elif isinstance(event, Blocked):
        asked = event.asked
        table.phase = RespondBlock(_action(table), event.seat, event.role, asked, asked)
    elif isinstance(event, Proved):
        _replace(table, event.seat, event.role, event.drawn, event.deck)
    elif isinstance(event, Ended):
        _empty_purses(table)
        phase = table.phase
        if isinstance(phase, Exchange):  # somebody left in the middle of it
            table.deck += phase.drawn
        table.phase = Over()
    elif isinstance(event, Stole):
        _pay(table, event.target, -event.amount)
        _pay(table, event.seat, event.amount)
    elif isinstance(event, LossAsked):
        table.phase = Lose(_action(table), event.seat, event.cause)
    elif isinstance(event, Drew):
        table.phase, table.deck = Exchange(_action(table), event.cards), event.deck
    elif isinstance(event, Exchanged):
        table.hands, table.deck = placed(table.hands, event.seat, event.hand), event.deck
    elif isinstance(event, BlockAsked):
        table.phase = Block(_action(table))
    elif isinstance(event, Refunded):
        _pay(table, event.seat, event.amount)
    elif isinstance(event, ShowAsked):
        table.phase = Show(_action(table))
    elif isinstance(event, Shown):
        table.phase = Examine(_action(table), event.role)
    elif isinstance(event, GivenBack):
        pass
    elif isinstance(event, Swapped):
        _replace(table, event.target, event.role, event.drawn, event.deck)
    elif isinstance(event, Exposed):
        pass
    elif isinstance(event, Replaced):
        table.hands, table.deck = placed(table.hands, event.seat, event.drawn), event.deck
    elif isinstance(event, Embezzled):
        table.almshouse -= event.amount
        _pay(table, event.seat, event.amount)
    elif isinstance(event, Converted):
        table.factions = placed(table.factions, event.target, event.faction)
    elif isinstance(event, Resigned):
        table.leaving = (*table.leaving, event.seat)
    elif isinstance(event, Left):
        _left(table, event.seat, event.cards)
    elif isinstance(event, Dealt):
        raise AssertionError("a deal makes a table: see start")
    else:
        assert_never(event)


def _action(table: Draft) -> Action:
    """The announced action, which every phase but the first and the last is about."""
    phase = table.phase
    assert not isinstance(phase, (Choose, Over))
    return phase.action


def _pay(table: Draft, seat: int, amount: int) -> None:
    table.coins = placed(table.coins, seat, table.coins[seat] + amount)


def _empty_purses(table: Draft) -> None:
    """The coins of the exiled go to the treasury."""
    for seat in table.exiled:
        if table.coins[seat]:
            table.coins = placed(table.coins, seat, 0)


def _challenged(table: Draft, challenger: int) -> None:
    """A claimed role is put to the proof; an embezzler's claim is settled without a question."""
    phase = table.phase
    if isinstance(phase, RespondBlock):
        table.phase = Reveal(phase.action, phase.seat, phase.role, challenger, True)
    elif isinstance(phase, Respond) and phase.action.role is not None:
        action = phase.action
        table.phase = Reveal(action, action.seat, phase.action.role, challenger, False)


def _replace(table: Draft, seat: int, role: Role, drawn: Role, deck: Hand) -> None:
    table.hands = placed(table.hands, seat, (*without(table.hands[seat], role), drawn))
    table.deck = deck


def _lost(table: Draft, seat: int, role: Role) -> None:
    hand = without(table.hands[seat], role)
    table.hands = placed(table.hands, seat, hand)
    table.revealed = placed(table.revealed, seat, (*table.revealed[seat], role))
    if not hand:
        table.exiled = (*table.exiled, seat)
        if seat in table.leaving:
            table.leaving = without(table.leaving, seat)


def _left(table: Draft, seat: int, cards: Hand) -> None:
    table.hands = placed(table.hands, seat, ())
    table.revealed = placed(table.revealed, seat, table.revealed[seat] + cards)
    table.coins = placed(table.coins, seat, 0)
    table.exiled = (*table.exiled, seat)
    table.leaving = without(table.leaving, seat)
