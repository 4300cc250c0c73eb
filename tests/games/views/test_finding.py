"""The lobby and the form that opens a table, over HTTP."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from games import lobby, seating
from games.models import BotKind, Game, Invitation, Status, Tenure, Visibility, Watch
from games.timing import Pace

from ..cast import NOON, SEED, person, running_game
from .web import WRITES, client_of, main_of, queries, text

pytestmark = pytest.mark.django_db

PLAIN = {"size": "3", "pace": "daily", "visibility": "public", "watch": "anybody"}


def opened(title: str, minutes: int = 0, size: int = 3, **plan: Any) -> Game:
    plan.setdefault("pace", Pace.DAILY)
    host = User.objects.filter(name=f"Host of {title}").first()
    return lobby.open_table(
        host=host or User.objects.create_guest(f"Host of {title}"),
        plan=lobby.Plan(size, title=title, **plan),
        seed=SEED,
        now=NOON + timedelta(minutes=minutes),
    )


def found(query: str = "") -> list[str]:
    """The titles in the lobby, from the top."""
    page = main_of(Client().get(f"/lobby/{query}"))
    titles = [part.split("</bdi></a></h3>")[0] for part in page.split("<h3><a")[1:]]
    return [title.split("<bdi>")[1] for title in titles]


def test_the_newest_open_table_stands_first() -> None:
    for minutes, title in enumerate(("Old", "Mid", "New")):
        opened(title, minutes)
    assert found() == ["New", "Mid", "Old"]


def test_only_public_tables_that_wait_are_listed() -> None:
    opened("Public")
    opened("Unlisted", visibility=Visibility.UNLISTED)
    opened("Private", visibility=Visibility.PRIVATE)
    running_game(2)
    cancelled = opened("Cancelled")
    lobby.cancel(public_id=cancelled.public_id, host=cancelled.host, now=NOON)
    assert found() == ["Public"]


def test_every_filter() -> None:
    opened("Plain", 1)
    opened("Asks", 2, inquisitor=True)
    opened("Sides", 3, factions=True, pace=Pace.LIVE)
    opened("All", 4, size=6, inquisitor=True, factions=True)
    opened("Bots", 5, bots=[BotKind.HONEST])
    assert found("?variant=classic") == ["Bots", "Plain"]
    assert found("?variant=inquisitor") == ["Asks"]
    assert found("?variant=factions") == ["Sides"]
    assert found("?variant=both") == ["All"]
    assert found("?pace=live") == ["Sides"]
    assert found("?size=6") == ["All"]
    assert found("?bots=1") == ["Bots"]
    assert found("?bots=0&variant=classic") == ["Plain"]
    assert found("?variant=none&size=x&pace=&bots=7") == found()


def test_long_lists_are_paged_and_keep_the_filter() -> None:
    for minutes in range(25):
        opened(f"Table {minutes}", minutes, factions=True)
    assert len(found("?variant=factions")) == 20
    page = text(Client().get("/lobby/?variant=factions"))
    assert 'href="?variant=factions&amp;page=2"' in page
    assert found("?variant=factions&page=2") == [f"Table {n}" for n in (4, 3, 2, 1, 0)]
    assert found("?page=99") == found("?page=2")
    assert found("?page=x") == found()


def test_empty_lists_say_what_to_do_next() -> None:
    empty = main_of(Client().get("/lobby/"))
    assert 'action="/play/"' in empty
    assert 'href="/new/"' in empty
    filtered = main_of(Client().get("/lobby/?size=6"))
    assert 'href="/lobby/"' in filtered


def test_the_lobby_costs_the_same_however_many_wait_and_writes_nothing() -> None:
    costs = []
    for number in range(2):
        for minutes in range(1 + 10 * number):
            game = opened(f"Table {number} {minutes}", minutes, bots=[BotKind.HONEST])
            assert game.status == Status.OPEN
        for client in (Client(), client_of("Ana")):
            costs.append(len(queries(client, "/lobby/")))
            assert not [q for q in queries(client, "/lobby/?size=3") if q.startswith(WRITES)]
    assert costs[:2] == costs[2:]


# Opening a table


def test_the_form_opens_what_it_says() -> None:
    person("Ben")
    form = PLAIN | {
        "title": "The Long Gallery",
        "size": "5",
        "inquisitor": "on",
        "factions": "on",
        "both_one": "1",
        "pace": "relaxed",
        "visibility": "private",
        "invited": "ben\r\n\r\n",
        "watch": "players",
        "honest": "1",
        "counter": "2",
    }
    assert client_of("Ana").post("/new/", form).status_code == 302
    game = Game.objects.get()
    assert game.title == "The Long Gallery"
    assert (game.size, game.inquisitor, game.factions, game.both_one) == (5, True, True, True)
    assert (game.pace, game.visibility, game.watch) == ("relaxed", "private", Watch.PLAYERS)
    assert game.host == person("Ana")
    bots = Tenure.objects.filter(game=game).exclude(bot="").values_list("bot", flat=True)
    assert sorted(bots) == ["counter", "counter", "honest"]
    assert Invitation.objects.get().user == person("Ben")


def test_a_double_click_opens_one_table() -> None:
    ana = client_of("Ana")
    page = text(ana.get("/new/"))
    token = page.split('name="form_token" value="')[1].split('"')[0]
    answers = [ana.post("/new/", PLAIN | {"form_token": token}) for _time in range(2)]
    assert answers[0].headers["Location"] == answers[1].headers["Location"]
    assert Game.objects.count() == 1
    assert token not in text(ana.get("/new/"))


def test_a_stranger_opens_a_table_under_a_name() -> None:
    stranger = Client()
    assert stranger.post("/new/", PLAIN | {"name": "Zed"}).status_code == 302
    assert Game.objects.get().host.name == "Zed"
    assert Game.objects.get().host.is_guest


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"size": "7"}, "Select a valid choice"),
        ({"size": "2", "honest": "2"}, "You need a seat, too"),
        ({"honest": "9"}, "less than or equal to 5"),
        ({"pace": "practice"}, "all others are bots"),
        ({"invited": "Ana\nNobody At All"}, "Nobody here is called Nobody At All"),
        ({"visibility": "private"}, "Whom do you invite?"),
        ({"title": "mirrored \u202e title"}, "signs that can be seen"),
        ({"title": "x" * 61}, "at most 60 characters"),
        ({"visibility": "secret"}, "Select a valid choice"),
    ],
)
def test_what_makes_no_sense_is_said_in_words_and_nothing_typed_is_lost(
    change: dict[str, str], words: str
) -> None:
    kept = {"title": "The Long Gallery", "bluffer": "1", "factions": "on"}
    answer = client_of("Ana").post("/new/", PLAIN | kept | change)
    page = text(answer)
    assert answer.status_code == 422
    assert words in page
    assert "not open yet" in page
    assert 'name="factions" id="id_factions" checked' in page
    assert ('value="The Long Gallery"' in page) is ("title" not in change)
    assert not Game.objects.exists()


def test_a_stranger_without_a_name_loses_nothing_either() -> None:
    answer = Client().post("/new/", PLAIN | {"name": "Ana\u200b", "title": "Kept"})
    assert answer.status_code == 422
    assert 'value="Kept"' in text(answer)
    assert not User.objects.exists()


def test_who_is_too_busy_is_told_on_the_form(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seating, "MOST_WAITING", 0)
    answer = client_of("Ana").post("/new/", PLAIN | {"title": "Kept"})
    assert answer.status_code == 422
    assert "Too many tables wait for you." in text(answer)
    assert 'value="Kept"' in text(answer)


def test_opening_by_get_writes_nothing() -> None:
    for client in (Client(), client_of("Ana")):
        assert not [q for q in queries(client, "/new/") if q.startswith(WRITES)]


def test_the_lobby_shows_how_waking_hours_overlap_and_not_whose() -> None:
    opened("Daily")
    opened("Brisk", pace=Pace.BRISK)
    zoe = client_of("Zoe")
    assert "awake together" not in text(zoe.get("/lobby/"))
    sleep = {"sleep_from": 22 * 60, "sleep_to": 6 * 60, "sleep_zone": "UTC"}
    for name, hours in (("Host of Daily", sleep), ("Zoe", sleep | {"sleep_zone": "Asia/Tokyo"})):
        User.objects.filter(name=name).update(**hours)
    page = main_of(zoe.get("/lobby/"))
    assert page.count("All awake together for 8 hours a day") == 1  # a brisk clock never rests
    assert "22:00" not in page
    assert "Tokyo" not in page
