"""The queue of reports: who may take and close which, and that the reporter learns of it."""

import pytest

from games import reports as telling
from games import talk
from games.models import (
    Act,
    AuditEntry,
    Game,
    Kind,
    Outbox,
    Report,
    ReportKind,
    ReportState,
    TableMessage,
    TalkRoom,
)
from games.moderation import reports
from games.refusal import Reason, Refused
from tests.games.cast import NOON, person, running_game

from .staff import decide, mod, worker

pytestmark = [pytest.mark.django_db, pytest.mark.services]


@pytest.fixture
def game() -> Game:
    return running_game(3)


@pytest.fixture
def report(game: Game) -> Report:
    """Ana reports what Ben said."""
    talk.say(
        public_id=game.public_id,
        user=person("Ben"),
        room=TalkRoom.TABLE,
        text="an insult",
        form_token="t",
        now=NOON,
    )
    telling.report(
        reporter=person("Ana"),
        subject=TableMessage.objects.get(),
        kind=ReportKind.ABUSE,
        words="Look at this.",
        now=NOON,
    )
    return Report.objects.get()


def refusal(report: Report, name: str, role: str = "moderator") -> Reason | None:
    actor = worker(name, role) if role else person(name)
    try:
        reports.take(decide(actor), report_id=report.pk)
    except Refused as refused:
        return refused.reason
    return None


def close(report: Report, token: str = "", answer: str = "Ben was told.") -> None:
    reports.resolve(
        decide(mod(), token=token), report_id=report.pk, state=ReportState.ACTED, answer=answer
    )


def test_who_may(report: Report) -> None:
    assert refusal(report, "Zoe", role="") is Reason.NOT_MODERATOR
    for name in ("Ana", "Ben", "Cyd"):  # the reporter, the author, somebody who sits there
        assert refusal(report, name) is Reason.PLAYED_HERE
    assert refusal(report, "Mod") is None


def test_taking_says_who_looks_into_it(report: Report) -> None:
    reports.take(decide(mod()), report_id=report.pk)
    reports.take(decide(mod()), report_id=report.pk)
    report.refresh_from_db()
    assert report.taken_by == person("Mod")
    reports.take(decide(worker("Moe", "moderator")), report_id=report.pk)
    report.refresh_from_db()
    assert report.taken_by == person("Moe")
    assert AuditEntry.objects.filter(act=Act.TAKE_REPORT).count() == 2


def test_the_reporter_learns_what_became_of_it(report: Report) -> None:
    close(report, "once")
    close(report, "once")
    report.refresh_from_db()
    assert (report.state, report.answer) == (ReportState.ACTED, "Ben was told.")
    entry = AuditEntry.objects.get(act=Act.RESOLVE_REPORT)
    assert (entry.report_number, entry.message_number) == (report.pk, report.message_id)
    assert entry.person == person("Ben")
    (told,) = Outbox.objects.filter(kind=Kind.NOTICE)
    assert told.user == person("Ana")
    assert told.payload == {"act": Act.RESOLVE_REPORT, "words": "Ben was told."}


def test_closed_is_closed(report: Report) -> None:
    close(report)
    with pytest.raises(Refused) as refused:
        close(report, answer="Something else.")
    assert refused.value.reason is Reason.REPORT_CLOSED
    report.refresh_from_db()
    assert report.answer == "Ben was told."


def test_the_queue_has_open_ones_on_top_and_the_oldest_first(report: Report, game: Game) -> None:
    for name in ("Cyd", "Zoe"):
        telling.report(
            reporter=person(name), subject=game, kind=ReportKind.FAULT, words="", now=NOON
        )
    close(report)
    assert [one.reporter.name for one in reports.queue(mod())] == ["Cyd", "Zoe", "Ana"]
