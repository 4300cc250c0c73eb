"""The measurement of a page and a move follows what these ask of the database."""

import subprocess
import sys

from django.conf import settings


def test_the_bare_view_does_the_statements_of_the_site() -> None:
    command = [sys.executable, "-m", "bench.web", "--rounds", "1"]
    run = subprocess.run(command, cwd=settings.BASE_DIR, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    assert [line.split(":")[0] for line in run.stdout.splitlines()] == ["web page", "web move"]
