"""What one viewer may see: built from nothing for that viewer, safe to hand to anybody's page."""

from dataclasses import dataclass
from enum import StrEnum

from .cards import Faction, Hand, Options, Role
from .commands import Command, Verb

# A viewer is a seat, or one of these.
SPECTATOR = -1
EVERYTHING = -2  # of a finished game only: all cards face up, sealed answers told


class PhaseName(StrEnum):
    ACTION = "action"
    RESPOND = "respond"
    BLOCK = "block"
    RESPOND_BLOCK = "respond_block"
    REVEAL = "reveal"
    LOSE = "lose"
    EXCHANGE = "exchange"
    SHOW = "show"
    EXAMINE = "examine"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class ActionView:
    """The announced action; all of it is public."""

    seat: int
    verb: Verb
    target: int | None
    role: Role | None
    cost: int


@dataclass(frozen=True, slots=True)
class ClaimView:
    """The claim that stands open. `role` is None for an embezzler's "no Duke"."""

    seat: int
    role: Role | None
    blocking: bool
    challenger: int | None


@dataclass(frozen=True, slots=True)
class SeatView:
    coins: int
    hidden: int
    revealed: Hand
    faction: Faction | None
    exiled: bool
    asked: bool


@dataclass(frozen=True, slots=True)
class OwnView:
    """What the viewer's seat alone knows. `legal` is () where it is not asked, or has answered.

    `sealed`: the answer it has given to the open window. `seen`: the cards drawn in an open
    exchange, or the card shown in an open examination. `default`: what the clock would answer.
    """

    hand: Hand
    legal: tuple[Command, ...]
    default: Command | None
    sealed: Command | None
    seen: Hand
    leaving: bool


@dataclass(frozen=True, slots=True)
class TableView:
    """`asked` are the seats a question was put to, whether or not they have answered.

    `hands` holds every hand of a finished game for EVERYTHING, and is () for all others.
    `ranking` is () until the game is over.
    """

    viewer: int
    options: Options
    phase: PhaseName
    turn: int
    seats: tuple[SeatView, ...]
    deck: int
    almshouse: int
    action: ActionView | None
    claim: ClaimView | None
    asked: tuple[int, ...]
    own: OwnView | None
    ranking: tuple[int, ...]
    hands: tuple[Hand, ...]


class LineKind(StrEnum):
    """What a line of the log tells, in terms a page turns into a sentence."""

    DEALT = "dealt"
    ANNOUNCED = "announced"
    SEALED = "sealed"
    ALLOWED = "allowed"
    CHALLENGED = "challenged"
    BLOCKED = "blocked"
    PROVED = "proved"
    LOST = "lost"
    CAUGHT = "caught"
    REFUNDED = "refunded"
    GAINED = "gained"
    STOLE = "stole"
    EMBEZZLED = "embezzled"
    CONVERTED = "converted"
    EXPOSED = "exposed"
    REPLACED = "replaced"
    DREW = "drew"
    EXCHANGED = "exchanged"
    SHOWN = "shown"
    GIVEN_BACK = "given_back"
    SWAPPED = "swapped"
    RESIGNED = "resigned"
    LEFT = "left"
    TURN = "turn"
    ENDED = "ended"
    TAKEN_BACK = "taken_back"
    # No events of the rules: who sits there from here on, and what the players decided together.
    TOOK_OVER = "took_over"
    PAUSED = "paused"
    WENT_ON = "went_on"
    EXTENDED = "extended"
    BROKEN_OFF = "broken_off"
    OFFERED = "offered"


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the log.

    `seat` does it, to `target`; `roles` are public, `seen` are cards this viewer alone may read
    here (drawn, shown, swapped in); `seats` are those who allowed.
    """

    kind: LineKind
    seat: int
    target: int | None = None
    verb: Verb | None = None
    role: Role | None = None
    amount: int = 0
    roles: Hand = ()
    seen: Hand = ()
    seats: tuple[int, ...] = ()
    faction: Faction | None = None


@dataclass(frozen=True, slots=True)
class Claims:
    """How often a seat has claimed a role, and whether its last tested claim held."""

    count: int = 0
    proved: bool = False
    caught: bool = False


class Outcome(StrEnum):
    """What became of a claim."""

    BELIEVED = "believed"
    PROVED = "proved"
    FELL = "fell"
    VOID = "void"  # a sealed block that was never told
    UNSETTLED = "unsettled"  # the game ended first


@dataclass(frozen=True, slots=True)
class Truth:
    """A claim in hindsight. `held`: it was true when it was made, whatever was shown of it later.

    `moment` is the number of the moment it was made in. `role` is None for "no Duke".
    """

    moment: int
    turn: int
    seat: int
    role: Role | None
    blocking: bool
    held: bool
    challenger: int | None = None
    outcome: Outcome = Outcome.UNSETTLED


@dataclass(frozen=True, slots=True)
class Moment:
    """A step of the replay: a line that tells everything. Numbers count from 1.

    `truth` is the claim it makes, challenges or fails to prove. `asked`: who is to speak next.
    `apart`: cards that lie in no hand while the one to speak chooses among them, or looks at one.
    `told`: for what was secret at the time, the moment that told it to all, if one did.
    """

    number: int
    turn: int
    line: Line
    by_clock: bool
    truth: Truth | None
    asked: tuple[int, ...]
    apart: Hand
    told: int | None
