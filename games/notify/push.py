"""Pushes: a few words on a lock screen, made of what everybody sees, and where a click leads."""

import json
from collections.abc import Sequence
from datetime import datetime, timedelta
from urllib.parse import urlsplit

from django.utils import translation

from accounts import devices, push
from accounts.models import User
from accounts.push import Outcome, Push, Result, Urgency
from games.models import Kind, Outbox, Why

from .failed import Failed
from .letters import in_their_terms, item, question

LONGEST = 200
"""Letters of a text: more is cut off by a lock screen, and would not fit into a push."""

KEPT = timedelta(days=1)
"""How long a sleeping browser is told what is no question."""


def hindrance(user: User) -> Why | None:
    """Why this person gets no push, if so."""
    return None if push.is_on() and user.has_push else Why.NO_DEVICE


def send(user: User, messages: Sequence[Outbox], now: datetime) -> None:
    """Hand these to every browser of the person; Failed if none took any.

    A repeat has the same tag, and takes the place of the first on the screen.
    """
    with in_their_terms(user):
        pushes = [_push(user, message, now) for message in messages]
    results = [result for told in devices.deliver(user, pushes, now) for result in told]
    if not any(outcome is Outcome.TAKEN for outcome, _said in results):
        raise _failure(results)


def _failure(results: Sequence[Result]) -> Failed:
    """What it means that no browser took it."""
    said = ", ".join(dict.fromkeys(words for _outcome, words in results))
    outcomes = {outcome for outcome, _said in results}
    if Outcome.LATER in outcomes:
        return Failed(Why.UNREACHABLE, said, unsure=True)
    if Outcome.REFUSED in outcomes:
        return Failed(Why.REFUSED, said, permanent=True)
    return Failed(Why.NO_DEVICE, said, permanent=True)


def _push(user: User, message: Outbox, now: datetime) -> Push:
    kind, prompt = Kind(message.kind), message.prompt
    if prompt is None:
        about = item(message)
        title, body, address = about.title, about.text, about.button.url
        tag, until = f"message-{message.pk}", now + KEPT
    else:
        asked = question(user, prompt, {kind}, now)
        title, address = f"{asked.table}: {asked.ask_plain}", asked.url
        body = asked.claim_plain
        tag, until = f"prompt-{prompt.pk}", max(prompt.due, now)
    text = {
        "title": title,
        "body": body if len(body) <= LONGEST else f"{body[: LONGEST - 1]}…",
        "url": urlsplit(address).path,
        "tag": tag,
        "lang": translation.get_language(),
        "dir": "rtl" if translation.get_language_bidi() else "ltr",
    }
    return Push(
        text=json.dumps(text, ensure_ascii=False).encode(),
        until=until,
        urgency=Urgency.HIGH if kind in (Kind.REMINDER, Kind.READY) else Urgency.NORMAL,
        topic=tag,
    )
