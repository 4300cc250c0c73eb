"""A site to be looked at: people, open tables, a game in a tense moment, games that are over.

The same each time it is made, to the minute and the card. Needs Django set up and a new database.
"""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from itertools import cycle
from random import Random
from typing import Any

from accounts.models import User
from games import invitations, lobby, play, replay, selectors, store, visits
from games.bots.answer import Kind, answer
from games.engine.commands import parse
from games.engine.state import State, waiting
from games.models import BotKind, Game, Prompt, PromptState
from games.timing import Pace

NOW = datetime(2026, 11, 27, 18, 5, tzinfo=UTC)
"""A Friday evening: when the pictures are taken."""

VIEWER = "Miriam"
PEOPLE = (
    VIEWER, "Ελένη", "Jiří", "شیرین", "Amélie", "Zdeňka", "Νίκος", "آرش", "Sanja", "Thomas", "Kofi",
)  # fmt: skip

HOUR = timedelta(hours=1)

TENSE = """
Ελένη: tax
all: allow
Miriam: tax
Amélie: challenge
Miriam: reveal duke
Amélie: lose ambassador
Jiří: foreign_aid
Ελένη: block duke
all: allow
شیرین: steal Ελένη
all: allow
Amélie: income
Ελένη: tax
all: allow
Miriam: tax
all: allow
-
Jiří: tax
Ελένη: challenge
Jiří: reveal contessa
شیرین: assassinate Miriam
"""
"""Who says what, up to the question in the picture; what follows the dash is new to the viewer."""


def fill() -> dict[str, Any]:
    """Make it; the public ids of the `tense` game and of the one to `retell`, and a `lie` in it."""
    for name in PEOPLE:
        User(name=name).full_clean(exclude=["email", "password"])
        User.objects.create_user(name, time_zone="Europe/Prague")
    _earlier_games()
    retell = _retold_game()
    _running_games()
    tense = _tense_game()
    _open_tables()
    return {"tense": tense.public_id, "retell": retell.public_id, "lie": _last_lie(retell)}


def _person(name: str) -> User:
    return User.objects.get(name=name)


def _opened(title: str, names: str, ago: timedelta, luck: int = 0, **plan: Any) -> Game:
    """A table at which these people sit, the first of them its host; it begins when full."""
    host, *others = names.split()
    plan = {"size": len(others) + 1, "pace": Pace.DAILY} | plan
    game = lobby.open_table(
        host=_person(host),
        plan=lobby.Plan(title=title, **plan),
        seed=bytes([luck] * 32),
        now=NOW - ago,
    )
    for name in others:
        game = lobby.sit(public_id=game.public_id, user=_person(name), now=NOW - ago)
    game.refresh_from_db()
    return game


def _open_prompts(game: Game) -> list[Prompt]:
    prompts = Prompt.objects.filter(game=game, state=PromptState.OPEN).order_by("seat__index")
    return list(prompts.select_related("tenure__user", "tenure__seat"))


def _say(game: Game, prompt: Prompt, words: str, names: list[str], now: datetime) -> None:
    play.answer(
        public_id=game.public_id,
        user_id=prompt.tenure.user_id or 0,
        prompt_id=prompt.pk,
        command=parse(words, names),
        now=now,
    )


def _tell(game: Game, story: str, now: datetime) -> None:
    """Let the people of a game say what the story says, one every ten minutes."""
    names = list(game.start_names)
    for line in story.split("\n"):
        if not line:
            continue
        who, _, words = line.partition(": ")
        now += timedelta(minutes=10)
        for prompt in _open_prompts(game):
            if who in ("all", prompt.tenure.name):
                _say(game, prompt, words, names, now)


