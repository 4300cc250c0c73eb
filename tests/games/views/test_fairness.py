"""Anybody can check the luck of an ended game, with a script that uses nothing of ours."""

import json
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest
from django.conf import settings
from django.test import Client

from games import halts, store
from games.models import Game, Halt, Visibility, Watch
from tests.games.cast import NOON, person, running_game, stir

pytestmark = pytest.mark.django_db

SCRIPT = settings.BASE_DIR / "coupsite" / "static" / "check_draws.py"


def finished(size: int, seed: int) -> Game:
    game = running_game(size, inquisitor=seed % 2 == 0, factions=seed % 3 == 0)
    list(stir(game, Random(seed), 3000))
    game.refresh_from_db()
    return game


def draws_of(client: Client, game: Game) -> dict[str, Any]:
    response = client.get(f"/g/{game.public_id}/draws/")
    assert response.status_code == 200
    return dict(response.json())


def check(draws: dict[str, Any], folder: Path) -> subprocess.CompletedProcess[str]:
    file = folder / "draws.json"
    file.write_text(json.dumps(draws))
    return subprocess.run(
        [sys.executable, "-I", SCRIPT, file], capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize("seed", range(6))
def test_the_script_finds_a_game_true(client: Client, tmp_path: Path, seed: int) -> None:
    draws = draws_of(client, finished(2 + seed % 5, seed))
    result = check(draws, tmp_path)
    assert result.returncode == 0, result.stderr
    assert f"All {len(draws['moves'])} moves" in result.stdout


@pytest.mark.parametrize("cancelled", [False, True])
def test_the_script_understands_a_game_that_was_taken_back(
    client: Client, tmp_path: Path, cancelled: bool
) -> None:
    game, random = running_game(3), Random(4)
    for _round in range(3):
        list(stir(game, random, 8))
        game.refresh_from_db()
        moments = store.moments(store.load(game))
        version = random.choice(moments).version
        halts.take_back(public_id=game.public_id, version=version, now=NOON)
    if cancelled:
        halts.cancel(public_id=game.public_id, now=NOON, source=Halt.MODERATOR)
    else:
        list(stir(game, random, 3000))
    draws = draws_of(client, game)
    assert any(move["undone"] for move in draws["moves"])
    assert f"All {len(draws['moves'])} moves" in check(draws, tmp_path).stdout


def shuffles(draws: dict[str, Any]) -> list[dict[str, Any]]:
    return [draw for move in draws["moves"] for draw in move["draws"] if "shuffled" in draw]


def test_the_script_finds_what_was_changed(client: Client, tmp_path: Path) -> None:
    draws = draws_of(client, finished(4, 3))
    assert len(shuffles(draws)) > 2

    def tampered(change: Any) -> str:
        copy = json.loads(json.dumps(draws))
        change(copy)
        result = check(copy, tmp_path)
        assert result.returncode != 0
        return result.stderr

    def swap(cards: list[str]) -> None:
        other = next(at for at, card in enumerate(cards) if card != cards[0])
        cards[0], cards[other] = cards[other], cards[0]

    assert "promised" in tampered(lambda d: d.update(seed="00" * 32))
    assert "secret number says" in tampered(lambda d: d["names"].reverse())
    assert "secret number says" in tampered(lambda d: swap(shuffles(d)[0]["shuffled"]))
    # A deck stacked before the shuffle: the draw is right, and what was drawn from is not.
    assert "secret number says" in tampered(lambda d: swap(shuffles(d)[1]["from"]))


def test_a_stacked_deck_does_not_go_through(client: Client, tmp_path: Path) -> None:
    """Cards exchanged before a shuffle that is then done honestly."""
    draws = draws_of(client, finished(4, 3))
    second = shuffles(draws)[1]
    before = list(second["from"])
    other = next(at for at, card in enumerate(before) if card != before[0])
    names = {before[0]: before[other], before[other]: before[0]}
    second["from"] = [names.get(card, card) for card in before]
    second["shuffled"] = [names.get(card, card) for card in second["shuffled"]]
    result = check(draws, tmp_path)
    assert "the deck lay otherwise" in result.stderr


def test_nobody_learns_a_draw_before_the_end(client: Client) -> None:
    game = running_game(3)
    client.force_login(person("Ana"))
    response = client.get(f"/g/{game.public_id}/draws/")
    assert response.status_code == 403


def test_a_private_game_stays_with_those_who_played(client: Client) -> None:
    game = finished(3, 5)
    Game.objects.filter(pk=game.pk).update(visibility=Visibility.PRIVATE, watch=Watch.PLAYERS)
    assert client.get(f"/g/{game.public_id}/draws/").status_code == 404
    client.force_login(person("Ana"))
    assert client.get(f"/g/{game.public_id}/draws/").status_code == 200


def test_the_page_says_how(client: Client) -> None:
    page = client.get("/fair/")
    assert page.status_code == 200
    assert "check_draws.py" in page.text
