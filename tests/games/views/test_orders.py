"""Standing orders over HTTP: the panel, the page, every change, and every bad request."""

import re

import pytest
from django.http import HttpResponse
from django.test import Client

from games import drive, orderbook
from games.engine.cards import Role
from games.models import Game, StandingOrder, Status
from games.orders import Kind, Order

from ..cast import NOON, running_game, say, tenure_of
from ..test_standing import ALLOW_ALL, BLOCK_AID, CHALLENGE, LATER, seats_from_turn, set_order
from .web import client_at, main_of, queries, text, url

pytestmark = pytest.mark.django_db


def words(response: HttpResponse) -> str:
    """The text of a page, without markup."""
    return " ".join(re.sub(r"<[^>]*>", "", main_of(response)).split())


RANKED = (Role.CONTESSA, Role.AMBASSADOR, Role.CAPTAIN, Role.ASSASSIN, Role.DUKE)
ADDED = [
    ({"kind": "allow", "untouching": "on", "scope": "game"}, ALLOW_ALL, "Whatever anybody claims"),
    (
        {"kind": "allow", "player": "1", "role": "duke", "scope": "turn"},
        Order(Kind.ALLOW, player=1, role=Role.DUKE),
        "If Ben claims the Duke, allow it at once.",
    ),
    ({"kind": "challenge", "scope": "loss"}, CHALLENGE, "challenge it"),
    ({"kind": "block", "role": "duke", "scope": "game"}, BLOCK_AID, "block as Duke"),
    (
        {"kind": "cards", "scope": "game"} | {f"card{n}": role for n, role in enumerate(RANKED)},
        Order(Kind.CARDS, ranking=RANKED),
        "the Contessa, the Ambassador",
    ),
]


@pytest.mark.parametrize(("sent", "what", "told"), ADDED)
def test_an_order_is_read_first_then_set(sent: dict[str, str], what: Order, told: str) -> None:
    game = running_game(3)
    client = client_at(game, 0)
    preview = client.post(url("add_order", game), sent | {"do": "preview"})
    assert preview.status_code == 200
    assert told in words(preview)
    assert not StandingOrder.objects.exists()
    for _ in range(2):
        response = client.post(url("add_order", game), sent | {"do": "set"})
        assert (response.status_code, response["Location"]) == (302, url("orders", game))
    order = StandingOrder.objects.get()
    assert (order.what, order.scope, order.tenure) == (what, sent["scope"], tenure_of(game, 0))
    for name in ("orders", "table"):
        assert told in words(client.get(url(name, game)))


BAD = [
    ({}, 400),
    ({"kind": "win"}, 400),
    ({"kind": "allow"}, 422),
    ({"kind": "allow", "scope": "ever"}, 422),
    ({"kind": "allow", "scope": "game", "player": "0"}, 422),
    ({"kind": "allow", "scope": "game", "player": "5"}, 422),
    ({"kind": "allow", "scope": "game", "role": "inquisitor"}, 422),
    ({"kind": "block", "scope": "game", "role": "assassin"}, 422),
    ({"kind": "cards", "scope": "game"}, 422),
    (
        {"kind": "cards", "scope": "game"} | dict.fromkeys([f"card{n}" for n in range(5)], "duke"),
        422,
    ),
]


@pytest.mark.parametrize(("sent", "status"), BAD)
def test_what_is_no_order_is_not_set(sent: dict[str, str], status: int) -> None:
    game = running_game(3)
    assert client_at(game, 0).post(url("add_order", game), sent).status_code == status
    assert not StandingOrder.objects.exists()


