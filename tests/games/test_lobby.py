"""Tables before the first card: opening, sitting down, leaving, starting, giving up."""

import pytest

from games import lobby
from games.models import BotKind, Game, Status, Tenure
from games.play import Reason, Refused
from games.timing import Pace
from tests.games.cast import NOON, SEED, person

pytestmark = pytest.mark.django_db


def opened(size: int = 3, **plan: object) -> Game:
    """A table that Ana has opened."""
    return lobby.open_table(
        host=person("Ana"),
        plan=lobby.Plan(size=size, pace=Pace.DAILY, **plan),  # type: ignore[arg-type]
        seed=SEED,
        now=NOON,
    )


def names(game: Game) -> list[str]:
    tenures = Tenure.objects.filter(game=game).order_by("seat__index")
    return [tenure.name for tenure in tenures]


def refusal(**call: object) -> Reason:
    act = call.pop("act")
    with pytest.raises(Refused) as refused:
        act(now=NOON, **call)  # type: ignore[operator]
    return refused.value.reason


def test_it_starts_when_the_last_seat_is_taken() -> None:
    game = opened()
    lobby.sit(public_id=game.public_id, user=person("Ben"), now=NOON)
    game.refresh_from_db()
    assert game.status == Status.OPEN
    lobby.sit(public_id=game.public_id, user=person("Cyd"), now=NOON)
    game.refresh_from_db()
    assert game.status == Status.RUNNING
    assert game.start_names == ["Ana", "Ben", "Cyd"]


def test_sitting_down_twice_is_once() -> None:
    game = opened()
    for _time in range(2):
        lobby.sit(public_id=game.public_id, user=person("Ben"), now=NOON)
    assert names(game) == ["Ana", "Ben"]


def test_no_seat_at_a_running_table() -> None:
    game = opened(2)
    lobby.sit(public_id=game.public_id, user=person("Ben"), now=NOON)
    late = refusal(act=lobby.sit, public_id=game.public_id, user=person("Cyd"))
    assert late == Reason.NOT_OPEN


def test_bots_fill_a_table_and_it_starts_at_once() -> None:
    game = opened(4, bots=list(BotKind))
    assert game.status == Status.RUNNING


def test_a_form_sent_twice_opens_one_table() -> None:
    plan = lobby.Plan(size=3, pace=Pace.DAILY)
    first, second = (
        lobby.open_table(host=person("Ana"), plan=plan, seed=SEED, now=NOON, form_token="once")
        for _time in range(2)
    )
    other = lobby.open_table(host=person("Ben"), plan=plan, seed=SEED, now=NOON, form_token="once")
    assert first == second != other
    assert Game.objects.count() == 2
