"""Another game that looks the same to one viewer: the oracle of every test of secrecy.

Each card in one place is a token. A shuffle ends the tokens that go into it and starts others, so
that a card's path is a chain of tokens of one role. Tokens whose role the viewer learns are
pinned. Swapping stretches of two paths between shuffles both went through (or the deal, or the
end) deals anew: it is allowed where the roles are equal, or nothing in the stretches is pinned.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from msgspec.structs import replace

from games.engine import commands as say
from games.engine.cards import Role
from games.engine.commands import Command, Verb
from games.engine.events import (
    Announced,
    Answered,
    Blocked,
    Cause,
    Dealt,
    Drew,
    Event,
    Exchanged,
    Exposed,
    Left,
    Lost,
    Proved,
    Replaced,
    Reshuffled,
    Resigned,
    Shown,
    Swapped,
)
from games.engine.view import SPECTATOR

type History = list[list[Event]]
type Token = int
type Path = list[tuple[int, Token]]  # the shuffle (0: the deal) a token comes out of, and it

SWAPS = 800


def redeal(
    moves: Sequence[Sequence[Event]], viewer: int, random: Random, since: int = 0
) -> History:
    """The same moves with other cards wherever `viewer` (a seat or SPECTATOR) has not seen them.

    Whoever took the seat with the move `since` has seen the cards it held then, and what followed.
    `moves` are the events of a game so far, move by move, from Dealt on. What the viewer sees is
    equal at every step, and the engine could have produced what comes back.
    """
    table = _Table(SPECTATOR if since else viewer)
    places = []
    for number, events in enumerate(moves):
        if number == since:
            table.arrive(viewer)
        places.append([table.follow(event) for event in events])
    if since >= len(moves):
        table.arrive(viewer)
    roles = table.deal_anew(random)

    def read(place: Any) -> Any:
        if isinstance(place, int):
            return roles[place]
        return tuple(read(inner) for inner in place)

    return [
        [
            replace(event, **{name: read(where) for name, where in place.items()})
            for event, place in zip(events, row, strict=True)
        ]
        for events, row in zip(moves, places, strict=True)
    ]


def said(command: Command, events: Iterable[Event]) -> Command:
    """The command behind the `events` of a move dealt anew: the old one may name other cards."""
    for event in events:
        if isinstance(event, Exchanged) and command.verb is Verb.KEEP:
            return say.keep(*event.hand)
        if isinstance(event, Shown) and command.verb is Verb.SHOW:
            return say.SHOW[event.role]
    return command


def without_sealed(moves: Sequence[Sequence[Event]], viewer: int) -> History:
    """`moves` less those the others made under seal in a window that is open at the end."""
    copied = [list(events) for events in moves]
    opened = max(
        (n for n, events in enumerate(copied) if any(isinstance(e, _OPENING) for e in events)),
        default=len(copied),
    )
    later = copied[opened + 1 :]
    if not all(isinstance(event, Answered | Resigned) for events in later for event in events):
        return copied
    own = [events for events in later if any(_seat(event) == viewer for event in events)]
    return copied[: opened + 1] + own


_OPENING = Announced | Blocked


def _seat(event: Event) -> int | None:
    return event.seat if isinstance(event, Answered | Resigned) else None


@dataclass
class _Table:
    """A game followed token by token, and what a new deal must leave as it is."""

    viewer: int
    roles: list[Role] = field(default_factory=list)
    pinned: set[Token] = field(default_factory=set)
    shuffles: list[tuple[list[Token], list[Token]]] = field(default_factory=list)
    # (all cards of an exchange, those kept): the engine keeps the first of equals
    exchanges: list[tuple[list[Token], list[Token]]] = field(default_factory=list)
    # a leaver who lost a card on a claim would have shown the claimed role, had it been there
    absent: list[tuple[Token, Role]] = field(default_factory=list)
    hands: list[list[Token]] = field(default_factory=list)
    deck: list[Token] = field(default_factory=list)
    drawn: list[Token] = field(default_factory=list)
    drawer: int | None = None
    shown: Token = -1
    claimed: Role | None = None
    leaving: set[int] = field(default_factory=set)

    # --- following the game -----------------------------------------------------------------

    def arrive(self, viewer: int) -> None:
        """The viewer looks from now on from this seat, which holds its cards."""
        self.viewer = viewer
        if self.hands:
            self.see(viewer)
        if self.drawer == viewer:
            self.pinned.update(self.drawn)

    def follow(self, event: Event) -> dict[str, Any]:
        """Move the tokens as `event` does; which of its fields name which tokens."""
        match event:
            case Dealt():
                self.hands = [self.new(hand) for hand in event.hands]
                self.deck = self.new(event.deck)
                self.see(*range(len(self.hands)))
                return {"hands": [list(hand) for hand in self.hands], "deck": list(self.deck)}
            case Announced():
                self.claimed = event.action.role
            case Blocked():
                self.claimed = event.role
            case Resigned():
                self.leaving.add(event.seat)
            case Lost():
                return self.lose(event)
            case Exposed():
                self.pinned.update(self.hands[event.seat])
                return {"cards": list(self.hands[event.seat])}
            case Left():
                cards, self.hands[event.seat] = self.hands[event.seat], []
                self.pinned.update(cards)
                return {"cards": cards}
            case _:
                return self.follow_hidden(event)
        return {}

    def follow_hidden(self, event: Event) -> dict[str, Any]:
        """The same for events whose cards not everybody sees."""
        match event:
            case Proved():
                token = self.take(event.seat, event.role)
                self.pinned.add(token)
                self.shuffle([*self.deck, token], (event.drawn, *event.deck))
                return {"role": token, "drawn": self.draw(event.seat)[0], "deck": list(self.deck)}
            case Replaced():
                back, self.hands[event.seat] = self.hands[event.seat], []
                self.shuffle([*self.deck, *back], (*event.drawn, *event.deck))
                replaced = self.draw(event.seat, len(back))
                return {"returned": back, "drawn": replaced, "deck": list(self.deck)}
            case Drew():
                count = len(event.cards)
                self.drawn, self.deck = self.deck[:count], self.deck[count:]
                self.drawer = event.seat
                if event.seat == self.viewer:
                    self.pinned.update(self.drawn)
                return {"cards": list(self.drawn), "deck": list(self.deck)}
            case Exchanged():
                return self.exchange(event)
            case Shown():
                hand = self.hands[event.seat]
                self.shown = next(token for token in hand if self.roles[token] is event.role)
                if self.viewer in (event.seat, event.to):
                    self.pinned.add(self.shown)
                return {"role": self.shown}
            case Swapped():
                self.hands[event.target].remove(self.shown)
                drawn = self.draw(event.target)[0]
                self.shuffle([*self.deck, self.shown], event.deck)
                return {"role": self.shown, "drawn": drawn, "deck": list(self.deck)}
            case Reshuffled():
                self.shuffle(list(self.deck), event.deck)
                return {"deck": list(self.deck)}
            case _:
                pass
        return {}

    def lose(self, event: Lost) -> dict[str, Any]:
        token = self.take(event.seat, event.role)
        self.pinned.add(token)
        if event.cause is Cause.CAUGHT and event.seat in self.leaving and self.claimed:
            self.absent += [(other, self.claimed) for other in self.hands[event.seat]]
        return {"role": token}

    def exchange(self, event: Exchanged) -> dict[str, Any]:
        pool, left = self.hands[event.seat] + self.drawn, list(event.hand)
        kept = [token for token in pool if _taken(left, self.roles[token])]
        self.exchanges.append((pool, kept))
        self.drawer = None
        self.hands[event.seat] = list(kept)
        self.shuffle([*self.deck, *(token for token in pool if token not in kept)], event.deck)
        return {"hand": list(kept), "deck": list(self.deck)}

    def new(self, roles: Iterable[Role]) -> list[Token]:
        first = len(self.roles)
        self.roles += roles
        return list(range(first, len(self.roles)))

    def take(self, seat: int, role: Role) -> Token:
        hand = self.hands[seat]
        return hand.pop(next(n for n, token in enumerate(hand) if self.roles[token] is role))

    def shuffle(self, pile: list[Token], roles: Sequence[Role]) -> None:
        self.deck = self.new(roles)
        self.shuffles.append((pile, list(self.deck)))

    def draw(self, seat: int, count: int = 1) -> list[Token]:
        drawn, self.deck = self.deck[:count], self.deck[count:]
        self.hands[seat] += drawn
        self.see(seat)
        return drawn

    def see(self, *seats: int) -> None:
        if self.viewer in seats:
            self.pinned.update(self.hands[self.viewer])

    # --- dealing anew -----------------------------------------------------------------------

    def deal_anew(self, random: Random) -> list[Role]:
        """Other roles for the tokens, drawn by a long walk that starts at the true ones."""
        paths = self.paths(random)
        owners = [self.roles[path[0][1]] for path in paths]
        for _ in range(SWAPS):
            one, two = random.sample(range(len(paths)), 2)
            self.swap(paths[one], paths[two], owners[one] is owners[two], random)
        return self.roles

    def paths(self, random: Random) -> list[Path]:
        """The ways of the cards; which of equal cards is which, no one can say after a shuffle."""
        first = self.shuffles[0][1][0] if self.shuffles else len(self.roles)
        paths: list[Path] = [[(0, token)] for token in range(first)]
        at = {token: path for path in paths for _, token in path}
        for number, (pile, out) in enumerate(self.shuffles, 1):
            equals: dict[Role, list[Token]] = defaultdict(list)
            for token in random.sample(out, len(out)):
                equals[self.roles[token]].append(token)
            for token in pile:
                after = equals[self.roles[token]].pop()
                at[after] = at.pop(token)
                at[after].append((number, after))
        return paths

    def swap(self, one: Path, two: Path, equal: bool, random: Random) -> None:
        """Swap a stretch of two paths, unless the viewer or the engine would object."""
        shared = sorted({birth for birth, _ in one} & {birth for birth, _ in two})
        ends = [*shared, len(self.shuffles) + 1]
        low, high = sorted(random.sample(range(len(ends)), 2))
        begin, end = ends[low], ends[high]
        ours = [step for step in one if begin <= step[0] < end]
        theirs = [step for step in two if begin <= step[0] < end]
        if not equal:
            moved = [token for _, token in ours + theirs]
            if not self.pinned.isdisjoint(moved):
                return
            mine, other = self.roles[ours[0][1]], self.roles[theirs[0][1]]
            self.paint(ours, other)
            self.paint(theirs, mine)
            if not self.sound():
                self.paint(ours, mine)
                self.paint(theirs, other)
                return
        _put(one, theirs, begin, end)
        _put(two, ours, begin, end)

    def paint(self, steps: Path, role: Role) -> None:
        for _, token in steps:
            self.roles[token] = role

    def sound(self) -> bool:
        """Whether the engine would keep the same cards of every exchange, and turn the same."""
        roles = self.roles
        for pool, kept in self.exchanges:
            left = [roles[token] for token in kept]
            by_engine = [roles[token] for token in pool if _taken(left, roles[token])]
            if by_engine != [roles[token] for token in kept]:
                return False
        return all(roles[token] is not role for token, role in self.absent)


def _taken(left: list[Role], role: Role) -> bool:
    """Take `role` out of `left` if it is there, and say whether it was."""
    if role in left:
        left.remove(role)
        return True
    return False


def _put(path: Path, steps: Path, begin: int, end: int) -> None:
    path[:] = [
        *(step for step in path if step[0] < begin),
        *steps,
        *(step for step in path if step[0] >= end),
    ]
