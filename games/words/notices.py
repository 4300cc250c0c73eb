"""What moderators did, told to those whom it concerns: at the table, and in letters."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from games.models import Act

SENTENCES: Mapping[Act, str | Promise] = {
    Act.FREEZE: _("A moderator has stopped this game."),
    Act.THAW: _("A moderator lets this game go on. The open question has its full time again."),
    Act.EXTEND: _("A moderator has given the full time for the open question once more."),
    Act.HAND_OVER: _("A moderator has given a seat to somebody else."),
    Act.CANCEL: _("A moderator has ended this game without a result."),
    Act.TAKE_BACK: _("A moderator has taken this game back to an earlier moment."),
    Act.RETITLE: _("A moderator has taken the title of this table away."),
    Act.ANNOUNCE: _("A moderator says:"),
    # To one person alone:
    Act.REMOVE: _("A moderator has taken you out of this game."),
    Act.HIDE: _("A moderator has removed a message of yours."),
    Act.UNHIDE: _("A moderator shows a message of yours again that was removed."),
    Act.WARN: _("A moderator has warned you, for this reason:"),
    Act.MUTE: _("A moderator has silenced you. Every page says until when. The reason:"),
    Act.SUSPEND: _("A moderator has suspended you. Every page says until when. The reason:"),
    Act.BAN: _("A moderator has closed your account. The reason:"),
    Act.LIFT: _("A moderator has lifted what was decided about you."),
    Act.RENAME: _("A moderator has given you another public name."),
    Act.RESOLVE_REPORT: _("A moderator has looked at what you reported. The answer:"),
}


@dataclass(frozen=True, slots=True)
class Notice:
    """A line from the moderators. `words` are a moderator's own, if there are any."""

    text: str
    words: str
    at: datetime


def notices(stored: Sequence[Mapping[str, str]]) -> list[Notice]:
    """Those that are kept with a game, the latest first."""
    return [
        Notice(
            str(SENTENCES[Act(one["act"])]),
            one.get("words", ""),
            datetime.fromisoformat(one["at"]),
        )
        for one in reversed(stored)
    ]
