"""Hints for a human, and nothing more: who shares a device or a network at one table, and who never
doubts whom. Made from traces and from what everybody saw; nothing follows from one by itself."""

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from django.db.models import Count, Q

from accounts.models import Trace, TraceKind, User
from games import selectors
from games.chronicle import Entry
from games.engine.view import LineKind
from games.models import Game, Status, Tenure
from games.moderation import desk

BACK = timedelta(days=30)
MOST_GAMES = 300
"""How many games are read: the latest."""

FEWEST_CHANCES = 10
UNLIKELY = 0.05
"""A pair is shown if so little speaks for its silence being chance."""

BESIDE = 5
"""So many chances, taken as often as all people take theirs, are counted beside a person's own: of
whom little is known, little is concluded."""


@dataclass(frozen=True, slots=True)
class Shared:
    """People at one table who came by the same device or network."""

    game: Game
    kind: str
    people: tuple[User, ...]


@dataclass(frozen=True, slots=True)
class Quiet:
    """Two who could have challenged each other so often, and never did. Each beside the share of
    others' claims that they challenge; `expected` is how often they would have challenged each
    other at that, `chance` how likely it is that they did not all the same."""

    people: tuple[tuple[User, float], tuple[User, float]]
    games: int
    chances: int
    expected: float
    chance: float


@dataclass(frozen=True, slots=True)
class Doubts:
    """How often people challenge whom they could, over all games read. `looked_at` is the number of
    pairs with chances enough; one in twenty of them is shown by chance alone."""

    games: int
    chances: int
    challenges: int
    looked_at: int
    pairs: tuple[Quiet, ...]

    @property
    def rate(self) -> float:
        return self.challenges / self.chances if self.chances else 0.0


@dataclass(slots=True)
class _Tally:
    """How often one person could challenge another and gave an answer, and how often they did; in
    which games."""

    chances: int = 0
    challenges: int = 0
    games: set[int] = field(default_factory=set)


def shared(reader: User, now: datetime) -> list[Shared]:
    """Who shares what, at tables that go on or ended within a month, the latest table first."""
    seats = _seats(_games(reader, now))
    users = {tenure.user_id for tenures in seats.values() for tenure in tenures}
    traces: dict[int, set[tuple[str, str]]] = defaultdict(set)
    for user_id, kind, hash_ in Trace.objects.filter(user__in=users).values_list(
        "user_id", "kind", "hash"
    ):
        traces[user_id].add((kind, hash_))
    found = []
    for game, tenures in seats.items():
        for kind in TraceKind:
            by_hash: dict[str, dict[int, User]] = defaultdict(dict)
            for tenure in tenures:
                for its_kind, hash_ in traces.get(tenure.user_id or 0, ()):
                    if its_kind == kind and tenure.user:
                        by_hash[hash_][tenure.user.pk] = tenure.user
            groups = {tuple(users.values()) for users in by_hash.values() if len(users) > 1}
            found += [Shared(game, str(TraceKind(kind).label), group) for group in groups]
    return found


def doubts(reader: User, now: datetime) -> Doubts:
    """Who never challenged whom, beside how often each of the two challenges others."""
    seats = _seats(_games(reader, now, begun=True))
    told = selectors.public_entries(list(seats))
    tallies: dict[tuple[User, User], _Tally] = defaultdict(_Tally)
    for game, tenures in seats.items():
        sitting = {t.seat.index: t.user for t in tenures if t.user}
        for claimant, doubter, did in _chances(told.get(game.pk, ())):
            if claimant in sitting and doubter in sitting:
                tally = tallies[sitting[doubter], sitting[claimant]]
                tally.chances += 1
                tally.challenges += did
                tally.games.add(game.pk)
    alone: dict[User, _Tally] = defaultdict(_Tally)
    for (who, _whom), tally in tallies.items():
        alone[who].chances += tally.chances
        alone[who].challenges += tally.challenges
    chances = sum(tally.chances for tally in alone.values())
    challenges = sum(tally.challenges for tally in alone.values())
    rate = challenges / chances if chances else 0.0
    found = []
    for one, other in {(a, b) if a.pk < b.pk else (b, a) for a, b in tallies}:
        mine = tallies.get((one, other), _Tally())
        theirs = tallies.get((other, one), _Tally())
        if mine.chances + theirs.chances >= FEWEST_CHANCES:
            rates = (_rate(alone[one], mine, rate), _rate(alone[other], theirs, rate))
            found.append(_pair((one, other), (mine, theirs), rates))
    shown = [pair for pair, doubted in found if not doubted and pair.chance <= UNLIKELY]
    shown.sort(key=lambda pair: pair.chance)
    return Doubts(len(seats), chances, challenges, len(found), tuple(shown))


def _rate(alone: _Tally, with_one: _Tally, rate: float) -> float:
    """The share of claims that somebody challenges, those of one person left out; `rate` is that
    of all people."""
    challenges = alone.challenges - with_one.challenges + BESIDE * rate
    return challenges / (alone.chances - with_one.chances + BESIDE)


def _pair(
    people: tuple[User, User], tallies: tuple[_Tally, _Tally], rates: tuple[float, float]
) -> tuple[Quiet, bool]:
    """The numbers of two people, and whether either has challenged the other."""
    sides = tuple(zip(tallies, rates, strict=True))
    quiet = Quiet(
        people=((people[0], rates[0]), (people[1], rates[1])),
        games=len(tallies[0].games | tallies[1].games),
        chances=sum(tally.chances for tally in tallies),
        expected=sum(tally.chances * rate for tally, rate in sides),
        chance=math.prod((1 - rate) ** tally.chances for tally, rate in sides),
    )
    return quiet, any(tally.challenges for tally in tallies)


def _games(reader: User, now: datetime, *, begun: bool = False) -> list[Game]:
    """The latest games of at least two people in which the reader has no part."""
    recent = Q(status__in=[Status.OPEN, Status.RUNNING]) | Q(ended_at__gte=now - BACK)
    games = Game.objects.filter(recent).exclude(pk__in=desk.own_games(reader.pk))
    if begun:
        games = games.filter(started_at__isnull=False)
    people = Count("tenures__user", distinct=True)
    return list(games.annotate(people=people).filter(people__gt=1).order_by("-pk")[:MOST_GAMES])


def _seats(games: list[Game]) -> dict[Game, list[Tenure]]:
    """The people of each game, but for seats that changed hands: who said what there is not told
    by the seat alone."""
    tenures: dict[int, list[Tenure]] = defaultdict(list)
    for tenure in Tenure.objects.filter(game__in=games).select_related("user", "seat"):
        tenures[tenure.game_id].append(tenure)
    found = {}
    for game in games:
        by_seat: dict[int, list[Tenure]] = defaultdict(list)
        for tenure in tenures[game.pk]:
            by_seat[tenure.seat_id].append(tenure)
        found[game] = [only[0] for only in by_seat.values() if len(only) == 1 and only[0].user]
    return found


def _chances(entries: Iterable[Entry]) -> Iterator[tuple[int, int, bool]]:
    """Each time that somebody could challenge a claim and said something: who claimed, who it was,
    and whether they did challenge. What the clock said for them tells nothing of them."""
    claimant: int | None = None
    for line in (entry.line for entry in entries if not entry.by_clock):
        if line.kind in (LineKind.ANNOUNCED, LineKind.BLOCKED):
            claimant = line.seat if line.role else None
        elif claimant is not None and line.kind is LineKind.ALLOWED:
            yield from ((claimant, seat, False) for seat in line.seats)
        elif claimant is not None and line.kind is LineKind.CHALLENGED:
            yield claimant, line.seat, True
