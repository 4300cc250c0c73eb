from pathlib import Path

import pytest

OWN = Path(__file__).parent / "scenarios"


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "scenario" in metafunc.fixturenames:
        folder = Path(metafunc.config.getoption("--scenarios") or OWN)
        files = sorted(folder.glob("*.json"))
        metafunc.parametrize("scenario", files, ids=[file.stem for file in files])
