"""The waiting room over HTTP: what is shown to whom, what each button does, what is refused."""

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import Block, User
from games import lobby, selectors
from games.models import BotKind, Game, Invitation, Status, Tenure, Visibility
from games.timing import Pace

from ..cast import NOON, SEED, person, running_game
from .web import WRITES, client_of, main_of, queries, text, url

pytestmark = pytest.mark.django_db


def opened(size: int = 3, **plan: Any) -> Game:
    plan.setdefault("visibility", Visibility.UNLISTED)
    return lobby.open_table(
        host=person("Ana"), plan=lobby.Plan(size, Pace.DAILY, **plan), seed=SEED, now=NOON
    )


# By the link


def test_a_stranger_sits_down_by_the_link_with_nothing_but_a_name() -> None:
    game, stranger = opened(2), Client()
    page = stranger.get(url("table", game, k=game.link_token))
    assert page.status_code == 200
    assert "Your name at the table" in text(page)
    answer = stranger.post(url("sit", game, k=game.link_token), {"name": "Zed"}, follow=True)
    assert answer.status_code == 200
    game.refresh_from_db()
    assert (game.status, game.start_names) == (Status.RUNNING, ["Ana", "Zed"])
    assert User.objects.get(name="Zed").is_guest


def test_a_name_that_may_not_be_is_asked_again_and_nothing_typed_is_lost() -> None:
    game, stranger = opened(2), Client()
    for name, words in (("Ana", "has this name"), ("", "required"), ("a@b", "no other signs")):
        answer = stranger.post(url("sit", game, k=game.link_token), {"name": name})
        assert answer.status_code == 422
        assert words in text(answer)
        assert f'value="{name}"' in text(answer) or not name
        assert f'action="{url("sit", game, k=game.link_token)}"' in text(answer)
    assert User.objects.filter(is_guest=True).count() == 0


def test_without_the_link_there_is_no_such_table() -> None:
    game, stranger = opened(2), Client()
    for k in ("", "guess"):
        assert stranger.get(url("table", game, k=k)).status_code == 404
        assert stranger.get(url("fragment", game, k=k)).status_code == 404
        assert stranger.post(url("sit", game, k=k), {"name": "Zed"}).status_code == 404
    assert client_of("Ben").post(url("sit", game)).status_code == 404
    assert not User.objects.filter(name="Zed").exists()
    assert Tenure.objects.count() == 1


def test_the_link_is_shown_to_those_who_sit_there_alone() -> None:
    game = opened()
    assert game.link_token in text(client_of("Ana").get(url("table", game)))
    public = opened(visibility=Visibility.PUBLIC)
    assert public.link_token not in text(client_of("Ben").get(url("table", public)))
    private = opened(visibility=Visibility.PRIVATE, invited=[person("Ben")])
    assert private.link_token not in text(client_of("Ana").get(url("table", private)))


def test_a_private_table_is_there_for_the_invited_alone() -> None:
    game = opened(visibility=Visibility.PRIVATE, invited=[person("Ben")])
    assert client_of("Ben").get(url("table", game)).status_code == 200
    for stranger in (Client(), client_of("Cyd")):
        assert stranger.get(url("table", game, k=game.link_token)).status_code == 404


def test_guests_are_limited() -> None:
    game, statuses = opened(6, visibility=Visibility.PUBLIC), []
    for number in range(40):
        answer = Client().post(url("sit", game), {"name": f"Guest {number}"})
        statuses.append(answer.status_code)
        Tenure.objects.exclude(user=person("Ana")).delete()
        if answer.status_code == 429:
            assert "Too many tries" in text(answer)
            break
    assert statuses[-1] == 429
    assert User.objects.filter(is_guest=True).count() == len(statuses) - 1


# What each may see and do


