"""Mail on a laptop: without a mail server letters are kept in a folder, and read at /mail/.

Only from the same machine: they hold codes and links that are meant for their receiver.
"""

import email.policy
import sys
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from email.message import EmailMessage as Parsed
from functools import wraps
from ipaddress import ip_address
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

from django.conf import settings
from django.core.mail import EmailMessage
from django.core.mail.backends.base import BaseEmailBackend
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.csp import csp_override
from django.views.decorators.http import require_safe

KEPT = 200
"""Letters; the oldest go."""


class Backend(BaseEmailBackend):
    """Puts letters into the folder, and says on the console that one came."""

    def __init__(self, *, folder: Path, **options: Any) -> None:
        super().__init__(**options)
        self.folder = folder

    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        for message in email_messages:
            # First under another name: whoever lists the folder meets whole letters alone.
            path = self.folder / f"{uuid4()}.new"
            path.write_bytes(message.message().as_bytes())
            path.rename(path.with_suffix(".eml"))
            # For whoever sits at the console. No log tells whose it is, or its subject: that may
            # be a code.
            print("A letter was sent: read it at /mail/.", file=sys.stderr)  # noqa: T201
        for path in _letters(self.folder)[KEPT:]:
            path.unlink(missing_ok=True)
        return len(email_messages)


def _letters(folder: Path) -> list[Path]:
    """Latest first."""
    dated = [(path.stat().st_mtime, path) for path in folder.glob("*.eml")]
    return [path for _at, path in sorted(dated, reverse=True)]


def for_developers(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Not found where mail really goes out, nor from another machine."""

    @wraps(view)
    def guarded(request: HttpRequest, **given: UUID) -> HttpResponse:
        if settings.MAILBOX is None or not _is_here(request.META.get("REMOTE_ADDR", "")):
            raise Http404
        return view(request, settings.MAILBOX, **given)

    return require_safe(never_cache(guarded))


def _is_here(address: str) -> bool:
    try:
        return ip_address(address).is_loopback
    except ValueError:
        return False


@for_developers
def mailbox(request: HttpRequest, folder: Path) -> HttpResponse:
    """All letters, latest first."""
    letters = [
        {
            "name": path.stem,
            "to": message["To"],
            "subject": message["Subject"],
            "at": datetime.fromtimestamp(path.stat().st_mtime, UTC),
        }
        for path in _letters(folder)
        for message in [_read(path)]
    ]
    return render(request, "mailbox.html", {"letters": letters})


@for_developers
def letter(request: HttpRequest, folder: Path, name: UUID) -> HttpResponse:
    """One letter, as text, with its headers."""
    message = _find(folder, name)
    context = {
        "name": name,
        "subject": message["Subject"],
        "headers": [(key, value) for key, value in message.items() if not key.startswith("MIME")],
        "text": _part(message, "plain"),
        "has_html": _part(message, "html") is not None,
    }
    return render(request, "letter.html", context)


@for_developers
@csp_override({"default-src": "'none'", "style-src": "'unsafe-inline'", "sandbox": [""]})
def letter_html(request: HttpRequest, folder: Path, name: UUID) -> HttpResponse:
    """One letter as a mail program shows it: by itself, and kept from doing anything here."""
    html = _part(_find(folder, name), "html")
    if html is None:
        raise Http404
    return HttpResponse(html)


def _find(folder: Path, name: UUID) -> Parsed:
    path = folder / f"{name}.eml"
    if not path.is_file():
        raise Http404
    return _read(path)


def _read(path: Path) -> Parsed:
    return email.message_from_bytes(path.read_bytes(), _class=Parsed, policy=email.policy.default)


def _part(message: Parsed, kind: str) -> str | None:
    part = message.get_body((kind,))
    return part.get_content() if part else None
