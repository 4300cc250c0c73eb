"""A player that counts cards and claims, and weighs every answer in coins."""

from ..engine import commands as say
from ..engine.cards import Role
from ..engine.commands import Command, Verb
from ..engine.view import ActionView, PhaseName
from .hand import weak
from .sight import BLOCKERS, Below, Sight, blocked, called, danger, doomed, possible, refuge, truth

INFLUENCE = (0, 24, 12)  # what losing one is worth in coins, by how many are held
CLAIMS = {
    Verb.TAX: Role.DUKE,
    Verb.ASSASSINATE: Role.ASSASSIN,
    Verb.STEAL: Role.CAPTAIN,
    Verb.EXAMINE: Role.INQUISITOR,
}
DEFIANCE = 0.6  # the chance that who would be exiled anyway challenges
KILL = 2.0  # a victim less is worth something beside its influence


def counter(sight: Sight, below: Below) -> Command:
    """The answer worth most, within a coin: a little chance keeps it from being read."""
    value = _action_value if sight.view.phase is PhaseName.ACTION else _answer_value
    if truth(sight) == 0:
        return say.CHALLENGE
    return max(sight.own.legal, key=lambda command: value(sight, command) + below(100) / 100)


def _stake(sight: Sight, seat: int) -> float:
    """What it costs this seat that `seat` loses an influence; a rival's loss is shared by all."""
    hidden = INFLUENCE[sight.view.seats[seat].hidden]
    return hidden if seat == sight.me else -hidden / len(sight.rivals)


# --- an action ----------------------------------------------------------------------------------


def _action_value(sight: Sight, command: Command) -> float:
    """What an action brings, in coins, with what a claim that is not true may cost."""
    role = CLAIMS.get(command.verb)
    if command.verb is Verb.EXCHANGE:
        role = Role.INQUISITOR if sight.view.options.inquisitor else Role.AMBASSADOR
    gain = _gain(sight, command)
    if command.verb is Verb.EMBEZZLE:
        risk = 0.3 if Role.DUKE in sight.own.hand else 0.0
    elif role is None or role in sight.own.hand:
        return gain
    elif not possible(sight, role):
        return -100.0
    else:
        risk = called(sight, role)
        if _cornered(sight, command):
            risk = 1 - (1 - risk) * (1 - DEFIANCE)
    return (1 - risk) * gain - risk * _stake(sight, sight.me)


def _cornered(sight: Sight, command: Command) -> bool:
    """Whether the target has nothing to lose by a challenge."""
    if command.verb is not Verb.ASSASSINATE or command.target is None:
        return False
    return sight.view.seats[command.target].hidden == 1


def _gain(sight: Sight, command: Command) -> float:
    match command:
        case Command(verb=Verb.INCOME):
            return 1.0
        case Command(verb=Verb.FOREIGN_AID):
            return 2 * _unblocked(sight, Verb.FOREIGN_AID, sight.rivals)
        case Command(verb=Verb.TAX):
            return 3.0
        case Command(verb=Verb.EMBEZZLE):
            return float(sight.view.almshouse)
        case Command(verb=Verb.EXCHANGE):
            return 2.5 if weak(sight) else 0.5
        case Command(verb=Verb.EXAMINE):
            return 1.2
        case Command(verb=Verb.CONVERT):
            return 5.0 if command == refuge(sight) else -1.0
        case Command(verb=Verb.COUP, target=int(target)):
            return 2 + _kill(sight, target)
        case Command(verb=Verb.ASSASSINATE, target=int(target)):
            return _unblocked(sight, Verb.ASSASSINATE, (target,)) * (4 + _kill(sight, target)) - 3
        case Command(verb=Verb.STEAL, target=int(target)):
            amount = min(2, sight.view.seats[target].coins)
            return amount * 1.5 * _unblocked(sight, Verb.STEAL, (target,))
    return 0.0


def _kill(sight: Sight, target: int) -> float:
    return KILL - _stake(sight, target) + danger(sight, target) / 6


def _unblocked(sight: Sight, verb: Verb, seats: tuple[int, ...]) -> float:
    """The chance that none of `seats` blocks, in truth or, now and then, not."""
    free = 1.0
    for seat in seats:
        free *= 1 - 0.9 * blocked(sight, verb, seat)
    return free * 0.95


# --- an answer ----------------------------------------------------------------------------------


def _answer_value(sight: Sight, command: Command) -> float:
    """What an answer is worth beside allowing."""
    own_loss = 0.0 if doomed(sight) else _stake(sight, sight.me)
    match command:
        case Command(verb=Verb.CHALLENGE):
            claim = sight.view.claim
            assert claim is not None
            likely = truth(sight)
            won = _harm(sight, claim.blocking) - _stake(sight, claim.seat)
            return (1 - likely) * won - likely * own_loss
        case Command(verb=Verb.BLOCK, roles=(role,)):
            if not possible(sight, role):
                return -100.0
            saved = _harm(sight, blocking=False)
            if role in sight.own.hand:
                return saved + 1
            risk = called(sight, role)
            return (1 - risk) * saved - risk * own_loss
    return 0.0


def _harm(sight: Sight, blocking: bool) -> float:
    """What this seat is spared if the open claim falls."""
    action = sight.action
    if blocking:
        return _profit(sight, action) if action.seat == sight.me else 0.0
    if action.verb in BLOCKERS and action.target == sight.me:
        return _stake(sight, sight.me) if action.verb is Verb.ASSASSINATE else 4.0
    if action.verb is Verb.EXAMINE and action.target == sight.me:
        return 2.0
    return _profit(sight, action) / len(sight.rivals)


def _profit(sight: Sight, action: ActionView) -> float:
    """What an action brings to the one who takes it."""
    match action.verb:
        case Verb.TAX:
            return 3.0
        case Verb.FOREIGN_AID | Verb.STEAL:
            return 2.0
        case Verb.EMBEZZLE:
            return float(sight.view.almshouse)
        case Verb.ASSASSINATE if action.target is not None and action.seat == sight.me:
            return KILL - _stake(sight, action.target)
        case Verb.EXCHANGE:
            return 1.0
    return 0.0
