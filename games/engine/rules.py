"""The rules: what follows from what is said (rules.md §1-§8)."""

from dataclasses import dataclass
from typing import Protocol, assert_never

from .cards import COPIES, Faction, Hand, Options, Role, opposite, roles
from .choices import announcement, choices, default, legal, others, targeted
from .commands import Command, IllegalCommand, Verb
from .events import (
    Action,
    Allowed,
    Answered,
    BlockAsked,
    Blocked,
    Cause,
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
    Table,
    freeze,
    ranking,
    thaw,
    waiting,
    without,
)
from .transitions import apply

__all__ = [
    "Chance", "choices", "deal", "decide", "default", "legal", "play", "ranking", "reshuffle",
]  # fmt: skip

INCOME, FOREIGN_AID, TAX, STEAL = 1, 2, 3, 2
TARGET_BLOCKS = (Verb.STEAL, Verb.ASSASSINATE)


class Chance(Protocol):
    """Where luck comes from: handed in, so that a game can be replayed and checked."""

    def below(self, bound: int, /) -> int:
        """A whole number from 0 up to, not including, `bound`."""

    def shuffle(self, cards: Hand, /) -> Hand:
        """The same cards in another order."""


# --- the deal ---------------------------------------------------------------------------------


def deal(options: Options, chance: Chance) -> Dealt:
    """Shuffle, deal two cards each, draw the first player by lot (rules.md §1, §6)."""
    players = options.players
    deck = chance.shuffle(roles(options) * COPIES)
    first = chance.below(players)
    coins = [2] * players
    if players == 2:
        coins = [1, 1] if options.both_one else coins
        coins[first] = 1
    sides = (Faction.LOYALIST, Faction.REFORMIST)
    return Dealt(
        first=first,
        coins=tuple(coins),
        hands=tuple([deck[2 * seat : 2 * seat + 2] for seat in range(players)]),
        deck=deck[2 * players :],
        factions=tuple(sides[(seat - first) % players % 2] for seat in range(players))
        if options.factions
        else (),
    )


def reshuffle(state: State, chance: Chance) -> Reshuffled:
    """Shuffle the deck of a game that was taken back: nobody may know what is drawn next."""
    return Reshuffled(state.turn, chance.shuffle(state.deck))


# --- what follows -----------------------------------------------------------------------------


@dataclass(slots=True)
class _Turn:
    """A table while one command is settled, and the events so far, which it has seen."""

    table: Draft
    chance: Chance
    events: list[Event]

    def emit(self, event: Event) -> None:
        self.events.append(event)
        apply(self.table, event)


def decide(state: State, seat: int, command: Command, chance: Chance) -> list[Event]:
    """What happens when `seat` says `command`; IllegalCommand where it may not."""
    return play(state, seat, command, chance)[0]


def play(state: State, seat: int, command: Command, chance: Chance) -> tuple[list[Event], State]:
    """`decide`, with the state after its events, which it has folded already."""
    turn = _Turn(thaw(state), chance, [])
    if (seat, command) in choices(state):
        _answer(turn, seat, command)
    elif command.verb is Verb.TIMEOUT and seat in waiting(state):
        _answer(turn, seat, default(state, seat))
    elif command.verb is Verb.RESIGN and len(players := _players(state)) > 1 and seat in players:
        _resign(turn, seat)
    else:
        raise IllegalCommand(command.verb)
    if turn.table.leaving:
        _answer_for_leavers(turn)
    return turn.events, freeze(turn.table)


def _players(state: Table) -> list[int]:
    """The seats still in the game whose players have not resigned."""
    gone = state.exiled + state.leaving
    return [seat for seat in range(state.options.players) if seat not in gone]


def _others(table: Table, seat: int) -> tuple[int, ...]:
    return others(table.options.players, table.exiled, seat)


def _answer_for_leavers(turn: _Turn) -> None:
    """What is asked of those who have resigned is answered at once (rules.md §7)."""
    table = turn.table
    while asked := [seat for seat in waiting(table) if seat in table.leaving]:
        _answer(turn, asked[0], default(table, asked[0]))


