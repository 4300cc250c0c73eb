"""People in browsers: they read what a page offers, and click it."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from django.conf import settings
from django.db import connection
from django.test import Client
from playwright.sync_api import BrowserContext, Page, expect

from games import selectors, store
from games.engine.state import Over
from games.models import Game, Prompt, PromptState
from tests.browser.director import next_answer, played
from tests.games.cast import NAMES, person, running_game

SOON = 20_000
"""Milliseconds in which a page shows a change, on however busy a machine. That it was told, and did
not find out by asking now and then, is for `test_sockets_tell` to prove."""


@dataclass(frozen=True, slots=True)
class Player:
    """Somebody at a table; `seat` is the index of their seat."""

    name: str
    seat: int
    page: Page


def aside[T](call: Callable[[], T]) -> T:
    """Do this in a thread of its own: Playwright's has a loop, in which pokes cannot be sent."""

    def run() -> T:
        try:
            return call()
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as thread:
        return thread.submit(run).result()


def expect_soon(page: Page, holds: Callable[[], bool]) -> None:
    """Until this holds, of what no page shows."""
    for _ in range(400):
        if holds():
            return
        page.wait_for_timeout(50)
    raise AssertionError("it did not come about")


def sign_in(context: BrowserContext, name: str, address: str) -> Page:
    """A page of this person's browser, signed in."""
    client = Client()
    client.force_login(person(name))
    cookie = client.cookies[settings.SESSION_COOKIE_NAME].value
    context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": cookie, "url": address}])
    return context.new_page()


def three_at_a_table(
    new_context: Callable[..., BrowserContext], address: str, **options: object
) -> list[Player]:
    """Ana opens a table for three; Ben and Cyd come by the link she sends, and it begins."""
    pages = [sign_in(new_context(**options), name, address) for name in ("Ana", "Ben", "Cyd")]
    ana, ben, cyd = pages
    ana.goto("/new/")
    ana.locator("input[name=size][value='3']").check()
    ana.locator("input[name=visibility][value=unlisted]").check()
    ana.locator("main form").last.get_by_role("button").last.click()
    link = ana.locator("#link").input_value()
    for page in (ben, cyd):
        page.goto(link)
        page.locator("#sit").click()
    if options.get("java_script_enabled") is False:
        for page in (ana, ben):
            page.reload()
    for page in pages:
        expect(page.locator(".court")).to_be_visible()
    return [
        Player(name, seat, page)
        for seat, (name, page) in enumerate(zip(("Ana", "Ben", "Cyd"), pages, strict=True))
    ]


def at_one_table(
    new_context: Callable[..., BrowserContext], address: str, size: int = 3
) -> tuple[Game, list[Player]]:
    """A game that is dealt, and its players in order, from whoever has the first turn: each looks
    at the table."""
    game = running_game(size)
    first = store.load(game).state.turn
    players = []
    for seat in [*range(first, size), *range(first)]:
        page = sign_in(new_context(), NAMES[seat], address)
        players.append(Player(NAMES[seat], seat, page))
    for player in players:
        look(player, game)
    return game, players


def look(player: Player, game: Game) -> None:
    """Open the table's page."""
    player.page.goto(f"/g/{game.public_id}/")
    expect(player.page.locator(".court")).to_be_visible()


def game_on(page: Page) -> Game:
    """The game whose table is on this page."""
    return selectors.find(page.url.split("/g/")[1].split("/")[0])


def say(page: Page, words: str) -> None:
    """Choose an action, and whom it is against, and announce it, or click an answer; say that it is
    meant, where that is asked. The question must go."""
    action = page.locator("form.turn")
    answer = page.locator(f"button[name=answer][value='{words}']")
    expect(action.or_(answer)).to_be_visible(timeout=SOON)
    question = page.locator("[id^=question-]").get_attribute("id")
    if answer.is_visible():
        answer.click()
    else:
        act, _, target = words.partition(" ")
        action.locator(f"[name=act][value='{act}']").check()
        if target:
            action.locator(f"[name=target][value='{target}']").check()
        action.get_by_role("button", name="Announce it").click()
    expect(page.locator(f"#{question}")).to_have_count(0, timeout=SOON)
    sure = page.locator("#confirm-yes")
    if sure.is_visible():
        sure.click()
        expect(sure).to_have_count(0, timeout=SOON)


def offered(page: Page) -> list[str]:
    """The answers that the page offers, in words for `say`."""
    acts = page.locator("form.turn [name=act]:enabled")
    if not acts.count():
        buttons = page.locator("button[name=answer]").all()
        return [button.get_attribute("value") or "" for button in buttons]
    targets = [
        field.get_attribute("value") for field in page.locator("form.turn [name=target]").all()
    ]
    words = []
    for act in acts.all():
        verb = act.get_attribute("value") or ""
        aimed = act.get_attribute("data-target") is not None
        words += [f"{verb} {target}" for target in targets] if aimed else [verb]
    return words


def tag_for(player: Player, game: Game) -> str:
    """What marks this player's page as current."""
    game.refresh_from_db()
    return selectors.table(game, user_id=person(player.name).pk).tag


def look_again(players: Sequence[Player], game: Game) -> None:
    """Without scripts: whoever is asked reloads the page."""
    asked = Prompt.objects.filter(game=game, state=PromptState.OPEN)
    for index in asked.values_list("seat__index", flat=True):
        players[index].page.reload()


def all_current(players: Sequence[Player], game: Game) -> None:
    """Every page shows the table as it is, within a second."""
    for player in players:
        expect(player.page.locator("#tag")).to_have_value(tag_for(player, game), timeout=SOON)


def play_on(players: Sequence[Player], game: Game, then: Callable[[], object]) -> set[str]:
    """Play to the end as the director says, doing `then` after each answer; the scenes played."""
    while True:
        record = store.load(game)
        scenes = played(record.steps)
        if isinstance(record.state.phase, Over):
            return scenes
        seat, words = next_answer(record.state, scenes)
        say(players[seat].page, words)
        then()


def rename(player: Player, name: str) -> None:
    """In another tab: something that everybody at the table sees, and that asks nothing."""
    page = player.page.context.new_page()
    page.goto("/account/profile/")
    page.locator("[name=name]").fill(name)
    page.get_by_role("button", name="Save").first.click()
    expect(page.locator("[name=name]")).to_have_value(name)
    page.close()


def moves(game: Game) -> int:
    """How many answers were given in this game."""
    game.refresh_from_db()
    return game.last_move
