"""The rules: what a seat may say, and what follows from it (rules.md §2-§8)."""

from itertools import combinations
from typing import Protocol, assert_never

from . import commands as say
from .cards import COPIES, Faction, Hand, Options, Role, opposite, roles
from .commands import Command, IllegalCommand, Verb
from .events import (
    Action,
    Allowed,
    Announced,
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
    Examine,
    Exchange,
    Lose,
    Over,
    Respond,
    RespondBlock,
    Reveal,
    Show,
    State,
    waiting,
    without,
)
from .transitions import evolve

COST = {Verb.COUP: 7, Verb.ASSASSINATE: 3}
CLAIM = {
    Verb.TAX: Role.DUKE,
    Verb.ASSASSINATE: Role.ASSASSIN,
    Verb.STEAL: Role.CAPTAIN,
    Verb.EXAMINE: Role.INQUISITOR,
}
FORCED_COUP = 10
CONVERT_SELF, CONVERT_OTHER = 1, 2
INCOME, FOREIGN_AID, TAX, STEAL = 1, 2, 3, 2
TARGET_BLOCKS = (Verb.STEAL, Verb.ASSASSINATE)

_CLAIM_ANSWERS = (say.ALLOW, say.CHALLENGE)
_AID_ANSWERS = (say.ALLOW, say.BLOCK[Role.DUKE])
_ASSASSINATION_BLOCKS = (say.BLOCK[Role.CONTESSA],)
_STEAL_BLOCKS = (say.BLOCK[Role.CAPTAIN], say.BLOCK[Role.AMBASSADOR])
_STEAL_BLOCKS_INQUISITOR = (say.BLOCK[Role.CAPTAIN], say.BLOCK[Role.INQUISITOR])
_EXAMINE_ANSWERS = (say.RETURN, say.SWAP)


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
    deck = chance.shuffle(tuple(role for role in roles(options) for _ in range(COPIES)))
    first = chance.below(players)
    coins = [2] * players
    if players == 2:
        coins = [1, 1] if options.both_one else coins
        coins[first] = 1
    sides = (Faction.LOYALIST, Faction.REFORMIST)
    return Dealt(
        first=first,
        coins=tuple(coins),
        hands=tuple(deck[2 * seat : 2 * seat + 2] for seat in range(players)),
        deck=deck[2 * players :],
        factions=tuple(sides[(seat - first) % players % 2] for seat in range(players))
        if options.factions
        else (),
    )


# --- what may be said -------------------------------------------------------------------------


def legal(state: State, seat: int) -> tuple[Command, ...]:
    """The commands this seat may give now, `resign` and `timeout` apart; () if it is not asked."""
    phase = state.phase
    match phase:
        case Choose():
            return _actions(state, seat) if seat == state.turn else ()
        case Respond():
            if seat not in phase.waiting:
                return ()
            action = phase.action
            if action.verb is Verb.FOREIGN_AID:
                return _AID_ANSWERS
            if seat == action.target:
                return _CLAIM_ANSWERS + _blocks(state, action)
            return _CLAIM_ANSWERS
        case RespondBlock():
            return _CLAIM_ANSWERS if seat in phase.waiting else ()
        case Reveal():
            return _each(say.REVEAL, state.hands[seat]) if seat == phase.seat else ()
        case Lose():
            return _each(say.LOSE, state.hands[seat]) if seat == phase.seat else ()
        case Block():
            action = phase.action
            return (say.ALLOW, *_blocks(state, action)) if seat == action.target else ()
        case Exchange():
            return _keeps(state, phase) if seat == phase.action.seat else ()
        case Show():
            return _each(say.SHOW, state.hands[seat]) if seat == phase.action.target else ()
        case Examine():
            return _EXAMINE_ANSWERS if seat == phase.action.seat else ()
        case Over():
            return ()
        case _:
            assert_never(phase)


def default(state: State, seat: int) -> Command:
    """What an asked seat says that does not answer in time, or has left (rules.md §7)."""
    phase = state.phase
    match phase:
        case Choose():
            return _default_action(state, seat)
        case Respond() | RespondBlock() | Block():
            return say.ALLOW
        case Reveal():
            hand = state.hands[seat]
            return say.REVEAL[phase.role if phase.role in hand else hand[0]]
        case Lose():
            return say.LOSE[state.hands[seat][0]]
        case Show():
            return say.SHOW[state.hands[seat][0]]
        case Exchange():
            return say.keep(*state.hands[seat])
        case Examine():
            return say.RETURN
        case Over():
            raise IllegalCommand("the game is over")
        case _:
            assert_never(phase)


