"""The replay of a finished game: a page for each step."""

from collections.abc import Sequence
from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_GET

from games import selectors
from games.models import Status
from games.replay import Replay, replay
from games.views.refusals import Notice, for_viewers, refused
from games.words import plots
from games.words.clock import duration
from games.words.replay import claim_rows, hands, remark, steps, totals
from games.words.terms import sprite

private = cache_control(private=True, no_cache=True)


@require_GET
@private
def page(request: HttpRequest, public_id: str) -> HttpResponse:
    """The first step; or, of a turn that is asked for, its first one."""
    told = _told(request, public_id)
    turn = request.GET.get("turn")
    if turn is None:
        return _step(request, told, 1)
    if turn not in map(str, range(1, len(told.turns) + 1)):
        return _no_such_step(request)
    number, _seat = told.turns[int(turn) - 1]
    return redirect(f"{reverse('games:replay_step', args=[public_id, number])}{_query(request)}")


@require_GET
@private
def step(request: HttpRequest, public_id: str, step: int) -> HttpResponse:
    """One step, with the whole table as it lay then."""
    return _step(request, _told(request, public_id), step)


def _told(request: HttpRequest, public_id: str) -> Replay:
    with for_viewers():
        game = selectors.find(public_id)
        return replay(game, user_id=request.user.pk, link_token=request.GET.get("k", ""))


def _query(request: HttpRequest) -> str:
    link = request.GET.get("k", "")
    return f"?{urlencode({'k': link})}" if link else ""


def _no_such_step(request: HttpRequest) -> HttpResponse:
    text = _("The replay of this game is shorter than that.")
    return refused(request, Notice(404, _("There is no such step."), text))


def _step(request: HttpRequest, told: Replay, number: int) -> HttpResponse:
    count = len(told.moments)
    if not 1 <= number <= count:
        return _no_such_step(request)
    moment, view = told.moments[number - 1], told.view(number)
    walk = steps(told.moments, told.names)
    game = told.game
    assert game.started_at
    assert game.ended_at
    context = {
        "game": game,
        "told": told,
        "base": reverse("games:replay", args=[game.public_id]),
        "link_token": request.GET.get("k", ""),
        "link_query": _query(request),
        "lasted": duration(game.ended_at - game.started_at),
        "winner": told.names[told.moments[-1].line.seat] if game.status == Status.OVER else "",
        "sprite": sprite(),
        "moment": moment,
        "step": walk[number - 1],
        "steps": walk,
        "remark": remark(moment),
        "count": count,
        "previous": number - 1,
        "next": number + 1 if number < count else 0,
        "turns": [told.names[seat] for _number, seat in told.turns],
        "hands": hands(view, moment, told.names),
        "claims": claim_rows(told.truths, told.names),
        "totals": totals(told.truths, told.names),
        "plots": _plots(told, moment.turn),
    }
    return render(request, "games/replay.html", context)


def _plots(told: Replay, now: int) -> Sequence[dict[str, Any]]:
    """Heading, drawing, and the rows of the table that says the same; claims have their own."""
    turns = len(told.turns)
    return (
        {
            "id": "plot-coins",
            "head": _("Coins"),
            "drawing": plots.coins(told.purses, told.cards, told.names, now),
            "rows": plots.numbers(told.purses),
        },
        {
            "id": "plot-cards",
            "head": _("Cards left"),
            "drawing": plots.influence(told.cards, told.names, now),
            "rows": plots.numbers(told.cards),
        },
        {
            "id": "plot-claims",
            "head": _("Claims"),
            "drawing": plots.claims(told.truths, told.names, turns, now),
            "rows": "",
        },
    )
