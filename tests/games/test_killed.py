"""Workers killed in the midst of their work, over and over: nothing is lost, nothing is doubled."""

import json
from collections import Counter
from pathlib import Path

import pytest
from pytest_django import Settings

from tests.elsewhere import python
from tests.games.notify.post import open_post
from tests.push_service import push_service

pytestmark = pytest.mark.services

KILLS, SEED = 30, 4


def test_workers_killed_over_and_over_lose_nothing_and_double_nothing(
    empty: dict[str, str], settings: Settings, tmp_path: Path
) -> None:
    with open_post(settings) as post, push_service() as service:
        post.seconds = 0.3  # kills fall between the letter and the word that it was taken
        post.noted = tmp_path / "taken"
        post.noted.touch()
        browsers = [service.browser(f"{number}") for number in range(8)]
        site = empty | {"COUP_MAIL_URL": post.url, "COUP_LOG_LEVEL": "WARNING"}
        told = [json.dumps(browser.told) for browser in browsers]
        done = python(
            site,
            "-m",
            "tests.games.killing",
            str(KILLS),
            str(SEED),
            str(post.noted),
            service.origin,
            *told,
        )
        assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    found = json.loads(done.stdout)

    assert found["differing"] == []
    assert found["remaining"] == {}
    assert all(found["done"][kind] for kind in ("bot", "order"))
    assert found["answered"] == found["moves"]  # every question that was answered, by one move
    assert found["timeouts"] == [0] * 6 + [1] * 18  # those who claimed were not asked

    rows = [row for row in found["told"] if row["channel"] == "email"]
    batches = {row["batch"]: row["to"] for row in rows}
    sent = {row["batch"] for row in rows if row["sent"]}
    received = Counter(str(letter["Message-ID"])[1:].split("@")[0] for letter in post.letters)
    assert sent <= set(received) <= set(batches)
    assert {batches[batch] for batch in sent} >= {
        f"waits{number}.{letter}@example.org" for number in range(20) for letter in "ab"
    }
    for letter in post.letters:
        assert batches[str(letter["Message-ID"])[1:].split("@")[0]] == letter["To"]
    assert max(received.values()) > 1, "no kill fell between a letter and its note"

    pushes = [row for row in found["told"] if row["channel"] == "push"]
    tags = {push["tag"] for browser in browsers for push in service.read(browser)}
    assert {row["tag"] for row in pushes if row["sent"]} <= tags <= {row["tag"] for row in pushes}
    assert sum(row["sent"] for row in pushes) == len(browsers)
