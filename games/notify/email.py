"""Mail: one letter with all that one person is to be told."""

import smtplib
from collections.abc import Sequence
from datetime import datetime

from allauth.account.models import EmailAddress
from django.core.mail import EmailMultiAlternatives

from accounts.models import MailTrouble, User
from games.models import Outbox, Why

from .failed import Failed


def hindrance(user: User) -> Why | None:
    """Why this person gets no mail, if so."""
    if not user.email:
        return Why.NO_ADDRESS
    if user.mail_stopped == MailTrouble.BOUNCED:
        return Why.BOUNCED
    if not EmailAddress.objects.filter(user=user, email__iexact=user.email, verified=True).exists():
        _trouble(user, MailTrouble.UNVERIFIED)
        return Why.UNVERIFIED
    return None


def send(user: User, messages: Sequence[Outbox], now: datetime) -> None:
    """Send these in one letter; Failed if the server did not take it."""
    assert user.email is not None
    subject = messages[0].get_kind_display()
    text = "\n".join(message.get_kind_display() for message in messages)
    letter = EmailMultiAlternatives(subject, text, to=[user.email])
    _post(letter, messages[0].batch)


def forward(message: Outbox, batch: str) -> None:
    """Send account mail, which was written when it was asked for."""
    assert message.payload is not None
    payload = message.payload
    letter = EmailMultiAlternatives(payload["subject"], payload["body"], to=payload["to"])
    _post(letter, batch)


def _post(letter: EmailMultiAlternatives, batch: str) -> None:
    letter.extra_headers["Message-ID"] = f"<{batch}@localhost>"
    try:
        letter.send()
    except (smtplib.SMTPException, OSError) as error:
        raise Failed(Why.UNREACHABLE, str(error)) from error


def _trouble(user: User, trouble: MailTrouble) -> None:
    """Say on every page why the person's address gets no mail."""
    if user.mail_stopped != trouble:
        user.mail_trouble, user.mail_trouble_of = trouble, user.email or ""
        user.save(update_fields=["mail_trouble", "mail_trouble_of"])