def ranking(state: State) -> tuple[int, ...]:
    """The seats of a finished game, best first: the winner, then in reverse order of exile."""
    winner = (seat for seat in range(state.options.players) if seat not in state.exiled)
    return (*winner, *reversed(state.exiled))


def _actions(state: State, seat: int) -> tuple[Command, ...]:
    coins = state.coins[seat]
    targets = _targets(state, seat)
    if coins >= FORCED_COUP:
        return tuple([say.COUP[target] for target in targets])
    listed = [say.INCOME, say.FOREIGN_AID, say.TAX, say.EXCHANGE]
    listed += [say.STEAL[target] for target in targets]
    if coins >= COST[Verb.ASSASSINATE]:
        listed += [say.ASSASSINATE[target] for target in targets]
        if coins >= COST[Verb.COUP]:
            listed += [say.COUP[target] for target in targets]
    if state.options.inquisitor:
        listed += [say.EXAMINE[target] for target in targets]
    if state.factions:
        if state.almshouse:
            listed.append(say.EMBEZZLE)
        if coins >= CONVERT_SELF:
            listed.append(say.CONVERT[seat])
        if coins >= CONVERT_OTHER:
            listed += [say.CONVERT[other] for other in _others(state, seat)]
    return tuple(listed)


def _default_action(state: State, seat: int) -> Command:
    if state.coins[seat] < FORCED_COUP:
        return say.INCOME
    players = state.options.players
    return say.COUP[min(_targets(state, seat), key=lambda target: (target - seat) % players)]


def _others(state: State, seat: int) -> tuple[int, ...]:
    """The other players still in the game, in seat order."""
    exiled = state.exiled
    return tuple([n for n in range(state.options.players) if n != seat and n not in exiled])


def _targets(state: State, seat: int) -> tuple[int, ...]:
    """Whom this seat may harm: with both factions in the game, nobody of its own (rules.md §6)."""
    others = _others(state, seat)
    factions = state.factions
    if not factions:
        return others
    enemies = tuple(other for other in others if factions[other] != factions[seat])
    return enemies or others


def _blocks(state: State, action: Action) -> tuple[Command, ...]:
    match action.verb:
        case Verb.ASSASSINATE:
            return _ASSASSINATION_BLOCKS
        case Verb.STEAL:
            return _STEAL_BLOCKS_INQUISITOR if state.options.inquisitor else _STEAL_BLOCKS
        case _:
            return ()


def _each(table: dict[Role, Command], hand: Hand) -> tuple[Command, ...]:
    if len(hand) == 2 and hand[0] is hand[1]:
        return (table[hand[0]],)
    return tuple([table[role] for role in hand])


def _keeps(state: State, phase: Exchange) -> tuple[Command, ...]:
    hand = state.hands[phase.action.seat]
    pool = sorted(hand + phase.drawn)
    return tuple(say.keep(*kept) for kept in sorted(set(combinations(pool, len(hand)))))


# --- what follows -----------------------------------------------------------------------------


class _Turn:
    """A table while one command is settled: the events so far, and the state after them."""

    __slots__ = ("chance", "events", "state")

    def __init__(self, state: State, chance: Chance) -> None:
        self.state, self.chance = state, chance
        self.events: list[Event] = []

    def emit(self, event: Event) -> None:
        self.events.append(event)
        self.state = evolve(self.state, event)


def decide(state: State, seat: int, command: Command, chance: Chance) -> list[Event]:
    """What happens when `seat` says `command`; IllegalCommand where it may not."""
    return play(state, seat, command, chance)[0]


def play(state: State, seat: int, command: Command, chance: Chance) -> tuple[list[Event], State]:
    """`decide`, with the state after its events, which it has folded already."""
    turn = _Turn(state, chance)
    if command.verb is Verb.RESIGN:
        _resign(turn, seat)
    elif command.verb is Verb.TIMEOUT:
        if seat not in waiting(state):
            raise IllegalCommand("this seat is not asked")
        _answer(turn, seat, default(state, seat))
    elif command in legal(state, seat):
        _answer(turn, seat, command)
    else:
        raise IllegalCommand(command.verb)
    while turn.state.leaving:
        asked = [leaver for leaver in waiting(turn.state) if leaver in turn.state.leaving]
        if not asked:
            break
        _answer(turn, asked[0], default(turn.state, asked[0]))
    return turn.events, turn.state


