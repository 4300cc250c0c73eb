"""What every test stands on."""

from pathlib import Path

import pytest
from django.conf import settings
from django.core.cache import cache


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--scenarios", help="run the rule scenarios of this folder instead of ours")


@pytest.fixture(scope="session")
def django_db_modify_db_settings(
    django_db_modify_db_settings_parallel_suffix: None, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """SQLite in a file of this run's own: like on a laptop, threads wait for each other's locks,
    which the in-memory database does not do; and two runs at once do not meet."""
    database = settings.DATABASES["default"]
    if database["ENGINE"].endswith("sqlite3"):
        database["TEST"]["NAME"] = str(tmp_path_factory.mktemp("db") / "test.sqlite3")


@pytest.fixture(autouse=True)
def _fresh_cache() -> None:
    """Rate limits live in the cache: no test inherits another's."""
    cache.clear()


@pytest.fixture(scope="session")
def root() -> Path:
    return Path(settings.BASE_DIR)
