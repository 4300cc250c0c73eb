"""Who answers for a seat of a running game, and who sits there: what players may do about it."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone

from accounts.models import User
from games import halts
from games.views.lobby import by_person


@by_person
def come_back(request: HttpRequest, user: User, public_id: str) -> HttpResponse:
    """One click takes over from autopilot."""
    halts.come_back(public_id=public_id, user_id=user.pk, now=timezone.now())
    return redirect("games:table", public_id)