def _answer(turn: _Turn, seat: int, command: Command) -> None:
    phase = turn.state.phase
    match phase:
        case Respond():
            _respond(turn, phase, seat, command)
        case Choose():
            _announce(turn, seat, command)
        case RespondBlock():
            if command.verb is Verb.CHALLENGE:
                _challenge(turn, seat)
                return
            turn.emit(Answered(seat, None))
            if not waiting(turn.state):
                turn.emit(Allowed(phase.asked))
                _end_turn(turn)
        case Reveal():
            _reveal(turn, phase, command.roles[0])
        case Lose():
            _lost(turn, phase.action, seat, command.roles[0], phase.cause)
        case Block():
            if command.verb is Verb.BLOCK:
                turn.emit(Blocked(seat, command.roles[0], _others(turn.state, seat)))
            else:
                turn.emit(Allowed((seat,)))
                _effect(turn, phase.action)
        case Exchange():
            _exchange(turn, phase, command.roles)
        case Show():
            turn.emit(Shown(seat, phase.action.seat, command.roles[0]))
        case Examine():
            _examined(turn, phase, command)
        case Over():
            raise IllegalCommand("the game is over")
        case _:
            assert_never(phase)


def _announce(turn: _Turn, seat: int, command: Command) -> None:
    state, verb, target = turn.state, command.verb, command.target
    role, cost = CLAIM.get(verb), COST.get(verb, 0)
    asked: tuple[int, ...] = ()
    if verb is Verb.EXCHANGE:
        role = Role.INQUISITOR if state.options.inquisitor else Role.AMBASSADOR
    elif verb is Verb.CONVERT:
        cost = CONVERT_SELF if target == seat else CONVERT_OTHER
    if verb is Verb.FOREIGN_AID:
        asked = _targets(state, seat)
    elif role is not None or verb is Verb.EMBEZZLE:
        asked = _others(state, seat)
    action = Action(seat, verb, target, role, cost)
    turn.emit(Announced(action, asked))
    if not asked:
        _effect(turn, action)


def _respond(turn: _Turn, phase: Respond, seat: int, command: Command) -> None:
    if command.verb is Verb.CHALLENGE:
        _challenge(turn, seat)
        return
    if command.verb is Verb.BLOCK and phase.action.verb is Verb.FOREIGN_AID:
        turn.emit(Blocked(seat, command.roles[0], _others(turn.state, seat)))
        return
    turn.emit(Answered(seat, command.roles[0] if command.roles else None))
    closed = turn.state.phase
    assert isinstance(closed, Respond)
    if closed.waiting:
        return
    action = closed.action
    if closed.block is None:
        turn.emit(Allowed(closed.asked))
        _effect(turn, action)
        return
    assert action.target is not None
    allowed = without(closed.asked, action.target)
    if allowed:
        turn.emit(Allowed(allowed))
    turn.emit(Blocked(action.target, closed.block, _others(turn.state, action.target)))


def _challenge(turn: _Turn, seat: int) -> None:
    turn.emit(Challenged(seat))
    phase = turn.state.phase
    if isinstance(phase, Reveal):
        hand = turn.state.hands[phase.seat]
        if len(hand) == 1:
            _reveal(turn, phase, hand[0])
    elif isinstance(phase, Respond):
        _expose(turn, phase.action, seat)


def _reveal(turn: _Turn, phase: Reveal, role: Role) -> None:
    action = phase.action
    if role is phase.role:
        deck = turn.chance.shuffle((*turn.state.deck, role))
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
    shown = turn.state.hands[seat]
    turn.emit(Exposed(seat, shown))
    caught = Role.DUKE in shown
    if caught:
        turn.emit(Lost(seat, Role.DUKE, Cause.CAUGHT))
        if _over(turn):
            return
    back = turn.state.hands[seat]
    if back:
        deck = turn.chance.shuffle(turn.state.deck + back)
        turn.emit(Replaced(seat, back, deck[: len(back)], deck[len(back) :]))
    if caught:
        _end_turn(turn)
    else:
        _lose_influence(turn, action, challenger, Cause.CLAIM_STOOD)


