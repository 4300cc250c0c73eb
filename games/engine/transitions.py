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
    Reshuffled,
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

    Most frequent first, by `type`, which costs a fifth of a class pattern: every event of every
    game comes through here.
    """
    if type(event) is Announced:
        action, asked = event.action, event.asked
        table.phase = Respond(action, asked, asked, None)
        if action.cost:
            _pay(table, action.seat, -action.cost)
            if action.verb is Verb.CONVERT:
                table.almshouse += action.cost
    elif type(event) is TurnEnded:
        if table.exiled:
            _empty_purses(table)
        table.turn, table.phase = event.seat, CHOOSE
    elif type(event) is Answered:
        phase = table.phase
        if type(phase) is Respond:
            left = without(phase.waiting, event.seat)
            table.phase = Respond(phase.action, phase.asked, left, event.block or phase.block)
        elif type(phase) is RespondBlock:
            left = without(phase.waiting, event.seat)
            table.phase = RespondBlock(phase.action, phase.seat, phase.role, phase.asked, left)
    elif type(event) is Lost:
        _lost(table, event.seat, event.role)
    elif type(event) is Challenged:
        _challenged(table, event.seat)
    elif type(event) is Gained:
        _pay(table, event.seat, event.amount)
    elif type(event) is Allowed:
        pass
    elif type(event) is Blocked:
        asked = event.asked
        table.phase = RespondBlock(_action(table), event.seat, event.role, asked, asked)
    elif type(event) is Proved:
        _replace(table, event.seat, event.role, event.drawn, event.deck)
    elif type(event) is Ended:
        _empty_purses(table)
        phase = table.phase
        if type(phase) is Exchange:  # somebody left in the middle of it
            table.deck += phase.drawn
        table.phase = Over()
    elif type(event) is Stole:
        _pay(table, event.target, -event.amount)
        _pay(table, event.seat, event.amount)
    elif type(event) is LossAsked:
        table.phase = Lose(_action(table), event.seat, event.cause)
    elif type(event) is Drew:
        table.phase, table.deck = Exchange(_action(table), event.cards), event.deck
    elif type(event) is Exchanged:
        table.hands, table.deck = placed(table.hands, event.seat, event.hand), event.deck
    elif type(event) is BlockAsked:
        table.phase = Block(_action(table))
    elif type(event) is Refunded:
        _pay(table, event.seat, event.amount)
    elif type(event) is ShowAsked:
        table.phase = Show(_action(table))
    elif type(event) is Shown:
        table.phase = Examine(_action(table), event.role)
    elif type(event) is GivenBack:
        pass
    elif type(event) is Swapped:
        _replace(table, event.target, event.role, event.drawn, event.deck)
    elif type(event) is Exposed:
        pass
    elif type(event) is Replaced:
        table.hands, table.deck = placed(table.hands, event.seat, event.drawn), event.deck
    elif type(event) is Embezzled:
        table.almshouse -= event.amount
        _pay(table, event.seat, event.amount)
    elif type(event) is Converted:
        table.factions = placed(table.factions, event.target, event.faction)
    elif type(event) is Resigned:
        table.leaving = (*table.leaving, event.seat)
    elif type(event) is Left:
        _left(table, event.seat, event.cards)
    elif type(event) is Reshuffled:
        table.deck = event.deck
    elif type(event) is Dealt:
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
    if type(phase) is RespondBlock:
        table.phase = Reveal(phase.action, phase.seat, phase.role, challenger, True)
    elif type(phase) is Respond and phase.action.role is not None:
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
