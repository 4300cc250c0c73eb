"""A backup is the whole site: what is restored plays on, and verify_games finds it true."""

import os
import subprocess
import sys
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import quote

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from django.db import connection

from games.models import Game
from tests.games.cast import running_game, stir

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.services]


@pytest.fixture
def empty(tmp_path: Path) -> Iterator[dict[str, str]]:
    """The environment of a site whose database is empty, of the kind that this run has."""
    own = os.environ | {"COUP_DATA_DIR": str(tmp_path), "REDIS_URL": ""}
    if connection.vendor == "sqlite":
        yield own | {"DATABASE_URL": ""}
        return
    where: dict[str, Any] = connection.settings_dict
    name = f"restored_{os.getpid()}"
    with connection.cursor() as cursor:
        cursor.execute(f"CREATE DATABASE {name}")
    password = f":{quote(where['PASSWORD'])}" if where["PASSWORD"] else ""
    host = f"{where['USER']}{password}@{where['HOST']}:{where['PORT']}"
    yield own | {"DATABASE_URL": f"postgresql://{host}/{name}"}
    with connection.cursor() as cursor:
        cursor.execute(f"DROP DATABASE {name} WITH (FORCE)")


def manage(environment: dict[str, str], *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=settings.BASE_DIR,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


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
