"""Several people at once at an open table, on the real database."""

from collections.abc import Callable
from datetime import datetime, timedelta

import pytest

from games import heartbeat, invitations, lobby, ready, verify
from games.models import (
    BotKind,
    Game,
    Invitation,
    Prompt,
    PromptState,
    Seat,
    Status,
    Tenure,
    Window,
)
from games.models.move import Move
from games.refusal import Reason
from games.timing import Pace

from .at_once import at_once
from .cast import NAMES, NOON, SEED, person

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.services]


def opened(size: int) -> Game:
    plan = lobby.Plan(size, Pace.DAILY)
    return lobby.open_table(host=person("Ana"), plan=plan, seed=SEED, now=NOON)


def sit(game: Game, name: str) -> Callable[[], None]:
    user = person(name)

    def call() -> None:
        lobby.sit(public_id=game.public_id, user=user, now=NOON)

    return call


def as_host(act: Callable[..., Game], game: Game, **more: object) -> Callable[[], None]:
    ana = person("Ana")

    def call() -> None:
        act(public_id=game.public_id, host=ana, now=NOON, **more)

    return call


def sound(game: Game) -> None:
    """Each seat has one holder, and a game that runs is what its moves come to."""
    game.refresh_from_db()
    assert list(verify.differences(game)) == []
    seats = list(Seat.objects.filter(game=game).order_by("index"))
    assert [seat.index for seat in seats] == list(range(game.size))
    if game.status == Status.RUNNING:
        assert Tenure.objects.filter(game=game).count() == game.size == len(game.start_names)
        assert Move.objects.filter(game=game).count() == 1


def test_of_two_for_the_last_seat_one_gets_it_and_the_other_is_told() -> None:
    for _time in range(3):
        game = opened(2)
        results = at_once(sit(game, "Ben"), sit(game, "Cyd"))
        assert sorted(map(str, results)) == ["None", "full"]
        sound(game)
        assert game.status == Status.RUNNING


def test_somebody_who_sits_down_four_times_at_once_sits_once() -> None:
    game = opened(5)
    assert at_once(*[sit(game, "Ben")] * 4) == [None] * 4
    assert Tenure.objects.filter(game=game).count() == 2
    sound(game)


def test_a_form_sent_four_times_at_once_opens_one_table() -> None:
    ana, plan = person("Ana"), lobby.Plan(3, Pace.DAILY, bots=[BotKind.HONEST] * 2)

    def submit() -> None:
        lobby.open_table(host=ana, plan=plan, seed=SEED, now=NOON, form_token="once")

    assert at_once(*[submit] * 4) == [None] * 4
    sound(Game.objects.get())


def test_a_table_started_four_times_at_once_starts_once() -> None:
    game = opened(5)
    sit(game, "Ben")()
    assert at_once(*[as_host(lobby.start, game)] * 4) == [None] * 4
    sound(game)
    assert game.status == Status.RUNNING


def test_joining_or_cancelling_comes_first() -> None:
    for _time in range(3):
        game = opened(2)
        joined, cancelled = at_once(sit(game, "Ben"), as_host(lobby.cancel, game))
        sound(game)
        if game.status == Status.RUNNING:
            assert (joined, cancelled) == (None, Reason.NOT_OPEN)
        else:
            assert (joined, cancelled) == (Reason.NOT_OPEN, None)


def test_a_bot_or_a_person_takes_the_last_seat() -> None:
    for _time in range(3):
        game = opened(2)
        bot = as_host(lobby.add_bot, game, seat=1, kind=BotKind.HONEST)
        results = at_once(sit(game, "Ben"), bot)
        assert results.count(None) == 1
        sound(game)
        assert game.status == Status.RUNNING


def test_somebody_invited_four_times_at_once_is_invited_once() -> None:
    game = opened(3)
    person("Ben")
    assert at_once(*[as_host(invitations.invite, game, name="Ben")] * 4) == [None] * 4
    assert Invitation.objects.count() == 1


# Whether everybody is there


def asking(size: int = 3) -> Game:
    """A live table at which everybody but the last who came is asked."""
    plan = lobby.Plan(size, Pace.LIVE)
    game = lobby.open_table(host=person("Ana"), plan=plan, seed=SEED, now=NOON)
    for name in NAMES[1:size]:
        lobby.sit(public_id=game.public_id, user=person(name), now=NOON)
    return game


def is_ready(game: Game, name: str, now: datetime = NOON) -> Callable[[], None]:
    prompt = Prompt.objects.get(game=game, tenure__user__name=name, state=PromptState.OPEN)
    user_id = person(name).pk

    def call() -> None:
        ready.say(public_id=game.public_id, user_id=user_id, prompt_id=prompt.pk, now=now)

    return call


def clock(game: Game, now: datetime) -> Callable[[], None]:
    def call() -> None:
        ready.time_out(public_id=game.public_id, now=now)

    return call


def test_the_last_two_are_ready_at_once_and_one_game_starts() -> None:
    for _time in range(3):
        game = asking()
        calls = [is_ready(game, "Ana"), is_ready(game, "Ben")] * 2
        assert at_once(*calls) == [None] * 4
        sound(game)
        assert game.status == Status.RUNNING
        assert Window.objects.filter(game=game, closed_at=None).count() == 1


def test_the_last_is_ready_or_too_late() -> None:
    late = NOON + timedelta(seconds=90)
    heartbeat.beat(late)
    for when in (late - timedelta(milliseconds=1), late):
        for _time in range(3):
            game = asking(2)
            said, *rest = at_once(is_ready(game, "Ana", when), *[clock(game, late)] * 2)
            sound(game)
            assert rest == [None, None]
            if game.status == Status.RUNNING:
                assert said is None
            else:
                assert said == Reason.TOO_LATE
                assert [t.name for t in Tenure.objects.filter(game=game)] == ["Ben"]
                assert game.host == person("Ben")
            assert game.status == Status.OPEN or when < late


def test_the_last_is_ready_while_another_leaves() -> None:
    for _time in range(3):
        game, ben = asking(2), person("Ben")

        def leave() -> None:
            lobby.get_up(public_id=game.public_id, user=ben, now=NOON)  # noqa: B023

        said, left = at_once(is_ready(game, "Ana"), leave)
        sound(game)
        if game.status == Status.RUNNING:
            assert (said, left) == (None, Reason.NOT_OPEN)
        else:
            assert (said, left) == (Reason.CALLED_OFF, None)
            assert not Window.objects.filter(game=game, closed_at=None).exists()


def test_somebody_comes_while_the_last_is_ready() -> None:
    for _time in range(3):
        plan = lobby.Plan(4, Pace.LIVE)
        game = lobby.open_table(host=person("Ana"), plan=plan, seed=SEED, now=NOON)
        sit(game, "Ben")()
        lobby.start(public_id=game.public_id, host=person("Ana"), now=NOON)
        said, came = at_once(is_ready(game, "Ben"), sit(game, "Cyd"))
        sound(game)
        if game.status == Status.RUNNING:
            assert (said, came, game.size) == (None, Reason.FULL, 2)
        else:
            assert (said, came, game.size) == (Reason.CALLED_OFF, None, 4)
