"""Several people at once at an open table, on the real database."""

from collections.abc import Callable

import pytest

from games import invitations, lobby, verify
from games.models import BotKind, Game, Invitation, Seat, Status, Tenure
from games.models.move import Move
from games.play import Reason
from games.timing import Pace

from .cast import NOON, SEED, person
from .test_concurrency import at_once

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
