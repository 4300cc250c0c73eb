"""Telling the moderators of a message, a person or a table."""

from datetime import datetime, timedelta

from django.db import transaction

from accounts.models import User
from games.models import Game, Report, ReportKind, ReportState, TableMessage
from games.refusal import Reason, Refused

MOST_A_DAY = 10

type Subject = TableMessage | User | Game


def about(subject: Subject) -> dict[str, Subject]:
    """The column of a report that holds its subject."""
    match subject:
        case TableMessage():
            return {"message": subject}
        case User():
            return {"person": subject}
        case Game():
            return {"game": subject}


@transaction.atomic
def report(
    *, reporter: User, subject: Subject, kind: ReportKind, words: str, now: datetime
) -> bool:
    """Report it. False, and nothing new, where this person's report of it is open already."""
    User.objects.select_for_update().get(pk=reporter.pk)
    mine = Report.objects.filter(reporter=reporter)
    if mine.filter(state=ReportState.OPEN, **about(subject)).exists():
        return False
    if mine.filter(at__gt=now - timedelta(days=1)).count() >= MOST_A_DAY:
        raise Refused(Reason.TOO_MANY_REPORTS)
    Report.objects.create(reporter=reporter, kind=kind, words=words, at=now, **about(subject))
    return True


def hand_over(*, guest: User, user: User) -> None:
    """A guest becomes the account: what they reported, and what is reported of them. Reports that
    would stand twice stay with the guest's row."""
    for report in Report.objects.filter(reporter=guest):
        twice = Report.objects.filter(
            reporter=user,
            state=ReportState.OPEN,
            message=report.message_id,
            person=report.person_id,
            game=report.game_id,
        )
        if report.state != ReportState.OPEN or not twice.exists():
            Report.objects.filter(pk=report.pk).update(reporter=user)
    of_user = Report.objects.filter(person=user, state=ReportState.OPEN).values("reporter_id")
    Report.objects.filter(person=guest).exclude(
        state=ReportState.OPEN, reporter_id__in=of_user
    ).update(person=user)
