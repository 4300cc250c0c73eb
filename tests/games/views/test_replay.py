"""The pages of a replay."""

import re
from random import Random

import pytest
from django.conf import settings
from django.test import Client
from django.utils import translation
from pytest_django import DjangoAssertNumQueries

from games import lobby
from games.chance import commitment
from games.models import Game, Status, Visibility
from games.replay import replay
from games.timing import Pace
from tests.games.cast import NOON, SEED, person, running_game, say, state_of, stir

pytestmark = pytest.mark.django_db


def finished(size: int = 3, seed: int = 1, moves: int = 3000) -> Game:
    game = running_game(size, inquisitor=seed % 2 == 0, factions=seed % 3 == 0)
    list(stir(game, Random(seed), moves))
    game.refresh_from_db()
    return game


def url(game: Game, step: int | None = None) -> str:
    return f"/g/{game.public_id}/replay/" + ("" if step is None else f"{step}/")


def steps_of(game: Game) -> int:
    return len(replay(game, user_id=person("Ana").pk).moments)


def text_of(html: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", "", html).split())


@pytest.mark.parametrize("seed", range(4))
def test_every_step_has_a_page(client: Client, seed: int) -> None:
    game = finished(2 + seed, seed)
    count = steps_of(game)
    for step in range(1, count + 1):
        response = client.get(url(game, step))
        assert response.status_code == 200
        page = response.text
        assert f"Step {step} of {count}" in page
        assert page.count('aria-current="step"') == 1
        assert 'style="' not in page
        assert "None" not in text_of(page.partition("<main")[2])
    assert f"Step 1 of {count}" in client.get(url(game)).text


def test_steps_lead_to_each_other(client: Client) -> None:
    game = finished()
    count = steps_of(game)
    first, second, last = (client.get(url(game, step)).text for step in (1, 2, count))
    assert 'rel="prev"' not in first
    assert f'rel="next" aria-keyshortcuts="ArrowRight" href="{url(game, 2)}"' in first
    assert f'rel="prev" aria-keyshortcuts="ArrowLeft" href="{url(game, 1)}"' in second
    assert f'aria-keyshortcuts="End" href="{url(game, count)}"' in second
    assert 'rel="next"' not in last
    for step in range(1, count + 1):
        assert f'href="{url(game, step)}"' in first


def test_a_turn_leads_to_its_first_step(client: Client) -> None:
    game = finished()
    turns = replay(game, user_id=person("Ana").pk).turns
    for turn, (number, _seat) in enumerate(turns, 1):
        assert client.get(url(game), {"turn": turn}).headers["Location"] == url(game, number)
    for turn in ("0", str(len(turns) + 1), "x", "-1", "٣", ""):
        assert client.get(url(game), {"turn": turn}).status_code == 404


def test_a_link_stays_with_every_step(client: Client) -> None:
    game = finished()
    Game.objects.filter(pk=game.pk).update(watch="link")
    key = {"k": game.link_token}
    assert client.get(url(game)).status_code == 403
    page = client.get(url(game), key).text
    assert f'href="{url(game, 2)}?k={game.link_token}"' in page
    assert f'name="k" value="{game.link_token}"' in page
    to = client.get(url(game), {"turn": 2, **key}).headers["Location"]
    assert client.get(to).status_code == 200


def test_beyond_the_end_it_says_so(client: Client) -> None:
    game = finished()
    for step in (0, steps_of(game) + 1, 10**9):
        response = client.get(url(game, step))
        assert response.status_code == 404
        assert "There is no such step." in response.text


def test_a_game_that_goes_on_has_no_replay_for_anybody(client: Client) -> None:
    game = running_game(3)
    for who in (None, "Ana", "Zoe"):
        if who:
            client.force_login(person(who))
        for step in (None, 1):
            assert client.get(url(game, step), {"k": game.link_token}).status_code == 404


def test_an_open_and_a_cancelled_table_have_none(client: Client) -> None:
    plan = lobby.Plan(size=2, pace=Pace.DAILY)
    table = lobby.open_table(host=person("Ana"), plan=plan, seed=SEED, now=NOON)
    client.force_login(person("Ana"))
    assert client.get(url(table)).status_code == 404
    lobby.cancel(public_id=table.public_id, host=person("Ana"), now=NOON)
    assert client.get(url(table)).status_code == 404


def test_a_private_game_stays_with_its_players(client: Client) -> None:
    game = finished()
    Game.objects.filter(pk=game.pk).update(visibility=Visibility.PRIVATE)
    assert client.get(url(game), {"k": game.link_token}).status_code == 404
    client.force_login(person("Zoe"))
    assert client.get(url(game)).status_code == 404
    client.force_login(person("Ben"))
    assert client.get(url(game)).status_code == 200


def test_only_reading_is_offered(client: Client) -> None:
    assert client.post(url(finished())).status_code == 405


def test_a_void_block_is_told_afterwards_and_not_before(client: Client) -> None:
    game = running_game(3)
    first = state_of(game).turn
    target, third = (first + 1) % 3, (first + 2) % 3
    say(game, first, f"steal {target}")
    say(game, target, "block captain")
    say(game, third, "challenge")
    name = ("Ana", "Ben", "Cyd")[target]
    meant = f"{name} means to block as Captain, sealed."
    for who in (first, third):
        client.force_login(person(("Ana", "Ben", "Cyd")[who]))
        assert meant not in text_of(client.get(f"/g/{game.public_id}/?log=all").text)
    client.logout()
    assert meant not in text_of(client.get(f"/g/{game.public_id}/?log=all").text)
    list(stir(game, Random(1), 3000))
    game.refresh_from_db()
    assert game.status == Status.OVER
    final = replay(game, user_id=None)
    void = next(truth for truth in final.truths if truth.blocking)
    page = text_of(client.get(url(game, void.moment)).text)
    assert meant in page
    assert "Void: nobody learned it before the end." in page
    assert "sealed, and never told" in page


def test_the_seed_is_shown_with_what_was_promised_of_it(client: Client) -> None:
    game = finished()
    page = client.get(url(game)).text
    assert SEED.hex() in page
    assert commitment(SEED) in page


def test_names_are_escaped(client: Client) -> None:
    game = finished()
    person("Ben")
    type(person("Ben")).objects.filter(name="Ben").update(name="<i>B&n")
    page = client.get(url(game)).text
    assert "<i>B" not in page
    assert "&lt;i&gt;B&amp;n" in page


def test_numbers_in_drawings_have_points_in_every_language(client: Client) -> None:
    game = finished()
    with translation.override("fr"):
        drawings = re.findall(r'<svg class="plot".*?</svg>', client.get(url(game)).text, re.S)
    assert len(drawings) == 3
    for attribute in re.findall(r' (?:d|cx|cy|x|y|width|height)="([^"]*)"', "".join(drawings)):
        assert re.fullmatch(r"[-MHVlm0-9. ]+", attribute), attribute


@pytest.mark.usefixtures("pseudo_languages")
@pytest.mark.parametrize("language", ["en", "en-xa", "ar-xb"])
def test_it_speaks_every_language(client: Client, language: str) -> None:
    game = finished()
    for step in (1, steps_of(game)):
        response = client.get(url(game, step), headers={"Accept-Language": language})
        assert response.status_code == 200
        assert f'lang="{language}"' in response.text
    assert language in dict(settings.LANGUAGES)


def test_a_long_game_asks_the_database_no_more_than_a_short_one(
    client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    games = sorted((finished(2, 1), finished(6, 4)), key=steps_of)
    assert steps_of(games[1]) > steps_of(games[0])
    for game in games:
        with django_assert_num_queries(4):
            client.get(url(game, 3))


def test_the_finished_table_leads_here(client: Client) -> None:
    game = finished()
    table = client.get(f"/g/{game.public_id}/").text
    assert f'href="{url(game)}"' in table
    assert f'href="{url(game)}#draw"' in table
