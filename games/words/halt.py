"""Why a table stands still, or ended without a result, in plain words."""

from datetime import datetime

from django.utils.formats import date_format
from django.utils.timezone import get_current_timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.models import Game, Halt, Status
from games.timing import ABANDONED, PAUSE_LASTS, Pace

_WITHOUT_RESULT = {
    Halt.MODERATOR: gettext_lazy("A moderator has ended this game without a result."),
    Halt.CONSENT: gettext_lazy("By agreement of all, this game has ended without a result."),
    Halt.AUTOPILOT: gettext_lazy("Nobody came back: this game has ended without a result."),
}


def stands_still(game: Game) -> str:
    """Why nobody can answer now; "" if the game goes on."""
    if game.frozen_at is None:
        return ""
    match Halt(game.frozen_for):
        case Halt.MODERATOR:
            return _("A moderator has stopped this game: no clock runs, and nobody can answer.")
        case Halt.CONSENT:
            end = _local(game.frozen_at + PAUSE_LASTS[Pace(game.pace)])
            return _(
                "All agreed to a pause: no clock runs, and nobody can answer. It goes on when all"
                " agree to that, at the latest at {time} on {date}."
            ).format(
                date=date_format(end, "MONTH_DAY_FORMAT"), time=date_format(end, "TIME_FORMAT")
            )
        case Halt.AUTOPILOT:
            end = _local(game.frozen_at + ABANDONED)
            return _(
                "Everybody is on autopilot: the game waits for one to come back, and ends on"
                " {date} if nobody does."
            ).format(date=date_format(end, "MONTH_DAY_FORMAT"))


def _local(at: datetime) -> datetime:
    return at.astimezone(get_current_timezone())


def without_result(game: Game) -> str:
    """How a game that had begun has ended without a result; "" for all others."""
    if game.status != Status.CANCELLED or game.started_at is None:
        return ""
    return str(_WITHOUT_RESULT[Halt(game.frozen_for)])
