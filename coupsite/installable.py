"""What makes a site that can be installed: a manifest, a worker, and a page for no network."""

from pathlib import Path

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.utils.translation import get_language, get_language_bidi
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

WORKER = Path(__file__).parent / "static" / "sw.js"

PAPER, BOARD = "#efe5d1", "#243a32"
"""--wall by day, and the ground of the icon: see tokens.css and icon.svg."""


@require_safe
def manifest(request: HttpRequest) -> HttpResponse:
    """What the site is called, and how it looks, once somebody installs it."""
    icons = [
        {"src": static("img/icon-192.png"), "sizes": "192x192"},
        {"src": static("img/icon-512.png"), "sizes": "512x512"},
        {"src": static("img/icon-maskable.png"), "sizes": "512x512", "purpose": "maskable"},
    ]
    return JsonResponse(
        {
            "id": "/",
            "start_url": "/",
            "scope": "/",
            "display": "standalone",
            "name": _("Coup, played by letter"),
            "short_name": _("Coup"),
            "description": _("A game of bluff, played over hours and days."),
            "lang": get_language(),
            "dir": "rtl" if get_language_bidi() else "ltr",
            "background_color": PAPER,
            "theme_color": BOARD,
            "icons": [icon | {"type": "image/png"} for icon in icons],
        },
        content_type="application/manifest+json",
    )


@require_safe
def service_worker(request: HttpRequest) -> HttpResponse:
    """static/sw.js, from the root: a worker has power over the folder that it comes from."""
    response = HttpResponse(WORKER.read_bytes(), content_type="text/javascript; charset=utf-8")
    response.headers["Cache-Control"] = "no-cache"
    return response


@require_safe
def offline(request: HttpRequest) -> HttpResponse:
    """The page that a browser keeps for when there is no network: nothing in it is of a person."""
    return HttpResponse(render_to_string("offline.html"))
