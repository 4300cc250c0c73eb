"""Whose pages may open sockets here: those whose forms are taken, and no others."""

from collections.abc import Mapping
from io import BytesIO
from typing import Any

from django.core.handlers.asgi import ASGIRequest
from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import CsrfViewMiddleware


def is_ours(scope: Mapping[str, Any]) -> bool:
    """Whether a socket is opened by a page of this site, or of one that the settings trust: by
    scheme, host and port. A browser always says where a page is from; nobody else need come in."""
    request = ASGIRequest(_as_form(scope), BytesIO())
    # The check of forms itself, so that the two cannot come to differ; its type is not told.
    forms: Any = CsrfViewMiddleware(_nothing)
    return "HTTP_ORIGIN" in request.META and bool(forms._origin_verified(request))


def _as_form(scope: Mapping[str, Any]) -> dict[str, Any]:
    """As if the page sent a form instead; some proxies say "wss" where others say "https"."""
    headers = [
        (name, b"https" if (name, value) == (b"x-forwarded-proto", b"wss") else value)
        for name, value in scope["headers"]
    ]
    return {
        "type": "http",
        "method": "POST",
        "path": "/",
        "scheme": "https" if scope.get("scheme") == "wss" else "http",
        "server": scope.get("server"),
        "headers": headers,
    }


def _nothing(_request: HttpRequest) -> HttpResponse:
    return HttpResponse()
