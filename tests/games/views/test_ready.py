"""Saying that one is ready, over HTTP: the room, its button, the count, what is refused."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from games import heartbeat, lobby, ready
from games.models import Game, Invitation, Prompt, PromptState, Status, Visibility, Window
from games.timing import Pace

from ..cast import NAMES, SEED, person
from .test_lobby import url
from .web import WRITES, client_of, queries, text

pytestmark = pytest.mark.django_db


def full(size: int = 3, ago: timedelta = timedelta(), **plan: Visibility) -> Game:
    """A live table whose last seat was taken some time ago."""
    now = timezone.now() - ago
    game = lobby.open_table(
        host=person("Ana"), plan=lobby.Plan(size, Pace.LIVE, **plan), seed=SEED, now=now
    )
    for name in NAMES[1:size]:
        lobby.sit(public_id=game.public_id, user=person(name), now=now)
    game.refresh_from_db()
    return game


def asked(game: Game, name: str) -> dict[str, int]:
    """The form of this person's button."""
    prompt = Prompt.objects.get(
        game=game, tenure__user__name=name, state=PromptState.OPEN, window__kind="ready"
    )
    return {"prompt": prompt.pk}


def test_the_room_asks_and_the_last_to_say_so_starts_the_game() -> None:
    game = full()
    ana, ben, cyd = (client_of(name) for name in NAMES[:3])
    page = text(ana.get(url("table", game)))
    assert "Are you ready?" in page
    assert "1 of 3 are ready" in page
    assert page.count("not ready yet") == 2
    assert 'id="start"' not in page
    assert 'id="ready"' in page
    page = text(cyd.get(url("table", game)))
    assert "You are ready." in page
    assert 'id="ready"' not in page
    form = asked(game, "Ben")
    for _time in range(2):
        answer = ben.post(url("ready", game), form, follow=True)
        assert answer.status_code == 200
        assert "You are ready." in text(answer)
    answer = ana.post(url("ready", game), asked(game, "Ana"), follow=True)
    assert 'class="court"' in text(answer)
    game.refresh_from_db()
    assert game.status == Status.RUNNING
    assert client_of("Ben").post(url("ready", game), form, follow=True).status_code == 200


def test_it_counts_on_every_page_and_leads_there() -> None:
    game, ana = full(), client_of("Ana")
    for path in ("/", "/lobby/"):
        assert 'data-count="1"' in text(ana.get(path))
    page = text(ana.get("/"))
    assert "1 table waits for you" in page
    assert "Are you ready?" in page
    assert ana.get("/next/").headers["Location"] == url("table", game)
    assert 'data-count="0"' in text(client_of("Cyd").get("/lobby/"))
    ana.post(url("ready", game), asked(game, "Ana"))
    assert 'data-count="0"' in text(ana.get("/lobby/"))


def test_nonsense_strangers_and_other_methods_get_nowhere() -> None:
    game = full()
    ana = client_of("Ana")
    for form in ({}, {"prompt": ""}, {"prompt": "x"}, {"prompt": "0"}):
        assert ana.post(url("ready", game), form).status_code == 400
    assert ana.get(url("ready", game)).status_code == 405
    assert ana.post(url("ready", game), {"prompt": 2**62}).status_code == 403
    assert Client().post(url("ready", game), asked(game, "Ana")).status_code == 403
    assert client_of("Dov").post(url("ready", game), asked(game, "Ana")).status_code == 403
    guarded = Client(enforce_csrf_checks=True)
    guarded.force_login(person("Ana"))
    assert guarded.post(url("ready", game), asked(game, "Ana")).status_code == 403
    assert asked(game, "Ana")


def test_a_question_that_was_called_off_is_not_answered_by_an_old_tab() -> None:
    game = full()
    old = asked(game, "Ana")
    client_of("Ben").post(url("get_up", game))
    client_of("Dov").post(url("sit", game))
    answer = client_of("Ana").post(url("ready", game), old)
    assert answer.status_code == 409
    assert "Somebody has come or gone meanwhile." in text(answer)
    assert asked(game, "Ana") != old


def test_an_open_page_applies_the_deadline_while_a_worker_is_there_and_a_get_does_not() -> None:
    game = full(ago=timedelta(seconds=91))
    ana, ben, cyd = (client_of(name) for name in NAMES[:3])
    form = asked(game, "Ben")
    assert cyd.post(url("time_out", game)).status_code == 204
    heartbeat.beat(timezone.now())
    for name in ("table", "fragment"):
        for client in (ana, cyd):
            assert not [q for q in queries(client, url(name, game)) if q.startswith(WRITES)]
    assert Window.objects.filter(game=game, closed_at=None).exists()
    for _time in range(2):
        assert cyd.post(url("time_out", game)).status_code == 204
    page = text(cyd.get(url("table", game)))
    assert "1 of 3 seats taken" in page
    assert "you, the host" in page
    late = ben.post(url("ready", game), form)
    assert late.status_code == 409
    assert "The time to say that you are ready is over." in text(late)
    page = text(ben.get(url("table", game)))
    assert "You were not there when the game was to begin." in page
    assert 'id="sit"' in page
    assert ben.post(url("sit", game), follow=True).status_code == 200
    assert "You were not there" not in text(ben.get(url("table", game)))


def test_who_comes_while_all_seats_are_taken_is_told() -> None:
    page = text(client_of("Dov").get(url("table", full())))
    assert "Everybody is asked whether they are ready." in page
    assert "All seats are taken." in page
    assert 'id="sit"' not in page


def test_the_number_of_queries_does_not_grow_with_those_who_are_asked() -> None:
    small, large = full(2), full(6)
    costs = {len(queries(client_of("Ana"), url("table", game))) for game in (small, large)}
    assert len(costs) == 1
    more = len(queries(client_of("Ana"), "/"))
    full(4)
    assert len(queries(client_of("Ana"), "/")) == more


def test_why_it_was_told_can_be_read() -> None:
    game = full()
    page = text(client_of("Ana").get("/messages/"))
    assert "Whether you are ready" in page
    assert "None of your devices takes pushes" in page
    ready.time_out(public_id=game.public_id, now=timezone.now() + timedelta(minutes=2))
    assert Invitation.objects.filter(game=game, state="missed").count() == 2
