"""The engine's README: its example runs, its table names what there is."""

import re
from importlib import import_module
from pathlib import Path

import pytest

import games.engine

README = (Path(games.engine.__file__).parent / "README.md").read_text(encoding="utf-8")


def test_the_example_plays_a_game_to_its_end(capsys: pytest.CaptureFixture[str]) -> None:
    (example,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    exec(example, {"__name__": "example"})
    *steps, last = capsys.readouterr().out.splitlines()
    assert steps
    assert re.fullmatch(r"winner: (ann|ben|cyd)", last)


def test_the_functions_it_lists_exist() -> None:
    named = re.findall(r"`(\w+)\.(\w+)`", README.partition("| function")[2].partition("\n\n")[0])
    assert len(named) >= 12
    for module, name in named:
        assert callable(getattr(import_module(f"games.engine.{module}"), name))


def test_it_is_typed() -> None:
    assert (Path(games.engine.__file__).parent / "py.typed").exists()
