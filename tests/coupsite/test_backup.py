"""A backup is the whole site: what is restored plays on, and verify_games finds it true."""

import subprocess
from io import StringIO
from pathlib import Path
from random import Random

import pytest
from django.core.management import CommandError, call_command

from games.models import Game
from tests.elsewhere import python
from tests.games.cast import running_game, stir

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.services]


def manage(environment: dict[str, str], *arguments: str) -> subprocess.CompletedProcess[str]:
    return python(environment, "manage.py", *arguments)


def test_what_is_restored_is_what_was_backed_up(tmp_path: Path, empty: dict[str, str]) -> None:
    game = running_game(4)
    list(stir(game, Random(1), 25))
    finished = running_game(3, seed=b"z" * 32)
    list(stir(finished, Random(2), 3000))
    file = tmp_path / "copy"
    call_command("backup", file, stdout=StringIO())
    assert file.stat().st_mode & 0o077 == 0
    list(stir(game, Random(3), 5))  # what happens later is not in it

    done = manage(empty, "backup", str(file), "--restore")
    assert done.returncode == 0, done.stderr
    assert "2 games replayed, 0 differ" in done.stdout
    code = (
        "from games.models import Game;"
        f"print(Game.objects.get(public_id='{game.public_id}').last_move)"
    )
    assert manage(empty, "shell", "--no-imports", "--command", code).stdout.strip() == "25"
    assert Game.objects.get(pk=game.pk).last_move == 30

    again = manage(empty, "backup", str(file), "--restore")
    assert again.returncode == 1
    assert "not empty" in again.stderr


def test_a_file_that_is_there_is_not_overwritten(tmp_path: Path) -> None:
    file = tmp_path / "copy"
    file.write_text("mine")
    with pytest.raises(CommandError, match="cannot be written"):
        call_command("backup", file)
    assert file.read_text() == "mine"


def test_what_is_not_there_is_not_restored(tmp_path: Path, empty: dict[str, str]) -> None:
    done = manage(empty, "backup", str(tmp_path / "nothing"), "--restore")
    assert done.returncode == 1
    assert "There is no file" in done.stderr
