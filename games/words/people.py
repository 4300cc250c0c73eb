"""What is said of somebody before one sits down with them."""

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.models import User
from games.reliability import finishes, is_new


def standing(user: User) -> str:
    """How they play, in a word."""
    if is_new(user):
        return _("new here")
    if not finishes(user):
        return _("often leaves")
    if user.time_outs > user.games_finished + user.games_left:
        return _("often late")
    return _("reliable")


def record(user: User) -> str:
    """The numbers behind that word."""
    finished = ngettext("{n} game finished", "{n} games finished", user.games_finished)
    late = ngettext("{n} time-out", "{n} time-outs", user.time_outs)
    parts = [finished.format(n=user.games_finished)]
    if user.games_left:
        left = ngettext("{n} left", "{n} left", user.games_left)
        parts.append(left.format(n=user.games_left))
    return ", ".join([*parts, late.format(n=user.time_outs)])


def games(user: User) -> str:
    """Games finished and time-outs, where there is no room for words."""
    return f"{user.games_finished} · {user.time_outs}"
