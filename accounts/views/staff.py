"""The door of the administration: staff alone, with the second factor, used not long ago."""

from datetime import timedelta
from urllib.parse import urlencode

from allauth.account.authentication import get_authentication_records
from allauth.mfa.models import Authenticator
from allauth.mfa.utils import is_mfa_enabled
from django.contrib import admin, messages
from django.contrib.auth import REDIRECT_FIELD_NAME
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.models import User

LASTS = timedelta(hours=12)
"""How long a code opens the administration. A session lasts for months."""


class AdminSite(admin.AdminSite):
    site_header = site_title = gettext_lazy("Coup, behind the table")
    index_title = gettext_lazy("Administration")
    site_url = "/"

    def has_permission(self, request: HttpRequest) -> bool:
        if not (super().has_permission(request) and used_second_factor(request)):
            return False
        return bool(is_mfa_enabled(request.user, [Authenticator.Type.TOTP]))

    def login(
        self, request: HttpRequest, extra_context: dict[str, object] | None = None
    ) -> HttpResponse:
        """One way in, the site's own; then the second factor, which may have to be set up first."""
        user = request.user
        wanted = request.GET.get(REDIRECT_FIELD_NAME) or reverse("admin:index")
        if not isinstance(user, User):
            return _to("account_login", wanted)
        if not user.is_staff:
            raise PermissionDenied
        if not is_mfa_enabled(user, [Authenticator.Type.TOTP]):
            words = _("Whoever works here signs in with a second factor. Set one up, then go on.")
            messages.info(request, words)
            return _to("mfa_index", wanted)
        if not used_second_factor(request):
            return _to("mfa_reauthenticate", wanted)
        return redirect("admin:index")

    def password_change(  # type: ignore[override]  # Django's own shows a page
        self, request: HttpRequest, extra_context: dict[str, object] | None = None
    ) -> HttpResponse:
        """One way to a new password, too: it asks for the old one, sends a letter, and ends the
        other sessions with all that is open in them."""
        return redirect("account_change_password")


def used_second_factor(request: HttpRequest) -> bool:
    """Whether this session has proved the second factor, and not too long ago."""
    since = (timezone.now() - LASTS).timestamp()
    records = get_authentication_records(request, request.user)
    return any(record["method"] == "mfa" and record["at"] >= since for record in records)


def _to(name: str, wanted: str) -> HttpResponse:
    return redirect(f"{reverse(name)}?{urlencode({REDIRECT_FIELD_NAME: wanted})}")
