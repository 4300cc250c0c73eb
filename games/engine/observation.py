"""What a viewer sees of a table and of an event. Built up from nothing, never stripped."""

from collections.abc import Iterable
from dataclasses import replace
from typing import assert_never

from . import commands as say
from .cards import Hand, Role
from .commands import Command, Verb
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
    Reshuffled,
    Resigned,
    ShowAsked,
    Shown,
    Stole,
    Swapped,
    TurnEnded,
)
from .rules import default, legal, ranking
from .state import (
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
    waiting,
)
from .view import (
    EVERYTHING,
    SPECTATOR,
    ActionView,
    Claims,
    ClaimView,
    Line,
    LineKind,
    OwnView,
    PhaseName,
    SeatView,
    TableView,
)


def observe(state: State, viewer: int) -> TableView:
    """The table as `viewer` (a seat, SPECTATOR, or EVERYTHING after the end) may see it."""
    phase = state.phase
    asked = _asked(state)
    action = None if isinstance(phase, Choose | Over) else phase.action
    open_cards = viewer == EVERYTHING
    return TableView(
        viewer=viewer,
        options=state.options,
        phase=phase_name(phase),
        turn=state.turn,
        seats=tuple(
            SeatView(
                coins=state.coins[seat],
                hidden=len(state.hands[seat]),
                revealed=state.revealed[seat],
                faction=state.factions[seat] if state.factions else None,
                exiled=seat in state.exiled,
                asked=seat in asked,
            )
            for seat in range(state.options.players)
        ),
        deck=len(state.deck),
        almshouse=state.almshouse,
        action=_action_view(action) if action else None,
        claim=_claim(phase),
        asked=asked,
        own=_own(state, viewer) if viewer >= 0 else None,
        ranking=ranking(state) if isinstance(phase, Over) else (),
        hands=state.hands if open_cards else (),
    )


def phase_name(phase: Phase) -> PhaseName:
    """What everybody may know of the phase: its name, without what it holds."""
    match phase:
        case Choose():
            return PhaseName.ACTION
        case Respond():
            return PhaseName.RESPOND
        case Block():
            return PhaseName.BLOCK
        case RespondBlock():
            return PhaseName.RESPOND_BLOCK
        case Reveal():
            return PhaseName.REVEAL
        case Lose():
            return PhaseName.LOSE
        case Exchange():
            return PhaseName.EXCHANGE
        case Show():
            return PhaseName.SHOW
        case Examine():
            return PhaseName.EXAMINE
        case Over():
            return PhaseName.OVER
        case _:
            assert_never(phase)


def _asked(state: State) -> tuple[int, ...]:
    """Whom the open question was put to: in a window everybody, answered or not."""
    phase = state.phase
    if isinstance(phase, Respond | RespondBlock):
        return phase.asked
    return waiting(state)


def _action_view(action: Action) -> ActionView:
    return ActionView(action.seat, action.verb, action.target, action.role, action.cost)


def _claim(phase: Phase) -> ClaimView | None:
    match phase:
        case Respond(action=action) if action.verb is not Verb.FOREIGN_AID:
            return ClaimView(action.seat, action.role, blocking=False, challenger=None)
        case RespondBlock():
            return ClaimView(phase.seat, phase.role, blocking=True, challenger=None)
        case Reveal():
            return ClaimView(phase.seat, phase.role, phase.blocking, phase.challenger)
        case _:
            return None


def _own(state: State, seat: int) -> OwnView:
    asked = seat in waiting(state)
    return OwnView(
        hand=state.hands[seat],
        legal=legal(state, seat),
        default=default(state, seat) if asked else None,
        sealed=_sealed(state.phase, seat),
        seen=_seen(state.phase, seat),
        leaving=seat in state.leaving,
    )


def _sealed(phase: Phase, seat: int) -> Command | None:
    if not isinstance(phase, Respond | RespondBlock):
        return None
    if seat not in phase.asked or seat in phase.waiting:
        return None
    if isinstance(phase, Respond) and phase.block and seat == phase.action.target:
        return say.BLOCK[phase.block]
    return say.ALLOW


def _seen(phase: Phase, seat: int) -> Hand:
    match phase:
        case Exchange(action=action, drawn=drawn) if seat == action.seat:
            return drawn
        case Examine(action=action, shown=shown) if seat in (action.seat, action.target):
            return (shown,)
        case _:
            return ()


