"""Addresses in letters, some of them signed: whoever holds one may do that one thing.

Signed without a time: an answer lasts as long as its question, and leaving a list always works.
"""

from dataclasses import dataclass
from datetime import datetime

from django.conf import settings
from django.core.signing import BadSignature, Signer
from django.urls import reverse
from django.utils.crypto import constant_time_compare, salted_hmac

from accounts import sanctions
from accounts.models import User
from games.models import Channel, Kind, Prompt

_ANSWERS = Signer(salt="games.answer")
_SWITCHES = Signer(salt="games.switch")


@dataclass(frozen=True, slots=True)
class Switch:
    """One kind of message by one channel to one person."""

    user_id: int
    kind: Kind
    channel: Channel


def absolute(path: str) -> str:
    """The whole address of a page of this site, for a letter or a push."""
    return f"{settings.SITE_URL}{path}"


def answer_url(prompt: Prompt, user: User, answer: str) -> str:
    """A page on which this question can be answered without signing in; `answer` is proposed."""
    token = _ANSWERS.sign_object([prompt.pk, prompt.tenure_id, _fingerprint(user), answer])
    return absolute(reverse("games:one_tap", args=[token]))


def read_answer(token: str, now: datetime) -> tuple[Prompt, str] | None:
    """The question and the proposed answer; None if nobody signed that, or not for whoever sits
    there now under the address they have now, or not for somebody who is suspended."""
    try:
        prompt_id, tenure_id, fingerprint, answer = _ANSWERS.unsign_object(token)
    except (BadSignature, ValueError):
        return None
    prompts = Prompt.objects.select_related("game__host", "tenure__user", "tenure__seat")
    prompt = prompts.filter(pk=prompt_id, tenure_id=tenure_id).first()
    user = prompt.tenure.user if prompt else None
    if prompt is None or user is None or prompt.tenure.ended or not user.is_active:
        return None
    if not may_answer(user, now):
        return None
    if not constant_time_compare(_fingerprint(user), fingerprint):
        return None
    return prompt, answer


def may_answer(user: User, now: datetime) -> bool:
    """Whether this person may answer by such a link; else they sign in."""
    return sanctions.hindrance(user, sanctions.What.ANSWER_BY_MAIL, now) is None


def switch_url(user: User, kind: Kind, channel: Channel) -> str:
    """Where this person can do without this kind of message: a page, and a machine's endpoint."""
    token = _SWITCHES.sign_object([user.pk, kind, channel])
    return absolute(reverse("games:unsubscribe", args=[token]))


def read_switch(token: str) -> Switch | None:
    """What a signed link switches off; None where the signature, or what is signed, is not ours."""
    try:
        user_id, kind, channel = _SWITCHES.unsign_object(token)
        return Switch(user_id, Kind(kind), Channel(channel))
    except (BadSignature, ValueError):
        return None


def _fingerprint(user: User) -> str:
    """Of the address: a link must not tell it, and ends when it changes."""
    return salted_hmac("games.answer", user.email or "", algorithm="sha256").hexdigest()[:16]