def test_every_button_does_what_it_says() -> None:
    game, ana, ben = opened(4), client_of("Ana"), client_of("Ben")
    assert ben.post(url("sit", game, k=game.link_token)).status_code == 302
    person("Cyd")
    assert ana.post(url("invite", game), {"name": "Cyd"}).status_code == 302
    page = text(ana.get(url("table", game)))
    assert "Cyd" in page
    assert "has not answered yet" in page
    assert ana.post(url("add_bot", game), {"seat": 2, "kind": "honest"}).status_code == 302
    assert "honest" not in re.sub(r"<select.*?</select>", "", text(ben.get(url("table", game))))
    assert client_of("Cyd").post(url("decline", game)).status_code == 302
    assert "has declined" in text(ana.get(url("table", game)))
    assert ana.post(url("renew_link", game)).status_code == 302
    assert ben.post(url("get_up", game)).status_code == 302
    assert ben.get(url("table", game)).status_code == 404
    assert ana.post(url("start", game)).status_code == 302
    game.refresh_from_db()
    assert (game.status, game.size) == (Status.RUNNING, 2)


def test_a_guest_at_the_table_sees_no_button_of_the_host() -> None:
    game = opened(4)
    lobby.sit(public_id=game.public_id, user=person("Ben"), now=NOON, link_token=game.link_token)
    page = text(client_of("Ben").get(url("table", game)))
    for name in ("start", "cancel", "add_bot", "renew_link", "invite", "decline", "sit"):
        assert url(name, game) not in page
    assert url("get_up", game) in page


def test_a_cancelled_table_shows_the_seed_and_no_button() -> None:
    game = opened()
    assert client_of("Ana").post(url("cancel", game)).status_code == 302
    page = text(client_of("Ana").get(url("table", game)))
    assert SEED.hex() in page
    assert "<form" not in page.split("<main")[1].split("</main>")[0]


def test_the_hash_is_shown_while_the_table_is_open_and_the_seed_is_not() -> None:
    game = opened()
    page = text(client_of("Ana").get(url("table", game)))
    assert game.commitment in page
    assert SEED.hex() not in page


@pytest.mark.parametrize(
    ("name", "who", "data", "status", "words"),
    [
        ("start", "Ana", {}, 422, "takes two to play"),
        ("start", "Ben", {}, 403, "not the host"),
        ("cancel", "Ben", {}, 403, "not the host"),
        ("renew_link", "Ben", {}, 403, "not the host"),
        ("add_bot", "Ben", {"seat": 1, "kind": "honest"}, 403, "not the host"),
        ("add_bot", "Ana", {"seat": 0, "kind": "honest"}, 409, "seat is taken"),
        ("add_bot", "Ana", {"seat": 1, "kind": "clever"}, 400, "makes no sense"),
        ("add_bot", "Ana", {"seat": "x"}, 400, "makes no sense"),
        ("invite", "Ana", {"name": "Nobody At All"}, 422, "Nobody here has that name"),
        ("invite", "Ana", {"name": ""}, 422, "required"),
        ("invite", "Ben", {"name": "Ana"}, 403, "not the host"),
        ("decline", "Ben", {}, 404, "no such table"),
        ("rematch", "Ana", {}, 409, "not over yet"),
        ("rematch", "Ben", {}, 403, "do not sit"),
    ],
)
def test_what_may_not_be_is_refused_in_words(
    name: str, who: str, data: dict[str, Any], status: int, words: str
) -> None:
    game = opened(visibility=Visibility.PUBLIC)
    answer = client_of(who).post(url(name, game), data)
    assert answer.status_code == status
    assert words in text(answer)
    before = game.version
    game.refresh_from_db()
    assert (game.version, game.status) == (before, Status.OPEN)


@pytest.mark.parametrize(
    "name", ["get_up", "start", "cancel", "add_bot", "renew_link", "invite", "decline", "rematch"]
)
def test_strangers_and_wrong_methods_get_nowhere(name: str) -> None:
    game = opened(visibility=Visibility.PUBLIC)
    assert Client().post(url(name, game)).status_code == 403
    assert client_of("Ana").get(url(name, game)).status_code == 405
    missing = reverse(f"games:{name}", args=["none"])
    data = {"seat": 1, "kind": "honest", "name": "Ben"}
    # To have left is to have left.
    status = 302 if name == "get_up" else 404
    assert client_of("Ana").post(missing, data).status_code == status


