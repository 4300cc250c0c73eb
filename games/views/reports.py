"""Reporting a message, a person or a table; what became of it; whom one has muted."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from accounts.models import User
from games import hearing, reports, talk
from games.forms.talk import ReportForm, TableReportForm
from games.models import Mute, Report, ReportKind
from games.refusal import Reason, Refused
from games.seats import seated
from games.views.caching import fresh
from games.views.lobby import link_query
from games.views.paging import part_of
from games.views.refusals import for_viewers, notice_of, refused
from games.views.talk import ear_of

_either = require_http_methods(["GET", "HEAD", "POST"])


def _person(request: HttpRequest) -> User:
    assert isinstance(request.user, User)
    return request.user


@login_required
@_either
@fresh
def message(request: HttpRequest, public_id: str, room: str, number: int) -> HttpResponse:
    """Report what somebody said."""
    with for_viewers():
        ear = ear_of(request, public_id)
    said = hearing.message(ear, room, number)
    if said is None or said.user_id == request.user.pk:
        return refused(request, notice_of(Reason.NO_MESSAGE), public_id)
    form = ReportForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        return _report(request, said, form)
    return _ask(request, ear, form, said.user.name, said.words)


@login_required
@_either
@fresh
def table(request: HttpRequest, public_id: str) -> HttpResponse:
    """Report a table, or a person who sits there; `seat` in the query chooses one."""
    with for_viewers():
        ear = ear_of(request, public_id)
    people = {
        str(tenure.seat.index): tenure.user
        for tenure in seated(ear.game)
        if tenure.user is not None and tenure.user_id != request.user.pk
    }
    form = TableReportForm(
        request.POST or None,
        seats=[(seat, user.name) for seat, user in people.items()],
        initial={"subject": request.GET.get("seat", "table")},
    )
    if request.method == "POST" and form.is_valid():
        subject = people.get(form.cleaned_data["subject"], ear.game)
        return _report(request, subject, form)
    return _ask(request, ear, form)


def _report(request: HttpRequest, subject: reports.Subject, form: ReportForm) -> HttpResponse:
    try:
        is_new = reports.report(
            reporter=_person(request),
            subject=subject,
            kind=ReportKind(form.cleaned_data["kind"]),
            words=form.cleaned_data["words"],
            now=timezone.now(),
        )
    except Refused as refusal:
        return refused(request, notice_of(refusal.reason))
    if is_new:
        messages.success(request, _("Thank you. A moderator will look at it."))
    else:
        messages.info(request, _("You had reported that already. Your first report stands."))
    return redirect("games:reports")


def _ask(
    request: HttpRequest,
    ear: hearing.Listener,
    form: ReportForm,
    author: str = "",
    words: str = "",
) -> HttpResponse:
    context = {
        "form": form,
        "game": ear.game,
        "author": author,
        "words": words,
        "link_query": link_query(request),
    }
    return render(request, "games/report.html", context, status=422 if form.errors else 200)


@login_required
@require_GET
@fresh
def mine(request: HttpRequest) -> HttpResponse:
    """What I reported and what became of it, and whom I have muted."""
    person = _person(request)
    mutes = Mute.objects.filter(by=person).select_related("whom").order_by("whom__name")
    found = Report.objects.filter(reporter=person).order_by("-pk")
    part = part_of(request, found.select_related("message__user", "person", "game"), "page")
    return render(request, "games/reports.html", {"part": part, "mutes": mutes})


@login_required
@require_POST
def unmute(request: HttpRequest) -> HttpResponse:
    """Read somebody again."""
    given = request.POST.get("mute", "")
    if not (given.isascii() and given.isdigit() and len(given) < 19):
        return HttpResponseBadRequest()
    mute = Mute.objects.filter(by=_person(request), pk=int(given)).first()
    if mute:
        talk.unmute(user=_person(request), whom_id=mute.whom_id)
    return redirect("games:reports")
