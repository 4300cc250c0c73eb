"""A game whose stored past cannot be read: each page that needs it says so, no other breaks."""

import logging
from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.utils.decorators import sync_only_middleware
from django.utils.translation import gettext as _

from games import selectors
from games.views.refusals import Notice, refused

logger = logging.getLogger(__name__)


@sync_only_middleware
class SayWhatCannotBeRead:
    """Answers for any view that found such a game. What it had begun to change is undone."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """A page of its own; scripts show it in place of what they asked for."""
        if not isinstance(error, selectors.Unreadable):
            return None
        logger.error("%s", error, exc_info=error)
        notice = Notice(
            503,
            _("This game cannot be shown just now."),
            _(
                "Something is wrong with what was stored of it. Nothing was changed, and your other"
                " games go on. If it stays so, write to us: see Contact, at the foot of this page."
            ),
        )
        response = refused(request, notice)
        response.headers["Cache-Control"] = "private, no-store"
        return response
