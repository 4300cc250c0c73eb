"""The whole database in a file, and back: by SQLite's own copy, or PostgreSQL's own tools."""

import contextlib
import os
import sqlite3
import subprocess
from pathlib import Path
from typing import Any

from django.db import connection


class CannotBackUp(Exception):
    """What is in the way, in words for whoever sits at the terminal."""


def back_up(file: Path) -> None:
    """Write everything to `file`, readable by its owner alone, while the site runs on.

    It holds the seeds of running games, addresses and password hashes.
    """
    try:
        os.close(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    except OSError as error:
        raise CannotBackUp(f"{file} cannot be written: {error.strerror}.") from None
    try:
        if connection.vendor == "sqlite":
            connection.ensure_connection()
            with contextlib.closing(sqlite3.connect(file)) as copy:
                connection.connection.backup(copy)
        else:
            _run("pg_dump", "--format=custom", "--no-owner", f"--file={file}")
    except BaseException:
        file.unlink()
        raise


def restore(file: Path) -> None:
    """Make the database what it was when `file` was written. It must be empty: no table in it."""
    if not file.is_file():
        raise CannotBackUp(f"There is no file {file}.")
    if connection.introspection.table_names():
        raise CannotBackUp("The database is not empty: restore into a new one.")
    if connection.vendor == "sqlite":
        with contextlib.closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as copy:
            if copy.execute("PRAGMA integrity_check").fetchone() != ("ok",):
                raise CannotBackUp(f"{file} is damaged.")
            connection.ensure_connection()
            copy.backup(connection.connection)
        # Its pages were replaced under the connection.
        connection.close()
    else:
        _run(
            "pg_restore", "--no-owner", "--exit-on-error", "--single-transaction",
            f"--dbname={connection.settings_dict['NAME']}", str(file),
        )  # fmt: skip


def _run(program: str, *arguments: str) -> None:
    """One of PostgreSQL's programs, on our database; the password goes by the environment."""
    own: dict[str, Any] = connection.settings_dict
    names = {"PGHOST": "HOST", "PGPORT": "PORT", "PGUSER": "USER", "PGPASSWORD": "PASSWORD"}
    environment = {name: str(own[key]) for name, key in names.items() if own[key]}
    environment["PGDATABASE"] = own["NAME"]
    try:
        done = subprocess.run(  # noqa: S603  fixed programs, no shell
            [program, *arguments],
            env=os.environ | environment,
            capture_output=True,
            text=True,
            check=False,
        )
    except FileNotFoundError:
        raise CannotBackUp(f"{program} is not here: install PostgreSQL's client.") from None
    if done.returncode:
        raise CannotBackUp(done.stderr.strip() or f"{program} failed.")
