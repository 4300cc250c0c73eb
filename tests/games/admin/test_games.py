"""The administration's pages about games and reports: found, read, acted on; blind, but for a look
that is logged; closed to whoever plays there."""

import re
from random import Random
from secrets import token_hex

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games import halts, reports, store, talk
from games.engine.view import SPECTATOR
from games.models import (
    Act,
    AuditEntry,
    Game,
    Halt,
    Report,
    ReportKind,
    ReportState,
    TableMessage,
    TalkRoom,
    Tenure,
    Watch,
)
from games.models.game import Visibility
from tests.accounts.staff import staff_client
from tests.games.cast import NAMES, NOON, person, running_game, say, state_of, stir, tenure_of
from tests.games.moderation.staff import adm, mod, worker
from tests.games.redeal import redeal, without_sealed
from tests.games.rewriting import history, rewrite, take_back

pytestmark = pytest.mark.django_db

LIST = "/admin/games/game/"


def page_of(client: Client, game: Game) -> str:
    response = client.get(f"{LIST}{game.pk}/change/")
    assert response.status_code == 200
    page = response.content.decode()
    return re.sub(r'name="(csrfmiddlewaretoken|form_token)" value="[^"]*"', "", page)


def send(client: Client, game: Game, act: str, **given: object) -> tuple[int, str]:
    fields = {"reason": "Because.", "form_token": token_hex(8)} | given
    response = client.post(f"{LIST}{game.pk}/act/{act}/", fields)
    return response.status_code, response.content.decode()


def acts(page: str) -> set[str]:
    return set(re.findall(r'id="act-(\w+)"', page))


def test_games_are_found_by_title_id_and_player() -> None:
    game = running_game(3)
    Game.objects.filter(pk=game.pk).update(title="The quiet table")
    other = running_game(2, seed=b"x" * 32)
    client = staff_client(mod())

    def found(query: str) -> set[str]:
        page = client.get(f"{LIST}?{query}").content.decode()
        return {g.public_id for g in (game, other) if g.public_id in page}

    assert found("") == {game.public_id, other.public_id}
    assert found("q=quiet") == found("q=Cyd") == {game.public_id}
    assert found(f"q={other.public_id}") == {other.public_id}
    assert found("frozen=1") == found("reported=1") == set()
    halts.freeze(public_id=game.public_id, now=NOON, source=Halt.MODERATOR)
    reports.report(reporter=person("Zoe"), subject=other, kind=ReportKind.FAULT, words="", now=NOON)
    assert found("frozen=1") == {game.public_id}
    assert found("reported=1") == {other.public_id}
    assert found("status__exact=over") == set()
    assert found("pace__exact=daily&visibility__exact=public") == found("")
    prompts = other.prompts.all()
    prompts.update(due=NOON.replace(year=2020))
    assert found("stuck=1") == {other.public_id}


@pytest.mark.parametrize(
    "query",
    [
        "link_token__startswith=a",
        "last_move__gte=1",
        "secret__seed__gte=a",
        "moves__number=1",
        "tenures__autopilot_since__isnull=1",
        "prompts__answered_by=order",
        "gamesecret__seed__gte=a",
        "version__gte=1",
    ],
)
def test_no_column_but_those_of_the_filters_is_asked_for(query: str) -> None:
    running_game(3)
    assert staff_client(adm()).get(f"{LIST}?{query}").status_code in (302, 400)


def test_an_address_that_is_no_number_leads_nowhere() -> None:
    client = staff_client(mod())
    for pk in ("x", "1.5", "-1", "9" * 30, "\u0663", "0"):
        for path in ("change", "history"):
            assert client.get(f"{LIST}{pk}/{path}/").status_code in (302, 404), (pk, path)


