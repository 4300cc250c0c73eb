"""The first page of somebody who plays here: what waits for them, and all their tables."""

from datetime import datetime

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from accounts.models import User
from games import lists
from games.forms.lobby import new_form_token
from games.views.paging import A_PAGE, part_of
from games.words import are_you_ready, sentence
from games.words.clock import time_left
from games.words.halt import stands_still


def dashboard(request: HttpRequest, user: User) -> HttpResponse:
    """What waits for this person comes first, then what waits for others, then the rest."""
    now, me = timezone.now(), user.pk
    tag = lists.tag(me)  # before the lists: what changes meanwhile is fetched again
    asked = part_of(request, lists.prompts_for(me), "asked")
    going = part_of(request, lists.seats_waiting(me), "going")
    ended = part_of(request, lists.seats_ended(me), "ended")
    context = {
        "tag": tag,
        "asked_part": asked,
        "going_part": going,
        "ended_part": ended,
        "asked": [_told(game, now) for game in lists.asked(asked.rows)],
        "going": [_told(game, now) for game in lists.waiting(going.rows)],
        "ended": lists.ended(ended.rows),
        "open": lists.listed(list(lists.my_open_tables(me)[:A_PAGE]), user, now),
        "invitations": lists.listed(list(lists.my_invitations(me)[:A_PAGE]), user, now),
        "form_token": new_form_token(),
    }
    return render(request, "games/dashboard.html", context)


def _told(going: lists.Going, now: datetime) -> dict[str, object]:
    """A running game in words; without a sentence where it cannot be shown."""
    told: dict[str, object] = {
        "game": going.game,
        "stands_still": stands_still(going.game),
        "until": time_left(now, going.opened, going.due),
        "size": going.game.size,
    }
    if not going.game.has_begun:
        return told | {"sentence": are_you_ready()}
    if going.view is None:
        return told
    left = sum(not seat.exiled for seat in going.view.seats)
    return told | {"sentence": sentence(going.view, going.names), "left": left}
