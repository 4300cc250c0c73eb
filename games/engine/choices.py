"""What may be said at a table, and by whom (rules.md §2-§7).

A question and its answers depend on a few public facts, and the same few come up again and again:
each list is written once and kept, as is each announcement.
"""

from functools import cache, lru_cache
from itertools import combinations
from typing import assert_never

from . import commands as say
from .cards import Faction, Hand, Role
from .commands import Command, IllegalCommand, Verb
from .events import Action, Announced
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
    Table,
)

type Seats = tuple[int, ...]
type Sides = tuple[Faction, ...]
type Choices = tuple[tuple[int, Command], ...]

COST = {Verb.COUP: 7, Verb.ASSASSINATE: 3}
FORCED_COUP = 10
CONVERT_SELF, CONVERT_OTHER = 1, 2
CLAIM = {
    Verb.TAX: Role.DUKE,
    Verb.ASSASSINATE: Role.ASSASSIN,
    Verb.STEAL: Role.CAPTAIN,
    Verb.EXAMINE: Role.INQUISITOR,
}
ANSWERED = frozenset({*CLAIM, Verb.EXCHANGE, Verb.EMBEZZLE, Verb.FOREIGN_AID})


def choices(state: State) -> Choices:
    """Everything that may be said now, `resign` and `timeout` apart, as (seat, command).

    By seat, in seat order; () when the game is over.
    """
    phase = state.phase
    if type(phase) is Respond:
        action = phase.action
        return _window(phase.waiting, action.verb, action.target, state.options.inquisitor)
    if type(phase) is Choose:
        options, seat = state.options, state.turn
        anybody = others(options.players, state.exiled, seat)
        purse = state.coins[seat]
        return _actions(options.inquisitor, seat, purse, anybody, state.factions, state.almshouse)
    if type(phase) is RespondBlock:
        return _window(phase.waiting)
    if type(phase) is Reveal:
        return _cards(Verb.REVEAL, phase.seat, state.hands[phase.seat])
    if type(phase) is Lose:
        return _cards(Verb.LOSE, phase.seat, state.hands[phase.seat])
    if type(phase) is Over:
        return ()
    action = phase.action
    if type(phase) is Exchange:
        return _keeps(action.seat, state.hands[action.seat], phase.drawn)
    if type(phase) is Examine:
        return (action.seat, say.RETURN), (action.seat, say.SWAP)
    seat = targeted(action)
    if type(phase) is Show:
        return _cards(Verb.SHOW, seat, state.hands[seat])
    if type(phase) is Block:
        blocks = _blocks(action.verb, state.options.inquisitor)
        return (seat, say.ALLOW), *((seat, block) for block in blocks)
    assert_never(phase)


def legal(state: State, seat: int) -> tuple[Command, ...]:
    """The commands this seat may give now, `resign` and `timeout` apart; () if it is not asked."""
    return tuple([command for asked, command in choices(state) if asked == seat])


def default(state: Table, seat: int) -> Command:
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


def targeted(action: Action) -> int:
    """The target of an action that has one."""
    assert action.target is not None
    return action.target


@cache
def others(players: int, exiled: Seats, seat: int) -> Seats:
    """The other players still in the game, in seat order."""
    return tuple([n for n in range(players) if n != seat and n not in exiled])


def enemies(seat: int, anybody: Seats, factions: Sides) -> Seats:
    """Whom this seat may harm: with both factions in the game, nobody of its own (rules.md §6)."""
    if not factions:
        return anybody
    return tuple([other for other in anybody if factions[other] is not factions[seat]]) or anybody


@lru_cache(2**12)
def announcement(
    inquisitor: bool, seat: int, command: Command, anybody: Seats, factions: Sides
) -> Announced:
    """What a command announces: the claim it makes, its price, and who may answer."""
    verb, target = command.verb, command.target
    role, cost = CLAIM.get(verb), COST.get(verb, 0)
    if verb is Verb.EXCHANGE:
        role = Role.INQUISITOR if inquisitor else Role.AMBASSADOR
    elif verb is Verb.CONVERT:
        cost = CONVERT_SELF if target == seat else CONVERT_OTHER
    asked: Seats = ()
    if verb is Verb.FOREIGN_AID:
        asked = enemies(seat, anybody, factions)
    elif verb in ANSWERED:
        asked = anybody
    return Announced(Action(seat, verb, target, role, cost), asked)


@lru_cache(2**12)
def _actions(
    inquisitor: bool, seat: int, coins: int, anybody: Seats, factions: Sides, almshouse: int
) -> Choices:
    targets = enemies(seat, anybody, factions)
    if coins >= FORCED_COUP:
        return _said(seat, [say.COUP[target] for target in targets])
    listed = [say.INCOME, say.FOREIGN_AID, say.TAX, say.EXCHANGE]
    listed += [say.STEAL[target] for target in targets]
    if coins >= COST[Verb.ASSASSINATE]:
        listed += [say.ASSASSINATE[target] for target in targets]
    if coins >= COST[Verb.COUP]:
        listed += [say.COUP[target] for target in targets]
    if inquisitor:
        listed += [say.EXAMINE[target] for target in targets]
    if factions:
        if almshouse:
            listed.append(say.EMBEZZLE)
        if coins >= CONVERT_SELF:
            listed.append(say.CONVERT[seat])
        if coins >= CONVERT_OTHER:
            listed += [say.CONVERT[other] for other in anybody]
    return _said(seat, listed)


@cache
def _window(
    waiting: Seats, verb: Verb | None = None, target: int | None = None, inquisitor: bool = False
) -> Choices:
    """The answers to an action; to a block, which is just a claim, if no verb is given."""
    may_block = waiting if verb is Verb.FOREIGN_AID else (target,)
    listed: list[tuple[int, Command]] = []
    for seat in waiting:
        listed.append((seat, say.ALLOW))
        if verb is not Verb.FOREIGN_AID:
            listed.append((seat, say.CHALLENGE))
        if seat in may_block:
            listed += [(seat, block) for block in _blocks(verb, inquisitor)]
    return tuple(listed)


def _blocks(verb: Verb | None, inquisitor: bool) -> tuple[Command, ...]:
    """The blocks of an action, by those who may block it."""
    match verb:
        case Verb.FOREIGN_AID:
            roles: Hand = (Role.DUKE,)
        case Verb.ASSASSINATE:
            roles = (Role.CONTESSA,)
        case Verb.STEAL:
            roles = (Role.CAPTAIN, Role.INQUISITOR if inquisitor else Role.AMBASSADOR)
        case _:
            roles = ()
    return tuple([say.BLOCK[role] for role in roles])


@cache
def _cards(verb: Verb, seat: int, hand: Hand) -> Choices:
    return _said(seat, [Command(verb, None, (role,)) for role in dict.fromkeys(hand)])


@cache
def _keeps(seat: int, hand: Hand, drawn: Hand) -> Choices:
    kept = set(combinations(sorted(hand + drawn), len(hand)))
    return _said(seat, [say.keep(*roles) for roles in sorted(kept)])


def _said(seat: int, commands: list[Command]) -> Choices:
    return tuple([(seat, command) for command in commands])


def _default_action(state: Table, seat: int) -> Command:
    if state.coins[seat] < FORCED_COUP:
        return say.INCOME
    players = state.options.players
    targets = enemies(seat, others(players, state.exiled, seat), state.factions)
    return say.COUP[min(targets, key=lambda target: (target - seat) % players)]