def test_nothing_typed_is_lost_when_the_list_is_full(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(orderbook, "MOST", 1)
    game = running_game(3)
    set_order(game, 0, ALLOW_ALL)
    sent = {"kind": "block", "role": "captain", "scope": "loss"}
    response = client_at(game, 0).post(url("add_order", game), sent)
    assert response.status_code == 422
    assert '<option value="captain" selected>' in text(response)
    assert "Remove an order" in words(response)


def test_on_off_earlier_later_and_away() -> None:
    game = running_game(3)
    one, two = set_order(game, 0, ALLOW_ALL), set_order(game, 0, CHALLENGE)
    client = client_at(game, 0)

    def change(order: StandingOrder, do: str, **more: str) -> str:
        response = client.post(url("change_order", game), {"order": order.pk, "do": do, **more})
        assert response.status_code == 302
        order.refresh_from_db()
        return response["Location"]

    assert change(one, "off") == url("orders", game)
    assert not one.active
    assert change(one, "on", back="on") == url("table", game) + "#orders"
    assert one.active
    change(two, "to-0")
    one.refresh_from_db()
    assert two.position < one.position
    change(one, "remove")
    assert one.ended
    page = words(client.get(url("orders", game)))
    assert "challenge it" in page
    assert "Whatever anybody" not in page.split("A new order")[0]


@pytest.mark.parametrize("sent", [{}, {"order": "x", "do": "on"}, {"order": "1", "do": "win"}])
def test_a_change_that_is_none(sent: dict[str, str]) -> None:
    game = running_game(3)
    assert client_at(game, 0).post(url("change_order", game), sent).status_code == 400


def test_who_may_see_and_change_a_list() -> None:
    game = running_game(3)
    order = set_order(game, 0, ALLOW_ALL)
    sent = {"kind": "challenge", "scope": "game"}
    off = {"order": order.pk, "do": "off"}
    for client in (client_at(game, 1), Client()):
        refused = client.post(url("change_order", game), off)
        assert refused.status_code in (403, 409)
        assert "Whatever anybody" not in words(client.get(url("table", game)))
    assert "No order is set" in words(client_at(game, 1).get(url("orders", game)))
    assert Client().get(url("orders", game)).status_code == 403
    assert Client().post(url("add_order", game), sent).status_code == 403
    assert client_at(game, 0).get(url("add_order", game)).status_code == 405
    order.refresh_from_db()
    assert order.active
    assert StandingOrder.objects.count() == 1


def test_a_table_that_has_not_begun_or_is_over_takes_no_order() -> None:
    game = running_game(2)
    client = client_at(game, 0)
    set_order(game, 0, ALLOW_ALL)
    Game.objects.filter(pk=game.pk).update(status=Status.OVER, ended_at=NOON)
    assert (
        client.post(url("add_order", game), {"kind": "challenge", "scope": "game"}).status_code
        == 409
    )
    page = words(client.get(url("orders", game)))
    assert "A new order" not in page
    assert 'id="orders"' not in text(client.get(url("table", game)))


def test_what_an_order_did_is_told_to_its_owner() -> None:
    game = running_game(3)
    turn, one, other = seats_from_turn(game)
    set_order(game, one, ALLOW_ALL)
    set_order(game, other, CHALLENGE)
    say(game, turn, "tax", LATER)
    drive.sweep(LATER)
    mine, theirs = client_at(game, one), client_at(game, other)
    assert "Your standing order said so." in words(mine.get(url("table", game)))
    assert "Allow" in words(mine.get(url("orders", game))).split("What your orders did")[1]
    drive.sweep(LATER.replace(day=LATER.day + 1))
    assert "do not rule the claim out" in words(theirs.get(url("table", game)))
    record = words(theirs.get(url("orders", game))).split("What your orders did")[1]
    assert "You were asked. The cards you can see do not rule the claim out." in record
    say(game, other, "allow", LATER)
    assert "by your standing order" in words(mine.get(url("table", game)))
    for client in (theirs, client_at(game, turn), Client()):
        assert "by your standing order" not in words(client.get(url("table", game)))


def test_an_answer_by_hand_that_an_order_was_quicker_than() -> None:
    game = running_game(3)
    turn, one, _ = seats_from_turn(game)
    set_order(game, one, ALLOW_ALL)
    say(game, turn, "tax", LATER)
    prompt = tenure_of(game, one).prompts.latest("pk")
    drive.sweep(LATER)
    response = client_at(game, one).post(
        url("answer", game), {"prompt": prompt.pk, "answer": "allow", "seen": 1}
    )
    assert response.status_code == 409
    assert "Your standing order was quicker." in words(response)


@pytest.mark.parametrize("name", ["orders", "table"])
def test_a_longer_list_asks_no_more_of_the_database(name: str) -> None:
    game = running_game(3)
    turn, one, _ = seats_from_turn(game)
    set_order(game, one, ALLOW_ALL)
    client = client_at(game, one)
    client.get(url(name, game))
    few = queries(client, url(name, game))
    for what in (CHALLENGE, BLOCK_AID, *(Order(Kind.ALLOW, role=role) for role in RANKED)):
        set_order(game, one, what)
    say(game, turn, "tax", LATER)
    drive.sweep(LATER)
    client.get(url(name, game))
    assert len(queries(client, url(name, game))) == len(few)
    assert sum("standingorder" in query for query in few) == (2 if name == "orders" else 1)
