"""The settings read the environment once, so each case is a process of its own."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from accounts import webpush

PRODUCTION = {
    "COUP_PRODUCTION": "1",
    "COUP_SECRET_KEY": "Zr4kq0Wm8sXy2LbT6vNd9cHf3jPg7aQe1uRi5oKtMzBxCwVn",
    "COUP_HOSTS": "coup.example",
    "COUP_MAIL_URL": "smtp://mail.example",
    "COUP_MAIL_FROM": "coup@coup.example",
    "REDIS_URL": "redis://redis.example",
}
PRODUCTION["COUP_SECRET_KEY"] += "0123456789"


def load(
    data: Path, environment: dict[str, str], show: str = "'loaded'"
) -> subprocess.CompletedProcess[str]:
    """Load the settings with this environment only, and print an expression about them."""
    own = {"PATH": os.environ["PATH"], "COUP_DATA_DIR": str(data)}
    code = f"from coupsite import settings; print({show})"
    return subprocess.run(
        [sys.executable, "-c", code], env=own | environment, capture_output=True, text=True
    )


def test_a_laptop_needs_no_variables(tmp_path: Path) -> None:
    done = load(tmp_path, {}, "settings.DEBUG, settings.DATABASES['default']['NAME'].name")
    assert done.stdout.strip() == "False db.sqlite3", done.stderr


def test_a_laptop_keeps_its_secret_key_to_itself(tmp_path: Path) -> None:
    keys = {load(tmp_path, {}, "settings.SECRET_KEY").stdout for _ in range(2)}
    assert len(keys) == 1
    assert len(keys.pop()) > 50
    assert (tmp_path / "secret_key").stat().st_mode & 0o077 == 0


def test_a_laptop_pushes_by_one_key_and_keeps_it_to_itself(tmp_path: Path) -> None:
    keys = {load(tmp_path, {}, "settings.PUSH_KEY").stdout.strip() for _ in range(2)}
    assert len(keys) == 1
    assert len(webpush.point(webpush.private_key(keys.pop()))) == 65
    assert (tmp_path / "push_key").stat().st_mode & 0o077 == 0


def test_production_pushes_by_its_key_or_not_at_all(tmp_path: Path) -> None:
    shown = "settings.PUSH_KEY, settings.PUSH_CONTACT"
    assert load(tmp_path, PRODUCTION, shown).stdout == " mailto:coup@coup.example\n"
    key = webpush.new_key()
    own = {"COUP_PUSH_PRIVATE_KEY": key, "COUP_PUSH_CONTACT": "https://coup.example/contact/"}
    done = load(tmp_path, PRODUCTION | own, shown)
    assert done.stdout == f"{key} https://coup.example/contact/\n", done.stderr


def test_production_starts_when_all_is_set(tmp_path: Path) -> None:
    shown = "settings.DEBUG, settings.SESSION_COOKIE_SECURE, settings.SECURE_SSL_REDIRECT"
    done = load(tmp_path, PRODUCTION, shown)
    assert done.stdout.strip() == "False True True", done.stderr
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("COUP_SECRET_KEY", ""),
        ("COUP_SECRET_KEY", "short"),
        ("COUP_SECRET_KEY", "x" * 60),
        ("COUP_HOSTS", ""),
        ("COUP_HOSTS", "*"),
        ("COUP_MAIL_URL", ""),
        ("COUP_MAIL_FROM", ""),
        ("REDIS_URL", ""),
        ("COUP_DEBUG", "1"),
    ],
)
def test_production_refuses_what_is_insecure(tmp_path: Path, variable: str, value: str) -> None:
    done = load(tmp_path, PRODUCTION | {variable: value})
    assert done.returncode != 0
    assert "ImproperlyConfigured" in done.stderr
    assert variable in done.stderr.splitlines()[-1]


def test_one_process_needs_no_redis(tmp_path: Path) -> None:
    done = load(tmp_path, PRODUCTION | {"REDIS_URL": "", "COUP_ONE_PROCESS": "1"})
    assert done.stdout.strip() == "loaded", done.stderr


def test_a_database_url_is_taken_apart(tmp_path: Path) -> None:
    url = "postgresql://us%40er:p%2Fw@db.example:5433/coup?sslmode=require"
    database = "settings.DATABASES['default']"
    fields = ("USER", "PASSWORD", "HOST", "PORT", "NAME")
    shown = f"[*map({database}.get, {fields}), {database}['OPTIONS']['sslmode']]"
    done = load(tmp_path, {"DATABASE_URL": url}, shown)
    assert done.stdout.strip() == str(["us@er", "p/w", "db.example", "5433", "coup", "require"])


@pytest.mark.parametrize(
    "environment",
    [
        {"DATABASE_URL": "mysql://db.example/coup"},
        {"COUP_MAIL_URL": "http://mail.example"},
        {"COUP_PRODUCTION": "perhaps"},
        {"COUP_PUSH_PRIVATE_KEY": "not a key"},
        {"COUP_PUSH_CONTACT": "me@example.org"},
    ],
)
def test_nonsense_is_refused_in_words(tmp_path: Path, environment: dict[str, str]) -> None:
    done = load(tmp_path, environment)
    assert "ImproperlyConfigured" in done.stderr
    assert next(iter(environment)) in done.stderr.splitlines()[-1]


def test_a_folder_that_cannot_be_written_to_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    done = load(tmp_path / "file" / "data", {})
    assert "Set COUP_DATA_DIR to a folder that can." in done.stderr
