"""A site of a test's own, beside that of the test run: commands act on it as processes."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

from django.conf import settings
from django.db import connection


@contextmanager
def empty_site(folder: Path) -> Iterator[dict[str, str]]:
    """The environment of a site whose database is empty, of the kind that this run has."""
    own = os.environ | {"COUP_DATA_DIR": str(folder), "REDIS_URL": ""}
    if connection.vendor == "sqlite":
        yield own | {"DATABASE_URL": ""}
        return
    where: dict[str, Any] = connection.settings_dict
    name = f"elsewhere_{os.getpid()}"
    with connection.cursor() as cursor:
        cursor.execute(f"CREATE DATABASE {name}")
    password = f":{quote(where['PASSWORD'])}" if where["PASSWORD"] else ""
    host = f"{where['USER']}{password}@{where['HOST']}:{where['PORT']}"
    yield own | {"DATABASE_URL": f"postgresql://{host}/{name}"}
    with connection.cursor() as cursor:
        cursor.execute(f"DROP DATABASE {name} WITH (FORCE)")


def python(environment: dict[str, str], *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run Python at that site."""
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=settings.BASE_DIR,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
