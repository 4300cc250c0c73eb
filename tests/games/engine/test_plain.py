"""The engine, chance and timing are plain Python: nothing of the site comes with them."""

import subprocess
import sys
from pathlib import Path

PROBE = """
import pkgutil, sys
import games.engine, games.chance, games.timing
for module in pkgutil.iter_modules(games.engine.__path__):
    __import__(f"games.engine.{module.name}")
print(*sys.modules, sep="\\n")
"""


ROOT = Path(__file__).parents[3]


def test_a_fresh_process_loads_nothing_of_the_site() -> None:
    loaded = subprocess.run(
        [sys.executable, "-c", PROBE], cwd=ROOT, check=True, capture_output=True, text=True
    ).stdout.split()
    assert "games.engine.rules" in loaded
    packages = {name.partition(".")[0] for name in loaded}
    assert not packages & {"django", "channels", "allauth", "accounts", "coupsite"}
    ours = {name for name in loaded if name.startswith("games.") and name.count(".") == 1}
    assert ours == {"games.engine", "games.chance", "games.timing"}
