"""People and tables for tests. Ana hosts, Ben and Cyd join, Dov, Eva and Fay if there is room."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from random import Random

from accounts.models import User
from games import halts, lobby, play, ready, store, verify
from games.engine.commands import SEATS, Command, parse
from games.engine.rules import legal
from games.engine.state import State, waiting
from games.models import READY, Game, Prompt, PromptState, Source, Status, Tenure, Window
from games.timing import Pace

NAMES = ("Ana", "Ben", "Cyd", "Dov", "Eva", "Fay")
NOON = datetime(2030, 5, 1, 12, tzinfo=UTC)
SEED = bytes(range(32))


def person(name: str) -> User:
    """The person of that name, made on the first mention."""
    known = User.objects.filter(name=name).first()
    return known or User.objects.create_user(name, f"{name.lower()}@example.org")


def running_game(
    size: int = 3,
    *,
    seed: bytes = SEED,
    pace: Pace = Pace.DAILY,
    inquisitor: bool = False,
    factions: bool = False,
    both_one: bool = False,
) -> Game:
    """A game of `size` people, dealt."""
    plan = lobby.Plan(
        size=size, pace=pace, inquisitor=inquisitor, factions=factions, both_one=both_one
    )
    game = lobby.open_table(host=person(NAMES[0]), plan=plan, seed=seed, now=NOON)
    for name in NAMES[1:size]:
        lobby.sit(public_id=game.public_id, user=person(name), now=NOON)
    all_ready(game)
    game.refresh_from_db()
    assert game.status == Status.RUNNING
    return game


def all_ready(game: Game, now: datetime = NOON) -> None:
    """Everybody who is asked whether they are ready says that they are."""
    for prompt in Prompt.objects.filter(game=game, window__kind=READY, state=PromptState.OPEN):
        ready.say(
            public_id=game.public_id,
            user_id=prompt.tenure.user_id or 0,
            prompt_id=prompt.pk,
            now=now,
        )


def state_of(game: Game) -> State:
    game.refresh_from_db()
    return store.load(game).state


def prompt_of(game: Game, seat: int) -> Prompt:
    """The open prompt of a seat."""
    return Prompt.objects.get(game=game, seat__index=seat, state=PromptState.OPEN)


def tenure_of(game: Game, seat: int) -> Tenure:
    return Tenure.objects.select_related("user", "seat").get(game=game, seat__index=seat, ended="")


def say(game: Game, seat: int, words: str, now: datetime = NOON) -> None:
    """The person in `seat` answers their open prompt."""
    user = tenure_of(game, seat).user
    assert user is not None
    play.answer(
        public_id=game.public_id,
        user_id=user.pk,
        prompt_id=prompt_of(game, seat).pk,
        command=parse(words, SEATS),
        now=now,
    )


def stir(game: Game, random: Random, moves: int, *, late: float = 0.05) -> Iterator[Command]:
    """Play up to `moves` random moves; a share of `late` is the clock's. When all are on autopilot,
    one comes back."""
    now = NOON
    for _ in range(moves):
        state = state_of(game)
        asked = waiting(state)
        if not asked:
            return
        now += timedelta(minutes=1)
        seat = random.choice(asked)
        command = random.choice(legal(state, seat))
        if game.frozen_at:
            back = random.choice([n for n in range(game.size) if n not in state.exiled])
            user_id = tenure_of(game, back).user_id or 0
            halts.come_back(public_id=game.public_id, user_id=user_id, now=now)
        if late and random.random() < late:
            play.answer_for(
                public_id=game.public_id,
                prompt_id=prompt_of(game, seat).pk,
                command=parse("timeout", SEATS),
                source=Source.CLOCK,
                now=now,
            )
        else:
            play.answer(
                public_id=game.public_id,
                user_id=tenure_of(game, seat).user_id or 0,
                prompt_id=prompt_of(game, seat).pk,
                command=command,
                now=now,
            )
        yield command


def whole(game: Game) -> None:
    """What is stored is what the moves come to, once."""
    game.refresh_from_db()
    store.forget()
    assert list(verify.differences(game)) == []
    assert Window.objects.filter(game=game, closed_at=None).count() <= 1
