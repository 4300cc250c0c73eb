"""Middleware of the site as a whole."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.utils.decorators import sync_only_middleware


@sync_only_middleware
def stay_in_one_thread(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Does nothing. Placed last and sync-only, it keeps the whole chain in one thread hop under
    ASGI; without it every request pays for several."""
    return get_response
