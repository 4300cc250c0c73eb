"""People for tests, their browsers and their mail."""

import re
import time

from allauth.account.models import EmailAddress
from django.core import mail
from django.core.mail import EmailMessage
from django.test import Client
from django.utils import timezone

from accounts.models import User
from games.models import Outbox, OutboxState
from games.notify import outbox

PASSWORD = "correct horse"

PATIENCE = 60
"""Seconds that the worker has, here or elsewhere, on however busy a machine."""


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


def letters() -> list[EmailMessage]:
    """All that was sent so far, once the worker, here or elsewhere, has sent what is due."""
    ends = time.monotonic() + PATIENCE
    while Outbox.objects.filter(state=OutboxState.PENDING, due__lte=timezone.now()).exists():
        assert time.monotonic() < ends, "what is due is not sent"
        if not outbox.deliver(timezone.now()):
            time.sleep(0.02)
    # Another's hands may hold it.
    while Outbox.objects.filter(state=OutboxState.PENDING, attempts__gt=0, why="").exists():
        assert time.monotonic() < ends, "what was begun is not done"
        time.sleep(0.02)
    return mail.outbox


def mailed_code() -> str:
    """The code in the last mail."""
    body = str(letters()[-1].body)
    found = re.search(r"^ {4}(\S+)$", body, re.MULTILINE)
    assert found, body
    return found[1]
