"""People who come in without an account."""

from allauth.core import ratelimit
from allauth.core.exceptions import ImmediateHttpResponse
from django.contrib.auth import login
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.utils import timezone

from accounts import guests, zones
from accounts.models import User
from games.forms.lobby import NameForm


def limit(request: HttpRequest, action: str) -> None:
    """Count one more `action`; beyond ACCOUNT_RATE_LIMITS the request ends with a page for 429."""
    response = ratelimit.consume_or_429(request, action=action)
    if response:
        raise ImmediateHttpResponse(response)


def guest_of_form(request: HttpRequest) -> User | None:
    """The guest whom the first half of a double click has just made; signed in here too."""
    guest = guests.made_by(request.POST.get("form_token", ""), timezone.now())
    return _sign_in(request, guest) if guest else None


def sign_in_guest(request: HttpRequest, form: NameForm | None = None) -> User | None:
    """Make a guest, named by the form or by chance, and sign them in.

    None, and the form says why, if the name may not be. The same form again is the same guest.
    """
    if known := guest_of_form(request):
        return known
    if form and not form.is_valid():
        return guest_of_form(request)  # the other half may just have taken the name
    limit(request, "guest")
    try:
        guest = guests.create(
            form.cleaned_data["name"] if form else None,
            time_zone=zones.known(request.POST.get("time_zone", "")),
            form_token=request.POST.get("form_token", "")[:32],
        )
    except ValidationError as error:
        assert form
        form.add_error("name", error)
        return guest_of_form(request)
    return _sign_in(request, guest)


def _sign_in(request: HttpRequest, guest: User) -> User:
    login(request, guest, backend="django.contrib.auth.backends.ModelBackend")
    return guest
