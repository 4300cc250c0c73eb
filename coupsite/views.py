"""Pages that belong to the site, not to a subject."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.templatetags.static import static


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """A form whose token is missing or old: said in words, as 403."""
    return render(request, "403.html", {"csrf": True}, status=403)


def favicon(request: HttpRequest) -> HttpResponse:
    """Browsers ask for it beside pages that name no icon."""
    return redirect(static("img/icon.svg"))
