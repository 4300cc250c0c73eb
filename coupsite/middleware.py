"""Middleware of the site as a whole."""

from collections.abc import Callable, Iterator
from urllib.parse import unquote

from django.conf import settings
from django.core.exceptions import BadRequest, MiddlewareNotUsed
from django.http import HttpRequest, HttpResponse, UnreadablePostError
from django.shortcuts import render
from django.utils import translation
from django.utils.decorators import sync_only_middleware

LONGEST_BODY = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
"""Bytes of a request. Nothing is uploaded here but what is typed."""

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
def only_what_can_be_kept(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Answer what is too long, or holds a NUL, which PostgreSQL cannot keep, before anything reads
    it. No text that somebody types has one. Above the middleware for sessions."""

    def respond(request: HttpRequest) -> HttpResponse:
        length = request.headers.get("Content-Length", "")
        if length.isdecimal() and int(length[:18]) > LONGEST_BODY:
            return render(request, "400.html", status=413)
        if any("\0" in text for text in _texts(request)):
            raise BadRequest("There is a NUL in it.")
        return get_response(request)

    return respond


def _texts(request: HttpRequest) -> Iterator[str]:
    """What came with a request and may be looked for, or kept, in the database."""
    yield request.path_info
    yield unquote(request.META.get("QUERY_STRING", ""))
    yield from request.COOKIES.values()
    try:
        for _name, values in request.POST.lists():
            yield from values
    except UnreadablePostError:
        return  # it was cut off: nobody waits for an answer


@sync_only_middleware
def stay_in_one_thread(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Does nothing. Placed last and sync-only, it keeps the whole chain in one thread hop under
    ASGI; without it every request pays for several."""
    return get_response
