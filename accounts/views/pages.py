"""Our own pages about the person, and who may see allauth's."""

from collections.abc import Callable
from functools import wraps

from allauth.account.utils import get_login_redirect_url
from allauth.account.views import password_change
from allauth.decorators import rate_limit
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from accounts import blocks, guests, rest, signals
from accounts.forms import ProfileForm
from accounts.forms_rest import HolidayForm, HoursForm
from accounts.models import User
from accounts.views import push

type View = Callable[..., HttpResponse]


def for_members(view: View) -> View:
    """For those with an account; a guest is asked to sign up first."""

    @wraps(view)
    def guarded(request: HttpRequest) -> HttpResponse:
        if isinstance(request.user, User) and request.user.is_guest:
            messages.info(request, _("This needs an account. Sign up; your games stay yours."))
            return redirect("account_signup")
        return view(request)

    return guarded


def for_others(view: View) -> View:
    """For strangers and guests; whoever is signed in goes on to where they were going."""

    @wraps(view)
    def guarded(request: HttpRequest) -> HttpResponse:
        if isinstance(request.user, User) and not request.user.is_guest:
            # Not `redirect`: it would take a `next` without a slash for the name of a view.
            return HttpResponseRedirect(get_login_redirect_url(request))
        return view(request)

    return guarded


@login_required
@never_cache
@rate_limit(action="change_profile")  # type: ignore[untyped-decorator]
@require_http_methods(["GET", "HEAD", "POST"])
def profile(request: HttpRequest) -> HttpResponse:
    """Name and preferences."""
    assert isinstance(request.user, User)
    # A copy of its own: what is refused must not show in the header.
    person = User.objects.get(pk=request.user.pk) if request.method == "POST" else request.user
    form = ProfileForm(request.POST or None, instance=person)
    if form.is_valid() and _saved(form, old_name=request.user.name):
        messages.success(request, _("Saved."))
        return redirect("accounts:profile")
    return profile_page(request, form=form)


def profile_page(
    request: HttpRequest,
    *,
    form: ProfileForm | None = None,
    hours: HoursForm | None = None,
    holiday: HolidayForm | None = None,
) -> HttpResponse:
    """The page of preferences, with what was typed into one of its forms."""
    person, now = request.user, timezone.now()
    assert isinstance(person, User)
    context = {
        "form": form or ProfileForm(instance=person),
        "hours": hours or HoursForm.of(person),
        "holiday": holiday or HolidayForm(),
        "absences": rest.booked(person, now),
        "away_days": rest.HOLIDAY_HOURS // 24,
        "days_left": rest.days_left(person, now),
        "blocks": blocks.blocked_by(person),
        "now": now,
        **push.switch(request, now),
    }
    return render(request, "accounts/profile.html", context)


def _saved(form: ProfileForm, *, old_name: str) -> bool:
    try:
        with transaction.atomic():
            person = form.save(commit=False)
            # These alone: what a moderator, say, decides meanwhile stands in the same row.
            person.save(update_fields=form.Meta.fields)
            if person.name != old_name:
                signals.name_changed.send(User, user=person, now=timezone.now())
    except IntegrityError:
        form.add_error("name", guests.NAME_TAKEN)
        return False
    return True


@login_required
@for_members
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def password(request: HttpRequest) -> HttpResponse:
    """A new password for the old one; whoever has none chooses one by a letter."""
    assert isinstance(request.user, User)
    if not request.user.has_usable_password():
        return render(request, "account/password_none.html")
    response: HttpResponse = password_change(request)
    return response


@login_required
@require_POST
def sign_out_everywhere(request: HttpRequest) -> HttpResponse:
    """End every session of this person, this one too."""
    assert isinstance(request.user, User)
    request.user.end_sessions()
    logout(request)
    messages.success(request, _("You are signed out on every device."))
    return redirect("home")
