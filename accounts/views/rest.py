"""When somebody's clocks rest: what they set on the page of preferences."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from accounts import rest
from accounts.forms_rest import HolidayForm, HoursForm
from accounts.models import User
from accounts.views.pages import profile_page


@login_required
@require_POST
def hours(request: HttpRequest) -> HttpResponse:
    """Set the hours in which one is awake, or that the clock never rests."""
    form = HoursForm(request.POST)
    if form.is_valid():
        try:
            rest.set_hours(_person(request), awake=form.awake, now=timezone.now())
        except rest.TooOften as refusal:
            day = date_format(timezone.localtime(refusal.until), "DATE_FORMAT")
            form.add_error(
                None,
                _(
                    "You have changed your hours twice within 30 days. You may again on {day}."
                ).format(day=day),
            )
        else:
            return _saved(request)
    return profile_page(request, hours=form)


@login_required
@require_POST
def holiday(request: HttpRequest) -> HttpResponse:
    """Book a holiday."""
    person, now = _person(request), timezone.now()
    form = HolidayForm(request.POST, person=person, now=now)
    if form.is_valid():
        first, last = form.cleaned_data["first"], form.cleaned_data["last"]
        try:
            rest.book(person, first=first, last=last, now=now)
        except rest.Overlaps:
            form.add_error("first", _("You are away on some of these days already."))
        except rest.TooLong as refusal:
            form.add_error("last", _too_long(refusal))
        else:
            return _saved(request)
    return profile_page(request, holiday=form)


@login_required
@require_POST
def by_itself(request: HttpRequest) -> HttpResponse:
    """Whether hours of holiday are taken when time would otherwise run out."""
    wanted = request.POST.get("by_itself") == "on"
    User.objects.filter(pk=_person(request).pk).update(holiday_by_itself=wanted)
    return _saved(request)


@login_required
@require_POST
def come_back(request: HttpRequest, absence_id: int) -> HttpResponse:
    """Call a holiday off, or end it. Doing so twice is once."""
    rest.come_back(_person(request), absence_id=absence_id, now=timezone.now())
    return _saved(request)


def _too_long(refusal: rest.TooLong) -> str:
    if refusal.left < 1:
        return _("No day of holiday is left in {year}.").format(year=refusal.year)
    return ngettext(
        "Only {days} day of holiday is left in {year}.",
        "Only {days} days of holiday are left in {year}.",
        refusal.left,
    ).format(days=refusal.left, year=refusal.year)


def _person(request: HttpRequest) -> User:
    assert isinstance(request.user, User)
    return request.user


def _saved(request: HttpRequest) -> HttpResponse:
    messages.success(request, _("Saved."))
    return redirect("accounts:profile")