def test_a_late_comer_is_told() -> None:
    game = running_game(2)
    late = client_of("Cyd").post(url("sit", game))
    assert late.status_code == 409
    assert "seat is taken" in text(late)
    assert Client().post(url("sit", game), {"name": "Zed"}).status_code == 409
    assert not User.objects.filter(name="Zed").exists()


# The part that is fetched again


def test_the_room_is_fetched_again_only_when_it_has_changed() -> None:
    game, ana = opened(), client_of("Ana")
    page = text(ana.get(url("table", game)))
    found = re.search(r'name="seen" value="([^"]+)"', page)
    assert found
    tag = found[1]
    assert ana.get(url("fragment", game), {"seen": tag}).status_code == 204
    lobby.sit(public_id=game.public_id, user=person("Ben"), now=NOON, link_token=game.link_token)
    part = ana.get(url("fragment", game), {"seen": tag}, headers={"HX-Request": "true"})
    assert part.status_code == 200
    assert "<html" not in text(part)
    assert "Ben" in text(part)


def test_when_the_game_begins_the_room_makes_way_for_the_table() -> None:
    game, ana = opened(2), client_of("Ana")
    page = text(ana.get(url("table", game)))
    found = re.search(r'name="seen" value="([^"]+)"', page)
    assert found
    lobby.sit(public_id=game.public_id, user=person("Ben"), now=NOON, link_token=game.link_token)
    part = ana.get(url("fragment", game), {"seen": found[1]})
    assert part.headers["HX-Redirect"] == url("table", game)


def test_a_get_writes_nothing() -> None:
    game = opened(visibility=Visibility.PUBLIC)
    for client in (client_of("Ana"), client_of("Ben"), Client()):
        for name in ("table", "fragment"):
            assert not [q for q in queries(client, url(name, game)) if q.startswith(WRITES)]


def test_the_number_of_queries_is_the_same_at_a_full_table() -> None:
    small, full = opened(2), opened(6, bots=[BotKind.HONEST] * 3)
    Invitation.objects.bulk_create(
        Invitation(game=full, user=person(name), by=person("Ana"), created_at=NOON)
        for name in ("Ben", "Cyd", "Dov", "Eva")
    )
    costs = {len(queries(client_of("Ana"), url("table", game))) for game in (small, full)}
    assert len(costs) == 1


# Rematch


def test_a_rematch_by_its_button() -> None:
    game = running_game(2)
    client_of("Ben").post(url("leave", game))
    first = client_of("Ana").post(url("rematch", game))
    second = client_of("Ben").post(url("rematch", game))
    assert first.status_code == second.status_code == 302
    assert first.headers["Location"] == second.headers["Location"]
    again = Game.objects.get(rematch_of=game)
    assert again.status == Status.RUNNING


def ended_game_of_three() -> Game:
    game = running_game(3)
    for name in ("Ben", "Cyd"):
        client_of(name).post(url("leave", game))
    game.refresh_from_db()
    assert game.has_ended
    return game


def test_the_page_of_the_end_tells_those_who_played_of_a_rematch() -> None:
    game = ended_game_of_three()
    Block.objects.create(by=person("Cyd"), blocked=person("Ana"), created_at=NOON)

    def tag(name: str) -> str:
        return selectors.table(game, user_id=person(name).pk).tag

    def page(name: str) -> str:
        return main_of(client_of(name).get(url("table", game)))

    before = {name: tag(name) for name in ("Ben", "Cyd", "Zoe")}
    assert "Play again with the same people" in page("Ben")
    client_of("Ana").post(url("rematch", game))
    again = Game.objects.get(rematch_of=game)
    assert url("table", again) in page("Ana")
    assert "<bdi>Ana</bdi> has opened a table for playing again." in page("Ben")
    assert "Sit down there, too" in page("Ben")
    # Nobody else learns of it, by no page and no tag: who has blocked its host, who only watches.
    assert [name for name in before if before[name] != tag(name)] == ["Ben"]
    for name in ("Cyd", "Zoe"):
        assert "has opened a table" not in page(name)
    client_of("Ben").post(url("rematch", game))
    assert "You sit at the table for playing again." in page("Ben")
    client_of("Ana").post(url("cancel", again))
    for name in ("Ana", "Ben"):
        assert "Play again with the same people" in page(name)
