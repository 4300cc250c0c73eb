"""What stands on every page of whoever has been warned, silenced, suspended or banned."""

from urllib.parse import urlsplit

from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.functional import SimpleLazyObject
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_POST

from accounts import sanctions as decided
from accounts.models import User


def sanctions(request: HttpRequest) -> dict[str, object]:
    """`sanctions`: each that holds against whoever is signed in, with what it means. Asked for
    only where the person's row says that there might be some; and of whoever was signed in here
    when they were banned: a guest has no door at which to be told."""

    def held() -> list[tuple[object, str]]:
        user = getattr(request, "user", None)
        if not isinstance(user, User):
            user = _banned(request)
        if user is None or not user.has_sanctions:
            return []
        return [*decided.meaning(decided.of(user, timezone.now()))]

    return {"sanctions": SimpleLazyObject(held)}


def _banned(request: HttpRequest) -> User | None:
    """Whose session this is, where it counts no more because they are banned."""
    session = getattr(request, "session", None)
    if session is None or settings.SESSION_COOKIE_NAME not in request.COOKIES:
        return None
    user_id = session.get(SESSION_KEY)
    banned = User.objects.filter(is_active=False, closed_at=None, has_sanctions=True)
    return banned.filter(pk=user_id).first() if user_id else None


@login_required
@require_POST
def warning_read(request: HttpRequest, sanction_id: int) -> HttpResponse:
    """The person has read a warning: it is shown no more. Back to the page it stood on."""
    assert isinstance(request.user, User)
    decided.read(user=request.user, sanction_id=sanction_id, now=timezone.now())
    came_from = urlsplit(request.headers.get("Referer", ""))
    path = came_from._replace(scheme="", netloc="").geturl()
    if not path.startswith("/account/") and url_has_allowed_host_and_scheme(path, None):
        return HttpResponseRedirect(path)
    return redirect("home")
