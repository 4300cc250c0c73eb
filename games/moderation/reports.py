"""The queue of reports: a moderator takes one, looks into it, and says what became of it."""

from django.db import transaction
from django.db.models import Case, Q, QuerySet, Value, When

from accounts.models import User
from games.models import Act, Game, Kind, Report, ReportState
from games.moderation import desk
from games.moderation.desk import Decision
from games.notify import outbox
from games.refusal import Reason, Refused

RESOLVE = "games.resolve_report"


def queue(reader: User) -> QuerySet[Report]:
    """All reports that are this person's to see, those that are open first, the oldest on top."""
    is_open = Case(When(state=ReportState.OPEN, then=Value(0)), default=Value(1))
    found = Report.objects.select_related(
        "reporter", "person", "game", "message__user", "message__game", "taken_by"
    )
    return found.exclude(pk__in=_own(reader)).order_by(is_open, "at", "pk")


def _own(reader: User) -> QuerySet[Report]:
    """In which somebody has a part: see `concerns`, which says it of one."""
    me, games = reader.pk, desk.own_games(reader.pk)
    person = Q(reporter=me) | Q(person=me) | Q(message__user=me)
    return Report.objects.filter(person | Q(game__in=games) | Q(message__game__in=games))


def game_of(report: Report) -> Game | None:
    """The table it is about, if it is about one."""
    return report.game or (report.message.game if report.message else None)


def person_of(report: Report) -> User | None:
    """The person it is about, if it is about one."""
    return report.person or (report.message.user if report.message else None)


def concerns(actor: User, report: Report) -> bool:
    """Whether the actor is part of what is reported: somebody else must look into it."""
    game, person = game_of(report), person_of(report)
    if actor.pk == report.reporter_id or (person and person.pk == actor.pk):
        return True
    return game is not None and desk.has_part(actor, game)


@transaction.atomic
def take(decision: Decision, *, report_id: int) -> None:
    """Look into it, so that nobody else does the same. Whoever comes later may take it over."""
    report = _locked(decision, report_id)
    if decision.is_done or report.taken_by_id == decision.actor.pk:
        return
    report.taken_by = decision.actor
    report.save(update_fields=["taken_by"])
    _log(decision, Act.TAKE_REPORT, report)


@transaction.atomic
def resolve(decision: Decision, *, report_id: int, state: ReportState, answer: str) -> None:
    """Close it: the reporter reads what became of it, and the `answer`. Once is for good."""
    report = _locked(decision, report_id)
    if decision.is_done:
        return
    report.state, report.answer = state, answer
    report.closed_at, report.closed_by = decision.now, decision.actor
    report.save(update_fields=["state", "answer", "closed_at", "closed_by"])
    key = _log(decision, Act.RESOLVE_REPORT, report, state=state)
    outbox.tell(
        users=[report.reporter],
        kind=Kind.NOTICE,
        key=key,
        now=decision.now,
        act=Act.RESOLVE_REPORT,
        words=answer or str(ReportState(state).label),
    )


def _locked(decision: Decision, report_id: int) -> Report:
    report = Report.objects.select_for_update().filter(pk=report_id).first()
    actor = desk.moderator(decision.actor, RESOLVE)
    if report is None:
        raise Refused(Reason.NO_REPORT)
    if concerns(actor, report):
        raise Refused(Reason.PLAYED_HERE)
    if report.state != ReportState.OPEN and not decision.is_done:
        raise Refused(Reason.REPORT_CLOSED)
    return report


def _log(decision: Decision, act: Act, report: Report, **details: str) -> str:
    return decision.log(
        act,
        game=game_of(report),
        person=person_of(report),
        message_number=report.message_id,
        report_number=report.pk,
        details={**details},
    )