def _answer(turn: _Turn, seat: int, command: Command) -> None:
    phase = turn.table.phase
    if type(phase) is Respond:
        _respond(turn, phase, seat, command)
    elif type(phase) is Choose:
        _announce(turn, seat, command)
    elif type(phase) is RespondBlock:
        _respond_block(turn, phase, seat, command)
    elif type(phase) is Reveal:
        _reveal(turn, phase, command.roles[0])
    elif type(phase) is Lose:
        _lost(turn, phase.action, seat, command.roles[0], phase.cause)
    elif type(phase) is Block:
        if command.verb is Verb.BLOCK:
            turn.emit(Blocked(seat, command.roles[0], _others(turn.table, seat)))
        else:
            turn.emit(Allowed((seat,)))
            _effect(turn, phase.action)
    elif type(phase) is Exchange:
        _exchange(turn, phase, command.roles)
    elif type(phase) is Show:
        turn.emit(Shown(seat, phase.action.seat, command.roles[0]))
    elif type(phase) is Examine:
        _examined(turn, phase, command)
    elif type(phase) is Over:
        raise IllegalCommand("the game is over")
    else:
        assert_never(phase)


def _respond_block(turn: _Turn, phase: RespondBlock, seat: int, command: Command) -> None:
    if command.verb is Verb.CHALLENGE:
        _challenge(turn, seat)
        return
    turn.emit(Answered(seat, None))
    if len(phase.waiting) == 1:
        turn.emit(Allowed(phase.asked))
        _end_turn(turn)


def _announce(turn: _Turn, seat: int, command: Command) -> None:
    table = turn.table
    anybody = others(table.options.players, table.exiled, seat)
    announced = announcement(table.options.inquisitor, seat, command, anybody, table.factions)
    turn.emit(announced)
    if not announced.asked:
        _effect(turn, announced.action)


def _respond(turn: _Turn, phase: Respond, seat: int, command: Command) -> None:
    if command.verb is Verb.CHALLENGE:
        _challenge(turn, seat)
        return
    if command.verb is Verb.BLOCK and phase.action.verb is Verb.FOREIGN_AID:
        turn.emit(Blocked(seat, command.roles[0], _others(turn.table, seat)))
        return
    turn.emit(Answered(seat, command.roles[0] if command.roles else None))
    closed = turn.table.phase
    assert type(closed) is Respond
    if closed.waiting:
        return
    action = closed.action
    if closed.block is None:
        turn.emit(Allowed(closed.asked))
        _effect(turn, action)
        return
    target = targeted(action)
    if allowed := without(closed.asked, target):
        turn.emit(Allowed(allowed))
    turn.emit(Blocked(target, closed.block, _others(turn.table, target)))


def _challenge(turn: _Turn, seat: int) -> None:
    turn.emit(Challenged(seat))
    phase = turn.table.phase
    if type(phase) is Reveal:
        hand = turn.table.hands[phase.seat]
        if len(hand) == 1:
            _reveal(turn, phase, hand[0])
    elif type(phase) is Respond:
        _expose(turn, phase.action, seat)


def _reveal(turn: _Turn, phase: Reveal, role: Role) -> None:
    action = phase.action
    if role is phase.role:
        deck = turn.chance.shuffle((*turn.table.deck, role))
        turn.emit(Proved(phase.seat, role, deck[0], deck[1:]))
        cause = Cause.BLOCK_STOOD if phase.blocking else Cause.CLAIM_STOOD
        _lose_influence(turn, action, phase.challenger, cause)
        return
    turn.emit(Lost(phase.seat, role, Cause.CAUGHT))
    if _over(turn):
        return
    if phase.blocking:
        _effect(turn, action)
        return
    if action.verb is Verb.ASSASSINATE:
        turn.emit(Refunded(action.seat, action.cost))
    _end_turn(turn)


def _expose(turn: _Turn, action: Action, challenger: int) -> None:
    """A challenged `embezzle`: every card is shown, nothing is chosen (rules.md §4)."""
    seat = action.seat
    shown = turn.table.hands[seat]
    turn.emit(Exposed(seat, shown))
    caught = Role.DUKE in shown
    if caught:
        turn.emit(Lost(seat, Role.DUKE, Cause.CAUGHT))
        if _over(turn):
            return
    back = turn.table.hands[seat]
    if back:
        deck = turn.chance.shuffle(turn.table.deck + back)
        turn.emit(Replaced(seat, back, deck[: len(back)], deck[len(back) :]))
    if caught:
        _end_turn(turn)
    else:
        _lose_influence(turn, action, challenger, Cause.CLAIM_STOOD)


