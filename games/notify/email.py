"""Mail: hands letters to the mail server, and tells its refusals apart."""

import smtplib
from collections.abc import Sequence
from datetime import datetime
from urllib.parse import urlsplit

from allauth.account.models import EmailAddress
from django.conf import settings
from django.core.mail import EmailMultiAlternatives

from accounts.models import MailTrouble, User
from games.models import Outbox, Why

from .failed import Failed
from .letters import letter


def hindrance(user: User) -> Why | None:
    """Why this person gets no mail, if so."""
    if not user.email:
        return Why.NO_ADDRESS
    if user.mail_stopped == MailTrouble.BOUNCED:
        return Why.BOUNCED
    verified = EmailAddress.objects.filter(user=user, email__iexact=user.email, verified=True)
    if not verified.exists():
        _mark(user, MailTrouble.UNVERIFIED)
        return Why.UNVERIFIED
    return None


def send(user: User, messages: Sequence[Outbox], now: datetime) -> None:
    """Send these in one letter; Failed if the server did not take it."""
    assert user.email is not None
    about = letter(user, messages, now)
    mail = EmailMultiAlternatives(about.subject, about.text, to=[user.email])
    mail.attach_alternative(about.html, "text/html")
    if about.leave:
        mail.extra_headers["List-Unsubscribe"] = f"<{about.leave}>"
        mail.extra_headers["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    try:
        _post(mail, messages[0].batch)
    except Failed as failure:
        if failure.why is Why.BOUNCED:
            _mark(user, MailTrouble.BOUNCED)
        raise
    _mark(user, None)


def forward(message: Outbox, batch: str) -> None:
    """Send account mail, which was written when it was asked for."""
    payload = message.payload or {}
    mail = EmailMultiAlternatives(payload["subject"], payload["body"], to=payload["to"])
    _post(mail, batch)


def _post(mail: EmailMultiAlternatives, batch: str) -> None:
    """The same batch has the same Message-ID, so that a repeat is recognised."""
    host = urlsplit(settings.SITE_URL).hostname
    mail.extra_headers["Message-ID"] = f"<{batch}@{host}>"
    mail.extra_headers["Auto-Submitted"] = "auto-generated"
    try:
        mail.send()
    except (smtplib.SMTPException, OSError) as error:
        raise _failure(error) from error


def _failure(error: smtplib.SMTPException | OSError) -> Failed:
    """What the server's answer, or its silence, means for us."""
    match error:
        case smtplib.SMTPRecipientsRefused(recipients=recipients):
            code, said = next(iter(recipients.values()))
            if code >= 500:
                return Failed(Why.BOUNCED, _said(code, said), permanent=True)
            return Failed(Why.REFUSED, _said(code, said), everybody=code == CLOSING)
        case smtplib.SMTPDataError(smtp_code=code, smtp_error=said):
            return Failed(
                Why.REFUSED, _said(code, said), permanent=code >= 500, everybody=code == CLOSING
            )
        case smtplib.SMTPNotSupportedError():
            return Failed(Why.REFUSED, str(error), permanent=True)
        case smtplib.SMTPConnectError() | smtplib.SMTPHeloError():
            return Failed(Why.UNREACHABLE, everybody=True)
        case smtplib.SMTPResponseException(smtp_code=code, smtp_error=said):
            # Of the sender or of our password: nothing that concerns the one who is written to.
            return Failed(Why.UNREACHABLE, _said(code, said), everybody=True)
        case ConnectionRefusedError():
            return Failed(Why.UNREACHABLE, everybody=True)
    # It went silent, perhaps after it had taken the letter.
    return Failed(Why.UNREACHABLE, unsure=True, everybody=True)


CLOSING = 421
"""The server's word for: not now, whoever it is for."""


def _said(code: int, said: bytes | str) -> str:
    text = said.decode("utf-8", "replace") if isinstance(said, bytes) else said
    return f"{code} {text}".replace("\n", " ")


def _mark(user: User, trouble: MailTrouble | None) -> None:
    """Say on every page why the person's address gets no mail, or no more that it does not."""
    if user.mail_stopped != (trouble or ""):
        user.mail_trouble, user.mail_trouble_of = trouble or "", user.email or ""
        user.save(update_fields=["mail_trouble", "mail_trouble_of"])
