"""For whoever watches over the site: whether the background work keeps up."""

from dataclasses import asdict

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils import timezone
from django.views.decorators.http import require_safe

from games.health import health
from games.views.caching import fresh


@require_safe
@fresh
def page(request: HttpRequest) -> HttpResponse:
    """Numbers alone, as JSON; 503 where a worker is missing or behind."""
    found = health(timezone.now())
    return JsonResponse(
        {"well": found.is_well, **asdict(found)}, status=200 if found.is_well else 503
    )
