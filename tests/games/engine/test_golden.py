"""Whole games as every viewer sees them, kept in golden/: a leak or a changed rule shows as a diff.

    python -m tests.games.engine.test_golden        writes the files anew; read the diff

A file lists what each step changes in the view of each viewer. A line names the viewers that see
the change (seats by number, `-` for a spectator), the field, and its new value; `log` lines are
those of the record.
"""

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from enum import Enum
from pathlib import Path
from typing import Any

import pytest
from msgspec import Struct

from games.engine.cards import Options
from games.engine.commands import Command, text
from games.engine.events import Event
from games.engine.observation import describe, observe
from games.engine.state import State
from games.engine.view import SPECTATOR, Line, LineKind

from .random_games import Luck, opening, steps

FOLDER = Path(__file__).parent / "golden"
NAMES = ("ann", "ben", "cyd", "dan", "eve", "fay")

# Seeds picked so that the games tell much in few steps, and every kind of line between them.
GAMES: dict[str, tuple[Options, str]] = {
    "base-2-first-player-one": (Options(2), "50"),
    "base-2-both-one": (Options(2, both_one=True), "50"),
    "base-3": (Options(3), "6"),
    "base-4": (Options(4), "22"),
    "base-6": (Options(6), "50"),
    "inquisitor-3": (Options(3, inquisitor=True), "13"),
    "inquisitor-4": (Options(4, inquisitor=True), "43"),
    "factions-4": (Options(4, factions=True), "9"),
    "factions-6": (Options(6, factions=True), "32"),
    "both-3": (Options(3, inquisitor=True, factions=True), "43"),
    "both-4": (Options(4, inquisitor=True, factions=True), "34"),
}


def playthrough(options: Options, seed: str) -> str:
    """The whole game, as the file has it."""
    luck = Luck(seed)
    dealt, state = opening(options, luck)
    viewers = (*range(options.players), SPECTATOR)
    seen: dict[int, dict[str, str]] = {viewer: {} for viewer in viewers}
    lines = [f"# {options}", "", "deal", *_told(dealt, viewers), *_shown(state, seen)]
    for number, step in enumerate(steps(state, luck, odd=0.05), 1):
        lines += ["", f"{number} {NAMES[step.seat]}: {text(step.command, NAMES)}"]
        for event in step.events:
            lines += _told(event, viewers)
        lines += _shown(step.after, seen)
    return "\n".join(lines) + "\n"


def _told(event: Event, viewers: tuple[int, ...]) -> Iterator[str]:
    told: dict[str, list[int]] = {}
    for viewer in viewers:
        if line := describe(event, viewer):
            told.setdefault(_words(line), []).append(viewer)
    for words, readers in told.items():
        yield f"  {_who(readers)} log {words}"


def _words(line: Line) -> str:
    said = [f"{name}={value}" for name, value in _flat(line, "") if value not in ("", "none")]
    return " ".join(said)


def _shown(state: State, seen: dict[int, dict[str, str]]) -> Iterator[str]:
    """What has changed since the views in `seen`, which are brought up to date."""
    changes: dict[tuple[str, str], list[int]] = {}
    for viewer, before in seen.items():
        now = dict(_flat(observe(state, viewer), ""))
        del now["viewer"]
        for field in {**before, **now}:
            if before.get(field) != now.get(field):
                changes.setdefault((field, now.get(field, "(gone)")), []).append(viewer)
        seen[viewer] = now
    for (field, value), viewers in sorted(changes.items()):
        yield f"  {_who(viewers)} {field} {value}".rstrip()


def _who(viewers: list[int]) -> str:
    return "".join("-" if viewer == SPECTATOR else str(viewer) for viewer in viewers).ljust(7)


def _fields(value: Any) -> tuple[str, ...]:
    """The names of a record's fields; () of anything else."""
    if isinstance(value, Struct):
        return value.__struct_fields__
    if is_dataclass(value) and not isinstance(value, type):
        return tuple(field.name for field in fields(value))
    return ()


def _flat(value: Any, path: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, Command):
        yield path, text(value, NAMES)
    elif isinstance(value, tuple) and any(isinstance(item, Command) for item in value):
        yield path, ", ".join(text(command, NAMES) for command in value)
    elif names := _fields(value):
        for name in names:
            yield from _flat(getattr(value, name), f"{path}.{name}".lstrip("."))
    elif isinstance(value, tuple) and any(_fields(item) for item in value):
        for number, item in enumerate(value):
            yield from _flat(item, f"{path}.{number}")
    elif isinstance(value, tuple):
        yield path, ",".join(str(item) for item in value)
    else:
        yield path, str(value) if isinstance(value, Enum) else str(value).lower()


@pytest.mark.parametrize("name", GAMES)
def test_every_view_is_as_it_was(name: str) -> None:
    assert playthrough(*GAMES[name]) == (FOLDER / f"{name}.txt").read_text(encoding="utf-8")


def test_there_is_a_file_for_each_game_and_no_other() -> None:
    assert {file.stem for file in FOLDER.iterdir()} == set(GAMES)


def test_the_games_tell_every_kind_of_line() -> None:
    told = "".join(file.read_text(encoding="utf-8") for file in FOLDER.iterdir())
    # A sealed answer is told after the end alone, to nobody at the table; no player can take a game
    # back; and who took a seat over, or what players decide together, is no event of the game.
    untold = [kind for kind in LineKind if f"log kind={kind}" not in told]
    assert untold == [
        LineKind.SEALED,
        LineKind.TAKEN_BACK,
        LineKind.TOOK_OVER,
        LineKind.PAUSED,
        LineKind.WENT_ON,
        LineKind.EXTENDED,
        LineKind.BROKEN_OFF,
        LineKind.OFFERED,
    ]


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for stale in FOLDER.iterdir():
        stale.unlink()
    for name, (options, seed) in GAMES.items():
        (FOLDER / f"{name}.txt").write_text(playthrough(options, seed), encoding="utf-8")
