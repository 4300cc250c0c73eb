"""An open page whose countdown ends finds out by itself that the time is up."""

import re
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import BrowserContext, expect

from accounts.models import User
from games import drive
from games.models import Game, Prompt, PromptState, Source, Window
from tests.browser.players import SOON, at_one_table, look, say, sign_in
from tests.games.cast import NAMES, running_game, state_of
from tests.games.cast import say as say_at


def runs_out(game: Game, seconds: int) -> Prompt:
    """Leave so much time for the open question."""
    now = timezone.now()
    due = now + timedelta(seconds=seconds)
    times = {"grace": seconds * 1000, "bank": 0, "free_until": due, "due": due, "opened_at": now}
    Prompt.objects.filter(game=game, state=PromptState.OPEN).update(**times)
    Window.objects.filter(game=game, closed_at=None).update(opened_at=now, deadline=due)
    return Prompt.objects.get(game=game, state=PromptState.OPEN)


def test_the_page_of_another_goes_on_when_time_is_up(
    new_context: Callable[..., BrowserContext], live_asgi: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Workers that are there, but have their hands full.
    monkeypatch.setattr(drive, "sweep", lambda _now: 0)
    game, (_first, second, _third) = at_one_table(new_context, live_asgi)
    prompt = runs_out(game, 4)
    look(second, game)
    expect(second.page.locator("#answer [name=prompt]").first).to_be_attached(timeout=2 * SOON)
    prompt.refresh_from_db()
    assert prompt.answered_by == Source.CLOCK


def test_a_time_stands_in_the_zone_of_the_reader_as_soon_as_it_is_seen(
    new_context: Callable[..., BrowserContext], live_asgi: str
) -> None:
    _game, (first, second, _third) = at_one_table(new_context, live_asgi)
    second.page.evaluate("""() => {
        window.seen = [];
        const times = () => [...document.querySelectorAll("time[data-utc]")];
        const note = () => window.seen.push(...times().map((time) => time.textContent));
        const change = () => requestAnimationFrame(note);
        new MutationObserver(change).observe(document.body, { childList: true, subtree: true });
    }""")
    say(first.page, "income")
    expect(second.page.locator("form.turn")).to_be_visible(timeout=SOON)
    seen = second.page.evaluate("window.seen")
    assert seen
    assert not [time for time in seen if "UTC" in time]


def test_times_look_alike_whether_the_server_writes_them_or_the_browser(
    new_context: Callable[..., BrowserContext], live_asgi: str
) -> None:
    game = running_game(2)
    say_at(game, state_of(game).turn, "tax", timezone.now())
    asked = NAMES[1 - state_of(game).turn]
    told = []
    for zone in ("Europe/Prague", ""):
        User.objects.filter(name=asked).update(time_zone=zone)
        page = sign_in(new_context(timezone_id="Europe/Prague"), asked, live_asgi)
        page.goto(f"/g/{game.public_id}/")
        if zone:
            page.locator("#text-table").fill("Well?")
            page.locator("#send-table").click()
        expect(page.locator(".said time")).to_have_text(re.compile(r"^\d+:\d\d\s[AP]M$"))
        expect(page.locator(".matter__until time").first).not_to_contain_text("UTC")
        told.append([re.sub(r"\s", " ", text) for text in page.locator("time").all_inner_texts()])
    by_server, by_browser = told
    assert by_server == by_browser
    assert len(by_server) == 3
