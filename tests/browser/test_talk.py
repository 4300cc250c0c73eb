"""Two people talk at a table, in two browsers, and somebody listens beside it."""

from collections.abc import Callable

import pytest
from django.utils import timezone
from playwright.sync_api import BrowserContext, Page, expect

from games import lobby
from games.models import Mute, Report, TableMessage, TalkRead
from games.timing import Pace
from tests.browser.checks import axe_violations, overflow
from tests.browser.players import SOON, aside, at_one_table, expect_soon, say, sign_in
from tests.games.cast import SEED, person

type NewContext = Callable[..., BrowserContext]


def write(page: Page, text: str, room: str = "table") -> None:
    field = page.locator(f"#text-{room}")
    field.fill(text)
    field.press("Enter")
    expect(field).to_have_value("", timeout=SOON)
    expect(field).to_be_focused()


def hears(page: Page, text: str, room: str = "table") -> None:
    expect(page.locator(f"#log-{room}").get_by_text(text)).to_be_visible(timeout=SOON)


def test_two_people_talk_and_a_third_listens(new_context: NewContext, live_asgi: str) -> None:
    game, (first, second, _third) = at_one_table(new_context, live_asgi)
    zoe = sign_in(new_context(viewport={"width": 360, "height": 800}), "Zoe", live_asgi)
    zoe.goto(f"/g/{game.public_id}/")
    write(first.page, "I am the <b>Duke</b>. https://example.org")
    hears(second.page, "I am the <b>Duke</b>. https://example.org")
    expect(second.page.locator("#log-table a[href*='example.org']")).to_have_count(0)
    expect(second.page.locator("#say-politely")).to_contain_text("I am the", timeout=SOON)
    expect(first.page.locator("#say-politely")).not_to_contain_text("I am the")

    # Half a sentence outlives what others say, and what happens at the table.
    second.page.locator("#text-table").press_sequentially("I do not")
    write(first.page, "Well?")
    hears(second.page, "Well?")
    say(first.page, "income")
    expect(second.page.locator("form.turn")).to_be_visible(timeout=SOON)
    expect(second.page.locator("#text-table")).to_have_value("I do not")
    expect(second.page.locator("#text-table")).to_be_focused()
    hears(second.page, "Well?")
    second.page.locator("#text-table").press("Enter")
    hears(first.page, "I do not")

    # A double click is one message.
    first.page.locator("#phrases-table-head").click()
    first.page.locator("#luck-table").dblclick()
    hears(second.page, "Good luck to all.")
    assert TableMessage.objects.filter(phrase="luck").count() == 1

    # On a phone the tab counts, until the talk is opened.
    expect(zoe.locator("#talk-new")).to_have_text("4", timeout=SOON)
    zoe.locator("#tab-talk").click()
    hears(zoe, "Good luck to all.")
    expect(zoe.locator("#talk-new")).to_be_hidden(timeout=SOON)
    expect_soon(zoe, TalkRead.objects.filter(user=person("Zoe"), table=4).exists)
    write(zoe, "She has no Duke.", "spectators")
    hears(zoe, "She has no Duke.", "spectators")
    for width in (360, 768, 1280):
        zoe.set_viewport_size({"width": width, "height": 800})
        assert overflow(zoe) == 0
        assert axe_violations(zoe) == []
    assert "She has no Duke" not in second.page.content()
    expect(second.page.locator("#talk-spectators")).to_have_count(0)

    # Folded away for one, and reported, from where it stands.
    second.page.locator("#more-table-1-head").click()
    second.page.locator("#mute-table-1").click()
    expect(second.page.locator("#folded-table-1")).to_be_visible(timeout=SOON)
    assert Mute.objects.get().whom.name == first.name
    assert axe_violations(second.page) == []
    second.page.locator("#report-table-1").click()
    second.page.get_by_label("advertising or flooding").check()
    second.page.locator("#send-report").click()
    expect(second.page.get_by_text("not looked at yet")).to_be_visible()
    assert Report.objects.get().message == TableMessage.objects.get(number=1, room="table")


def test_the_page_of_the_talk_is_live_too(new_context: NewContext, live_asgi: str) -> None:
    game, (first, second, _third) = at_one_table(new_context, live_asgi)
    zoe = sign_in(new_context(), "Zoe", live_asgi)
    stranger = new_context().new_page()
    listeners = [second.page, zoe, stranger]
    for page in listeners:
        page.goto(f"{live_asgi}/g/{game.public_id}/talk/")
        expect(page.locator("#talk-table")).to_be_visible()
    stranger.wait_for_timeout(500)  # their sockets are open: the poll behind them rests
    for words in ("Is anybody there?", "Nobody?"):
        write(first.page, words)
        for page in listeners:
            hears(page, words)
    write(second.page, "I am.")
    hears(zoe, "I am.")
    write(zoe, "She bluffs.", "spectators")
    hears(stranger, "She bluffs.", "spectators")
    expect(second.page.locator("#talk-spectators")).to_have_count(0)
    # What happens at the table is fetched on the table's page alone.
    asked: list[str] = []
    zoe.on("request", lambda request: asked.append(request.url))
    say(first.page, "income")
    zoe.wait_for_timeout(500)
    assert not [url for url in asked if url.endswith("/table/")]


def test_notes_are_kept_beside_the_claims(new_context: NewContext, live_asgi: str) -> None:
    _game, (first, second, _third) = at_one_table(new_context, live_asgi)
    page = second.page
    page.locator("#fold-notes-head").click()
    page.locator(f"#note-{first.seat}").fill("Always bluffs.")
    page.locator(f"#note-{first.seat}").press("Enter")
    expect(page.locator(".notes__written")).to_contain_text("Always bluffs.", timeout=SOON)
    expect(page.locator(f"#note-{first.seat}")).to_be_visible()
    say(first.page, "income")
    expect(page.locator("form.turn")).to_be_visible(timeout=SOON)
    expect(page.locator(".notes__written")).to_contain_text("Always bluffs.")


def test_without_scripts_one_talks_on_a_page(new_context: NewContext, live_asgi: str) -> None:
    game, (first, _second, _third) = at_one_table(new_context, live_asgi)
    page = sign_in(new_context(java_script_enabled=False), "Ben", live_asgi)
    page.goto(f"/g/{game.public_id}/#talk")
    page.locator("#to-talk").click()
    page.locator("#text-table").fill("Hello from a page.")
    page.locator("#send-table").click()
    expect(page.locator("#log-table")).to_contain_text("Hello from a page.")
    hears(first.page, "Hello from a page.")


@pytest.mark.parametrize("width", [360, 1440])
def test_who_waits_for_others_can_talk(new_context: NewContext, live_asgi: str, width: int) -> None:
    game = aside(
        lambda: lobby.open_table(
            host=person("Ana"),
            plan=lobby.Plan(3, Pace.DAILY),
            seed=SEED,
            now=timezone.now(),
        )
    )
    page = sign_in(new_context(viewport={"width": width, "height": 740}), "Ana", live_asgi)
    page.goto(f"/g/{game.public_id}/")
    write(page, "Who else comes?")
    hears(page, "Who else comes?")
    expect(page.locator("#talk")).to_have_css("position", "static")
