"""Players decide together: a pause and its end, and who plays on for somebody who is gone."""

import time
from collections.abc import Callable

from django.utils import timezone
from playwright.sync_api import BrowserContext, Page, expect

from games.models import Game, Prompt, PromptState, Tenure
from games.timing import ABSENT
from tests.browser.checks import axe_violations, overflow
from tests.browser.players import SOON, Player, at_one_table, look, say, sign_in
from tests.browser.test_clocks import runs_out
from tests.games.cast import running_game


def unfold(page: Page) -> None:
    """Open what the viewer may propose."""
    fold = page.locator("#fold-together")
    if fold.get_attribute("open") is None:
        page.locator("#fold-together-head").click()


def vanishes(game: Game) -> Tenure:
    """The player who is asked lets time run out, and is not seen for a day."""
    asked = Prompt.objects.get(game=game, state=PromptState.OPEN).tenure
    Tenure.objects.filter(pk=asked.pk).update(timeouts=1)
    runs_out(game, 1)
    for _ in range(300):
        asked.refresh_from_db()
        if asked.absent_since:
            break
        time.sleep(0.2)
    assert asked.absent_since
    Tenure.objects.filter(pk=asked.pk).update(absent_since=timezone.now() - ABSENT)
    return asked


def pact(player: Player, words: str) -> None:
    """What this player's page says of what is decided."""
    expect(player.page.locator("#pacts")).to_contain_text(words, timeout=SOON)


def test_two_pause_and_go_on(new_context: Callable[..., BrowserContext], live_asgi: str) -> None:
    game, (one, other) = at_one_table(new_context, live_asgi, size=2)
    unfold(one.page)
    one.page.locator("#propose-pause").click()
    pact(one, "You propose to pause the game.")
    pact(other, f"{one.name} proposes to pause the game.")
    assert axe_violations(other.page) == []
    other.page.get_by_role("button", name="Agree").click()
    for player in (one, other):
        expect(player.page.locator("#sentence")).to_contain_text("All agreed to a pause")
        expect(player.page.locator("#propose-go_on")).to_be_visible(timeout=SOON)
        expect(player.page.locator("form.turn")).to_have_count(0)
    other.page.locator("#propose-go_on").click()
    pact(one, f"{other.name} proposes to go on.")
    one.page.get_by_role("button", name="Agree").click()
    expect(one.page.locator("form.turn")).to_be_visible(timeout=SOON)
    expect(other.page.locator("#sentence")).not_to_contain_text("All agreed to a pause")
    say(one.page, "income")
    one.page.goto("/")
    assert Game.objects.get(pk=game.pk).frozen_at is None


def test_three_people_of_whom_one_disappears_and_a_newcomer_plays_on(
    new_context: Callable[..., BrowserContext], live_asgi: str
) -> None:
    game, (_gone, one, other) = at_one_table(new_context, live_asgi)
    gone = vanishes(game)
    for player in (one, other):
        look(player, game)
    unfold(one.page)
    one.page.get_by_label("Who is to take the seat?").select_option("newcomer")
    one.page.locator(f"#propose-offer-{gone.pk}").click()
    pact(other, f"{one.name} proposes to offer the seat of {gone.name} to a newcomer.")
    other.page.get_by_role("button", name="Agree").click()
    for player in (one, other):
        pact(player, f"The seat of {gone.name} stands open to a newcomer.")
        assert overflow(player.page) <= 0
    zoe = sign_in(new_context(), "Zoe", live_asgi)
    zoe.goto("/lobby/")
    expect(zoe.get_by_role("heading", name="Seats to take over")).to_be_visible()
    assert axe_violations(zoe) == []
    zoe.get_by_role("link", name=game.name).click()
    expect(zoe.locator("#vacancy")).to_be_visible()
    assert axe_violations(zoe) == []
    zoe.locator("#take").click()
    expect(zoe.locator("#mine")).to_be_visible()
    expect(zoe.locator("#log-lines")).to_contain_text(f"You take the seat of {gone.name}.")
    for player in (one, other):
        expect(player.page.locator(".seats")).to_contain_text("Zoe", timeout=SOON)
        expect(player.page.locator("#pacts")).not_to_contain_text("stands open")
    assert Tenure.objects.get(game=game, seat=gone.seat_id, ended="").name == "Zoe"


def test_without_javascript_all_of_it_is_forms(
    new_context: Callable[..., BrowserContext], live_asgi: str
) -> None:
    game = running_game(2)
    pages = [
        sign_in(new_context(java_script_enabled=False), name, live_asgi) for name in ("Ana", "Ben")
    ]
    ana, ben = pages
    for page in pages:
        page.goto(f"/g/{game.public_id}/")
    unfold(ana)
    ana.locator("#propose-pause").click()
    expect(ana.locator("#pacts")).to_contain_text("You propose to pause the game.")
    ben.reload()
    ben.get_by_role("button", name="Decline").click()
    expect(ben.locator("#pacts")).to_contain_text("Declined:")
