"""By what device and network somebody is here: written down with what they send."""

import re
from contextlib import suppress
from secrets import token_urlsafe

from allauth.account.adapter import get_adapter
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.decorators import sync_only_middleware

from accounts import traces
from accounts.middleware import Respond
from accounts.models import TraceKind, User
from accounts.traces import scrambled

DEVICE = re.compile(r"[\w-]{22}", re.ASCII)
DEVICE_COOKIE = "device"
TRACED = "traced"
"""Session key: which traces were left from here, and until when that is enough."""


@sync_only_middleware
def leave_traces(get_response: Respond) -> Respond:
    """Write down, with a POST and at most daily, by what device and network somebody is here: see
    `accounts.traces`. Below the middleware for sessions and authentication."""

    def respond(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        if request.method == "POST" and isinstance(request.user, User):
            _leave_traces(request, request.user, response)
        return response

    return respond


def _leave_traces(request: HttpRequest, user: User, response: HttpResponse) -> None:
    device = request.COOKIES.get(DEVICE_COOKIE, "")
    known = device if DEVICE.fullmatch(device) else token_urlsafe(16)
    found = {TraceKind.DEVICE: scrambled(TraceKind.DEVICE, known)}
    with suppress(ValueError):  # no address, behind a proxy that says none
        address = get_adapter().get_client_ip(request)
        found[TraceKind.NETWORK] = scrambled(TraceKind.NETWORK, address)
    now = timezone.now()
    mark = [user.pk, *found.values()]
    left = request.session.get(TRACED, [0])
    if left[1:] == mark and left[0] > now.timestamp():
        return
    traces.leave(user, found, now)
    request.session[TRACED] = [(now + traces.LOOKS_AGAIN).timestamp(), *mark]
    if known != device:
        response.set_cookie(
            DEVICE_COOKIE,
            known,
            max_age=settings.SESSION_COOKIE_AGE,
            secure=settings.SESSION_COOKIE_SECURE,
            httponly=True,
            samesite="Lax",
        )
