"""Every file of a folder of rule scenarios, played step by step: one test a file."""

import json
from pathlib import Path

import pytest

from games.engine import codec
from games.engine.commands import IllegalCommand, parse
from games.engine.rules import play

from .table import ScriptedChance, dump, set_up


def test_scenario(scenario: Path) -> None:
    case = json.loads(scenario.read_text(encoding="utf-8"))
    names = case["setup"]["players"]
    chance = ScriptedChance()
    state = set_up(case["setup"])
    assert dump(state, names) == case["start"], "start"
    for number, step in enumerate(case["steps"], 1):
        where = f"step {number}: {step['player']} {step['command']}"
        seat = names.index(step["player"])
        if step.get("refused"):
            with pytest.raises(IllegalCommand):
                play(state, seat, parse(step["command"], names), chance)
        else:
            events, after = play(state, seat, parse(step["command"], names), chance)
            assert codec.load_events(codec.dump_events(events), codec.SCHEMA) == events, where
            state = after
        assert dump(state, names) == step["state"], where
        assert codec.load_state(json.loads(json.dumps(codec.dump_state(state)))) == state, where
