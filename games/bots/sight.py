"""What a seat can tell from its view and its log: cards whose place it knows, claims, chances."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import comb

from ..engine.cards import COPIES, Role, roles
from ..engine.commands import Command, Verb
from ..engine.view import ActionView, Line, LineKind, OwnView, PhaseName, TableView

type Below = Callable[[int], int]

DECK = 15
COUP = 7  # coins
BLOCKERS = {
    Verb.FOREIGN_AID: (Role.DUKE,),
    Verb.ASSASSINATE: (Role.CONTESSA,),
    Verb.STEAL: (Role.CAPTAIN, Role.AMBASSADOR, Role.INQUISITOR),
}
# How much a claim adds to the odds that it is true, and a claim of another role takes away.
CLAIMED, CLAIMED_ELSE = 4.0, 0.6
# Before anything is known of it, a seat is taken to have challenged one claim of ten.
CHALLENGED, FACED = 0.3, 3


@dataclass(frozen=True, slots=True)
class Record:
    """What the log still says of the hands held now, by seat.

    `known` are roles the viewer has been shown in a hand and that are in it yet; `claims` counts
    those made since the hand last changed. The rest are habits, counted over the whole game: claims
    found false and true, challenges made, claims allowed.
    """

    known: tuple[set[Role], ...]
    claims: tuple[Counter[Role], ...]
    caught: Counter[int]
    proved: Counter[int]
    challenged: Counter[int]
    allowed: Counter[int]

    def gone(self, seat: int, role: Role) -> None:
        """A card of this role left the hand of `seat`."""
        self.known[seat].discard(role)
        self.claims[seat].pop(role, None)

    def changed(self, seat: int) -> None:
        """The whole hand of `seat` may be another now."""
        self.known[seat].clear()
        self.claims[seat].clear()


def read(lines: Iterable[Line], players: int) -> Record:
    """The record of a log as one seat has it."""
    record = Record(
        known=tuple(set() for _ in range(players)),
        claims=tuple(Counter() for _ in range(players)),
        caught=Counter(),
        proved=Counter(),
        challenged=Counter(),
        allowed=Counter(),
    )
    claimed: Role | None = None
    shown: Role | None = None
    for line in lines:
        if line.kind in (LineKind.ANNOUNCED, LineKind.BLOCKED):
            claimed = line.role
            _claim(record, line)
        elif line.kind is LineKind.SHOWN:
            shown = line.seen[0] if line.seen else None
        elif line.kind in (LineKind.GIVEN_BACK, LineKind.SWAPPED):
            _examined(record, line, shown)
        elif line.kind is LineKind.CHALLENGED:
            record.challenged[line.seat] += 1
        elif line.kind is LineKind.ALLOWED and claimed:
            record.allowed.update(line.seats)
        elif line.kind in (LineKind.EXCHANGED, LineKind.REPLACED, LineKind.LEFT):
            record.changed(line.seat)
        elif line.kind in (LineKind.LOST, LineKind.CAUGHT, LineKind.PROVED):
            _turned(record, line, claimed)
    return record


def _claim(record: Record, line: Line) -> None:
    if line.role:
        record.claims[line.seat][line.role] += 1
    elif line.verb is Verb.EMBEZZLE:
        record.claims[line.seat].pop(Role.DUKE, None)


def _turned(record: Record, line: Line, claimed: Role | None) -> None:
    """A card is turned up. Who turned another than the claimed role is taken not to hold that."""
    assert line.role is not None
    record.gone(line.seat, line.role)
    if line.kind is LineKind.PROVED:
        record.proved[line.seat] += 1
    elif line.kind is LineKind.CAUGHT:
        record.caught[line.seat] += 1
        if claimed:
            record.claims[line.seat].pop(claimed, None)


def _examined(record: Record, line: Line, shown: Role | None) -> None:
    """`shown` is None where the viewer did not see the card."""
    assert line.target is not None
    if line.kind is LineKind.GIVEN_BACK:
        if shown:
            record.known[line.target].add(shown)
    elif shown:
        record.gone(line.target, shown)
    else:
        record.changed(line.target)


@dataclass(frozen=True, slots=True)
class Sight:
    """One seat's view with what follows from it. `seen` counts the cards whose place it knows."""

    view: TableView
    own: OwnView
    record: Record
    seen: Counter[Role]

    @property
    def me(self) -> int:
        return self.view.viewer

    @property
    def action(self) -> ActionView:
        """The action in progress: of any phase but the choice of one."""
        assert self.view.action is not None
        return self.view.action

    @property
    def rivals(self) -> tuple[int, ...]:
        """The other seats still in the game."""
        seats = enumerate(self.view.seats)
        return tuple(n for n, seat in seats if n != self.me and not seat.exiled)

    def may(self, verb: Verb) -> list[Command]:
        """The commands with this verb that the seat may give."""
        return [command for command in self.own.legal if command.verb is verb]


