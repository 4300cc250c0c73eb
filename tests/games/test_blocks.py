"""People who are kept apart: at no open table do they meet, and nobody is told."""

from collections.abc import Callable
from datetime import timedelta
from random import Random

import pytest
from django.test import Client

from accounts import blocks, guests
from accounts.models import Block, User
from games import invitations, lists, lobby
from games.models import Game, Invitation, Status, Tenure, Visibility
from games.refusal import Reason

from .at_once import at_once
from .cast import NOON, SEED, person, running_game, stir
from .test_lobby import names, opened, sit, why_not
from .views.web import client_of, main_of, text

pytestmark = pytest.mark.django_db


def block(by: str, blocked: str) -> None:
    blocks.block(by=person(by), blocked=person(blocked), now=NOON)


def lobby_of(name: str) -> list[Game]:
    return list(lists.open_tables(lists.Wish(), person(name)))


@pytest.mark.parametrize(("by", "blocked"), [("Ana", "Cyd"), ("Cyd", "Ana"), ("Cyd", "Ben")])
def test_for_whoever_is_kept_apart_there_is_no_such_table(by: str, blocked: str) -> None:
    game = opened()
    sit(game, "Ben")
    block(by, blocked)
    assert lobby_of("Cyd") == []
    assert lobby_of("Dov") == [game]
    assert why_not(lobby.sit, public_id=game.public_id, user=person("Cyd")) == Reason.NO_GAME
    assert names(game) == ["Ana", "Ben"]


def test_every_page_answers_the_blocked_like_a_table_that_is_not_there() -> None:
    game = opened()
    block("Ana", "Cyd")
    cyd = client_of("Cyd")
    for path in ("", "table/"):
        assert cyd.get(f"/g/{game.public_id}/{path}").status_code == 404
    for action in ("sit", "start", "cancel", "bot", "link", "invite", "decline", "rematch"):
        data = {"name": "Dov", "seat": 1, "kind": "honest"}
        there = cyd.post(f"/g/{game.public_id}/{action}/", data)
        nowhere = cyd.post(f"/g/nosuchtable/{action}/", data)
        assert there.status_code == nowhere.status_code == 404
        assert main_of(there) == main_of(nowhere)


def test_the_link_leads_the_blocked_nowhere() -> None:
    game = opened(visibility=Visibility.UNLISTED)
    block("Cyd", "Ana")
    late = why_not(
        lobby.sit, public_id=game.public_id, user=person("Cyd"), link_token=game.link_token
    )
    assert late == Reason.NO_GAME


def test_a_host_who_blocks_sends_away_and_others_who_block_leave() -> None:
    hosted = opened()
    sit(hosted, "Ben")
    block("Ana", "Ben")
    assert names(hosted) == ["Ana"]

    visited = lobby.open_table(
        host=person("Dov"), plan=lobby.Plan(size=4, pace=lobby.Pace.DAILY), seed=SEED, now=NOON
    )
    for name in ("Eva", "Fay"):
        sit(visited, name)
    block("Fay", "Eva")
    assert names(visited) == ["Dov", "Eva"]
    block("Eva", "Dov")
    assert names(visited) == ["Dov"]


def test_what_blocking_does_is_seen_by_all_who_sit_there() -> None:
    game = opened()
    sit(game, "Ben")
    person("Cyd")
    invitations.invite(public_id=game.public_id, host=person("Ana"), name="Cyd", now=NOON)
    for name in ("Ben", "Cyd"):
        game.refresh_from_db()
        before = game.version
        block("Ana", name)
        game.refresh_from_db()
        assert game.version > before
    assert not Invitation.objects.exists()


def test_games_that_run_go_on() -> None:
    game = running_game(3)
    block("Ana", "Ben")
    for name in ("Ana", "Ben"):
        assert client_of(name).get(f"/g/{game.public_id}/").status_code == 200
    assert Tenure.objects.filter(game=game, ended="").count() == 3


def test_the_blocked_may_invite_and_nobody_hears_of_it() -> None:
    game = opened()
    person("Ben")
    block("Ben", "Ana")
    invitations.invite(public_id=game.public_id, host=person("Ana"), name="Ben", now=NOON)
    assert lists.room(game, user=person("Ana")).invited == (("Ben", "open"),)
    assert list(lists.my_invitations(person("Ben").pk)) == []
    assert why_not(lobby.sit, public_id=game.public_id, user=person("Ben")) == Reason.NO_GAME


def test_whoever_blocks_is_told_whom_they_invite() -> None:
    game = opened()
    person("Ben")
    block("Ana", "Ben")
    refused = why_not(invitations.invite, public_id=game.public_id, host=person("Ana"), name="Ben")
    assert refused == Reason.BLOCKED
    sent = {"size": 3, "pace": "daily", "visibility": "public", "watch": "anybody"}
    page = client_of("Ana").post("/new/", sent | {"invited": "Ben"})
    assert page.status_code == 422
    assert "You have blocked somebody" in text(page)
    assert ">Ben</textarea>" in text(page).replace("\n", "")


def test_a_rematch_leads_neither_to_the_other() -> None:
    old = played_out()
    block("Ana", "Ben")
    mine, theirs = (
        lobby.rematch(public_id=old.public_id, user=person(name), seed=SEED, now=NOON)
        for name in ("Ana", "Ben")
    )
    assert mine != theirs
    assert lists.room(mine, user=person("Ana")).invited == (("Cyd", "open"),)
    # Whoever is blocked waits for both, as after any other game.
    assert lists.room(theirs, user=person("Ben")).invited == (("Ana", "open"), ("Cyd", "open"))
    assert list(lists.my_invitations(person("Ana").pk)) == []


