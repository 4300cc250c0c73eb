"""What really happened: finished games read once more, all cards face up. Writes nothing."""

from collections.abc import Sequence
from dataclasses import astuple, dataclass, field
from operator import attrgetter

from games import store
from games.chronicle import BY_CLOCK
from games.engine.cards import Hand, Role
from games.engine.commands import Verb
from games.engine.events import (
    Allowed,
    Announced,
    Answered,
    Blocked,
    Cause,
    Challenged,
    Dealt,
    Ended,
    Event,
    Exposed,
    Left,
    Lost,
    Proved,
    Resigned,
    TurnEnded,
)
from games.engine.observation import describe, observe
from games.engine.state import Examine, Exchange, State, waiting
from games.engine.transitions import evolve, start
from games.engine.view import EVERYTHING, Line, Moment, Outcome, TableView, Truth
from games.models import Game, Status, Visibility
from games.seats import ever_seated
from games.selectors import Hidden, may_see


@dataclass(frozen=True, slots=True)
class Replay:
    """A finished game, moment by moment.

    `purses` and `cards`: coins and cards left, by turn, the deal first, and seat. `turns`: of each,
    the number of its first moment, and the seat whose turn it is.
    """

    game: Game
    names: tuple[str, ...]
    moments: tuple[Moment, ...]
    states: tuple[State, ...]
    truths: tuple[Truth, ...]
    turns: tuple[tuple[int, int], ...]
    purses: tuple[tuple[int, ...], ...]
    cards: tuple[tuple[int, ...], ...]
    seed: str

    def view(self, number: int) -> TableView:
        """The table at a moment, with every hand."""
        return observe(self.states[number - 1], EVERYTHING)


def replay(game: Game, *, user_id: int | None, link_token: str = "") -> Replay:
    """The game for this user. Hidden from everybody before its end, then as the table is, but that
    a private game stays with those who played it."""
    if not game.has_ended:
        raise Hidden(exists=False)
    private = game.visibility == Visibility.PRIVATE
    if not may_see(game, user_id, "" if private else link_token):
        raise Hidden(exists=not private)
    walk = _walk(game)
    return Replay(
        game=game,
        names=_names(game),
        moments=tuple(draft.moment() for draft in walk.drafts),
        states=tuple(draft.after for draft in walk.drafts),
        truths=tuple(claim.truth() for claim in sorted(walk.claims, key=attrgetter("moment"))),
        turns=_turns(walk.drafts),
        purses=tuple(state.coins for state in walk.turns),
        cards=tuple(tuple(map(len, state.hands)) for state in walk.turns),
        seed=store.seed(game).hex(),
    )


def _names(game: Game) -> tuple[str, ...]:
    """Of each seat all who sat there, one after the other."""
    names: dict[int, list[str]] = {}
    for tenure in ever_seated(game):
        names.setdefault(tenure.seat_id, []).append(tenure.name)
    return tuple(" / ".join(sitters) for sitters in names.values())


def _turns(drafts: "Sequence[_Draft]") -> tuple[tuple[int, int], ...]:
    firsts = {draft.turn: draft for draft in reversed(drafts)}
    return tuple((firsts[turn].number, firsts[turn].after.turn) for turn in sorted(firsts))


def _walk(game: Game) -> "_Walk":
    """Through all the moves of a game; the first is the deal."""
    deal, *moves = store.load(game).steps
    (dealt,) = deal.events
    line = describe(dealt, EVERYTHING)
    assert isinstance(dealt, Dealt)
    assert line
    state = start(game.options, dealt)
    walk = _Walk(state, [state])
    walk.add(dealt, line, None, by_clock=False)
    walk.drafts[-1].asked = waiting(state)
    for move in moves:
        walk.move(move.events, by_clock=move.source in BY_CLOCK)
    if game.status == Status.CANCELLED:  # in the middle of a turn
        walk.turns.append(walk.state)
    return walk


@dataclass(slots=True)
class _Claim:
    """A Truth in the making: the same fields, in the same order."""

    moment: int
    turn: int
    seat: int
    role: Role | None
    blocking: bool
    held: bool
    challenger: int | None = None
    outcome: Outcome = Outcome.UNSETTLED

    def truth(self) -> Truth:
        return Truth(*astuple(self))


@dataclass(slots=True)
class _Draft:
    """A Moment in the making; `after` is the table in it."""

    number: int
    turn: int
    line: Line
    by_clock: bool
    claim: _Claim | None
    after: State
    asked: tuple[int, ...] = ()
    told: int | None = None

    def moment(self) -> Moment:
        return Moment(
            number=self.number,
            turn=self.turn,
            line=self.line,
            by_clock=self.by_clock,
            truth=self.claim.truth() if self.claim else None,
            asked=self.asked,
            apart=_apart(self.after) if self.asked else (),
            told=self.told,
        )


