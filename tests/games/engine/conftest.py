from pathlib import Path

import pytest

OWN = Path(__file__).parent / "scenarios"


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "scenario" in metafunc.fixturenames:
        folder = Path(metafunc.config.getoption("--scenarios") or OWN)
        files = sorted(folder.glob("*.json"))
        if not files:
            raise pytest.UsageError(f"There are no scenarios (*.json) in {folder}.")
        metafunc.parametrize("scenario", files, ids=[file.stem for file in files])
