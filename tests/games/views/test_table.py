"""A table over HTTP: what is shown to whom, and what every bad request gets."""

from random import Random

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone
from django.utils.html import escape

from games import store
from games.models import Game, Prompt, PromptState, Status, Visibility, Watch
from games.models.move import Move
from games.notify import beats

from ..cast import person, prompt_of, running_game, say, state_of, stir, tenure_of
from .web import client_at, client_of, url

pytestmark = pytest.mark.django_db

WRITES = ("INSERT", "UPDATE", "DELETE", "REPLACE")


@pytest.fixture
def game() -> Game:
    return running_game(3)


def moves(game: Game) -> int:
    return Move.objects.filter(game=game).count()


def test_a_player_a_watcher_and_a_stranger_see_the_table(game: Game) -> None:
    for client in (client_at(game, 0), Client()):
        page = client.get(url("table", game))
        assert page.status_code == 200
        assert 'id="table"' in page.content.decode()


def test_who_may_watch_is_the_hosts_choice(game: Game) -> None:
    stranger = Client()
    Game.objects.filter(pk=game.pk).update(watch=Watch.PLAYERS)
    assert stranger.get(url("table", game)).status_code == 403
    assert stranger.get(url("fragment", game)).status_code == 403
    Game.objects.filter(pk=game.pk).update(watch=Watch.LINK)
    assert stranger.get(url("table", game)).status_code == 403
    assert stranger.get(url("table", game) + f"?k={game.link_token}").status_code == 200
    Game.objects.filter(pk=game.pk).update(visibility=Visibility.PRIVATE, watch=Watch.ANYBODY)
    assert stranger.get(url("table", game)).status_code == 404
    assert client_at(game, 1).get(url("table", game)).status_code == 200


def test_an_answer_leads_back_to_the_table(game: Game) -> None:
    turn = state_of(game).turn
    client = client_at(game, turn)
    prompt = prompt_of(game, turn)
    said = {"prompt": prompt.pk, "act": "tax", "target": "1"}
    first = client.post(url("answer", game), said)
    again = client.post(url("answer", game), said)
    for response in (first, again):
        assert (response.status_code, response["Location"]) == (302, url("table", game))
    assert moves(game) == 2


def test_htmx_gets_the_table_in_place(game: Game) -> None:
    turn = state_of(game).turn
    response = client_at(game, turn).post(
        url("answer", game),
        {"prompt": prompt_of(game, turn).pk, "act": "income"},
        headers={"HX-Request": "true"},
    )
    assert response.status_code == 200
    content = response.content.decode()
    assert "<title>" in content
    assert 'id="table"' in content
    assert "<html" not in content


@pytest.mark.parametrize("htmx", [False, True])
def test_a_stale_tab_is_told_what_happened(game: Game, htmx: bool) -> None:
    turn = state_of(game).turn
    say(game, turn, "tax")
    one, other = (seat for seat in range(3) if seat != turn)
    late = prompt_of(game, other)
    say(game, one, "challenge")
    before = moves(game)
    response = client_at(game, other).post(
        url("answer", game),
        {"prompt": late.pk, "answer": "allow", "seen": 2},
        headers={"HX-Request": "true"} if htmx else {},
    )
    page = response.content.decode()
    assert response.status_code == 409
    assert 'id="notice"' in page
    assert "challenges" in page
    assert moves(game) == before


BAD = [
    ({}, 400),
    ({"prompt": "x", "answer": "allow"}, 400),
    ({"prompt": "-1", "answer": "allow"}, 400),
    ({"prompt": "99999999999999999999999", "answer": "allow"}, 400),
    ({"answer": "income"}, 400),
    ({"prompt": "PROMPT"}, 400),
    ({"prompt": "PROMPT", "answer": "win"}, 400),
    ({"prompt": "PROMPT", "answer": "income" * 100}, 400),
    ({"prompt": "PROMPT", "answer": "block king"}, 400),
    ({"prompt": "PROMPT", "act": "coup"}, 400),
    ({"prompt": "PROMPT", "act": "coup", "target": "9"}, 400),
    ({"prompt": "PROMPT", "act": "coup", "target": "1"}, 422),
    ({"prompt": "PROMPT", "act": "steal", "target": "5"}, 422),
    ({"prompt": "PROMPT", "answer": "allow"}, 422),
    ({"prompt": "PROMPT", "answer": "resign"}, 422),
    ({"prompt": "PROMPT", "answer": "timeout"}, 422),
    ({"prompt": "PROMPT", "answer": "lose duke"}, 422),
    ({"prompt": "PROMPT", "answer": "keep duke,duke,duke"}, 422),
]


@pytest.mark.parametrize("htmx", [False, True])
@pytest.mark.parametrize(("form", "status"), BAD)
def test_bad_answers_get_words_and_change_nothing(
    game: Game, form: dict[str, str], status: int, htmx: bool
) -> None:
    turn = state_of(game).turn
    prompt = str(prompt_of(game, turn).pk)
    filled = {key: value.replace("PROMPT", prompt) for key, value in form.items()}
    headers = {"HX-Request": "true"} if htmx else {}
    response = client_at(game, turn).post(url("answer", game), filled, headers=headers)
    assert response.status_code == status
    assert 'id="notice"' in response.content.decode()
    assert moves(game) == 1


