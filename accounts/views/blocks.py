"""Blocking somebody, and taking it back."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from accounts import blocks
from accounts.models import User


@login_required
@require_POST
def block(request: HttpRequest) -> HttpResponse:
    """Block the person of this name."""
    assert isinstance(request.user, User)
    person = User.objects.named(request.POST.get("name", "")[:100])
    if person is None:
        messages.error(request, _("Nobody here has that name."))
    elif person == request.user:
        messages.error(request, _("That is you. Nothing was changed."))
    else:
        blocks.block(by=request.user, blocked=person, now=timezone.now())
        words = _("You have blocked %(name)s. They are not told. Games that run go on.")
        messages.success(request, words % {"name": person.name})
    return _back(request)


@login_required
@require_POST
def unblock(request: HttpRequest, block_id: int) -> HttpResponse:
    """Take a block back."""
    assert isinstance(request.user, User)
    blocks.unblock(by=request.user, block_id=block_id)
    messages.success(request, _("The block is taken back."))
    return _back(request)


def _back(request: HttpRequest) -> HttpResponse:
    """To the page of ours from which it was done."""
    to = request.POST.get("next", "")
    ours = url_has_allowed_host_and_scheme(to, {request.get_host()}, request.is_secure())
    return HttpResponseRedirect(to if ours and to.startswith("/") else reverse("accounts:profile"))