def _lose_influence(turn: _Turn, action: Action, seat: int, cause: Cause) -> None:
    hand = turn.table.hands[seat]
    if len(hand) == 1:
        _lost(turn, action, seat, hand[0], cause)
    else:
        turn.emit(LossAsked(seat, cause))


def _lost(turn: _Turn, action: Action, seat: int, role: Role, cause: Cause) -> None:
    turn.emit(Lost(seat, role, cause))
    if _over(turn):
        return
    if cause is Cause.CLAIM_STOOD:
        if action.verb in TARGET_BLOCKS and action.target not in turn.table.exiled:
            turn.emit(BlockAsked())
        else:
            _effect(turn, action)
    else:
        _end_turn(turn)


def _effect(turn: _Turn, action: Action) -> None:
    """The action happens (rules.md §2, §5)."""
    table, seat = turn.table, action.seat
    match action.verb:
        case Verb.INCOME:
            turn.emit(Gained(seat, INCOME))
        case Verb.FOREIGN_AID:
            turn.emit(Gained(seat, FOREIGN_AID))
        case Verb.TAX:
            turn.emit(Gained(seat, TAX))
        case Verb.STEAL:
            target = targeted(action)
            turn.emit(Stole(seat, target, min(STEAL, table.coins[target])))
        case Verb.COUP | Verb.ASSASSINATE:
            target = targeted(action)
            if target not in table.exiled:
                _lose_influence(turn, action, target, Cause.EFFECT)
                return
        case Verb.EXCHANGE:
            count = 1 if table.options.inquisitor else 2
            turn.emit(Drew(seat, table.deck[:count], table.deck[count:]))
            return
        case Verb.EXAMINE:
            target = targeted(action)
            if target not in table.exiled:
                hand = table.hands[target]
                turn.emit(Shown(target, seat, hand[0]) if len(hand) == 1 else ShowAsked())
                return
        case Verb.CONVERT:
            target = targeted(action)
            turn.emit(Converted(seat, target, opposite(table.factions[target])))
        case Verb.EMBEZZLE:
            turn.emit(Embezzled(seat, table.almshouse))
        case verb:
            raise AssertionError(verb)
    _end_turn(turn)


def _exchange(turn: _Turn, phase: Exchange, kept: Hand) -> None:
    seat, left = phase.action.seat, list(kept)
    hand: list[Role] = []
    back: list[Role] = []
    for role in turn.table.hands[seat] + phase.drawn:
        if role in left:
            left.remove(role)
            hand.append(role)
        else:
            back.append(role)
    deck = turn.chance.shuffle(turn.table.deck + tuple(back))
    turn.emit(Exchanged(seat, tuple(hand), len(back), deck))
    _end_turn(turn)


def _examined(turn: _Turn, phase: Examine, command: Command) -> None:
    seat, target = phase.action.seat, targeted(phase.action)
    if command.verb is Verb.RETURN:
        turn.emit(GivenBack(seat, target))
    else:
        drawn, *rest = turn.table.deck
        deck = turn.chance.shuffle((*rest, phase.shown))
        turn.emit(Swapped(seat, target, phase.shown, drawn, deck))
    _end_turn(turn)


def _end_turn(turn: _Turn) -> None:
    table = turn.table
    if table.leaving:
        _exile_leavers(turn)
    players, exiled = table.options.players, table.exiled
    seat = (table.turn + 1) % players
    while seat in exiled:
        seat = (seat + 1) % players
    turn.emit(TurnEnded(seat))


def _over(turn: _Turn) -> bool:
    """End the game if one player is left who has not resigned (rules.md §7, §8)."""
    table = turn.table
    if table.options.players - len(table.exiled) - len(table.leaving) > 1:
        return False
    (winner,) = _players(table)
    _exile_leavers(turn)
    turn.emit(Ended(winner))
    return True


def _exile_leavers(turn: _Turn) -> None:
    for leaver in turn.table.leaving:
        turn.emit(Left(leaver, turn.table.hands[leaver]))


def _resign(turn: _Turn, seat: int) -> None:
    turn.emit(Resigned(seat))
    if _over(turn):
        return
    # Who leaves while nothing is in progress leaves at once, else when the turn ends.
    if isinstance(turn.table.phase, Choose):
        if seat == turn.table.turn:
            _end_turn(turn)
        else:
            _exile_leavers(turn)
