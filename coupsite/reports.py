"""What browsers report against the content security policy.

Beside the one-click unsubscription the one POST without a token; it writes a line of the log."""

import json
import logging
from typing import Any
from urllib.parse import urlsplit

from allauth.core import ratelimit
from django.http import HttpRequest, HttpResponse
from django.urls import Resolver404, resolve
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

logger = logging.getLogger(__name__)

LARGEST = 8 * 1024
"""Bytes of a report; browsers send less than one thousand."""


KINDS = ("application/csp-report", "application/reports+json", "application/json")


@csrf_exempt  # a browser sends it by itself: it has no token, and changes nothing
@require_POST
def csp_report(request: HttpRequest) -> HttpResponse:
    """Note which directive stopped what, and on which kind of page.

    No address is kept whole: it may hold the secret link of a table."""
    if int(request.headers.get("Content-Length") or LARGEST + 1) > LARGEST:
        return HttpResponse(status=413)
    if request.content_type not in KINDS:
        return HttpResponse(status=400)
    if not ratelimit.consume(request, action="csp_report"):
        return HttpResponse(status=429)
    try:
        report = _report(json.loads(request.body))
    except (ValueError, RecursionError):
        return HttpResponse(status=400)
    logger.warning(
        "The content security policy stopped %s (%s) on a page of %s.",
        _host(report.get("blocked-uri", report.get("blockedURL"))),
        _word(report.get("effective-directive", report.get("effectiveDirective"))),
        _page(report.get("document-uri", report.get("documentURL"))),
    )
    return HttpResponse(status=204)


def _report(body: Any) -> dict[str, Any]:
    """The report in either of the two forms that browsers send."""
    if isinstance(body, list) and body:
        body = body[0]
    report = body.get("csp-report", body.get("body")) if isinstance(body, dict) else None
    if not isinstance(report, dict):
        raise ValueError("no report")
    return report


def _word(value: object) -> str:
    """A keyword: letters and dashes alone, so that nothing else gets into the log."""
    return "".join(
        sign for sign in str(value)[:40] if sign.isascii() and (sign.isalpha() or sign == "-")
    )


def _host(value: object) -> str:
    try:
        parts = urlsplit(str(value)[:300])
        host = parts.hostname
    except ValueError:
        return "something"
    return repr(host[:80]) if host else _word(value) or "something"


def _page(value: object) -> str:
    try:
        return resolve(urlsplit(str(value)[:300]).path).view_name
    except (ValueError, Resolver404):
        return "another site"
