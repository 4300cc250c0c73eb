"""Which browsers take pushes for whom: those in which somebody is signed in and said so."""

import re
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from allauth.account.signals import password_changed
from django.conf import settings
from django.contrib.auth import HASH_SESSION_KEY, SESSION_KEY
from django.contrib.auth.signals import user_logged_in, user_logged_out
from django.contrib.sessions.models import Session
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Exists, F, OuterRef
from django.dispatch import receiver
from django.http import HttpRequest
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext_lazy as _

from accounts import push, signals
from accounts.models import PushSubscription, User
from accounts.push import Outcome, Push, Result

AT_MOST = 10
"""Browsers of one person. One more takes the place of the oldest."""

REFUSALS = 5
"""One after the other, after which a browser is let go."""

_FOREIGN = _("This browser takes pushes for somebody else. Turn them off in its settings first.")


@transaction.atomic
def subscribe(
    user: User,
    *,
    session: str,
    endpoint: str,
    p256dh: str,
    auth: str,
    device: str,
    now: datetime,
) -> None:
    """From now on the browser of this session takes pushes for `user`, and for nobody else.

    Doing it again changes nothing. ValidationError, in words, if what the browser gave is no
    subscription to a push service that we know.
    """
    push.check(endpoint, p256dh, auth)
    User.objects.select_for_update().get(pk=user.pk)
    known = PushSubscription.objects.filter(endpoint=endpoint).first()
    if known and known.user_id != user.pk and (known.p256dh, known.auth) != (p256dh, auth):
        # That browser would have known its own keys: somebody learned where it takes pushes.
        raise ValidationError(_FOREIGN)
    # What this browser had before is of no use any more.
    own = PushSubscription.objects.filter(user=user)
    own.filter(session=session).exclude(endpoint=endpoint).delete()
    fields = {
        "user": user,
        "session": session,
        "p256dh": p256dh,
        "auth": auth,
        "device": device,
        "failures": 0,
    }
    PushSubscription.objects.update_or_create(
        endpoint=endpoint, defaults=fields, create_defaults=fields | {"made_at": now}
    )
    oldest = own.order_by("-made_at", "-pk").values_list("pk", flat=True)[AT_MOST:]
    PushSubscription.objects.filter(pk__in=list(oldest)).delete()
    _settle({user.pk} | ({known.user_id} if known else set()))


@transaction.atomic
def end(user: User, pks: Iterable[int]) -> None:
    """These browsers take no more pushes for this person."""
    PushSubscription.objects.filter(user=user, pk__in=pks).delete()
    _settle([user.pk])


@receiver(signals.signed_out, dispatch_uid="accounts.devices.end_all")
@transaction.atomic
def end_all(*, user: User, **_signal: Any) -> None:
    """No browser takes pushes for this person any more."""
    PushSubscription.objects.filter(user=user).delete()
    _settle([user.pk])


@transaction.atomic
def hand_over(guest: User, user: User) -> None:
    """The guest's browser takes pushes for the account from here on."""
    PushSubscription.objects.filter(user=guest).update(user=user)
    _settle([guest.pk, user.pk])


def of(user: User, now: datetime) -> list[PushSubscription]:
    """The browsers that take pushes for this person now, the latest first: those whose session
    still counts as theirs, whatever may have ended it."""
    own = list(user.push_subscriptions.order_by("-made_at", "-pk"))
    if not own or not user.is_active:
        return []
    keys = [subscription.session for subscription in own]
    sessions = Session.objects.filter(session_key__in=keys, expire_date__gt=now)
    alive = {session.session_key for session in sessions if _counts(session, user)}
    return [subscription for subscription in own if subscription.session in alive]


def deliver(user: User, messages: Sequence[Push], now: datetime) -> list[list[Result]]:
    """Hand these over to every browser of this person: by browser, what came of each message. One
    that takes none for the moment is not asked again."""
    return [_deliver(subscription, messages, now) for subscription in of(user, now)]


def _deliver(
    subscription: PushSubscription, messages: Sequence[Push], now: datetime
) -> list[Result]:
    results: list[Result] = []
    for message in messages:
        results.append(push.send(subscription, message, now))
        if results[-1][0] in (Outcome.GONE, Outcome.LATER):
            break
    outcome, _detail = results[-1]
    # By now it may have ended, or be somebody else's.
    row = PushSubscription.objects.filter(pk=subscription.pk, user=subscription.user_id)
    match outcome:
        case Outcome.TAKEN:
            row.update(taken_at=now, failures=0)
        case Outcome.REFUSED:
            row.update(failures=F("failures") + 1)
            end(subscription.user, row.filter(failures__gte=REFUSALS).values_list("pk", flat=True))
        case Outcome.GONE:
            end(subscription.user, [subscription.pk])
        case Outcome.LATER:
            pass
    return results


def sweep(now: datetime) -> int:
    """Let go of browsers whose session is gone. How many went."""
    sessions = Session.objects.filter(expire_date__gt=now).values("session_key")
    dead = PushSubscription.objects.exclude(session__in=sessions)
    with transaction.atomic():
        people = set(dead.values_list("user_id", flat=True))
        gone, _by_table = dead.delete()
        _settle(people)
    return gone


def _counts(session: Session, user: User) -> bool:
    """Whether whoever has this session is signed in as this person."""
    known = session.get_decoded()
    told = str(known.get(HASH_SESSION_KEY, ""))
    return known.get(SESSION_KEY) == str(user.pk) and constant_time_compare(
        told, user.get_session_auth_hash()
    )


def _settle(people: Iterable[int]) -> None:
    """Note with these people whether there is any browser left."""
    left = PushSubscription.objects.filter(user=OuterRef("pk"))
    User.objects.filter(pk__in=people).update(has_push=Exists(left))


# --- sessions: their keys change, and they end ----------------------------------------------------


@receiver([user_logged_in, password_changed], dispatch_uid="accounts.devices")
def follow(*, request: HttpRequest, user: User, **_signal: Any) -> None:
    """Signing in and a new password give the session another key: the browser is the same."""
    before = request.COOKIES.get(settings.SESSION_COOKIE_NAME)
    own = PushSubscription.objects.filter(user=user, session=before)
    if not before or before == request.session.session_key or not own.exists():
        return
    if request.session.session_key is None:  # it gets one when it is saved
        request.session.create()
    own.update(session=request.session.session_key)


@receiver(user_logged_out, dispatch_uid="accounts.devices")
def signed_out(*, request: HttpRequest, user: User | None, **_signal: Any) -> None:
    """Whoever signs out is told nothing any more in that browser."""
    if user is not None:
        own = PushSubscription.objects.filter(user=user, session=request.session.session_key)
        end(user, list(own.values_list("pk", flat=True)))


# --- what a browser calls itself ------------------------------------------------------------------

_BROWSERS = (
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser", "Samsung Internet"),
    ("Vivaldi", "Vivaldi"),
    ("Firefox|FxiOS", "Firefox"),
    ("Chrome|CriOS", "Chrome"),
    ("Safari", "Safari"),
)
_SYSTEMS = (
    ("Android", "Android"),
    ("iPhone|iPad", "iOS"),
    ("Windows", "Windows"),
    ("CrOS", "ChromeOS"),
    ("Mac OS X", "macOS"),
    ("Linux", "Linux"),
)


def name_of(user_agent: str) -> str:
    """A browser in words its person knows it by, such as "Firefox, Android"."""
    found = (
        next((name for pattern, name in kinds if re.search(pattern, user_agent)), "")
        for kinds in (_BROWSERS, _SYSTEMS)
    )
    return ", ".join(filter(None, found))