def test_what_cannot_be_kept_is_no_answer(game: Game) -> None:
    turn = state_of(game).turn
    form = {"prompt": str(prompt_of(game, turn).pk), "answer": "\x00"}
    assert client_at(game, turn).post(url("answer", game), form).status_code == 400
    assert moves(game) == 1


def test_an_oversized_form_is_refused(game: Game) -> None:
    turn = state_of(game).turn
    response = client_at(game, turn).post(
        url("answer", game), {"prompt": "1", "answer": "x" * 1_000_000}
    )
    assert response.status_code in (400, 413)
    assert moves(game) == 1


def test_a_prompt_of_another_seat_or_table_is_forbidden(game: Game) -> None:
    turn = state_of(game).turn
    elsewhere = running_game(2, seed=bytes(32))
    theirs = Prompt.objects.get(game=elsewhere, state=PromptState.OPEN)
    other = client_at(game, (turn + 1) % 3)
    for prompt in (prompt_of(game, turn), theirs):
        said = {"prompt": prompt.pk, "act": "income"}
        assert other.post(url("answer", game), said).status_code == 403
    for client in (Client(), _stranger()):
        said = {"prompt": prompt_of(game, turn).pk, "act": "income"}
        assert client.post(url("answer", game), said).status_code == 403
        assert client.post(url("leave", game)).status_code == 403
    assert moves(game) == 1


def test_a_private_table_is_not_found_by_posts_either(game: Game) -> None:
    Game.objects.filter(pk=game.pk).update(visibility=Visibility.PRIVATE)
    said = {"prompt": prompt_of(game, state_of(game).turn).pk, "act": "income"}
    for client in (Client(), _stranger()):
        for form in (said, {"prompt": "x"}):
            assert client.post(url("answer", game), form).status_code == 404
        assert client.post(url("leave", game)).status_code == 404
    assert moves(game) == 1


def _stranger() -> Client:
    client = Client()
    client.force_login(person("Zoe"))
    return client


def test_a_vanished_game_is_not_found() -> None:
    client = _stranger()
    for name in ("table", "fragment"):
        assert client.get(reverse(f"games:{name}", args=["nowhere"])).status_code == 404
    for name in ("answer", "leave"):
        response = client.post(
            reverse(f"games:{name}", args=["nowhere"]), {"prompt": 1, "answer": "allow"}
        )
        assert response.status_code == 404


def test_a_finished_game_takes_no_answer() -> None:
    game = running_game(2)
    turn = state_of(game).turn
    prompt = prompt_of(game, turn)
    client = client_at(game, turn)
    assert client.post(url("leave", game)).status_code == 302
    game.refresh_from_db()
    assert game.status == Status.OVER
    before = moves(game)
    said = {"prompt": prompt.pk, "act": "income"}
    assert client.post(url("answer", game), said).status_code == 409
    assert client.post(url("leave", game)).status_code == 409
    assert moves(game) == before


def test_a_post_without_its_token_is_refused(game: Game) -> None:
    turn = state_of(game).turn
    client = Client(enforce_csrf_checks=True)
    user = tenure_of(game, turn).user
    assert user is not None
    client.force_login(user)
    said = {"prompt": prompt_of(game, turn).pk, "act": "income"}
    assert client.post(url("answer", game), said).status_code == 403
    assert moves(game) == 1


def test_only_posts_change_anything(game: Game) -> None:
    client = client_at(game, 0)
    assert client.get(url("answer", game)).status_code == 405
    assert client.get(url("leave", game)).status_code == 405
    with CaptureQueriesContext(connection) as queries:
        client.get(url("table", game))
        client.get(url("fragment", game))
        client.get(url("table", game) + "?log=all")
    assert not [q for q in queries if q["sql"].startswith(WRITES)]


def test_nothing_new_is_said_in_no_bytes(game: Game) -> None:
    client = client_at(game, 0)
    page = client.get(url("table", game))
    tag = page.context["table"].tag
    assert client.get(url("fragment", game), {"seen": tag}).status_code == 204
    say(game, state_of(game).turn, "income")
    assert client.get(url("fragment", game), {"seen": tag}).status_code == 200


def test_a_page_costs_the_same_queries_however_long_the_game() -> None:
    random = Random(3)
    counts: dict[str, set[int]] = {"player": set(), "watcher": set()}
    for size, length in ((2, 0), (4, 12), (6, 40)):
        game = running_game(size, seed=random.randbytes(32))
        for _ in stir(game, random, length):
            pass
        prompt = Prompt.objects.filter(game=game, state=PromptState.OPEN).first()
        assert prompt is not None
        player = Client()
        assert prompt.tenure.user is not None
        player.force_login(prompt.tenure.user)
        for name, client in (("player", player), ("watcher", Client())):
            store.forget()
            with CaptureQueriesContext(connection) as queries:
                assert client.get(url("table", game)).status_code == 200
            counts[name].add(len(queries))
    assert [len(seen) for seen in counts.values()] == [1, 1]


