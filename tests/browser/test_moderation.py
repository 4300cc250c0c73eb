"""A player reports a message, and a moderator sets the table right: in the browsers of them all."""

import re
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.contrib.auth.models import Group
from playwright.sync_api import BrowserContext, Page, expect

from accounts.models import SanctionKind, User
from games.models import Act, AuditEntry, Game, Report
from games.moderation import games, people, roles
from tests.accounts.cast import PASSWORD, member
from tests.accounts.staff import code, staff_client
from tests.browser.checks import axe_violations, overflow
from tests.browser.players import SOON, at_one_table, say
from tests.games.cast import person, running_game
from tests.games.moderation.staff import adm, decide

INSULT = "You are all idiots, and you most of all."


def moderator() -> User:
    """Somebody with the role, an address and a password, and no second factor yet."""
    roles.set_right()
    user = member("Mod")
    user.is_staff = True
    user.save()
    user.groups.set([Group.objects.get(name="moderator")])
    return user


def sign_in(page: Page) -> None:
    """Sign in for the administration; set the second factor up, for it takes one."""
    page.goto("/admin/")
    page.get_by_label("E-mail address").fill("mod@example.org")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_text("signs in with a second factor")).to_be_visible()
    page.get_by_role("button", name="Set it up").click()
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Go on").click()
    assert axe_violations(page) == []
    page.get_by_label("Code").fill(code(page.locator(".code").inner_text()))
    page.get_by_role("button", name="Turn it on").click()
    expect(page.locator(".codes li")).to_have_count(10)
    page.get_by_role("link", name="I have them").click()
    expect(page).to_have_url(re.compile(r"/admin/$"))


def act(page: Page, name: str, reason: str, **given: str) -> None:
    """Open one of the acts on this page, fill it in, and send it."""
    form = page.locator(f"#act-{name}")
    form.locator("summary").click()
    for field, value in given.items():
        form.locator(f"select[name={field}]").select_option(label=value)
    form.locator("[name=reason]").fill(reason)
    form.get_by_role("button").click()
    expect(page.locator(".messagelist .success")).to_be_visible()


