"""Hints for a human, and nothing more: who shares a device or a network at one table, and who never
doubts whom. Made from traces and from what everybody saw; nothing follows from one by itself."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Count, Q

from accounts.models import Trace, TraceKind, User
from games import selectors
from games.engine.view import Line, LineKind
from games.models import Game, Status, Tenure
from games.moderation import desk

BACK = timedelta(days=30)
MOST_GAMES = 300
"""How many games are read: the latest."""

FEWEST_CHANCES = 10
UNLIKELY = 0.05
"""A pair is shown if so little speaks for its silence being chance."""


@dataclass(frozen=True, slots=True)
class Shared:
    """People at one table who came by the same device or network."""

    game: Game
    kind: str
    people: tuple[User, ...]


@dataclass(frozen=True, slots=True)
class Quiet:
    """Two who could have challenged each other so often, and never did; `expected` is how often
    people like them do, `chance` how likely it is that it means nothing."""

    people: tuple[User, User]
    games: int
    chances: int
    expected: float
    chance: float


@dataclass(frozen=True, slots=True)
class Doubts:
    """How often people challenge whom they could, over all games read."""

    games: int
    chances: int
    challenges: int
    pairs: tuple[Quiet, ...]

    @property
    def rate(self) -> float:
        return self.challenges / self.chances if self.chances else 0.0


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
    """Who never challenged whom, beside how often others do."""
    seats = _seats(_games(reader, now, begun=True))
    lines = selectors.public_lines(list(seats))
    chances: dict[tuple[int, int], int] = defaultdict(int)
    met: dict[tuple[int, int], set[int]] = defaultdict(set)
    challenged: set[tuple[int, int]] = set()
    challenges = 0
    people: dict[int, User] = {}
    for game, tenures in seats.items():
        sitting = {t.seat.index: t.user for t in tenures if t.user}
        for claimant, doubter, did in _chances(lines.get(game.pk, ())):
            one, other = sitting.get(claimant), sitting.get(doubter)
            if one is None or other is None:
                continue
            people |= {one.pk: one, other.pk: other}
            pair = (min(one.pk, other.pk), max(one.pk, other.pk))
            chances[pair] += 1
            challenges += did
            met[pair].add(game.pk)
            if did:
                challenged.add(pair)
    total = sum(chances.values())
    rate = challenges / total if total else 0.0
    quiet = [
        Quiet(
            (people[pair[0]], people[pair[1]]),
            len(met[pair]),
            count,
            count * rate,
            (1 - rate) ** count,
        )
        for pair, count in chances.items()
        if count >= FEWEST_CHANCES and pair not in challenged and (1 - rate) ** count <= UNLIKELY
    ]
    quiet.sort(key=lambda pair: pair.chance)
    return Doubts(len(seats), total, challenges, tuple(quiet))


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


def _chances(lines: Iterable[Line]) -> Iterator[tuple[int, int, bool]]:
    """Each time that somebody could challenge a claim and said something: who claimed, who it was,
    and whether they did challenge."""
    claimant: int | None = None
    for line in lines:
        if line.kind in (LineKind.ANNOUNCED, LineKind.BLOCKED):
            claimant = line.seat if line.role else None
        elif claimant is not None and line.kind is LineKind.ALLOWED:
            yield from ((claimant, seat, False) for seat in line.seats)
        elif claimant is not None and line.kind is LineKind.CHALLENGED:
            yield claimant, line.seat, True
