"""Random games on the engine the site runs, beside `coupml` from PyPI: games per second of CPU.

    python -m bench.engine        (`make bench-engine`)

Both play base games to the end, each step a uniform choice among everything that may be said:
here all listed commands of all seats that are asked, there all legal actions of the one player
that coupml asks. Both draw by the same calls from the same kind of generator, `random.Random`.
Ours is `games.engine.rules.play`, refusals, events and all.

The two do not play quite the same game, and nothing is corrected for it. coupml asks one player
after another, settles a challenge only when all have answered, and then makes *everybody* who
challenged in vain lose an influence; here the first challenge closes the window. At four players
its games take 39 steps and 9 turns, ours 32 and 10; per step coupml is the quicker one. It changes
one game in place, hands out no events, and mostly trusts its caller; ours makes a new immutable
table of each command, says what happened, and refuses what it does not list. Read the ratio as "an
engine of about that weight", not as a race won.

Times are of this process's CPU; the rounds interleave the two, and each number is the median of
its rounds.
"""

from collections.abc import Callable
from random import Random
from statistics import median
from time import process_time

from coupml import Coup

from games.engine.cards import Hand, Options
from games.engine.rules import choices, deal, play
from games.engine.transitions import start

GAMES, ROUNDS = 500, 5
TABLES = (2, 4, 6)


class Luck:
    """What the engine takes its chance from."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.below = random.randrange

    def shuffle(self, cards: Hand, /) -> Hand:
        mixed = list(cards)
        self.random.shuffle(mixed)
        return tuple(mixed)


class Numpy:
    """What coupml calls of a `numpy.random.RandomState`."""

    def __init__(self, random: Random) -> None:
        self.choice, self.shuffle = random.randrange, random.shuffle


def play_engine(players: int, games: int, random: Random) -> None:
    options, luck = Options(players), Luck(random)
    for _ in range(games):
        state = start(options, deal(options, luck))
        while listed := choices(state):
            seat, command = random.choice(listed)
            _, state = play(state, seat, command, luck)


def play_coupml(players: int, games: int, random: Random) -> None:
    coup = Coup(players, Numpy(random))
    for _ in range(games):
        coup.init_game()
        while not coup.is_game_over():
            coup.play_action(random.choice(coup.get_legal_actions()))


def pace(play_games: Callable[[int, int, Random], None], players: int, seed: int) -> float:
    """Games per second of this process's time."""
    random = Random(seed)
    began = process_time()
    play_games(players, GAMES, random)
    return GAMES / (process_time() - began)


def main() -> None:
    for players in TABLES:
        ours, theirs = [], []
        for seed in range(ROUNDS):
            ours.append(pace(play_engine, players, seed))
            theirs.append(pace(play_coupml, players, seed))
        engine, coupml = median(ours), median(theirs)
        print(
            f"engine {players} players: {engine:.0f} games/s, coupml {coupml:.0f} games/s, "
            f"ratio to coupml {engine / coupml:.2f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