def _lose_influence(turn: _Turn, action: Action, seat: int, cause: Cause) -> None:
    hand = turn.state.hands[seat]
    if len(hand) == 1:
        _lost(turn, action, seat, hand[0], cause)
    else:
        turn.emit(LossAsked(seat, cause))


def _lost(turn: _Turn, action: Action, seat: int, role: Role, cause: Cause) -> None:
    turn.emit(Lost(seat, role, cause))
    if _over(turn):
        return
    if cause is Cause.CLAIM_STOOD:
        if action.verb in TARGET_BLOCKS and action.target not in turn.state.exiled:
            turn.emit(BlockAsked())
        else:
            _effect(turn, action)
    else:
        _end_turn(turn)


def _effect(turn: _Turn, action: Action) -> None:
    """The action happens (rules.md §2, §5)."""
    state, seat, target = turn.state, action.seat, action.target
    match action.verb:
        case Verb.INCOME:
            turn.emit(Gained(seat, INCOME))
        case Verb.FOREIGN_AID:
            turn.emit(Gained(seat, FOREIGN_AID))
        case Verb.TAX:
            turn.emit(Gained(seat, TAX))
        case Verb.STEAL:
            assert target is not None
            turn.emit(Stole(seat, target, min(STEAL, state.coins[target])))
        case Verb.COUP | Verb.ASSASSINATE:
            assert target is not None
            if target not in state.exiled:
                _lose_influence(turn, action, target, Cause.EFFECT)
                return
        case Verb.EXCHANGE:
            count = 1 if state.options.inquisitor else 2
            turn.emit(Drew(seat, state.deck[:count], state.deck[count:]))
            return
        case Verb.EXAMINE:
            assert target is not None
            if target not in state.exiled:
                hand = state.hands[target]
                turn.emit(Shown(target, seat, hand[0]) if len(hand) == 1 else ShowAsked())
                return
        case Verb.CONVERT:
            assert target is not None
            turn.emit(Converted(seat, target, opposite(state.factions[target])))
        case Verb.EMBEZZLE:
            turn.emit(Embezzled(seat, state.almshouse))
        case verb:
            raise AssertionError(verb)
    _end_turn(turn)


def _exchange(turn: _Turn, phase: Exchange, kept: Hand) -> None:
    seat, left = phase.action.seat, list(kept)
    hand: list[Role] = []
    back: list[Role] = []
    for role in turn.state.hands[seat] + phase.drawn:
        if role in left:
            left.remove(role)
            hand.append(role)
        else:
            back.append(role)
    deck = turn.chance.shuffle(turn.state.deck + tuple(back))
    turn.emit(Exchanged(seat, tuple(hand), len(back), deck))
    _end_turn(turn)


def _examined(turn: _Turn, phase: Examine, command: Command) -> None:
    seat, target = phase.action.seat, phase.action.target
    assert target is not None
    if command.verb is Verb.RETURN:
        turn.emit(GivenBack(seat, target))
    else:
        drawn, *rest = turn.state.deck
        deck = turn.chance.shuffle((*rest, phase.shown))
        turn.emit(Swapped(seat, target, phase.shown, drawn, deck))
    _end_turn(turn)


def _end_turn(turn: _Turn) -> None:
    for leaver in turn.state.leaving:
        turn.emit(Left(leaver, turn.state.hands[leaver]))
    state = turn.state
    players = state.options.players
    seat = (state.turn + 1) % players
    while seat in state.exiled:
        seat = (seat + 1) % players
    turn.emit(TurnEnded(seat))


def _over(turn: _Turn) -> bool:
    """End the game if one player is left who has not resigned (rules.md §7, §8)."""
    state = turn.state
    if state.options.players - len(state.exiled) - len(state.leaving) > 1:
        return False
    for leaver in state.leaving:
        turn.emit(Left(leaver, turn.state.hands[leaver]))
    exiled = turn.state.exiled
    turn.emit(Ended(next(n for n in range(state.options.players) if n not in exiled)))
    return True


def _resign(turn: _Turn, seat: int) -> None:
    state = turn.state
    if isinstance(state.phase, Over) or seat in state.exiled or seat in state.leaving:
        raise IllegalCommand(Verb.RESIGN)
    turn.emit(Resigned(seat))
    if _over(turn) or not isinstance(state.phase, Choose):
        return
    if seat == state.turn:
        _end_turn(turn)
    else:
        turn.emit(Left(seat, state.hands[seat]))