def test_a_report_leads_to_order(
    new_context: Callable[..., BrowserContext], live_asgi: str
) -> None:
    game, (ana, ben, cyd) = at_one_table(new_context, live_asgi)
    moderator()

    # Somebody is rude, and somebody reports it from where it stands.
    ben.page.locator("#text-table").fill(INSULT)
    ben.page.locator("#text-table").press("Enter")
    expect(ana.page.locator("#log-table").get_by_text(INSULT)).to_be_visible(timeout=SOON)
    ana.page.locator("#more-table-1-head").click()
    ana.page.locator("#report-table-1").click()
    ana.page.get_by_label("insults, threats or hatred").check()
    ana.page.locator("#send-report").click()
    expect(ana.page.get_by_text("not looked at yet")).to_be_visible()
    ana.page.goto(f"/g/{game.public_id}/")

    # A moderator finds it in the queue, with what stood around it.
    mod = new_context().new_page()
    sign_in(mod)
    mod.get_by_role("link", name="Reports", exact=True).first.click()
    mod.locator("#result_list tbody a").first.click()
    expect(mod.locator(".is-reported")).to_contain_text(INSULT)
    act(mod, "take", "")
    mod.locator(".subject__about dl").get_by_role("link", name=game.name).click()
    table = mod.url

    # The game is frozen: all see it at once, and nobody can answer.
    expect(ana.page.locator("form.turn")).to_be_visible()
    act(mod, "freeze", "Insults.")
    for player in (ana, ben, cyd):
        expect(player.page.get_by_text("A moderator has stopped this game:")).to_be_visible(
            timeout=SOON
        )
        expect(player.page.locator("form.turn")).to_have_count(0)
    assert axe_violations(mod) == []
    assert axe_violations(cyd.page) == []
    act(mod, "hide", "Insults.", message_id=f"{ben.name}: {INSULT}")
    expect(cyd.page.locator("#log-table")).not_to_contain_text(INSULT, timeout=SOON)

    # The author is silenced, and reads why and until when.
    mod.locator(".talk").get_by_role("link", name=ben.name).click()
    act(mod, "sanction", "You insulted everybody.", kind="silence", days="a day")
    ben.page.reload()
    expect(ben.page.get_by_text("A moderator has silenced you.")).to_be_visible()
    expect(ben.page.get_by_text("You insulted everybody.")).to_be_visible()
    expect(ben.page.locator("#text-table")).to_have_count(0)
    assert axe_violations(ben.page) == []

    # Their seat goes to a bot, and the game goes on without them.
    mod.goto(table)
    act(mod, "hand_over", "Asked to be let go.", tenure_id=ben.name, to="a bot: honest")
    for player in (ana, cyd):
        expect(
            player.page.get_by_text("A moderator has given a seat to somebody else.")
        ).to_be_visible(timeout=SOON)
    act(mod, "thaw", "All is well.")
    expect(ana.page.locator("form.turn")).to_be_visible(timeout=SOON)
    expect(cyd.page.get_by_text("A moderator lets this game go on.")).to_be_visible(timeout=SOON)
    say(ana.page, "income")
    for width in (360, 768, 1440):
        mod.set_viewport_size({"width": width, "height": 800})
        assert overflow(mod) == 0

    # The reporter learns what became of it; the log holds every step.
    mod.goto(f"/admin/games/report/{Report.objects.get().pk}/change/")
    mod.locator("#act-resolve summary").click()
    mod.locator("[name=answer]").fill("They cannot write for a day.")
    mod.locator("#act-resolve [name=reason]").fill("Clear.")
    mod.locator("#act-resolve").get_by_role("button").click()
    ana.page.goto("/reports/")
    expect(ana.page.get_by_text("They cannot write for a day.")).to_be_visible()
    expect(ana.page.get_by_text("something was done")).to_be_visible()
    assert list(AuditEntry.objects.order_by("number").values_list("act", flat=True)) == [
        Act.TAKE_REPORT,
        Act.FREEZE,
        Act.HIDE,
        Act.MUTE,
        Act.HAND_OVER,
        Act.THAW,
        Act.RESOLVE_REPORT,
    ]
    mod.goto("/admin/games/auditentry/")
    expect(mod.locator("#result_list tbody tr")).to_have_count(7)


@pytest.mark.parametrize("width", [768, 1280])
def test_the_lists_of_the_administration_fit_the_screen(
    new_context: Callable[..., BrowserContext], live_asgi: str, width: int
) -> None:
    game = running_game(3)
    Game.objects.filter(pk=game.pk).update(title="A table with a name as long as may be")
    for name, kind in (("Ben", SanctionKind.MUTE), ("Cyd", SanctionKind.SUSPENSION)):
        people.impose(
            decide(adm(), "Insults at three tables on one evening, and no end of it. " * 3),
            user_id=person(name).pk,
            kind=kind,
            lasts=timedelta(days=7),
        )
    games.freeze(decide(adm(), "https://example.org/" + "long" * 40), public_id=game.public_id)
    context = new_context(viewport={"width": width, "height": 900})
    cookies = staff_client(adm()).cookies
    context.add_cookies(
        [{"name": one.key, "value": one.value, "url": live_asgi} for one in cookies.values()]
    )
    page = context.new_page()
    for name in ("games/auditentry", "games/game", "games/report", "accounts/user"):
        page.goto(f"/admin/{name}/")
        if name != "games/report":  # there is none
            expect(page.locator("#result_list tbody tr").first).to_be_visible()
        cut = page.locator(".results").evaluate_all(
            "boxes => boxes.map((box) => box.scrollWidth - box.clientWidth)"
        )
        assert max(cut, default=0) <= 0, (name, cut)
        assert overflow(page) <= 0
