"""Games that take their time: people look in when they like, and are written to meanwhile."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from email.message import EmailMessage

import pytest
from playwright.sync_api import BrowserContext, Page, expect
from pytest_django import Settings

from accounts.models import User
from games import selectors, verify
from games.models import Game, Job, Status
from games.notify import outbox
from games.timing import Pace
from tests.browser.checks import overflow
from tests.browser.days import Calendar
from tests.browser.director import SCENES, next_answer
from tests.browser.players import aside, moves, say, sign_in
from tests.games.cast import NOON, running_game, state_of, tenure_of
from tests.games.cast import say as say_aside
from tests.games.notify.cast import verified
from tests.games.notify.post import Post, html_of, open_post, text_of

type NewContext = Callable[..., BrowserContext]

ZONES = {
    "Ana": "Europe/Prague",
    "Ben": "America/New_York",
    "Cyd": "Asia/Tokyo",
    "Dov": "Europe/London",
}
PHONE, DESK = {"width": 360, "height": 740}, {"width": 1440, "height": 900}


@pytest.fixture(autouse=True)
def calendar(monkeypatch: pytest.MonkeyPatch, transactional_db: None) -> Calendar:
    return Calendar(NOON, monkeypatch)


@pytest.fixture
def post(settings: Settings, live_asgi: str) -> Iterator[Post]:
    outbox._RESTING.clear()
    settings.SITE_URL = live_asgi
    with open_post(settings) as server:
        yield server


class People:
    """Those at one table, each where their clock goes differently."""

    def __init__(
        self, new_context: NewContext, address: str, calendar: Calendar, post: Post
    ) -> None:
        self.new_context, self.address = new_context, address
        self.calendar, self.post = calendar, post

    def sit_down(self, names: tuple[str, ...], seed: bytes, pace: Pace = Pace.DAILY) -> Game:
        for name in names:
            verified(name)
            User.objects.filter(name=name).update(time_zone=ZONES[name])
        self.game = aside(lambda: running_game(len(names), seed=seed, pace=pace))
        return self.game

    def device(self, name: str, size: dict[str, int] = PHONE) -> BrowserContext:
        """One of this person's, on which nobody is signed in."""
        return self.calendar.hang_in(self.new_context(viewport=size, timezone_id=ZONES[name]))

    def look(self, name: str, size: dict[str, int] = PHONE) -> Page:
        """They open the table."""
        page = sign_in(self.device(name, size), name, self.address)
        page.goto(f"/g/{self.game.public_id}/")
        expect(page.locator(".court")).to_be_visible()
        return page

    @contextmanager
    def at_table(self, name: str) -> Iterator[Page]:
        """They look at the table, and put it away at the end."""
        page = self.look(name)
        yield page
        lines = int(page.locator("#tag").get_attribute("data-lines") or 0)
        page.goto("/offline/")
        for _ in range(400):  # the page says how far it was read on its way out
            if self.game.tenures.get(user__name=name).read_lines >= lines:
                break
            page.wait_for_timeout(50)
        page.context.close()

    def letters(self, name: str) -> list[EmailMessage]:
        """What this person was sent so far, oldest first."""
        address = f"{name.lower()}@example.org"
        return [letter for letter in self.post.letters if letter["To"] == address]

    @contextmanager
    def at_letter(self, name: str) -> Iterator[Page]:
        """They read their last letter, on a phone on which they are not signed in."""
        page = self.device(name).new_page()
        page.set_content(html_of(self.letters(name)[-1]))
        assert overflow(page) == 0
        yield page
        page.context.close()


@pytest.fixture
def people(new_context: NewContext, live_asgi: str, calendar: Calendar, post: Post) -> People:
    return People(new_context, live_asgi, calendar, post)


def tap(letter: Page, title: str) -> None:
    """Press a button of a letter."""
    letter.get_by_role("link", name=title, exact=True).click()
    letter.wait_for_url("**/answer/**")
    assert overflow(letter) == 0


def give(page: Page, proposed: str) -> None:
    """What the letter's button proposed is chosen: say so."""
    expect(page.locator("[name=answer]:checked")).to_have_value(proposed)
    page.get_by_role("button", name="Give this answer").click()
    expect(page.get_by_role("heading", name="Your answer is given.")).to_be_visible()


def sound(game: Game) -> bool:
    """Whether what is stored is what the moves make."""
    game.refresh_from_db()
    return not list(verify.differences(game))


def bank(page: Page, seat: int) -> str:
    """The time bank that another's seat shows."""
    return page.locator(f"#seat-{seat} .clock").inner_text().removeprefix("Time bank:").strip()


