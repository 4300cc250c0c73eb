"""Where allauth asks what to do on this site."""

# mypy: disallow-subclassing-any=False
# allauth has no types.

from typing import Any
from urllib.parse import urlsplit

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.models import EmailAddress
from allauth.core.exceptions import ImmediateHttpResponse
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import update_session_auth_hash
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render, resolve_url
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts import devices, guests, sanctions, sessions, signals
from accounts.forms import PENDING
from accounts.models import User
from accounts.names import normal_name, validate_name
from accounts.signals import MergeRefused


class Adapter(DefaultAccountAdapter):
    error_messages = DefaultAccountAdapter.error_messages | {
        "account_inactive": _("This account is closed."),
        "duplicate_email": _("This is your address already."),
        "email_password_mismatch": _("The address and the password do not belong together."),
        "email_taken": _("This address belongs to an account already. Sign in to it instead."),
        "enter_current_password": _("This is not your password."),
        "incorrect_code": _("This is not the code from the mail."),
        "incorrect_password": _("This is not your password."),
        "too_many_login_attempts": _("Too many tries. Wait a few minutes, then start again."),
        "rate_limited": _(
            "A new code can be had every few seconds. Wait a little, then ask again."
        ),
    }

    def clean_username(self, username: str, shallow: bool = False) -> str:
        """A public name, free or the guest's own."""
        name = normal_name(username)
        validate_name(name)
        if guests.name_taken(name, but=self.request.user.pk):
            raise ValidationError(guests.NAME_TAKEN)
        return name

    def confirm_email(self, request: HttpRequest, email_address: EmailAddress) -> bool:
        """A guest who has proved an address is a guest no more."""
        confirmed: bool = super().confirm_email(request, email_address)
        guest = email_address.user
        if confirmed and guest.is_guest and PENDING in request.session:
            self._upgrade(request, guest)
        return confirmed

    def _upgrade(self, request: HttpRequest, guest: User) -> None:
        given = request.session.pop(PENDING)
        now = timezone.now()
        if not guests.upgrade(guest, name=given["name"], password=given["password"], now=now):
            words = _("Somebody took that name meanwhile. You can choose another here.")
            messages.warning(request, words)
        update_session_auth_hash(request, guest)
        devices.follow(request=request, user=guest)
        sessions.new_password(request=request, user=guest)

    def set_password(self, user: User, password: str) -> None:
        """The password alone: what a moderator, say, decides meanwhile stands in the same row."""
        user.set_password(password)
        user.save(update_fields=["password"])

    def get_email_verification_redirect_url(self, email_address: EmailAddress) -> str:
        # The user of this request is who they were before: a guest has just signed up.
        return resolve_url("home" if self.request.user.is_guest else "accounts:profile")

    def get_password_change_redirect_url(self, request: HttpRequest) -> str:
        return resolve_url("accounts:profile")

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Have the mail sent: a request does not wait for a mail server, nor fail with it.

        It names this site, and leads here, whatever host the request was sent to: whoever sends it
        need not be whoever reads the mail."""
        links = {name: _here(url) for name, url in context.items() if name.endswith("_url")}
        site = {"domain": urlsplit(settings.SITE_URL).netloc}
        given = {"request": self.request, "email": email, **context, **links, "current_site": site}
        message = self.render_mail(template_prefix, email, given)
        signals.account_mail.send(Adapter, message=message, now=timezone.now())

    def respond_user_inactive(self, request: HttpRequest, user: User) -> HttpResponse:
        """Whoever gives the right password of a banned account learns why it is closed."""
        held = sanctions.meaning(sanctions.of(user, timezone.now()))
        context = {"held": held, "sanctions": ()}  # said once, if this browser was theirs
        return render(request, "account/account_inactive.html", context, status=403)

    def login(self, request: HttpRequest, user: User) -> None:
        """Whoever played here as a guest takes those games along; refused where that cannot be."""
        guest = request.user
        if isinstance(guest, User) and guest.is_guest and guest.pk != user.pk:
            try:
                guests.merge(guest, user, now=timezone.now())
            except MergeRefused as refusal:
                messages.error(request, refusal.args[0])
                raise ImmediateHttpResponse(redirect("account_login")) from None
        super().login(request, user)


def _here(url: str) -> str:
    """The same page, at the address that this site has in letters."""
    return settings.SITE_URL + urlsplit(url)._replace(scheme="", netloc="").geturl()
