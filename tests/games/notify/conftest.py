from collections.abc import Iterator

import pytest
from pytest_django import Settings

from .post import Post, open_post


@pytest.fixture
def post(settings: Settings) -> Iterator[Post]:
    with open_post(settings) as server:
        yield server