def test_four_play_over_days_by_page_by_letter_and_by_order(
    people: People, calendar: Calendar, complaints: list[str]
) -> None:
    """Dealt are: to Ana Duke and Contessa, to Ben Contessa and Ambassador, to Cyd Ambassador and
    Captain, to Dov Ambassador and Assassin. Ana begins at noon UTC, on the first of May."""
    game = people.sit_down(("Ana", "Ben", "Cyd", "Dov"), bytes([2] * 32))
    User.objects.filter(name="Cyd").update(digest_hour=8)
    User.objects.filter(name="Dov").update(quiet_from=22, quiet_to=7)

    _the_first_day(people, calendar)
    assert state_of(game).coins == (5, 2, 2, 2)
    _the_second_day(people, calendar)
    assert complaints  # a settled question is told with its own status, which a browser logs
    complaints[:] = [line for line in complaints if "410 (Gone)" not in line]
    _the_fifth_day(people, calendar)

    while game.status == Status.RUNNING:
        seat, words = next_answer(state_of(game), SCENES)
        aside(lambda: say_aside(game, seat, words, calendar.now))  # noqa: B023
        calendar.wait(minutes=1)
        game.refresh_from_db()
    calendar.wait(days=1)
    winner = tenure_of(game, selectors.public_view(game).ranking[0]).name
    for name in ZONES:
        last = people.letters(name)[-1]
        assert last["Subject"] == f"{game.name} · A game is over"
        assert f"{winner} wins the game." in text_of(last)
    with people.at_table("Ana") as page:
        expect(page.locator(".ranking .place__name").first).to_contain_text(winner)
    assert sound(game)
    assert not Job.objects.filter(dead=True).exists()


def _the_first_day(people: People, calendar: Calendar) -> None:
    calendar.wait(minutes=5)
    with people.at_table("Ana") as page:  # before a letter says that it is her turn
        say(page, "tax")
    calendar.wait(minutes=11)
    assert people.letters("Ana") == people.letters("Cyd") == []
    begun, asked = people.letters("Ben")
    assert begun["Subject"] == f"{people.game.name} · A game has begun"
    assert asked["Subject"] == f"{people.game.name}: Allow it, or challenge it?"
    assert "Until May 4, 8:05 AM: 2 days 23 hr left." in text_of(asked)
    assert "Your time bank runs from tomorrow, 8:05 AM" in text_of(asked)

    with people.at_letter("Ben") as page:
        before = moves(people.game)
        for link in page.get_by_role("link").all():  # a program that looks for what is harmful
            assert page.request.get(link.get_attribute("href") or "").ok
        assert moves(people.game) == before
        tap(page, "Allow")
        expect(page.locator("#claim")).to_contain_text("Ana claims to hold the Duke")
        give(page, "allow")
        assert page.context.cookies()  # of the form; nobody was signed in by it
        assert "sessionid" not in [cookie.get("name") for cookie in page.context.cookies()]
    with people.at_letter("Ben") as page:
        tap(page, "Challenge")  # too late: an answer is final
        expect(page.get_by_role("heading", name="Your answer is given.")).to_be_visible()
        expect(page.locator("[name=answer]")).to_have_count(0)

    calendar.turn_to(NOON.replace(hour=18))
    with people.at_table("Dov") as page:
        expect(page.locator("#seat-1 .asked")).to_have_text("asked")  # Ben's, who has answered
        say(page, "allow")
    calendar.turn_to(NOON.replace(hour=22, minute=59))
    assert people.letters("Cyd") == []
    calendar.wait(minutes=1)  # it is eight in Tokyo
    assert len(people.letters("Cyd")) == 1
    with people.at_letter("Cyd") as page:
        tap(page, "Challenge")
        page.get_by_role("radio", name="Allow").check()
        give(page, "allow")


def _the_second_day(people: People, calendar: Calendar) -> None:
    calendar.turn_to(NOON.replace(day=2))
    with people.at_letter("Ben") as page:
        expect(page.get_by_text("Ana takes 3 coins.")).to_be_visible()
        page.get_by_role("link", name="Open", exact=True).click()
        expect(page.get_by_text("It is the turn of Ben.")).to_be_visible()  # who is not signed in
    with people.at_table("Ben") as page:
        say(page, "steal 0")
    calendar.wait(minutes=30)
    with people.at_letter("Ana") as page:
        buttons = page.get_by_role("link").all_inner_texts()[:5]
        assert buttons == [
            "Allow", "Challenge", "Block as Captain", "Block as Ambassador", "Open the table",
        ]  # fmt: skip
        tap(page, "Block as Captain")
        risk = page.get_by_text("challenged, you lose a card and the coins unless you show it.")
        expect(risk).to_have_count(2)
        give(page, "block captain")
    calendar.wait(minutes=30)
    with people.at_table("Cyd") as page:
        say(page, "challenge")
    with people.at_letter("Dov") as page:
        tap(page, "Allow")
        expect(page.get_by_role("heading", name="This question is settled.")).to_be_visible()
        expect(page.get_by_text("Cyd challenges Ben to show the Captain.")).to_be_visible()
    calendar.wait(minutes=30)
    assert people.letters("Ben")[-1]["Subject"].endswith("Which card do you turn up?")
    with people.at_table("Ben") as page:
        say(page, "reveal ambassador")

    with people.at_table("Dov") as page:
        page.locator("#tab-orders").click()
        page.locator("#orders-more").click()
        page.locator("#new-allow-head").click()
        page.locator("#set-allow").click()
        expect(page.locator("#says-1")).to_be_visible()
        page.goto(f"/g/{people.game.public_id}/")
    with people.at_table("Cyd") as page:
        say(page, "exchange")
    calendar.wait(minutes=30)
    for name in ("Ana", "Ben"):
        with people.at_letter(name) as page:
            tap(page, "Allow")
            give(page, "allow")
    calendar.turn_to(NOON.replace(day=2, hour=23, minute=30))
    keeps = people.letters("Cyd")[-1]
    assert keeps["Subject"].endswith("Which cards do you keep?")
    assert "You look through cards of the court deck." in text_of(keeps)
    with people.at_table("Cyd") as page:
        say(page, page.locator("button[name=answer]").first.get_attribute("value") or "")


