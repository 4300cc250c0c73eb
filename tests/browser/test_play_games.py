"""Whole games, from the first click to the ranking."""

from collections.abc import Callable
from random import Random
from statistics import quantiles

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from games.bots.answer import PAUSES
from games.models import Game, Status
from games.models.move import Move
from tests.browser import players
from tests.browser.director import SCENES
from tests.games.cast import SEED

type NewContext = Callable[..., BrowserContext]

# What a page showed, and since when: [tag, milliseconds since 1970].
WATCH = """
    window.shown = [];
    new MutationObserver(() => {
      const tag = document.getElementById("tag")?.value;
      if (tag && tag !== window.shown.at(-1)?.[0]) window.shown.push([tag, Date.now()]);
    }).observe(document, {attributes: true, childList: true, subtree: true});
"""


@pytest.fixture(autouse=True)
def _same_cards(monkeypatch: pytest.MonkeyPatch) -> None:
    """A run that fails can be run again."""
    for views in ("home", "finding"):
        monkeypatch.setattr(f"games.views.{views}.token_bytes", lambda _size: SEED)


def test_a_stranger_plays_bots_to_the_end(page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    # Bots think, but not for seconds.
    monkeypatch.setitem(PAUSES, "practice", (10, 60))
    monkeypatch.setattr("games.bots.answer.ALONE", (10, 60))
    random = Random(2)
    page.goto("/")
    page.get_by_role("button", name="Play now").first.click()
    question, end = page.locator("[id^=question-]"), page.locator("#ranking-head")
    answers = 0
    while True:
        expect(question.or_(end)).to_be_visible(timeout=20_000)
        if end.is_visible():
            break
        words = players.offered(page)
        bold = [word for word in words if word.startswith(("challenge", "block"))]
        players.say(page, random.choice(bold if bold and random.random() < 0.4 else words))
        answers += 1
    assert answers > 1
    expect(page.locator(".place")).to_have_count(4)
    expect(page.locator(".place.is-you")).to_have_count(1)
    assert players.game_on(page).status == Status.OVER


def test_three_browsers_play_to_the_end_and_see_every_change_at_once(
    new_context: NewContext, live_asgi: str
) -> None:
    three = players.three_at_a_table(new_context, live_asgi)
    game = players.game_on(three[0].page)
    for player in three:
        player.page.add_init_script(WATCH)
        player.page.reload()
    scenes = players.play_on(three, game, lambda: players.all_current(three, game))
    assert scenes == SCENES
    for player in three:
        expect(player.page.locator("#ranking-head")).to_be_visible()
        # Nobody reloaded. A poll comes once a minute while a socket is open: it was the sockets.
        lags = _lags(player.page, game)
        assert len(lags) > 10
        assert quantiles(lags, n=10)[8] < 1, lags
        assert max(lags) < players.SOON / 1000, lags


def test_three_browsers_play_to_the_end_without_javascript(
    new_context: NewContext, live_asgi: str
) -> None:
    three = players.three_at_a_table(new_context, live_asgi, java_script_enabled=False)
    game = players.game_on(three[0].page)
    scenes = players.play_on(three, game, lambda: players.look_again(three, game))
    assert scenes == SCENES
    for player in three:
        player.page.reload()
        expect(player.page.locator("#ranking-head")).to_be_visible()


def _lags(page: Page, game: Game) -> list[float]:
    """How many seconds after each public move this page showed it, or what came later."""
    shown = [(int(tag.split(".")[0]), at / 1000) for tag, at in page.evaluate("window.shown")]
    moved: dict[int, float] = {}
    for move in Move.objects.filter(game=game, number__gt=0).order_by("number"):
        moved.setdefault(move.version, move.at.timestamp())
    return [min(at for seen, at in shown if seen >= v) - since for v, since in moved.items()]
