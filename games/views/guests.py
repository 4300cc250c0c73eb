"""People who come in without an account."""

from allauth.core import ratelimit
from allauth.core.exceptions import ImmediateHttpResponse
from django.contrib.auth import login
from django.core.exceptions import ValidationError
from django.http import HttpRequest

from accounts import guests, zones
from accounts.models import User
from games.forms_lobby import NameForm


def limit(request: HttpRequest, action: str) -> None:
    """Count one more `action`; beyond ACCOUNT_RATE_LIMITS the request ends with a page for 429."""
    response = ratelimit.consume_or_429(request, action=action)
    if response:
        raise ImmediateHttpResponse(response)


def sign_in_guest(request: HttpRequest, form: NameForm | None = None) -> User | None:
    """Make a guest, named by the form or by chance, and sign them in.

    None, and the form says why, if the name may not be.
    """
    if form and not form.is_valid():
        return None
    limit(request, "guest")
    try:
        guest = guests.create(
            form.cleaned_data["name"] if form else None,
            time_zone=zones.known(request.POST.get("time_zone", "")),
        )
    except ValidationError as error:
        assert form
        form.add_error("name", error)
        return None
    login(request, guest, backend="django.contrib.auth.backends.ModelBackend")
    return guest
