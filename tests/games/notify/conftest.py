from collections.abc import Iterator

import pytest
from pytest_django import Settings

from games.notify import outbox

from .post import Post, open_post


@pytest.fixture(autouse=True)
def _no_channel_rests() -> None:
    outbox._RESTING.clear()


@pytest.fixture
def post(settings: Settings) -> Iterator[Post]:
    with open_post(settings) as server:
        yield server
