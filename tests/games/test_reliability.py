"""Who finishes their games: counted at the end, shown on the seat, asked for by a table."""

from datetime import timedelta
from random import Random

import pytest
from django.test import Client

from accounts import guests
from accounts.models import User
from games import invitations, lists, lobby, play
from games.models import Admits, BotKind, Game, Status, Visibility
from games.refusal import Reason
from games.timing import Pace

from .cast import NOON, SEED, person, prompt_of, running_game, state_of, stir
from .test_lobby import names, opened, sit, why_not
from .views.web import client_of, main_of, text

pytestmark = pytest.mark.django_db


def counted(name: str) -> tuple[int, int, int]:
    """Games finished, games left, time-outs."""
    user = User.objects.get(name=name)
    return user.games_finished, user.games_left, user.time_outs


def give(name: str, finished: int = 0, left: int = 0, time_outs: int = 0) -> User:
    person(name)
    User.objects.filter(name=name).update(
        games_finished=finished, games_left=left, time_outs=time_outs
    )
    return User.objects.get(name=name)


def late(game: Game) -> str:
    """Let the clock answer for whoever is in turn; their name."""
    seat = state_of(game).turn
    prompt = prompt_of(game, seat)
    play.time_out(public_id=game.public_id, now=prompt.due + timedelta(days=30))
    return NAMES_BY_SEAT[seat]


NAMES_BY_SEAT = ("Ana", "Ben", "Cyd")


def test_a_game_counts_when_it_ends_and_not_before() -> None:
    game = running_game(3)
    play.leave(public_id=game.public_id, user_id=person("Cyd").pk, now=NOON)
    slow = late(game)
    assert {counted(name) for name in NAMES_BY_SEAT} == {(0, 0, 0)}
    play.leave(public_id=game.public_id, user_id=person("Ben").pk, now=NOON)
    for _ in stir(game, Random(3), 500, late=0):
        pass
    game.refresh_from_db()
    assert game.status == Status.OVER
    assert counted("Ana")[:2] == (1, 0)
    assert counted("Ben")[:2] == counted("Cyd")[:2] == (0, 1)
    assert counted(slow)[2] >= 1


def test_whoever_is_out_early_has_finished_all_the_same() -> None:
    game = running_game(3)
    for _ in stir(game, Random(1), 1000, late=0):
        pass
    assert [counted(name) for name in NAMES_BY_SEAT] == [(1, 0, 0)] * 3


def test_a_game_among_bots_says_nothing_of_anybody() -> None:
    plan = lobby.Plan(size=4, pace=Pace.PRACTICE, bots=list(BotKind))
    game = lobby.open_table(host=person("Ana"), plan=plan, seed=SEED, now=NOON)
    play.leave(public_id=game.public_id, user_id=person("Ana").pk, now=NOON)
    assert counted("Ana") == (0, 0, 0)


def test_a_guests_count_goes_along() -> None:
    guest = guests.create("Quiet Heron")
    give("Quiet Heron", 2, 1, 5)
    give("Ana", 1, 0, 0)
    guest.refresh_from_db()
    guests.merge(guest, person("Ana"), now=NOON)
    assert counted("Ana") == (3, 1, 5)


@pytest.mark.parametrize(
    ("record", "word", "met"),
    [
        ((0, 0, 9), "new here", {Admits.FINISHERS}),
        ((1, 1, 0), "new here", {Admits.FINISHERS}),
        ((4, 1, 5), "reliable", {Admits.FINISHERS, Admits.PROVEN}),
        ((3, 0, 4), "often late", {Admits.FINISHERS, Admits.PROVEN}),
        ((3, 1, 0), "often leaves", set()),
    ],
)
def test_who_meets_which_condition(
    record: tuple[int, int, int], word: str, met: set[Admits]
) -> None:
    user = give("Ben", *record)
    for admits in Admits:
        game = opened(4, admits=admits)
        welcome = admits == Admits.EVERYBODY or admits in met
        assert (game in lists.open_tables(lists.Wish(), user)) == welcome
        page = main_of(client_of("Ben").get(f"/g/{game.public_id}/"))
        assert ('id="sit"' in page) == welcome
        if welcome:
            sit(game, "Ben")
            assert f"{word}: {record[0]} game" in main_of(
                client_of("Ana").get(f"/g/{game.public_id}/")
            )
        else:
            assert why_not(lobby.sit, public_id=game.public_id, user=user) == Reason.NOT_ADMITTED
            assert names(game) == ["Ana"]


def test_the_invited_are_welcome_in_any_case() -> None:
    give("Ben", 0, 5)
    game = opened(admits=Admits.PROVEN)
    invitations.invite(public_id=game.public_id, host=person("Ana"), name="Ben", now=NOON)
    sit(game, "Ben")
    assert names(game) == ["Ana", "Ben"]


def test_the_link_alone_makes_nobody_reliable() -> None:
    give("Ben", 0, 5)
    game = opened(admits=Admits.FINISHERS, visibility=Visibility.UNLISTED)
    late = why_not(
        lobby.sit, public_id=game.public_id, user=person("Ben"), link_token=game.link_token
    )
    assert late == Reason.NOT_ADMITTED


def test_no_guest_is_made_for_a_table_that_takes_no_newcomers() -> None:
    game = opened(admits=Admits.PROVEN)
    stranger = Client()
    assert f"/g/{game.public_id}/" not in text(stranger.get("/lobby/"))
    answer = stranger.post(f"/g/{game.public_id}/sit/", {"name": "Quiet Heron"})
    assert answer.status_code == 422
    assert "for people who finish their games" in text(answer)
    assert not User.objects.filter(is_guest=True).exists()


def test_it_stands_on_the_seat_and_is_chosen_when_a_table_is_opened() -> None:
    game = running_game(2)
    give("Ben", 12, 0, 1)
    page = main_of(client_of("Ana").get(f"/g/{game.public_id}/"))
    assert "reliable" in page
    assert "12 games finished, 1 time-out" in page
    sent = {"size": 3, "pace": "daily", "visibility": "public", "watch": "anybody"}
    assert client_of("Ana").post("/new/", sent | {"admits": "proven"}).status_code == 302
    assert Game.objects.latest("pk").admits == Admits.PROVEN