def _the_fifth_day(people: People, calendar: Calendar) -> None:
    """Dov was asked in the night to the third, and has 24 hours, and 52 more in the bank."""
    calendar.turn_to(NOON.replace(day=5, hour=8, minute=29))
    told = len(people.letters("Dov"))
    calendar.wait(minutes=1)
    assert len(people.letters("Dov")) == told + 1
    reminder = people.letters("Dov")[-1]
    assert reminder["Subject"] == f"{people.game.name}: your time is running out"
    assert "Until tomorrow, 4:30 AM: 19 hr 0 min left." in text_of(reminder)
    assert "Your time bank is running." in text_of(reminder)
    with people.at_table("Ana") as page:
        expect(page.locator("#claim")).to_have_text("It is the turn of Dov.")
        expect(page.locator(".matter__until")).to_contain_text("tomorrow, 5:30 AM")
        assert bank(page, 3) == "52 hr"  # what it was when he was asked
        page.locator("#tab-log").click()
        expect(page.locator(".log__since")).to_have_text("you had read up to here")
    calendar.wait(minutes=30)
    with people.at_table("Dov") as page:
        expect(page.locator(".mine .clock")).to_contain_text("18 hr 30 min")
        expect(page.locator("#log-lines")).to_contain_text("by your standing order")
        say(page, "income")
    with people.at_table("Ana") as page:
        assert bank(page, 3) == "22 hr 30 min"


def test_out_of_time_twice_on_autopilot_and_back(people: People, calendar: Calendar) -> None:
    game = people.sit_down(("Ana", "Ben", "Cyd"), bytes(32), Pace.BRISK)
    away = state_of(game).turn
    name, one, two = [tenure_of(game, (away + n) % 3).name for n in range(3)]
    seat = f"#seat-{away}"
    first, second = people.look(one, DESK), people.look(two, DESK)

    # Ten minutes, and thirty of the bank.
    calendar.wait(minutes=39)
    assert bank(first, away) == bank(second, away) == "30 min"
    calendar.wait(minutes=1)
    for page in (first, second):
        log = page.locator("#log-lines")
        expect(log).to_contain_text(f"{name} takes income: 1 coin. by the clock")
        expect(page.locator(f"{seat} .clock")).to_contain_text("0 min")
        expect(page.locator(seat)).not_to_contain_text("autopilot")

    say(first, "tax")
    expect(second.locator("button[name=answer]").first).to_be_visible()
    tags = [page.locator("#tag").input_value() for page in (first, second)]
    calendar.wait(minutes=10)
    assert tenure_of(game, away).autopilot_since
    for page, tag in zip((first, second), tags, strict=True):
        page.reload()
        expect(page.locator("#tag")).to_have_value(tag)
        expect(page.locator(f"{seat} .asked")).to_have_text("asked")
        expect(page.locator(seat)).not_to_contain_text("autopilot")
    with people.at_table(name) as page:  # it is their own business, so far
        expect(page.get_by_text("You are on autopilot")).to_be_visible()
    say(second, "allow")
    for page in (first, second):
        expect(page.locator(seat)).to_contain_text("autopilot")

    # From now on it answers at once, and nobody waits for it.
    say(second, "tax")
    say(first, "allow")
    expect(first.locator("#claim")).to_contain_text("It is your turn")
    assert first.locator("#log-lines").inner_text().count("takes income: 1 coin. by the clock") == 2

    say(first, "tax")
    calendar.wait(minutes=1)
    back = people.look(name)
    back.get_by_role("button", name="I am back").click()
    expect(back.get_by_text("You are on autopilot")).to_have_count(0)
    for page in (first, second):
        expect(page.locator(seat)).to_contain_text("autopilot")  # until the window closes
    say(second, "allow")
    for page in (first, second):
        expect(page.locator(seat)).not_to_contain_text("autopilot")
    say(second, "income")
    say(back, "income")
    for page in (first, second):
        expect(page.locator(f"{seat} .clock")).to_contain_text("2 min")
        log = page.locator("#log-lines").inner_text()
        assert log.count(f"{name} takes income: 1 coin.") == 3
        assert log.count("by the clock") == log.count("1 coin. by the clock") == 2
    assert sound(game)