def played_out() -> Game:
    """A game of three that nobody has left."""
    game = running_game(3)
    for _ in stir(game, Random(1), 1000, late=0):
        pass
    game.refresh_from_db()
    assert game.status == Status.OVER
    return game


def test_taking_a_block_back_makes_two_meet_again() -> None:
    game = opened()
    block("Cyd", "Ana")
    row = Block.objects.get()
    cyd = client_of("Cyd")
    assert "Ana" in main_of(cyd.get("/account/profile/"))
    assert client_of("Ana").post(f"/account/unblock/{row.pk}/").status_code == 302
    assert Block.objects.exists()
    for _time in range(2):
        assert cyd.post(f"/account/unblock/{row.pk}/").status_code == 302
    assert not Block.objects.exists()
    sit(game, "Cyd")


def test_blocking_over_http_says_what_it_did_and_goes_back() -> None:
    person("Ben")
    ana = client_of("Ana")
    for _time in range(2):
        answer = ana.post("/account/block/", {"name": "bEN", "next": "/people/Ben/"}, follow=True)
        assert answer.redirect_chain == [("/people/Ben/", 302)]
        assert "You have blocked Ben." in text(answer)
        assert "Unblock" in main_of(answer)
    assert Block.objects.count() == 1
    assert "Nobody here has that name" in text(
        ana.post("/account/block/", {"name": "Nobody Here"}, follow=True)
    )
    assert "That is you" in text(ana.post("/account/block/", {"name": "Ana"}, follow=True))
    away = ana.post("/account/block/", {"name": "Ben", "next": "https://evil.example/"})
    assert away.headers["Location"] == "/account/profile/"
    assert Client().post("/account/block/", {"name": "Ben"}).status_code == 302
    # The other learns nothing.
    assert "Unblock" not in main_of(client_of("Ben").get("/people/Ana/"))


def test_a_guests_blocks_go_along_and_part_at_once() -> None:
    guest, ben = guests.create("Quiet Heron"), person("Ben")
    blocks.block(by=guest, blocked=ben, now=NOON)
    blocks.block(by=person("Cyd"), blocked=guest, now=NOON)
    blocks.block(by=guest, blocked=person("Ana"), now=NOON)  # oneself: it goes
    game = opened()
    sit(game, "Ben")
    guests.merge(guest, person("Ana"), now=NOON)
    rows = {(row.by.name, row.blocked.name) for row in Block.objects.all()}
    assert rows == {("Ana", "Ben"), ("Cyd", "Ana")}


def test_a_former_player_blocks_nobody() -> None:
    running_game(2)
    block("Ana", "Ben")
    guests.discard(person("Ana"))
    assert not Block.objects.exists()


@pytest.mark.services
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("_time", range(5))
def test_sitting_down_while_being_blocked(_time: int) -> None:
    game = opened(4)
    ana, ben, cyd = person("Ana"), person("Ben"), person("Cyd")
    at_once(
        lambda: lobby.sit(public_id=game.public_id, user=ben, now=NOON),
        lambda: blocks.block(by=ana, blocked=ben, now=NOON),
        lambda: blocks.block(by=ben, blocked=cyd, now=NOON),
        lambda: lobby.sit(public_id=game.public_id, user=cyd, now=NOON),
    )
    assert set(names(game)) in ({"Ana"}, {"Ana", "Cyd"})
    assert Block.objects.count() == 2


# People I played with


def test_those_i_played_with_stand_there_the_latest_first() -> None:
    for size, hours in ((3, 0), (2, 5)):
        game = running_game(size, seed=bytes([size]) * 32)
        Game.objects.filter(pk=game.pk).update(changed_at=NOON + timedelta(hours=hours))
    opened(4)  # not started: nobody met there
    page = client_of("Ana").get("/people/")
    assert main_of(page).index("Ben") < main_of(page).index("Cyd")
    assert "2 games together" in text(page)
    assert "1 game together" in text(page)
    assert "Ana" not in main_of(page)


def test_a_new_table_is_for_those_i_marked() -> None:
    page = client_of("Ana").get("/new/?invite=Ben&invite=Cyd")
    assert "Ben\nCyd</textarea>" in text(page)
    assert 'value="private" ' in text(page)


def test_the_page_costs_the_same_however_many_people(
    django_assert_num_queries: Callable[..., object],
) -> None:
    ana = client_of("Ana")
    running_game(2)
    ana.get("/people/")
    with django_assert_num_queries(6):  # session, person, two for the list, blocks, what waits
        ana.get("/people/")
    running_game(6, seed=b"x" * 32)
    with django_assert_num_queries(6):
        ana.get("/people/")


def test_a_persons_page_is_there_for_anybody_and_bots_have_none() -> None:
    game = running_game(2)
    page = text(Client().get(f"/g/{game.public_id}/"))
    assert 'href="/people/Ben/"' in page
    assert Client().get("/people/Ben/").status_code == 200
    assert "Block" not in main_of(Client().get("/people/Ben/"))
    assert Client().get("/people/Bianca/").status_code == 404
    User.objects.filter(name="Ben").update(is_active=False)
    assert Client().get("/people/Ben/").status_code == 404
    assert Game.objects.get().status == Status.RUNNING
