"""The switch for pushes: this browser, and the others of the person."""

from datetime import datetime

import msgspec
from allauth.decorators import rate_limit
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.http.request import RawPostDataException
from django.middleware.csrf import get_token
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from accounts import devices, push
from accounts.models import User


class Keys(msgspec.Struct):
    p256dh: str
    auth: str


class Subscription(msgspec.Struct):
    """What a browser says of itself: its PushSubscription, as JSON."""

    endpoint: str
    keys: Keys


def switch(request: HttpRequest, now: datetime) -> dict[str, object]:
    """What includes/push.html shows."""
    assert isinstance(request.user, User)
    if not push.is_on():
        return {"push": None}
    all_of_them = devices.of(request.user, now)
    here = [device for device in all_of_them if device.session == request.session.session_key]
    others = [device for device in all_of_them if device not in here]
    return {"push": {"here": here[0] if here else None, "others": others}}


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def subscription(request: HttpRequest) -> HttpResponse:
    """For scripts: what a browser needs to subscribe, and where it says that it has."""
    if not push.is_on():
        raise Http404
    if not isinstance(request.user, User):
        return HttpResponse(status=401)
    if request.method != "POST":
        return JsonResponse({"key": push.public_key(), "token": get_token(request)})
    answer: HttpResponse = _subscribe(request, request.user)
    return answer


@rate_limit(action="push")  # type: ignore[untyped-decorator]
def _subscribe(request: HttpRequest, user: User) -> HttpResponse:
    try:
        said = msgspec.json.decode(request.body, type=Subscription)
        devices.subscribe(
            user,
            session=request.session.session_key or "",
            endpoint=said.endpoint,
            p256dh=said.keys.p256dh,
            auth=said.keys.auth,
            device=devices.name_of(request.headers.get("User-Agent", "")),
            now=timezone.now(),
        )
    except (msgspec.DecodeError, RawPostDataException):
        return HttpResponse(push.SENSELESS, content_type="text/plain", status=400)
    except ValidationError as error:
        return HttpResponse(error.message, content_type="text/plain", status=400)
    return HttpResponse(status=204)


@login_required
@require_POST
def end(request: HttpRequest) -> HttpResponse:
    """One of the person's browsers takes no more pushes. Saying it again changes nothing."""
    assert isinstance(request.user, User)
    device = request.POST.get("device", "")
    if device.isdecimal():
        devices.end(request.user, [int(device[:18])])
    messages.success(request, _("That device is told nothing any more."))
    return redirect("accounts:profile")
