"""`manage.py worker`, as a process of its own beside others, on a database in a file."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from django.conf import settings

SETUP = """
from django.utils import timezone
from accounts.models import User
from games import lobby
from games.models import BotKind
from games.timing import Pace

plan = lobby.Plan(size=2, pace=Pace.PRACTICE, bots=[BotKind.HONEST])
ana = User.objects.create_user("Ana", "ana@example.org")
number, asked = 0, 0
while not asked:  # until the bot begins
    game = lobby.open_table(host=ana, plan=plan, seed=bytes([number] * 32), now=timezone.now())
    asked = game.prompts.filter(state="open").exclude(tenure__bot="").count()
    number += 1
print(game.public_id)
"""

LOOK = """
import time
from games.models import Game
game = Game.objects.get(public_id={public_id!r})
for _ in range(1200):
    if game.prompts.filter(tenure__user__isnull=False, state="open").exists():
        break
    time.sleep(0.1)
print(list(game.prompts.filter(state="answered").values_list("answered_by", flat=True)))
"""


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    env = {"PATH": os.environ["PATH"], "COUP_DATA_DIR": str(tmp_path)}
    manage(env, "migrate", "-v0")
    return env


def manage(env: dict[str, str], *command: str) -> str:
    done = subprocess.run(
        [sys.executable, "manage.py", *command],
        cwd=settings.BASE_DIR,
        env=env,
        check=True,
        capture_output=True,
        text=True,
    )
    return done.stdout.strip()


def shell(env: dict[str, str], script: str) -> str:
    return manage(env, "shell", "--no-imports", "-c", script)


@contextmanager
def working(env: dict[str, str]) -> Iterator["subprocess.Popen[str]"]:
    """A worker that has begun."""
    worker = subprocess.Popen(
        [sys.executable, "manage.py", "worker"],
        cwd=settings.BASE_DIR,
        env=env,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        assert worker.stdout is not None
        begun = iter(worker.stdout.readline, "")
        assert any("The worker works" in line for line in begun)
        yield worker
    finally:
        worker.kill()
        worker.communicate()


def ends(worker: "subprocess.Popen[str]", number: signal.Signals) -> None:
    worker.send_signal(number)
    said, _ = worker.communicate(timeout=120)
    assert worker.returncode == 0, said
    assert "Traceback" not in said


def test_two_at_once_let_a_bot_answer_once_and_end_when_told(environment: dict[str, str]) -> None:
    public_id = shell(environment, SETUP)
    with working(environment) as one, working(environment) as other:
        assert shell(environment, LOOK.format(public_id=public_id)) == "['bot']"
        ends(one, signal.SIGTERM)
        ends(other, signal.SIGINT)
    assert "0 differ" in manage(environment, "verify_games")
