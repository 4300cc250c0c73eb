"""The queue of reports, each with what stood around it."""

from datetime import datetime
from typing import Any

from django import forms
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.models import Sanction, User
from games.admin.base import ActForm, Offer, Offers, SubjectAdmin
from games.models import Report, ReportState, TableMessage
from games.models.report import LONGEST_REPORT
from games.moderation import desk
from games.moderation import reports as moderating
from games.moderation.desk import Decision

AROUND = 8
"""How many messages stand before and behind the one that is reported."""


class ResolveForm(ActForm):
    state = forms.ChoiceField(
        label=gettext_lazy("What became of it"),
        choices=[c for c in ReportState.choices if c[0] != ReportState.OPEN],
    )
    answer = forms.CharField(
        label=gettext_lazy("Answer, which the reporter reads"),
        max_length=LONGEST_REPORT,
        widget=forms.Textarea({"rows": 2}),
        required=False,
    )
    field_order = ["state", "answer", "reason"]


class ReportAdmin(SubjectAdmin[Report]):
    page = "admin/games/report/page.html"
    list_display = ["at", "kind", "about", "reporter", "state", "taken_by"]
    list_filter = ["state", "kind"]
    search_fields = ["reporter__name", "person__name", "message__user__name", "game__public_id"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Report]:
        """Without those in which whoever asks has a part."""
        assert isinstance(request.user, User)
        return moderating.queue(request.user)

    def about(self, report: Report) -> str:
        """What is reported."""
        return _title(report)

    about.short_description = gettext_lazy("about")  # type: ignore[attr-defined]

    def context(self, request: HttpRequest, subject: Report, now: datetime) -> dict[str, Any]:
        person = moderating.person_of(subject)
        return {
            "title": _title(subject),
            "game": moderating.game_of(subject),
            "person": person,
            "around": _around(subject.message) if subject.message else [],
            "decided": Sanction.objects.filter(user=person).order_by("-since"),
            "others": self.get_queryset(request).filter(_of_the_same(subject)).order_by("-at")[:20],
            "entries": desk.readable(request.user.pk).filter(report_number=subject.pk),
        }

    def offers(self, user: User, subject: Report, data: Any = None) -> Offers:
        if subject.state != ReportState.OPEN or not user.has_perm(moderating.RESOLVE):
            return {}
        found = {}
        if subject.taken_by_id != user.pk:
            title = _("Take it over") if subject.taken_by_id else _("Take it")
            found["take"] = Offer(title, TakeForm(data), _of(subject.pk, moderating.take))
        found["resolve"] = Offer(
            _("Close it"), ResolveForm(data), _of(subject.pk, moderating.resolve)
        )
        return found


class TakeForm(ActForm):
    """Taking a report needs no reason but the report."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["reason"].required = False


def _of(report_id: int, do: Any) -> Any:
    def carried_out(decision: Decision, **given: Any) -> None:
        do(decision, report_id=report_id, **given)

    return carried_out


def _title(report: Report) -> str:
    if report.message:
        return _("a message of {who}").format(who=report.message.user)
    return str(report.person) if report.person else _("table {name}").format(name=report.game)


def _around(message: TableMessage) -> list[TableMessage]:
    room = TableMessage.objects.filter(game=message.game_id, room=message.room)
    near = room.filter(number__range=(message.number - AROUND, message.number + AROUND))
    return list(near.select_related("user").order_by("number"))


def _of_the_same(report: Report) -> Q:
    """What other reports are about, for them to be of the same."""
    same = Q(message=report.message_id) if report.message_id else Q()
    person, game = moderating.person_of(report), report.game
    if person:
        same |= Q(person=person) | Q(message__user=person)
    if game:
        same |= Q(game=game)
    return same & ~Q(pk=report.pk)
