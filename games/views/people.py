"""People: those I played with, and somebody's page."""

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from accounts.models import User
from games import acquaintance
from games.views.caching import fresh
from games.views.paging import part_of


@login_required
@require_GET
@fresh
def people(request: HttpRequest) -> HttpResponse:
    """Those I played with, the latest first."""
    me = request.user.pk
    assert me is not None
    part = part_of(request, acquaintance.played_with(me), "page")
    return render(
        request, "games/people.html", {"part": part, "people": acquaintance.known(part.rows, me)}
    )


@require_GET
@fresh
def person(request: HttpRequest, name: str) -> HttpResponse:
    """Somebody's page: what others may know of them, and what I may do about them."""
    who = User.objects.named(name[:100])
    if who is None:
        raise Http404
    me = request.user.pk
    met = acquaintance.played_with(me).filter(pk=who.pk).first() if me else None
    (known,) = acquaintance.known([met or who], me)
    return render(request, "games/person.html", {"known": known})
