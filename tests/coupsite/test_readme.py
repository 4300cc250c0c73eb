"""What README.md names is there: variables, commands, files."""

import re
from pathlib import Path

from django.conf import settings
from django.core.management import get_commands

ROOT = Path(settings.BASE_DIR)
README = (ROOT / "README.md").read_text()
OURS = {"accounts", "coupsite", "games"}

VARIABLE = re.compile(r'"(COUP_[A-Z_]+|[A-Z]+_URL|HOST|PORT)"')


def test_every_variable_is_listed_and_no_other() -> None:
    sources = [path for room in OURS for path in (ROOT / room).rglob("*.py")]
    read = {name for path in sources for name in VARIABLE.findall(path.read_text())}
    rows = re.findall(r"^\| (`[A-Z].*?) \|", README, re.MULTILINE)
    listed = {name for row in rows for name in re.findall(r"`([A-Z_]+)`", row)}
    assert listed == read


def test_every_command_is_listed_and_no_other() -> None:
    ours = {name for name, app in get_commands().items() if str(app) in OURS}
    assert set(re.findall(r"^\| `([a-z_]+)` \|", README, re.MULTILINE)) == ours
    make = (ROOT / "Makefile").read_text()
    for target in re.findall(r"`make ([a-z-]+)", README):
        assert re.search(rf"^{target}:", make, re.MULTILINE), target


def test_every_file_exists() -> None:
    links = re.findall(r"\]\(((?!http)[^)]+)\)|src=\"([^\"]+)\"", README)
    assert len(links) >= 8
    for link in links:
        assert (ROOT / "".join(link)).is_file(), link
