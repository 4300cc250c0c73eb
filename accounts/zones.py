"""Time zones: which there are, and how a form offers them."""

from functools import cache
from itertools import groupby
from zoneinfo import ZoneInfo, available_timezones

from django.utils.translation import gettext_lazy as _

AREAS = (
    "Africa", "America", "Antarctica", "Arctic", "Asia", "Atlantic", "Australia", "Europe",
    "Indian", "Pacific",
)  # fmt: skip


@cache
def names() -> frozenset[str]:
    """Every zone that is named after a place."""
    return frozenset(name for name in available_timezones() if name.split("/")[0] in AREAS)


def known(name: str) -> str:
    """The name, if there is such a zone; else nothing, which means UTC."""
    return name if name in names() else ""


def zone(name: str) -> ZoneInfo:
    """The zone of that name; UTC where it is empty or no longer known."""
    return ZoneInfo(known(name) or "UTC")


@cache
def choices() -> list[tuple[object, object]]:
    """For a select: UTC, then places by continent."""
    by_area = groupby(sorted(names()), key=lambda name: name.split("/")[0])
    return [("", _("UTC")), *((area, [(n, _label(n)) for n in group]) for area, group in by_area)]


def _label(name: str) -> str:
    return name.partition("/")[2].replace("_", " ").replace("/", ", ")