def look(view: TableView, lines: Sequence[Line]) -> Sight:
    """What the seat of `view` can tell; `lines` are those of its own log since the start."""
    assert view.own is not None
    record = read(lines, view.options.players)
    seen = Counter(view.own.hand)
    if view.phase is PhaseName.EXCHANGE:
        seen.update(view.own.seen)
    for number, seat in enumerate(view.seats):
        seen.update(seat.revealed)
        if number != view.viewer:
            seen.update(record.known[number])
    return Sight(view, view.own, record, seen)


# --- chances ------------------------------------------------------------------------------------


def holds(sight: Sight, seat: int, role: Role) -> float:
    """The chance that another seat holds `role`: 0 and 1 are certainties, never guesses."""
    if role in sight.record.known[seat]:
        return 1.0
    left = COPIES - sight.seen[role]
    unseen = DECK - sight.seen.total()
    cards = sight.view.seats[seat].hidden - len(sight.record.known[seat])
    if left <= 0 or cards <= 0:
        return 0.0
    chance = 1 - comb(unseen - left, cards) / comb(unseen, cards)
    if chance >= 1:
        return 1.0
    claims = sight.record.claims[seat]
    others = sum(1 for other in claims if other is not role)
    odds = chance / (1 - chance)
    trust = CLAIMED * (1 + sight.record.proved[seat]) / (1 + sight.record.caught[seat])
    odds *= (trust if role in claims else 1) * CLAIMED_ELSE ** max(0, others - cards + 1)
    return odds / (1 + odds)


def truth(sight: Sight) -> float:
    """The chance that the open claim is true; 1 where none is open."""
    claim = sight.view.claim
    if claim is None or claim.seat == sight.me:
        return 1.0
    if claim.role is None:
        return 1 - holds(sight, claim.seat, Role.DUKE)
    return holds(sight, claim.seat, claim.role)


def blocked(sight: Sight, verb: Verb, seat: int) -> float:
    """The chance that `seat` can block `verb`; who has claimed to will do so again, true or not."""
    free = 1.0
    for role in BLOCKERS[verb]:
        if role in sight.record.claims[seat]:
            return 1.0
        if role in roles(sight.view.options):
            free *= 1 - holds(sight, seat, role)
    return 1 - free


def called(sight: Sight, role: Role) -> float:
    """The chance that somebody challenges a claim of `role` by this seat, as they may see it."""
    record = sight.record
    shown = sum(seat.revealed.count(role) for seat in sight.view.seats)
    doubt = (
        (1 + shown) * (1 + record.caught[sight.me]) * (0.6 if record.claims[sight.me][role] else 1)
    )
    free = 1.0
    for seat in sight.rivals:
        made = record.challenged[seat] + CHALLENGED
        free *= 1 - min(1.0, doubt * made / (made + record.allowed[seat] + FACED))
    return 1 - free


def possible(sight: Sight, role: Role) -> bool:
    """Whether the seat may claim `role`: never when it sees all three cards elsewhere."""
    return role in sight.own.hand or sight.seen[role] < COPIES


def doomed(sight: Sight) -> bool:
    """Whether to allow the open assassination is to be exiled."""
    action = sight.view.action
    return (
        action is not None
        and action.verb is Verb.ASSASSINATE
        and action.target == sight.me
        and len(sight.own.hand) == 1
    )


# --- the others ---------------------------------------------------------------------------------


def danger(sight: Sight, seat: int) -> int:
    """How strong a seat stands: influence first, then coins."""
    standing = sight.view.seats[seat]
    return 5 * standing.hidden + standing.coins


def nearness(sight: Sight, seat: int) -> int:
    """Settles a tie between targets: the sooner its turn, the higher."""
    players = sight.view.options.players
    return players - (seat - sight.me) % players


def strongest(sight: Sight, commands: Sequence[Command]) -> Command | None:
    """The command on the most dangerous target; None if there is none."""

    def rank(command: Command) -> tuple[int, int]:
        assert command.target is not None
        return danger(sight, command.target), nearness(sight, command.target)

    return max(commands, key=rank, default=None)


def refuge(sight: Sight) -> Command | None:
    """Converting oneself out of reach of everybody who could coup next, if that would do it."""
    seats = sight.view.seats
    mine = seats[sight.me].faction
    threats = [seat for seat in sight.rivals if seats[seat].coins >= COUP]
    stay = [seat for seat in sight.rivals if seats[seat].faction is mine]
    if not threats or not stay or any(seat in stay for seat in threats):
        return None
    return next((to for to in sight.may(Verb.CONVERT) if to.target == sight.me), None)
