"""Staff for tests: people with a second factor, in browsers that have used it."""

import time

from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import TOTP, format_hotp_value, hotp_value
from django.test import Client

from accounts.models import User

SECRET = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"


def code(secret: str = SECRET, *, ago: int = 0) -> str:
    """What the app on the phone shows now, or showed so many seconds ago."""
    return format_hotp_value(hotp_value(secret, (int(time.time()) - ago) // 30))


def with_second_factor(user: User) -> User:
    if not Authenticator.objects.filter(user=user).exists():
        TOTP.activate(user, SECRET)
    return user


def staff_client(user: User) -> Client:
    """A browser in which this person is signed in, with the second factor."""
    client = Client()
    client.force_login(with_second_factor(user))
    session = client.session
    session["account_authentication_methods_user"] = str(user.pk)
    session["account_authentication_methods"] = [
        {"method": "mfa", "at": time.time(), "type": "totp"}
    ]
    session.save()
    return client
