"""Everything that may meet, at once, on the real database: no deadlock, nothing half done."""

from collections.abc import Callable
from contextlib import suppress
from datetime import datetime, timedelta
from random import Random

import pytest

from accounts import guests
from accounts.models import User
from accounts.signals import MergeRefused
from games import drive, lobby
from games.engine.rules import legal
from games.engine.state import Over, waiting
from games.models import BotKind, Game, Prompt, PromptState, Status, Tenure
from games.refusal import Reason
from games.timing import Pace

from .at_once import at_once
from .cast import NOON, SEED, all_ready, person, running_game, state_of, tenure_of, whole
from .test_concurrency import answer, leave
from .test_lobby_concurrency import as_host, opened, sit, sound

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.services]


def get_up(game: Game, name: str) -> Callable[[], None]:
    user = person(name)

    def call() -> None:
        lobby.get_up(public_id=game.public_id, user=user, now=NOON)

    return call


def rematch(game: Game, name: str) -> Callable[[], None]:
    user = person(name)

    def call() -> None:
        lobby.rematch(public_id=game.public_id, user=user, seed=SEED, now=NOON)

    return call


def merge(guest: User, account: User) -> Callable[[], None]:
    def call() -> None:
        with suppress(MergeRefused, User.DoesNotExist):
            guests.merge(guest, account, now=NOON)

    return call


def sweep(now: datetime) -> Callable[[], None]:
    def call() -> None:
        drive.sweep(now)

    return call


@pytest.mark.parametrize("_time", range(4))
def test_everybody_does_something_else_with_an_open_table(_time: int) -> None:
    game = opened(4)
    sit(game, "Ben")()
    at_once(
        as_host(lobby.start, game),
        as_host(lobby.cancel, game),
        as_host(lobby.add_bot, game, seat=3, kind=BotKind.HONEST),
        sit(game, "Cyd"),
        sit(game, "Dov"),
        get_up(game, "Ben"),
        get_up(game, "Ana"),
    )
    sound(game)


def test_all_get_up_at_once() -> None:
    game = opened(6)
    names = ["Ana", "Ben", "Cyd", "Dov", "Eva"]
    for name in names[1:]:
        sit(game, name)()
    assert at_once(*[get_up(game, name) for name in names]) == [None] * 5
    game.refresh_from_db()
    assert game.status == Status.CANCELLED
    assert not Tenure.objects.filter(game=game).exists()


def test_all_want_to_play_again_at_once() -> None:
    game = running_game(4)
    for seat in range(3):
        leave(game, seat)()
    game.refresh_from_db()
    assert game.status == Status.OVER
    names = ["Ana", "Ben", "Cyd", "Dov"]
    assert at_once(*[rematch(game, name) for name in names * 2]) == [None] * 8
    again = Game.objects.get(rematch_of=game)
    assert again.status == Status.RUNNING
    sound(again)


@pytest.mark.parametrize("_time", range(3))
def test_a_guest_becomes_an_account_while_their_move_is_on_its_way(_time: int) -> None:
    guest, account = User.objects.create_guest("Quick Fox"), person("Zoe")
    game = lobby.open_table(host=guest, plan=lobby.Plan(3, Pace.DAILY), seed=SEED, now=NOON)
    sit(game, "Ben")()
    other = lobby.open_table(
        host=person("Ana"), plan=lobby.Plan(3, Pace.DAILY), seed=SEED, now=NOON
    )
    sit(game, "Cyd")()
    seat = state_of(game).turn
    command = legal(state_of(game), seat)[0]

    def join() -> None:
        lobby.sit(public_id=other.public_id, user=guest, now=NOON)

    results = at_once(
        merge(guest, account),
        answer(game, seat, command),
        leave(game, (seat + 1) % 3),
        merge(guest, account),
        join,
    )
    assert results[4] in (None, Reason.SOMEBODY_ELSE)
    assert set(results[1:3]) <= {None, Reason.NOT_SEATED}
    whole(game)
    holders = set(Tenure.objects.filter(game=game, ended="").values_list("user__name", flat=True))
    assert "Quick Fox" not in holders
    assert not Tenure.objects.filter(user__is_active=False).exists()


@pytest.mark.parametrize("seed", range(3))
def test_the_worker_sweeps_while_people_answer_and_leave(seed: int) -> None:
    plan = lobby.Plan(6, Pace.LIVE, bots=[BotKind.COUNTER, BotKind.BLUFFER, BotKind.HONEST])
    game = lobby.open_table(host=person("Ana"), plan=plan, seed=bytes([seed]) * 32, now=NOON)
    sit(game, "Ben")()
    sit(game, "Cyd")()
    all_ready(game)
    random, now = Random(seed), NOON
    for _round in range(25):
        now += timedelta(seconds=random.choice([2, 50, 100]))
        state = state_of(game)
        if isinstance(state.phase, Over):
            break
        calls = [sweep(now)] * 2
        for seat in waiting(state):
            if tenure_of(game, seat).user_id:
                calls.append(answer(game, seat, random.choice(legal(state, seat))))
        results = at_once(*calls)
        assert set(results) <= {None, Reason.MOVED_ON, Reason.NOT_RUNNING}
    whole(game)
    assert Prompt.objects.filter(game=game, state=PromptState.OPEN).count() <= 6


def test_who_has_become_somebody_else_takes_no_seat_and_opens_no_table() -> None:
    guest, game = User.objects.create_guest("Quick Fox"), opened(3)
    guests.merge(guest, person("Zoe"), now=NOON)
    plan = lobby.Plan(3, Pace.DAILY)

    def open_one() -> None:
        lobby.open_table(host=guest, plan=plan, seed=SEED, now=NOON)

    def join() -> None:
        lobby.sit(public_id=game.public_id, user=guest, now=NOON)

    assert at_once(join) == at_once(open_one) == [Reason.SOMEBODY_ELSE]
    assert Game.objects.count() == 1
