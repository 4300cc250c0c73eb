"""Two plain players: one that claims what it holds, and one that claims a little more."""

from collections.abc import Set as AbstractSet

from ..engine import commands as say
from ..engine.cards import Role, roles
from ..engine.commands import Command, Verb
from ..engine.view import PhaseName
from .hand import weak
from .sight import (
    BLOCKERS,
    Below,
    Sight,
    called,
    doomed,
    possible,
    refuge,
    strongest,
    truth,
)

DOUBT = 0.12  # an honest player begins to doubt a claim less likely than this
SUSPICION = 0.4  # a bluffer does earlier
DARE = 0.3  # and feigns nothing that is more likely than this to be challenged
LURE = {Role.DUKE: 5, Role.ASSASSIN: 3, Role.CAPTAIN: 3}  # what a bluffer likes to feign, how much


def honest(sight: Sight, below: Below) -> Command:
    """Claims what it holds, blocks with what it holds, and hardly ever challenges the possible."""
    own = frozenset(sight.own.hand)
    if sight.view.phase is PhaseName.ACTION:
        return _act(sight, own, below)
    return _respond(sight, own, DOUBT, below)


def bluffer(sight: Sight, below: Below) -> Command:
    """Plays as if it held a role more than it does, and keeps to the roles it has claimed."""
    own = frozenset(sight.own.hand)
    if sight.view.phase is PhaseName.ACTION:
        return _act(sight, own | _feigned(sight, below), below)
    return _respond(sight, own | _excuses(sight, below), SUSPICION, below)


# --- an action ----------------------------------------------------------------------------------


def _act(sight: Sight, spoken: AbstractSet[Role], below: Below) -> Command:
    """The first action of a fixed order that is open to a player who speaks for these roles."""
    wanted = (
        _assassinate(sight, spoken),
        strongest(sight, sight.may(Verb.COUP)),
        refuge(sight),
        _embezzle(sight, spoken),
        _steal(sight, spoken) if below(2) else None,
        say.TAX if Role.DUKE in spoken else None,
        _steal(sight, spoken),
        _trade(sight, spoken, below),
        _aid(sight, below),
    )
    return next((action for action in wanted if action in sight.own.legal), say.INCOME)


def _unblocked(sight: Sight, verb: Verb) -> list[Command]:
    """`verb` on targets whose claims do not block it; a steal, where there is something to take."""
    claims, seats = sight.record.claims, sight.view.seats
    return [
        command
        for command in sight.may(verb)
        if command.target is not None
        and (verb is not Verb.STEAL or seats[command.target].coins)
        and not set(BLOCKERS[verb]) & set(claims[command.target])
    ]


def _assassinate(sight: Sight, spoken: AbstractSet[Role]) -> Command | None:
    if Role.ASSASSIN not in spoken:
        return None
    return strongest(sight, _unblocked(sight, Verb.ASSASSINATE))


def _steal(sight: Sight, spoken: AbstractSet[Role]) -> Command | None:
    if Role.CAPTAIN not in spoken:
        return None
    return strongest(sight, _unblocked(sight, Verb.STEAL))


def _embezzle(sight: Sight, spoken: AbstractSet[Role]) -> Command | None:
    return say.EMBEZZLE if sight.view.almshouse > 1 and Role.DUKE not in spoken else None


def _trade(sight: Sight, spoken: AbstractSet[Role], below: Below) -> Command | None:
    """An exchange of a weak hand, now and then an examination."""
    if Role.INQUISITOR in spoken and not below(3):
        return strongest(sight, sight.may(Verb.EXAMINE))
    if spoken & {Role.AMBASSADOR, Role.INQUISITOR} and weak(sight) and below(2):
        return say.EXCHANGE
    return None


def _aid(sight: Sight, below: Below) -> Command | None:
    feared = any(Role.DUKE in sight.record.claims[seat] for seat in sight.rivals)
    return None if feared or not below(3) else say.FOREIGN_AID


# --- an answer ----------------------------------------------------------------------------------


def _respond(sight: Sight, spoken: AbstractSet[Role], doubt: float, below: Below) -> Command:
    """Block as a role `spoken` for; at times challenge a claim less likely than `doubt`."""
    likely = truth(sight)
    blocks = [block for block in sight.may(Verb.BLOCK) if block.roles[0] in spoken]
    held = [block for block in blocks if block.roles[0] in sight.own.hand]
    last = doomed(sight)
    if likely == 0:
        return say.CHALLENGE
    if held:
        return held[0]
    if likely < doubt and (last or below(100) < 40):
        return say.CHALLENGE
    if blocks:
        return blocks[0]
    return say.CHALLENGE if last and likely < 1 else say.ALLOW


# --- what a bluffer feigns ----------------------------------------------------------------------


def _feigned(sight: Sight, below: Below) -> frozenset[Role]:
    """The roles it has claimed with this hand; up to one more than it has cards."""
    hand, told = set(sight.own.hand), sight.record.claims[sight.me]
    safe = [role for role in LURE if possible(sight, role) and called(sight, role) < DARE]
    kept = {role for role in safe if role in told}
    lures = [role for role in safe if role not in hand | kept for _ in range(LURE[role])]
    if not lures or len(hand | kept) > len(sight.own.hand) or below(100) >= 60:
        return frozenset(kept)
    return frozenset(kept | {lures[below(len(lures))]})


def _excuses(sight: Sight, below: Below) -> frozenset[Role]:
    """The roles it would block with though it may not hold them."""
    told = sight.record.claims[sight.me]
    last = doomed(sight)
    return frozenset(
        role
        for role in roles(sight.view.options)
        if possible(sight, role)
        and (last or called(sight, role) < DARE)
        and (last or below(100) < (80 if role in told else 35))
    )
