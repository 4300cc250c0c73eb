"""What every test stands on."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import hypothesis
import pytest
from django.conf import settings
from django.core.cache import cache
from django.db import connection
from pytest_django import DjangoDbBlocker, Settings

from coupsite.catalogues import compile_catalogues
from tests.elsewhere import empty_site

# Properties are looked for among the same examples each time, however slow the machine: what a run
# finds hangs on what was changed, and on nothing else. `make fuzz` looks further.
hypothesis.settings.register_profile(
    "everywhere",
    derandomize=True,
    deadline=None,
    suppress_health_check=[hypothesis.HealthCheck.too_slow],
)
hypothesis.settings.load_profile("everywhere")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--scenarios", help="run the rule scenarios of this folder instead of ours")
    parser.addoption("--fuzz-steps", type=int, default=0, help="fuzz for so many steps")
    parser.addoption(
        "--write-matrix", nargs="?", const="/", help="write down what everybody is answered now"
    )


@pytest.fixture(scope="session")
def django_db_modify_db_settings(
    django_db_modify_db_settings_parallel_suffix: None, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """SQLite in a file of this run's own: like on a laptop, threads wait for each other's locks,
    which the in-memory database does not do; and two runs at once do not meet."""
    database = settings.DATABASES["default"]
    if database["ENGINE"].endswith("sqlite3"):
        database["TEST"]["NAME"] = str(tmp_path_factory.mktemp("db") / "test.sqlite3")


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> None:
    """Tests with transactions of their own end by emptying all tables: for them the triggers that
    keep the audit log are taken down. That fails if the migrations have not put them up."""
    from games.models import audit_guard

    with django_db_blocker.unblock():
        audit_guard.take_down(connection)


@pytest.fixture
def write_matrix(request: pytest.FixtureRequest) -> str | None:
    """The part of an address of which the rows are to be written anew, if any."""
    part: str | None = request.config.getoption("--write-matrix")
    return part


@pytest.fixture(autouse=True)
def _nothing_left() -> None:
    """No test inherits another's rate limits, nor what the worker and the sockets of this process
    remember: until when a mail server is left alone, say, which may be years."""
    from games import consumers, drive
    from games.notify import outbox

    cache.clear()
    for remembered in (outbox._RESTING, drive._BROKEN, consumers._open):
        remembered.clear()


@pytest.fixture
def empty(tmp_path: Path, transactional_db: None) -> Iterator[dict[str, str]]:
    """The environment of another site, whose database is empty."""
    with empty_site(tmp_path) as environment:
        yield environment


@pytest.fixture
def pseudo_languages(tmp_path: Path, settings: Settings) -> None:
    """Turn on `en-xa` (accented, longer) and `ar-xb` (right to left), fresh from the catalogue."""
    shutil.copytree(settings.LOCALE_PATHS[0], tmp_path / "locale")
    settings.LOCALE_PATHS = [tmp_path / "locale"]
    settings.LANGUAGES = settings.LANGUAGES + settings.PSEUDO_LANGUAGES
    compile_catalogues()
