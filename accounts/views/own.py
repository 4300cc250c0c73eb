"""What belongs to the person: their data, to take along, and the end of their account."""

from allauth.decorators import rate_limit
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from accounts import closing, export
from accounts.forms import CloseForm
from accounts.models import User


@login_required
@never_cache
@require_safe
def data(request: HttpRequest) -> HttpResponse:
    """Everything this site keeps of the person, in a file."""
    assert isinstance(request.user, User)
    file = {"Content-Disposition": 'attachment; filename="my-coup-data.json"'}
    return JsonResponse(export.of(request.user), json_dumps_params={"indent": 1}, headers=file)


@login_required
@never_cache
@rate_limit(action="close_account")  # type: ignore[untyped-decorator]
@require_http_methods(["GET", "HEAD", "POST"])
def close(request: HttpRequest) -> HttpResponse:
    """Say what closing the account means; do it for whoever gives the password."""
    assert isinstance(request.user, User)
    form = CloseForm(request.POST or None, user=request.user)
    if form.is_valid():
        closing.close(request.user, now=timezone.now())
        logout(request)
        messages.success(request, _("Your account is closed. Thank you for playing."))
        return redirect("home")
    return render(request, "accounts/close.html", {"form": form})
