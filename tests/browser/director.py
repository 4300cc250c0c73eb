"""Who says what, so that a game of three soon holds every kind of scene, and then ends.

Like a stage director it knows all cards; what it decides is said through the pages.
"""

from collections.abc import Sequence

from games.engine.cards import Role
from games.engine.commands import SEATS, Verb, text
from games.engine.events import Allowed, Announced, Blocked, Cause, Challenged, Exchanged, Lost
from games.engine.rules import legal
from games.engine.state import Choose, Respond, RespondBlock, Reveal, State, waiting
from games.store import Step

EXCHANGE, FALSE_BLOCK, BLOCK, CHALLENGE = "exchange", "false block", "block", "challenge"
SCENES = {EXCHANGE, FALSE_BLOCK, BLOCK, CHALLENGE}

CLAIMS = {Verb.TAX: Role.DUKE, Verb.STEAL: Role.CAPTAIN, Verb.EXCHANGE: Role.AMBASSADOR}


def played(steps: Sequence[Step]) -> set[str]:
    """The scenes so far: a block is one that stood, a false block one that was challenged."""
    scenes = set()
    blocked = False
    for event in (event for step in steps for event in step.events):
        match event:
            case Announced():
                blocked = False
            case Blocked():
                blocked = True
            case Allowed() if blocked:
                scenes.add(BLOCK)
            case Challenged() if not blocked:
                scenes.add(CHALLENGE)
            case Lost(cause=Cause.CAUGHT) if blocked:
                scenes.add(FALSE_BLOCK)
            case Exchanged():
                scenes.add(EXCHANGE)
    return scenes


def next_answer(state: State, scenes: set[str]) -> tuple[int, str]:
    """The seat that answers next, and its words, in a game where these scenes were played."""
    missing = SCENES - scenes
    match state.phase:
        case Choose():
            return state.turn, _action(state, missing)
        case Respond(action, _, waits, _):
            if action.verb is Verb.FOREIGN_AID and FALSE_BLOCK in missing:
                return _without(state, Role.DUKE, waits), "block duke"
            if action.verb is Verb.STEAL and BLOCK in missing and action.target in waits:
                return action.target, "block captain"
            quiet = {EXCHANGE, FALSE_BLOCK, BLOCK} & missing
            return waits[0], "allow" if quiet or _holds(
                state, action.seat, action.role
            ) else "challenge"
        case RespondBlock(_, seat, role, _, waits):
            keeps = FALSE_BLOCK not in missing or _holds(state, seat, role)
            return waits[0], "allow" if keeps else "challenge"
        case Reveal(_, seat, role, _, _) if _holds(state, seat, role):
            return seat, f"reveal {role}"
    seat = waiting(state)[0]
    return seat, text(legal(state, seat)[0], SEATS)


def _action(state: State, missing: set[str]) -> str:
    seat = state.turn
    others = [other for other in range(len(state.hands)) if state.hands[other] and other != seat]
    if state.coins[seat] >= 10:
        return f"coup {others[0]}"
    if EXCHANGE in missing:
        return "exchange"
    if FALSE_BLOCK in missing and any(not _holds(state, o, Role.DUKE) for o in others):
        return "foreign_aid"
    if BLOCK in missing:
        return f"steal {others[0]}"
    lie = next(verb for verb, role in CLAIMS.items() if not _holds(state, seat, role))
    return f"{lie} {others[0]}" if lie is Verb.STEAL else str(lie)


def _holds(state: State, seat: int, role: Role | None) -> bool:
    return role is None or role in state.hands[seat]


def _without(state: State, role: Role, seats: Sequence[int]) -> int:
    return next(seat for seat in seats if not _holds(state, seat, role))
