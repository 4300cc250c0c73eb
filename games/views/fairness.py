"""That the luck of a game was what was promised: how to check it, and what with."""

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from games import selectors, verify
from games.models import Game, Status, Visibility
from games.views.caching import fresh
from games.views.refusals import for_viewers


@require_GET
def page(request: HttpRequest) -> HttpResponse:
    """What is promised, and how anybody can check it."""
    return render(request, "games/fair.html")


@require_GET
@fresh
def draws(request: HttpRequest, public_id: str) -> HttpResponse:
    """Every draw of an ended game, for the script; for whoever may see its replay."""
    with for_viewers():
        game = selectors.find(public_id)
        shown = game.status in (Status.OVER, Status.CANCELLED)
        if not shown or not _may_check(game, request):
            raise selectors.Hidden(exists=not selectors.is_secret(game, request.user.pk))
        told = verify.draws(game)
    file = f'attachment; filename="draws-{game.public_id}.json"'
    return JsonResponse(told, headers={"Content-Disposition": file})


def _may_check(game: Game, request: HttpRequest) -> bool:
    private = game.visibility == Visibility.PRIVATE
    link_token = "" if private else request.GET.get("k", "")
    return selectors.may_see(game, request.user.pk, link_token)
