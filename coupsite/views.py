"""Pages that belong to the site, not to a subject."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.templatetags.static import static
from django.views.decorators.http import require_safe


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """A form whose token is missing or old: said in words, as 403."""
    return render(request, "403.html", {"csrf": True}, status=403)


def favicon(request: HttpRequest) -> HttpResponse:
    """Browsers ask for it beside pages that name no icon."""
    return redirect(static("img/icon.svg"))


@require_safe
def contact(request: HttpRequest) -> HttpResponse:
    """Whom to write to."""
    return render(request, "contact.html", {"contact": settings.CONTACT})


@require_safe
def privacy(request: HttpRequest) -> HttpResponse:
    """What is kept of a person, why, and for how long."""
    return render(request, "privacy.html", {"contact": settings.CONTACT})


@require_safe
def terms(request: HttpRequest) -> HttpResponse:
    """What is expected of those who play here, and what they may expect."""
    return render(request, "terms.html", {"contact": settings.CONTACT})