def test_pages_are_never_kept_by_a_cache(game: Game) -> None:
    for name in ("table", "fragment"):
        response = client_at(game, 0).get(url(name, game))
        assert "no-store" in response["Cache-Control"]


def test_since_your_last_visit_begins_where_the_page_was_put_away(game: Game) -> None:
    client = client_at(game, 0)
    assert "you had read up to here" not in client.get(url("table", game)).content.decode()
    assert client.post(url("read", game), {"lines": 1}).status_code == 204
    say(game, state_of(game).turn, "income")
    assert "you had read up to here" in client.get(url("table", game)).content.decode()
    client.post(url("read", game), {"lines": 99})
    assert "you had read up to here" not in client.get(url("table", game)).content.decode()
    client.post(url("read", game), {"lines": 1})  # it never goes back
    assert tenure_of(game, 0).read_lines == 99


def test_reading_concerns_nobody_else(game: Game) -> None:
    before = Game.objects.filter(pk=game.pk).values().get()
    assert Client().post(url("read", game), {"lines": 3}).status_code == 204
    assert client_at(game, 1).post(url("read", game), {"lines": 3}).status_code == 204
    assert client_at(game, 1).post(url("read", game), {"lines": "x"}).status_code == 400
    assert Game.objects.filter(pk=game.pk).values().get() == before
    assert [tenure_of(game, seat).read_lines for seat in range(3)] == [0, 3, 0]


@pytest.mark.parametrize("htmx", [False, True])
def test_a_challenge_is_asked_about_once_more(game: Game, htmx: bool) -> None:
    turn = state_of(game).turn
    say(game, turn, "tax")
    one = (turn + 1) % 3
    client = client_at(game, one)
    said = {"prompt": prompt_of(game, one).pk, "answer": "challenge"}
    headers = {"HX-Request": "true"} if htmx else {}
    asked = client.post(url("answer", game), said, headers=headers)
    assert asked.status_code == 200
    assert 'name="sure"' in asked.content.decode()
    assert moves(game) == 2
    client.post(url("answer", game), said | {"sure": "on"}, headers=headers)
    assert moves(game) == 3


def test_the_second_question_can_be_switched_off(game: Game) -> None:
    turn = state_of(game).turn
    say(game, turn, "tax")
    one = (turn + 1) % 3
    client = client_at(game, one)
    user = tenure_of(game, one).user
    assert user is not None
    user.confirm_costly = False
    user.save()
    said = {"prompt": prompt_of(game, one).pk, "answer": "challenge"}
    assert client.post(url("answer", game), said).status_code == 302
    assert moves(game) == 3


def test_what_costs_little_is_not_asked_twice(game: Game) -> None:
    turn = state_of(game).turn
    said = {"prompt": prompt_of(game, turn).pk, "act": "tax"}
    assert client_at(game, turn).post(url("answer", game), said).status_code == 302


def test_a_stale_costly_answer_is_told_that_it_is_stale(game: Game) -> None:
    turn = state_of(game).turn
    say(game, turn, "tax")
    one, other = (seat for seat in range(3) if seat != turn)
    late = prompt_of(game, other)
    say(game, one, "challenge")
    said = {"prompt": late.pk, "answer": "challenge"}
    assert client_at(game, other).post(url("answer", game), said).status_code == 409


def test_the_whole_log_is_led_to_by_the_link_and_stays_whole() -> None:
    game = running_game(6)
    Game.objects.filter(pk=game.pk).update(watch=Watch.LINK)
    for _ in stir(game, Random(5), 90, late=0):
        pass
    link = f"?k={game.link_token}"
    short = Client().get(url("table", game) + link).content.decode()
    whole_url = f"{url('table', game)}{link}&log=all"
    assert f'href="{escape(whole_url)}#log"' in short
    whole = Client().get(whole_url).context["p"]
    assert len(whole.log) > 60
    headers = {"HX-Request": "true", "HX-Current-URL": f"http://testserver{whole_url}"}
    part = Client().get(url("fragment", game) + link, headers=headers).context["p"]
    assert part.log == whole.log


def test_a_beat_is_noted_of_players_alone_and_seen_by_nobody() -> None:
    game = running_game(3)
    url = f"/g/{game.public_id}/beat/"
    for name in ("Ana", "Zoe"):
        assert client_of(name).post(url).status_code == 204
    assert Client().post(url).status_code == 204
    assert client_of("Ana").get(url).status_code == 405
    now = timezone.now()
    watching = [
        name
        for name in ("Ana", "Ben", "Zoe")
        if beats.watches(user_id=person(name).pk, public_id=game.public_id, now=now)
    ]
    assert watching == ["Ana"]
    assert client_of("Ana").post("/g/nosuchtable/beat/").status_code == 204