@pytest.mark.parametrize("seed", range(4))
def test_a_moderator_is_blind(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """With all hidden cards dealt anew the page is the same, to the byte."""
    monkeypatch.setattr(timezone, "now", lambda: NOON)
    game, random = running_game(3, inquisitor=seed > 1), Random(seed)
    client = staff_client(mod())
    monkeypatch.setattr("accounts.views.staff.used_second_factor", lambda _request: True)
    list(stir(game, random, 12))
    before = page_of(client, game)
    rewrite(game, redeal(history(game), SPECTATOR, random))
    store.forget()
    assert page_of(client, game) == before


def test_who_has_not_answered_is_shown_and_never_what(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(timezone, "now", lambda: NOON)
    monkeypatch.setattr("accounts.views.staff.used_second_factor", lambda _request: True)
    game = running_game(3)
    say(game, state_of(game).turn, "steal 0" if state_of(game).turn else "steal 1")
    target = 0 if state_of(game).turn else 1
    client = staff_client(mod())
    pages = []
    for answer in ("allow", "block captain"):
        before = page_of(client, game)
        assert before.count("until ") >= 2
        say(game, target, answer)
        pages.append(page_of(client, game))
        assert pages[-1] != before
        take_back(game, without_sealed(history(game), SPECTATOR))
        store.forget()
    assert pages[0] == pages[1]


def test_autopilot_is_shown_as_the_table_shows_it_and_no_clock_that_stands_still() -> None:
    game = running_game()
    seat = state_of(game).turn
    Tenure.objects.filter(game=game, seat__index=seat).update(autopilot_since=NOON)
    page = page_of(staff_client(mod()), game)
    assert ", autopilot" not in page
    assert "until " in page
    Tenure.objects.filter(game=game, seat__index=seat).update(absent_since=NOON)
    halts.freeze(public_id=game.public_id, now=NOON, source=Halt.MODERATOR)
    page = page_of(staff_client(mod()), game)
    assert ", autopilot" in page
    assert "yes; no clock runs" in page


def test_a_private_table_is_shown_as_a_spectator_would_see_it() -> None:
    game = running_game(3)
    Game.objects.filter(pk=game.pk).update(visibility=Visibility.PRIVATE, watch=Watch.PLAYERS)
    page = page_of(staff_client(mod()), game)
    assert "as everybody sees it" in page
    assert "Look at the hidden cards" not in page


def test_what_is_offered_follows_from_the_state_and_the_role() -> None:
    game, client = running_game(3), staff_client(mod())
    say(game, state_of(game).turn, "income")
    running = {"freeze", "extend", "answer", "remove", "cancel", "announce", "take_back"}
    assert acts(page_of(client, game)) >= running
    assert "look" not in acts(page_of(client, game))
    assert "look" in acts(page_of(staff_client(adm()), game))
    assert send(client, game, "freeze")[0] == 302
    assert acts(page_of(client, game)) & {"thaw", "freeze", "answer"} == {"thaw"}
    assert send(client, game, "cancel")[0] == 302
    assert acts(page_of(client, game)) == set()
    assert send(client, game, "thaw")[0] == 302
    assert AuditEntry.objects.count() == 2


def test_a_look_is_shown_once_and_logged() -> None:
    game, client = running_game(3), staff_client(adm())
    hands = [", ".join(str(role).title() for role in hand) for hand in state_of(game).hands]
    status, page = send(client, game, "look")
    assert status == 200
    assert all(hand in page for hand in hands)
    assert "The hidden cards" not in page_of(client, game)
    assert AuditEntry.objects.get().act == Act.LOOK
    assert send(staff_client(mod()), game, "look")[0] == 302
    assert AuditEntry.objects.count() == 1


def test_whoever_plays_or_played_there_sees_nothing_of_it_here() -> None:
    game = running_game(3)
    player = worker("Ana", "administrator")
    client = staff_client(player)
    assert game.public_id not in client.get(LIST).content.decode()
    assert client.get(f"{LIST}{game.pk}/change/").status_code == 403
    for act in ("freeze", "look", "cancel"):
        assert send(client, game, act)[0] == 403
    assert not AuditEntry.objects.exists()


def test_what_is_wrong_comes_back_with_what_was_typed() -> None:
    game, client = running_game(3), staff_client(mod())
    status, page = send(client, game, "announce", words="", reason="Typed.")
    assert (status, "Typed." in page) == (422, True)
    status, page = send(client, game, "take_back", version="999", reason="Typed.")
    assert status in (302, 422)
    status, page = send(client, game, "freeze", reason="")
    assert status == 422
    assert not AuditEntry.objects.exists()


def test_acts_through_the_page() -> None:
    game, client = running_game(3), staff_client(mod())
    turn = state_of(game).turn
    say(game, turn, "income")
    deal = store.moments(store.load(game))[0].version
    game.refresh_from_db()
    send(client, game, "take_back", version=deal)
    assert state_of(game).turn == turn
    asked = game.prompts.get(state="open").pk
    send(client, game, "answer", prompt_id=asked)
    assert state_of(game).turn != turn
    send(client, game, "remove", tenure_id=tenure_of(game, turn).pk)
    assert turn in state_of(game).exiled
    send(client, game, "announce", words="Calm down.")
    page = page_of(client, game)
    assert "Calm down." in page
    assert list(AuditEntry.objects.values_list("act", flat=True)) == [
        Act.TAKE_BACK,
        Act.ANSWER,
        Act.REMOVE,
        Act.ANNOUNCE,
    ]
    assert "gave the default answer" in page


# --- reports --------------------------------------------------------------------------------------


def reported(game: Game) -> Report:
    for number in range(3):
        talk.say(
            public_id=game.public_id,
            user=person("Ben"),
            room=TalkRoom.TABLE,
            text=f"Message {number}",
            form_token=f"{number}",
            now=NOON,
        )
    reports.report(
        reporter=person("Ana"),
        subject=TableMessage.objects.get(number=2),
        kind=ReportKind.ABUSE,
        words="Look at this.",
        now=NOON,
    )
    return Report.objects.get()


def test_a_report_is_read_with_what_stood_around_it_and_closed() -> None:
    report, client = reported(running_game(3)), staff_client(mod())
    url = f"/admin/games/report/{report.pk}/"
    assert "Message 1" not in client.get("/admin/games/report/").content.decode()
    page = client.get(f"{url}change/").content.decode()
    for words in ("Message 0", "Message 1", "Message 2", "Look at this."):
        assert words in page
    assert acts(page) == {"take", "resolve"}
    client.post(f"{url}act/take/", {"form_token": "a", "reason": ""})
    given = {"form_token": "b", "state": "acted", "answer": "Told.", "reason": "Clear."}
    client.post(f"{url}act/resolve/", given)
    report.refresh_from_db()
    assert (report.state, report.taken_by) == (ReportState.ACTED, person("Mod"))
    reader = Client()
    reader.force_login(person("Ana"))
    assert "Told." in reader.get("/reports/").content.decode()
    assert acts(client.get(f"{url}change/").content.decode()) == set()


def test_reports_in_which_one_has_a_part_are_not_ones_own_to_see() -> None:
    report = reported(running_game(3))
    for name in NAMES[:3]:
        client = staff_client(worker(name, "administrator"))
        assert client.get(f"/admin/games/report/{report.pk}/change/").status_code == 404
        given = {"form_token": "b", "state": "acted", "reason": "Clear."}
        client.post(f"/admin/games/report/{report.pk}/act/resolve/", given)
    report.refresh_from_db()
    assert report.state == ReportState.OPEN


def test_nobody_who_works_here_reads_who_reported_them() -> None:
    """Neither on the pages about themselves, nor in the log, nor beside what else is reported."""
    game, report = running_game(3), reported(running_game(3, seed=b"x" * 32))
    chief = worker("Zoe", "administrator")
    for subject in (chief, game):
        reports.report(
            reporter=person("Eva"), subject=subject, kind=ReportKind.OTHER, words="Psst.", now=NOON
        )
    about_zoe = Report.objects.get(person=chief)
    client = staff_client(mod())
    given = {"form_token": "z", "state": "dismissed", "reason": "Eva is cross with Zoe."}
    client.post(f"/admin/games/report/{about_zoe.pk}/act/resolve/", given)

    def pages(client: Client) -> str:
        urls = (
            f"/admin/accounts/user/{chief.pk}/change/",
            "/admin/games/auditentry/",
            "/admin/games/auditentry/1/change/",
            "/admin/games/report/",
            f"/admin/games/report/{about_zoe.pk}/change/",
            f"/admin/games/report/{report.pk}/change/",
        )
        return "".join(client.get(url).content.decode() for url in urls)

    for words in ("Psst.", "Eva is cross"):
        assert words in pages(client)
        assert words not in pages(staff_client(chief))
    # Nor what is reported of a table at which one sits, from the page of somebody else there.
    sitter = staff_client(worker("Cyd", "administrator"))
    ben = f"/admin/accounts/user/{person('Ben').pk}/change/"
    assert "Look at this." in client.get(ben).content.decode()
    assert "Look at this." not in sitter.get(ben).content.decode()


def test_pages_ask_the_same_however_much_there_is() -> None:
    client = staff_client(mod())
    game = running_game(3)
    report = reported(game)
    counts = []
    for more in range(2):
        for number in range(1 + 4 * more):
            talk.say(
                public_id=game.public_id,
                user=person("Cyd"),
                room=TalkRoom.TABLE,
                text="More",
                form_token=f"{more}.{number}",
                now=NOON.replace(hour=13 + more),
            )
            other = running_game(2, seed=bytes([more, number]) * 16)
            reports.report(
                reporter=person("Ana"), subject=other, kind=ReportKind.FAULT, words="", now=NOON
            )
        for url in (
            LIST,
            f"{LIST}{game.pk}/change/",
            "/admin/games/report/",
            f"/admin/games/report/{report.pk}/change/",
        ):
            with CaptureQueriesContext(connection) as asked:
                assert client.get(url).status_code == 200
            counts.append(len(asked))
    assert counts[:4] == counts[4:]
