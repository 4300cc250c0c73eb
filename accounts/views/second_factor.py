"""The second factor: codes from an app, and codes on paper for when it is lost.

allauth's own pages for setting one up write on GET (the secret goes into the session, "seen" into
the database); these do not: a POST begins, and the pages only read.
"""

from base64 import b64encode

from allauth.account.decorators import reauthentication_required
from allauth.mfa.adapter import DefaultMFAAdapter, get_adapter
from allauth.mfa.base.internal.flows import post_authentication
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal import auth, flows
from allauth.mfa.utils import is_mfa_enabled
from django.contrib.auth import REDIRECT_FIELD_NAME
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from accounts.forms_second_factor import ActivateForm
from accounts.models import User
from accounts.views.pages import for_members

recently_proved = reauthentication_required(app="allauth.mfa")


class Adapter(DefaultMFAAdapter):  # type: ignore[misc]  # allauth has no types
    error_messages = DefaultMFAAdapter.error_messages | {
        "incorrect_code": _("This is not the code, or it was used already. Wait for the next one."),
        "unverified_email": _("First prove your e-mail address."),
    }


@login_required
@for_members
@never_cache
@require_GET
def index(request: HttpRequest) -> HttpResponse:
    """Whether there is one, and how many codes on paper are left."""
    mine = Authenticator.objects.filter(user_id=request.user.pk)
    codes = mine.filter(type=Authenticator.Type.RECOVERY_CODES).first()
    context = {
        "active": any(found.type == Authenticator.Type.TOTP for found in mine),
        "left": len(codes.wrap().get_unused_codes()) if codes else 0,
        "needed": isinstance(request.user, User) and request.user.is_staff,
        "next": _next(request.GET),
    }
    return render(request, "mfa/index.html", context)


@login_required
@for_members
@require_POST
@recently_proved  # type: ignore[untyped-decorator]
def begin(request: HttpRequest) -> HttpResponse:
    """Make a secret for the app."""
    auth.get_totp_secret(regenerate=True)
    return _on("mfa_activate_totp", _next(request.POST))


@login_required
@for_members
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@recently_proved  # type: ignore[untyped-decorator]
def activate(request: HttpRequest) -> HttpResponse:
    """Show the secret to the app; its first code turns the second factor on."""
    secret, wanted = request.session.get(auth.SECRET_SESSION_KEY), _next(request.GET)
    if secret is None or is_mfa_enabled(request.user, [Authenticator.Type.TOTP]):
        return _on("mfa_index", wanted)
    # With data, or allauth makes another secret: what is wrong with none is not said yet.
    form = ActivateForm(data=request.POST, user=request.user)
    if request.method == "POST" and form.is_valid():
        authenticator, _codes = flows.activate_totp(request, form)
        # The code that was just typed counts: it is the second factor, used.
        post_authentication(request, authenticator)
        return _on("mfa_view_recovery_codes", wanted)
    if request.method != "POST":
        form.errors.clear()
    adapter = get_adapter()
    svg = adapter.build_totp_svg(adapter.build_totp_url(request.user, secret))
    drawing = f"data:image/svg+xml;base64,{b64encode(svg.encode()).decode()}"
    context = {"form": form, "secret": secret, "drawing": drawing, "next": wanted}
    return render(request, "mfa/activate.html", context)


@login_required
@for_members
@never_cache
@require_GET
@recently_proved  # type: ignore[untyped-decorator]
def recovery_codes(request: HttpRequest) -> HttpResponse:
    """The codes on paper that are not used yet."""
    codes = Authenticator.objects.filter(
        user_id=request.user.pk, type=Authenticator.Type.RECOVERY_CODES
    ).first()
    if codes is None:
        return redirect("mfa_index")
    context = {"codes": codes.wrap().get_unused_codes(), "next": _next(request.GET)}
    return render(request, "mfa/codes.html", context)


def _next(given: QueryDict) -> str:
    """Where somebody was going when they were sent here; empty unless it is a page of this site."""
    wanted = given.get(REDIRECT_FIELD_NAME, "")
    local = wanted.startswith("/") and url_has_allowed_host_and_scheme(wanted, allowed_hosts=None)
    return wanted if local else ""


def _on(name: str, wanted: str) -> HttpResponse:
    """To the next of these pages, which know where it all leads."""
    query = {REDIRECT_FIELD_NAME: wanted} if wanted else None
    return HttpResponseRedirect(reverse(name, query=query))
