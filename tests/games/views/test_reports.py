"""Reporting a message, a person or a table, and learning what became of it."""

import re
from datetime import timedelta
from itertools import count

import pytest
from django.test import Client
from django.urls import reverse

from accounts import guests
from games import reports, talk
from games.models import Game, Report, ReportKind, ReportState, Visibility, Watch

from ..cast import NOON, person, running_game
from ..talk_cast import SPECTATORS, tell
from .web import client_of, main_of, queries, text

pytestmark = pytest.mark.django_db


def of_message(game: Game, number: int = 1, room: str = "table") -> str:
    return reverse("games:report_message", args=[game.public_id, room, number])


def of_table(game: Game) -> str:
    return reverse("games:report", args=[game.public_id])


MINE = "/reports/"
FORM = {"kind": "abuse", "words": "He is rude."}


def test_a_message_is_reported_from_where_it_stands() -> None:
    game, ana = running_game(3), client_of("Ana")
    message = tell(game, person("Ben"), "You <fool>.")
    assert of_message(game) in text(ana.get(reverse("games:talk", args=[game.public_id])))
    assert "You &lt;fool&gt;." in main_of(ana.get(of_message(game)))
    for _ in range(2):
        assert ana.post(of_message(game), FORM).status_code == 302
    report = Report.objects.get()
    assert (report.message, report.person, report.game) == (message, None, None)
    assert (report.reporter, report.kind, report.words) == (person("Ana"), "abuse", "He is rude.")
    page = main_of(ana.get(MINE))
    assert "He is rude." in page
    assert "not looked at yet" in page
    assert "He is rude." not in main_of(client_of("Ben").get(MINE))


def test_a_person_and_a_table_are_reported_from_the_table() -> None:
    game, ana = running_game(3), client_of("Ana")
    assert of_table(game) in text(ana.get(reverse("games:table", args=[game.public_id])))
    page = main_of(ana.get(of_table(game), {"seat": "1"}))
    (chosen,) = re.findall(r'<input[^>]*name="subject"[^>]*checked[^>]*>', page)
    assert 'value="1"' in chosen
    assert "Ana" not in page
    assert ana.post(of_table(game), FORM | {"subject": "1"}).status_code == 302
    assert ana.post(of_table(game), FORM | {"subject": "table"}).status_code == 302
    one, other = Report.objects.order_by("pk")
    assert (one.person, one.game) == (person("Ben"), None)
    assert (other.person, other.game) == (None, game)


def test_what_is_missing_is_said_and_nothing_typed_lost() -> None:
    game, ana = running_game(3), client_of("Ana")
    response = ana.post(of_table(game), {"subject": "0", "words": "Look here"})
    assert response.status_code == 422
    assert "Look here" in text(response)
    assert not Report.objects.exists()


def test_the_reporter_learns_what_became_of_it_and_may_report_again() -> None:
    game, ana = running_game(3), client_of("Ana")
    tell(game, person("Ben"))
    ana.post(of_message(game), FORM)
    Report.objects.update(
        state=ReportState.ACTED, answer="We spoke to him.", closed_at=NOON, closed_by=person("Mod")
    )
    page = main_of(ana.get(MINE))
    assert "something was done" in page
    assert "We spoke to him." in page
    assert "Mod" not in page
    ana.post(of_message(game), FORM)
    assert Report.objects.filter(state=ReportState.OPEN).count() == 1


def test_nobody_reports_what_they_may_not_read() -> None:
    game = running_game(3)
    tell(game, person("Zoe"), room=SPECTATORS)
    ana = client_of("Ana")
    missing = text(ana.get(of_message(game, 7, "spectators")))
    hidden = ana.get(of_message(game, 1, "spectators"))
    assert hidden.status_code == 404
    assert main_of(hidden) == missing.split("<main", 1)[1].split("</main>", 1)[0]
    assert ana.post(of_message(game, 1, "spectators"), FORM).status_code == 404
    assert ana.get(of_message(game, 1, "nowhere")).status_code == 404
    removed = tell(game, person("Ben"))
    talk.hide(message_id=removed.pk, by=person("Mod"), now=NOON)
    assert ana.post(of_message(game), FORM).status_code == 404
    own = tell(game, person("Ana"))
    assert ana.post(of_message(game, own.number), FORM).status_code == 404
    Game.objects.filter(pk=game.pk).update(visibility=Visibility.PRIVATE, watch=Watch.PLAYERS)
    assert client_of("Zoe").post(of_table(game), FORM | {"subject": "0"}).status_code == 404
    assert Client().post(of_table(game), FORM).status_code == 302
    assert not Report.objects.exists()


def test_somebody_who_reports_everything_is_stopped_for_the_day() -> None:
    game, ana = running_game(3), person("Ana")

    numbers = count()

    def report_one(day: int) -> bool:
        now = NOON + timedelta(days=day, minutes=next(numbers))
        message = tell(game, person("Ben"), now=now)
        return reports.report(
            reporter=ana, subject=message, kind=ReportKind.SPAM, words="", now=now
        )

    assert all(report_one(0) for _ in range(reports.MOST_A_DAY))
    with pytest.raises(reports.Refused):
        report_one(0)
    assert report_one(1)


def test_the_page_of_ones_reports_asks_the_same_for_many() -> None:
    game, ana = running_game(3), client_of("Ana")

    def one(number: int) -> None:
        message = tell(game, person("Ben"), now=NOON + timedelta(minutes=number))
        ana.post(of_message(game, message.number), FORM)

    one(0)
    ana.get(MINE)
    few = len(queries(ana, MINE))
    for number in range(1, 5):
        one(number)
    ana.post(of_table(game), FORM | {"subject": "1"})
    assert Report.objects.count() == 6
    assert len(queries(ana, MINE)) == few


def test_reports_of_a_guest_become_the_accounts() -> None:
    game, guest, zoe = running_game(3), guests.create("Quiet Heron"), person("Zoe")
    kind, ben = ReportKind.ABUSE, person("Ben")
    for reporter in (guest, zoe):
        reports.report(reporter=reporter, subject=game, kind=kind, words="", now=NOON)
    reports.report(reporter=guest, subject=ben, kind=kind, words="", now=NOON)
    reports.report(reporter=ben, subject=guest, kind=kind, words="", now=NOON)
    guests.merge(guest, zoe, now=NOON)
    assert Report.objects.filter(reporter=zoe).count() == 2
    assert Report.objects.get(reporter=ben).person == zoe
