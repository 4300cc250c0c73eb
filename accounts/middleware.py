"""Middleware that belongs to the person of the request."""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import timezone, translation
from django.utils.decorators import sync_only_middleware

from accounts import zones
from accounts.models import User

type Respond = Callable[[HttpRequest], HttpResponse]


@sync_only_middleware
def a_get_keeps_the_session(get_response: Respond) -> Respond:
    """A GET writes nothing: what a view changed in the session (a code that has run out is thrown
    away, say) waits for the next POST. Directly below SessionMiddleware."""

    def respond(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        if request.method in {"GET", "HEAD"}:
            request.session.modified = False
            # Nor does it take the cookie away. While somebody signs up, a table open in another tab
            # may ask with the session of before; its answer must not cost them the new one.
            request.COOKIES.pop(settings.SESSION_COOKIE_NAME, None)
        return response

    return respond


@sync_only_middleware
def in_their_terms(get_response: Respond) -> Respond:
    """Answer in the language and the time zone of the person's preferences. Below the middleware
    for sessions, languages and authentication. A visitor without a session costs no query."""

    def respond(request: HttpRequest) -> HttpResponse:
        user = request.user if settings.SESSION_COOKIE_NAME in request.COOKIES else None
        if not isinstance(user, User):
            return get_response(request)
        if user.language and translation.check_for_language(user.language):
            # Not undone afterwards: LocaleMiddleware says in a header which language it was.
            translation.activate(user.language)
            request.LANGUAGE_CODE = translation.get_language()
        with timezone.override(zones.zone(user.time_zone)):
            return get_response(request)

    return respond
