"""Middleware of the site as a whole."""

from collections.abc import Callable

from django.conf import settings
from django.core.exceptions import MiddlewareNotUsed
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import translation
from django.utils.decorators import sync_only_middleware

BACK_IN = 300
"""Seconds after which a browser or a crawler may try again during maintenance."""


@sync_only_middleware
def maintenance(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """With COUP_MAINTENANCE every page says so, and nothing asks the database."""
    if not settings.MAINTENANCE:
        raise MiddlewareNotUsed

    def respond(request: HttpRequest) -> HttpResponse:
        # The middleware for languages comes later.
        with translation.override(translation.get_language_from_request(request)):
            response = render(request, "503.html", status=503)
        response.headers["Retry-After"] = str(BACK_IN)
        response.headers["Cache-Control"] = "no-store"
        return response

    return respond


@sync_only_middleware
def stay_in_one_thread(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Does nothing. Placed last and sync-only, it keeps the whole chain in one thread hop under
    ASGI; without it every request pays for several."""
    return get_response
