"""People for tests, their browsers and their mail."""

import re

from allauth.account.models import EmailAddress
from django.core import mail
from django.test import Client

from accounts.models import User

PASSWORD = "correct horse"


def member(name: str = "Miriam", password: str = PASSWORD) -> User:
    """Somebody with an account and a confirmed address."""
    user = User.objects.create_user(name, f"{name.lower()}@example.org", password)
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    return user


def client_of(user: User) -> Client:
    """A browser in which this person is signed in."""
    client = Client()
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    return client


def mailed_code() -> str:
    """The code in the last mail."""
    found = re.search(r"^ {4}(\S+)$", str(mail.outbox[-1].body), re.MULTILINE)
    assert found, mail.outbox[-1].body
    return found[1]