def _apart(state: State) -> Hand:
    """Cards drawn or shown, while their choice is open."""
    match state.phase:
        case Exchange(drawn=drawn):
            return drawn
        case Examine(shown=shown):
            return (shown,)
        case _:
            return ()


@dataclass(slots=True)
class _Walk:
    """A game on the way from the deal to the end; `turns` is the table at the end of each turn.

    `claim` is the open one. `sealed` and `leaving`, by seat, are what the others have not learned
    yet: the answers of the open window, and resignations.
    """

    state: State
    turns: list[State]
    drafts: list[_Draft] = field(default_factory=list)
    claims: list[_Claim] = field(default_factory=list)
    claim: _Claim | None = None
    sealed: dict[int, _Draft] = field(default_factory=dict)
    leaving: dict[int, _Draft] = field(default_factory=dict)

    def move(self, events: Sequence[Event], *, by_clock: bool) -> None:
        """One move: the first event is what its seat said, the others follow from it."""
        asked = True
        for event in events:
            claim = self.judge(event)
            self.state = evolve(self.state, event)
            line = describe(event, EVERYTHING)
            if isinstance(event, TurnEnded):  # the number of the turn tells it
                asked = False
            elif line is None:
                self.drafts[-1].after = self.state
            else:
                self.add(event, line, claim, by_clock=by_clock and event is events[0])
            if isinstance(event, TurnEnded | Ended):
                self.turns.append(self.state)
        if asked:
            self.drafts[-1].asked = waiting(self.state)

    def add(self, event: Event, line: Line, claim: _Claim | None, *, by_clock: bool) -> None:
        number = len(self.drafts) + 1
        draft = _Draft(number, len(self.turns), line, by_clock, claim, self.state)
        self.drafts.append(draft)
        match event:
            case Answered():
                self.sealed[event.seat] = draft
            case Allowed():
                self.open(event.seats, number)
            case Blocked():
                self.open((event.seat,), number)
                self.sealed.clear()
            case Challenged():
                self.sealed.clear()
            case Resigned():
                self.leaving[event.seat] = draft
            case Left() if event.seat in self.leaving:
                self.leaving.pop(event.seat).told = number
            case _:
                pass

    def judge(self, event: Event) -> _Claim | None:
        """The claim that `event` makes, challenges, or fails to prove."""
        claim = self.claim
        match event:
            case Announced(action=action):
                claims = action.role is not None or action.verb is Verb.EMBEZZLE
                self.claim = self.claimed(action.seat, action.role) if claims else None
                return self.claim
            case Answered(block=Role() as role):
                claim = self.claimed(event.seat, role, blocking=True)
                claim.outcome = Outcome.VOID
                return claim
            case Blocked():
                self.believe()
                self.claim = self.blocked(event)
                return self.claim
            case Allowed():
                self.believe()
            case Challenged() if claim:
                claim.challenger = event.seat
                return claim
            case Proved() | Exposed() if claim:
                claim.outcome = Outcome.PROVED
            case Lost(cause=Cause.CAUGHT) if claim:
                claim.outcome = Outcome.FELL
                return claim
            case _:
                pass
        return None

    def open(self, seats: Sequence[int], number: int) -> None:
        """Tell the answers of these seats. Asked alone, a target answers without a seal."""
        for seat in seats:
            if seat in self.sealed:
                self.sealed.pop(seat).told = number

    def believe(self) -> None:
        """The open claim goes unchallenged, if it has not been challenged already."""
        if self.claim and self.claim.challenger is None:
            self.claim.outcome = Outcome.BELIEVED

    def claimed(self, seat: int, role: Role | None, *, blocking: bool = False) -> _Claim:
        hand = self.state.hands[seat]
        held = role in hand if role else Role.DUKE not in hand
        moment, turn = len(self.drafts) + 1, len(self.turns)
        claim = _Claim(moment, turn, seat, role, blocking, held)
        self.claims.append(claim)
        return claim

    def blocked(self, event: Blocked) -> _Claim:
        """A block is a new claim, or the one that its seat had sealed."""
        sealed = self.sealed.get(event.seat)
        if sealed is None or sealed.claim is None:
            return self.claimed(event.seat, event.role, blocking=True)
        sealed.claim.moment, sealed.claim.outcome = len(self.drafts) + 1, Outcome.UNSETTLED
        return sealed.claim