def describe(event: Event, viewer: int) -> Line | None:
    """The line of the log that `event` is to `viewer`, or None where it tells them nothing."""

    def mine(seat: int, *cards: Role) -> Hand:
        return cards if viewer in (seat, EVERYTHING) else ()

    match event:
        case Dealt():
            return Line(LineKind.DEALT, event.first)
        case Announced(action=action):
            return Line(
                LineKind.ANNOUNCED,
                action.seat,
                action.target,
                action.verb,
                action.role,
                action.cost,
            )
        case Answered():
            if viewer != EVERYTHING:
                return None
            return Line(LineKind.SEALED, event.seat, role=event.block)
        case Allowed():
            return Line(LineKind.ALLOWED, event.seats[0], seats=event.seats)
        case Challenged():
            return Line(LineKind.CHALLENGED, event.seat)
        case Blocked():
            return Line(LineKind.BLOCKED, event.seat, role=event.role)
        case Proved():
            seen = mine(event.seat, event.drawn)
            return Line(LineKind.PROVED, event.seat, role=event.role, seen=seen)
        case Lost():
            kind = LineKind.CAUGHT if event.cause is Cause.CAUGHT else LineKind.LOST
            return Line(kind, event.seat, role=event.role)
        case Refunded():
            return Line(LineKind.REFUNDED, event.seat, amount=event.amount)
        case Gained():
            return Line(LineKind.GAINED, event.seat, amount=event.amount)
        case Stole():
            return Line(LineKind.STOLE, event.seat, event.target, amount=event.amount)
        case Embezzled():
            return Line(LineKind.EMBEZZLED, event.seat, amount=event.amount)
        case Converted():
            return Line(LineKind.CONVERTED, event.seat, event.target, faction=event.faction)
        case Exposed():
            return Line(LineKind.EXPOSED, event.seat, roles=event.cards)
        case Replaced():
            seen = mine(event.seat, *event.drawn)
            return Line(LineKind.REPLACED, event.seat, amount=len(event.drawn), seen=seen)
        case Drew():
            seen = mine(event.seat, *event.cards)
            return Line(LineKind.DREW, event.seat, amount=len(event.cards), seen=seen)
        case Exchanged():
            seen = mine(event.seat, *event.hand)
            return Line(LineKind.EXCHANGED, event.seat, amount=event.returned, seen=seen)
        case Shown():
            seen = mine(event.seat, event.role) or mine(event.to, event.role)
            return Line(LineKind.SHOWN, event.seat, event.to, seen=seen)
        case GivenBack():
            return Line(LineKind.GIVEN_BACK, event.seat, event.target)
        case Swapped():
            seen = mine(event.target, event.drawn)
            return Line(LineKind.SWAPPED, event.seat, event.target, seen=seen)
        case Resigned():
            return Line(LineKind.RESIGNED, event.seat) if mine(event.seat, Role.DUKE) else None
        case Left():
            return Line(LineKind.LEFT, event.seat, roles=event.cards)
        case TurnEnded():
            return Line(LineKind.TURN, event.seat)
        case Ended():
            return Line(LineKind.ENDED, event.winner)
        case Reshuffled():
            return Line(LineKind.TAKEN_BACK, event.seat)
        case BlockAsked() | LossAsked() | ShowAsked():
            return None
        case _:
            assert_never(event)


def ledger(lines: Iterable[Line]) -> dict[tuple[int, Role], Claims]:
    """What has been claimed so far, by seat and role, from the public record alone."""
    claims: dict[tuple[int, Role], Claims] = {}
    open_claim: tuple[int, Role] | None = None
    for line in lines:
        if line.kind in (LineKind.ANNOUNCED, LineKind.BLOCKED):
            open_claim = (line.seat, line.role) if line.role else None
            if open_claim:
                known = claims.get(open_claim, Claims())
                claims[open_claim] = replace(known, count=known.count + 1)
        elif open_claim and line.seat == open_claim[0]:
            known = claims[open_claim]
            if line.kind is LineKind.PROVED:
                claims[open_claim] = replace(known, proved=True, caught=False)
            elif line.kind is LineKind.CAUGHT:
                claims[open_claim] = replace(known, proved=False, caught=True)
    return claims


__all__ = ["EVERYTHING", "SPECTATOR", "describe", "ledger", "observe", "phase_name"]
