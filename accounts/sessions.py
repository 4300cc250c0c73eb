"""Sessions end, one or many at once; whoever holds a page open for one of them hears of it."""

from typing import Any

from allauth.account.signals import password_changed, password_reset
from django.conf import settings
from django.contrib.auth.signals import user_logged_in, user_logged_out
from django.dispatch import receiver
from django.http import HttpRequest

from accounts import signals
from accounts.models import User


@receiver(user_logged_out, dispatch_uid="accounts.sessions")
def signed_out(*, request: HttpRequest, **_signal: Any) -> None:
    """Signing out ends the session of this browser alone."""
    if request.session.session_key:
        signals.session_ended.send(User, session=request.session.session_key, renewed=False)


@receiver(user_logged_in, dispatch_uid="accounts.sessions")
def signed_in(*, request: HttpRequest, **_signal: Any) -> None:
    """Signing in gives the browser another session: nobody else knows its key."""
    before = request.COOKIES.get(settings.SESSION_COOKIE_NAME)
    if before and before != request.session.session_key:
        signals.session_ended.send(User, session=before, renewed=True)


@receiver(password_changed, dispatch_uid="accounts.sessions")
def new_password(*, request: HttpRequest, user: User, **_signal: Any) -> None:
    """A new password ends every session but the one in which it was given."""
    signed_in(request=request)
    signals.others_ended.send(User, user=user)


@receiver(password_reset, dispatch_uid="accounts.sessions")
def forgotten_password(*, user: User, **_signal: Any) -> None:
    """Whoever was in, by whatever they knew, is out."""
    user.end_sessions()