def _let_play(
    game: Game, luck: int, until: Callable[[State], bool], *, hours: float, now: datetime
) -> None:
    """Let the people of a game play like bots, an answer every so many hours."""
    random = Random(luck)
    kinds = dict(zip(game.start_names, cycle([Kind.BLUFFER, Kind.COUNTER, Kind.HONEST])))
    while not until(store.load(game).state):
        now += timedelta(hours=hours)
        prompt = _open_prompts(game)[0]
        view, lines = selectors.seat_view(game, prompt.tenure)
        command = answer(kinds[prompt.tenure.name], view, lines, random.randrange)
        play.answer(
            public_id=game.public_id,
            user_id=prompt.tenure.user_id or 0,
            prompt_id=prompt.pk,
            command=command,
            now=now,
        )
        game.refresh_from_db()


def _is_over(state: State) -> bool:
    return not waiting(state)


def _earlier_games() -> None:
    for title, names, luck, options in (
        ("Rainy Sunday", "Miriam Jiří Amélie", 3, {}),
        ("Πάσχα", "Ελένη Νίκος Miriam Thomas", 4, {"inquisitor": True}),
    ):
        ago = HOUR * 24 * (20 - luck)
        game = _opened(title, names, ago, luck, **options)
        _let_play(game, luck, _is_over, hours=0.2, now=NOW - ago)


def _retold_game() -> Game:
    ago = HOUR * 24 * 6
    game = _opened("Winter palace", "Zdeňka Miriam Νίκος آرش", ago, 1)
    _let_play(game, 1, _is_over, hours=0.7, now=NOW - ago)
    return game


def _last_lie(game: Game) -> int:
    """The number of the last moment in which somebody blocked with a card that was not there."""
    told = replay.replay(game, user_id=_person(VIEWER).pk)
    return max(
        moment.number
        for moment in told.moments
        if moment.truth and moment.truth.blocking and not moment.truth.held
    )


def _running_games() -> None:
    """One that asks the viewer for a turn of their own, two that wait for others."""
    for title, names, luck, seat, options in (
        ("Two sides", "Thomas Miriam Sanja Kofi", 11, 1, {"inquisitor": True, "factions": True}),
        ("Duel", "Jiří Miriam", 12, 0, {"both_one": True}),
        ("شب یلدا", "آرش شیرین Miriam", 13, 1, {"pace": Pace.RELAXED}),
    ):
        ago = HOUR * (30 + luck)
        game = _opened(title, names, ago, luck, **options)

        def somewhere(state: State, game: Game = game, seat: int = seat) -> bool:
            return game.last_move > 14 and waiting(state) == (seat,) and state.turn == seat

        _let_play(game, luck, somewhere, hours=1.5, now=NOW - ago)


def _tense_game() -> Game:
    game = _opened("Friday evenings", "Ελένη Miriam Jiří شیرین Amélie", HOUR * 7, luck=18)
    before, after = TENSE.split("-\n")
    _tell(game, before, NOW - HOUR * 7)
    table = selectors.table(game, user_id=_person(VIEWER).pk)
    visits.read(public_id=game.public_id, user_id=_person(VIEWER).pk, lines=len(table.entries))
    _tell(game, after, NOW - HOUR)
    return game


def _open_tables() -> None:
    for title, names, ago, plan in (
        ("Beginners welcome", "Thomas", 30, {"size": 4, "bots": [BotKind.HONEST]}),
        ("Παρασκευή βράδυ", "Νίκος Ελένη", 9, {"size": 5, "inquisitor": True}),
        ("Hospoda U Dvou vévodů", "Zdeňka Jiří Amélie", 7, {"size": 6, "factions": True}),
        ("Lunch break", "Kofi", 3, {"size": 3, "pace": Pace.BRISK}),
        ("شبِ فریب", "آرش Sanja", 2, {"size": 4, "inquisitor": True, "factions": True}),
        ("One hour, no mercy", "Sanja", 0.5, {"size": 2, "pace": Pace.LIVE}),
        ("Slow and sly", "Miriam Kofi", 1, {"size": 5, "pace": Pace.RELAXED}),
    ):
        _opened(title, names, HOUR * ago, **plan)
    game = _opened("Old friends", "Amélie", HOUR, size=4)
    invitations.invite(
        public_id=game.public_id, host=_person("Amélie"), name=VIEWER, now=NOW - HOUR
    )
