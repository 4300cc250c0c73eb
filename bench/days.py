"""How long a game takes people who look in three times a day, and how often it asks them.

    python -m bench.days        (`make bench-async`)

Four honest bots stand for four people at UTC-5, +1, +9 and +1. Each looks in at 08:00, 12:30 and
20:00 local time, give or take an hour, for ten minutes; while there they answer what waits for
them, twenty seconds an answer. The same games (deals, draws, visits) are played three ways:

  (i)   one is asked after the other, in seat order from whoever spoke, and nothing is automatic;
  (ii)  all who may answer are asked at once, sealed, as this site does;
  (iii) as (ii), and each person has, with probability one half, a standing order that allows every
        claim which does not touch them.

Of the hours, those spent waiting for somebody to choose an action are told apart: answers can be
spared or given at once, turns cannot.

All three ask the same questions of the same rules: (i) only puts them in a row, so that a challenge
spares whoever would have been asked after it. A prompt is a question that a person has to answer by
hand or that lapses unanswered; what an order answers is none. Hours run from the deal to the end.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import cache
from random import Random
from statistics import mean, median

from games.bots.answer import answer
from games.chance import Draws
from games.engine.cards import Options
from games.engine.commands import ALLOW, Command
from games.engine.events import Event
from games.engine.observation import describe, observe
from games.engine.rules import deal, play
from games.engine.state import Choose, Over, RespondBlock, State, waiting
from games.engine.transitions import start
from games.engine.view import SPECTATOR, Line
from games.orders import Kind, Order, concerns

SEED = 20261130
GAMES = 300
ZONES = (-5, 1, 9, 1)
LOOKS_IN = (timedelta(hours=8), timedelta(hours=12, minutes=30), timedelta(hours=20))
GIVE_OR_TAKE, STAYS, AN_ANSWER = timedelta(hours=1), timedelta(minutes=10), timedelta(seconds=20)
HOUR = timedelta(hours=1)
DEALT = datetime(2026, 11, 30, 12, tzinfo=UTC)


@dataclass
class Table:
    """A game being played, and what it has come to so far. `turning`: spent waiting for the next
    action to be chosen, which no order can do for anybody."""

    state: State
    luck: Callable[[int], Draws]
    lines: tuple[list[Line], ...]
    now: datetime = DEALT
    moves: int = 0
    turns: int = 1
    prompts: int = 0
    turning: timedelta = timedelta()
    asked_since: dict[int, datetime] = field(default_factory=dict)


@dataclass(frozen=True)
class Way:
    name: str
    in_a_row: bool = False
    orders: bool = False


LET_IT_BE = Order(Kind.ALLOW, untouching=True)
"""The one order of (iii): whatever does not touch me, allow."""

WAYS = (
    Way("(i)   one after the other", in_a_row=True),
    Way("(ii)  sealed, all at once"),
    Way("(iii) with standing orders", orders=True),
)


def visits(game: int, seat: int) -> Callable[[datetime], datetime]:
    """When this person, free at a time, is next there: at once, or at the next visit's begin."""

    @cache
    def day(number: int) -> list[datetime]:
        random = Random(f"{SEED} {game} {seat} {number}")
        midnight = datetime(2026, 11, 29, tzinfo=UTC) + timedelta(days=number, hours=-ZONES[seat])
        return [midnight + at + GIVE_OR_TAKE * random.uniform(-1, 1) for at in LOOKS_IN]

    def next_there(time: datetime) -> datetime:
        number = (time - datetime(2026, 11, 29, tzinfo=UTC)).days - 1
        while True:
            for begin in day(number):
                if time < begin + STAYS:
                    return max(time, begin)
            number += 1

    return next_there


def play_game(game: int, way: Way) -> Table:
    """Play game number `game` this way, to its end."""
    options = Options(len(ZONES))
    seed, names = Random(f"{SEED} {game}").randbytes(32), [str(zone) for zone in ZONES]

    def luck(number: int) -> Draws:
        return Draws(seed, names, number)

    obedient = [Random(f"{SEED} {game} {seat} order").random() < 0.5 for seat in range(len(ZONES))]
    there = [visits(game, seat) for seat in range(len(ZONES))]
    dealt = deal(options, luck(0))
    table = Table(start(options, dealt), luck, tuple([] for _ in ZONES))
    _tell(table, [dealt])
    while not isinstance(table.state.phase, Over):
        asked = waiting(table.state)
        if way.orders:
            view = observe(table.state, SPECTATOR)
            ordered = [s for s in asked if obedient[s] and concerns(LET_IT_BE, view, s)]
            if ordered:
                _say(table, ordered[0], ALLOW)
                continue
        if way.in_a_row:
            asked = (min(asked, key=lambda seat: (seat - _speaker(table.state)) % len(ZONES)),)
        for seat in asked:
            if seat not in table.asked_since:
                table.asked_since[seat] = table.now
                table.prompts += 1
        when = {seat: there[seat](max(table.asked_since[seat], table.now)) for seat in asked}
        seat = min(asked, key=lambda seat: (when[seat], seat))
        if isinstance(table.state.phase, Choose):
            table.turning += when[seat] + AN_ANSWER - table.now
        table.now = when[seat] + AN_ANSWER
        _say(table, seat, _choice(table, seat, game))
    return table


def _speaker(state: State) -> int:
    phase = state.phase
    return phase.seat if isinstance(phase, RespondBlock) else state.turn


def _choice(table: Table, seat: int, game: int) -> Command:
    below = Random(f"{SEED} {game} {seat} {len(table.lines[seat])}").randrange
    return answer("honest", observe(table.state, seat), table.lines[seat], below)


def _say(table: Table, seat: int, command: Command) -> None:
    before, turn = waiting(table.state), table.state.turn
    table.moves += 1
    happened, table.state = play(table.state, seat, command, table.luck(table.moves))
    _tell(table, happened)
    table.asked_since.pop(seat, None)
    if set(waiting(table.state)) != set(before) - {seat} or len(before) == 1:
        table.asked_since.clear()
    table.turns += table.state.turn != turn and not isinstance(table.state.phase, Over)


def _tell(table: Table, happened: Sequence[Event]) -> None:
    for event in happened:
        for seat, lines in enumerate(table.lines):
            line = describe(event, seat)
            if line:
                lines.append(line)


def main() -> None:
    print(f"{GAMES} games of four honest bots at UTC {ZONES}, seed {SEED}")
    first: tuple[float, float] | None = None
    for way in WAYS:
        tables = [play_game(game, way) for game in range(GAMES)]
        hours = [(table.now - DEALT) / HOUR for table in tables]
        turning = mean(table.turning / HOUR for table in tables)
        turns = sum(table.turns for table in tables)
        asked = sum(table.prompts for table in tables) / len(ZONES) / turns
        first = first or (mean(hours), asked)
        print(
            f"{way.name}: {mean(hours):.0f} hours a game (median {median(hours):.0f}; {turning:.0f}"
            f" of them for {turns / GAMES:.0f} turns), {asked:.2f} prompts a player and turn;"
            f" of (i) {mean(hours) / first[0]:.2f} of the hours,"
            f" {asked / first[1]:.2f} of the prompts"
        )


if __name__ == "__main__":
    main()
