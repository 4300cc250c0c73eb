"""What was refused, in words: a notice on the table, or a page of its own."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from games.play import Reason
from games.selectors import Hidden


@dataclass(frozen=True, slots=True)
class Notice:
    """`status` is the answer's HTTP status."""

    status: int
    title: str
    text: str


@contextmanager
def for_viewers() -> Iterator[None]:
    """What a viewer may not see is not found, or forbidden where its existence is no secret."""
    try:
        yield
    except Hidden as hidden:
        if hidden.exists:
            raise PermissionDenied from None
        raise Http404 from None


def notice_of(reason: Reason) -> Notice:
    """Why nothing was changed."""
    match reason:
        case Reason.NO_GAME:
            return Notice(404, _("There is no such table."), _("The link may be cut off or old."))
        case Reason.NOT_SEATED:
            return Notice(403, _("You do not sit at this table."), _("Only players may do that."))
        case Reason.NOT_YOURS:
            return Notice(
                403,
                _("That question is not yours."),
                _("It was put to another seat."),
            )
        case Reason.NOT_RUNNING:
            return Notice(409, _("This game is not running."), _("Nothing was changed."))
        case Reason.FROZEN:
            return Notice(
                409,
                _("This game is frozen."),
                _("Nobody runs out of time meanwhile. Your answer was not taken."),
            )
        case Reason.MOVED_ON:
            return Notice(
                409,
                _("The table has moved on."),
                _("Your answer came too late and was not given. This is the table now."),
            )
        case Reason.NOT_OPEN:
            return Notice(409, _("This table is no longer open."), _("Nothing was changed."))
        case Reason.FULL:
            return Notice(
                409, _("The last seat is taken."), _("Somebody sat down a moment before you.")
            )
        case Reason.ILLEGAL:
            return Notice(
                422, _("The rules do not allow that now."), _("Nothing was changed. Choose again.")
            )


def refused(request: HttpRequest, notice: Notice) -> HttpResponse:
    """A page of its own, where there is no table to show it on."""
    return render(request, "refused.html", {"notice": notice}, status=notice.status)
