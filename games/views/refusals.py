"""What was refused, in words: a notice on the table, or a page of its own."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy as _

from games.refusal import Reason
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


_NOTICES = {
    Reason.NO_GAME: (404, _("There is no such table."), _("The link may be cut off or old.")),
    Reason.NOT_SEATED: (
        403,
        _("You do not sit at this table."),
        _("Only its players may do that."),
    ),
    Reason.NOT_YOURS: (
        403,
        _("That question is not yours."),
        _("It was put to another seat, or elsewhere."),
    ),
    Reason.NOT_HOST: (403, _("You are not the host."), _("Only the host may do that.")),
    Reason.NOT_RUNNING: (409, _("This game is not running."), _("Nothing was changed.")),
    Reason.FROZEN: (
        409,
        _("This game is frozen."),
        _("Nobody runs out of time meanwhile. Nothing was changed."),
    ),
    Reason.MOVED_ON: (
        409,
        _("The table has moved on."),
        _("Your answer came too late and was not given. This is the table now."),
    ),
    Reason.TOO_LATE: (
        409,
        _("The time to say that you are ready is over."),
        _("Your seat is free again. Take it if you are there now and nobody was quicker."),
    ),
    Reason.CALLED_OFF: (
        409,
        _("Somebody has come or gone meanwhile."),
        _("The table waits again. You are asked once more when it is about to begin."),
    ),
    Reason.BY_ORDER: (
        409,
        _("Your standing order was quicker."),
        _("It has answered this question already, and an answer is final. This is the table now."),
    ),
    Reason.ORDER_GONE: (
        409,
        _("That order is no longer on your list."),
        _("Its time is over, or you have removed it. Nothing was changed."),
    ),
    Reason.TOO_MANY_ORDERS: (
        422,
        _("Your list of orders is full."),
        _("Nothing was changed. Remove an order that you no longer need."),
    ),
    Reason.NOT_OPEN: (409, _("This table is no longer open."), _("Nothing was changed.")),
    Reason.NOT_OVER: (409, _("This game is not over yet."), _("Nothing was changed.")),
    Reason.FULL: (
        409,
        _("The seat is taken."),
        _("Somebody sat down before you."),
    ),
    Reason.SAT_BEFORE: (
        409,
        _("You have sat at this table."),
        _("Whoever has left a seat takes none there again."),
    ),
    Reason.ILLEGAL: (
        422,
        _("The rules do not allow that now."),
        _("Nothing was changed. Choose again."),
    ),
    Reason.NO_PERSON: (422, _("Nobody here has that name."), _("Nobody was invited.")),
    Reason.BLOCKED: (
        422,
        _("You have blocked somebody whom you invite."),
        _("Nobody was invited. Take the block back first, or leave them out."),
    ),
    Reason.SOMEBODY_ELSE: (
        409,
        _("You are not who you were."),
        _("You have signed in or out in another window. Nothing was changed: try again."),
    ),
    Reason.TOO_FEW: (422, _("It takes two to play."), _("Wait for somebody, or add a bot.")),
    Reason.TOO_BUSY: (
        422,
        _("Too many tables wait for you."),
        _("Answer at some of them first, then sit down at another."),
    ),
    Reason.NOT_ADMITTED: (
        422,
        _("This table is for people who finish their games."),
        _("Its host asks for that. Other tables take you, and games you finish count."),
    ),
    Reason.NEEDS_ACCOUNT: (
        422,
        _("Inviting by e-mail needs an account."),
        _("Nobody was invited. Sign up; your games stay yours. Or send the link yourself."),
    ),
    Reason.NOT_MODERATOR: (
        403,
        _("That is not yours to do."),
        _("Nothing was changed. Only some of those who work here may do it."),
    ),
    Reason.NO_MOMENT: (
        409,
        _("The game cannot be taken back to there."),
        _("Nothing was changed. It may have been taken back already, or have gone on."),
    ),
    Reason.SAW_CARDS: (
        403,
        _("You have seen the cards of this game."),
        _("Whoever has takes no seat there, and does not talk."),
    ),
    Reason.NO_REPORT: (404, _("There is no such report."), _("Nothing was changed.")),
    Reason.REPORT_CLOSED: (
        409,
        _("Somebody has closed this report."),
        _("Nothing was changed. This is what became of it."),
    ),
    Reason.SUSPENDED: (
        403,
        _("You are suspended."),
        _("You can play on where you sit; meanwhile you sit down nowhere else and invite nobody."),
    ),
    Reason.NAME_TAKEN: (422, _("Somebody has this name."), _("Nothing was changed.")),
    Reason.PLAYED_HERE: (
        403,
        _("You play at this table, or have played there."),
        _("Nothing was changed. Somebody who has no part in it must decide."),
    ),
    Reason.TOO_MANY_INVITATIONS: (
        422,
        _("That was the last invitation for today."),
        _("Nobody was invited. Share the link, or try again tomorrow."),
    ),
    Reason.NO_SAY: (
        403,
        _("That is for others to decide."),
        _("Nothing was changed. Those decide who still play and are there."),
    ),
    Reason.NOT_BACK: (
        409,
        _("You are on autopilot."),
        _("Nothing was changed. Come back first, then you have a say."),
    ),
    Reason.NO_PROPOSAL: (404, _("Nothing like that was proposed."), _("Nothing was changed.")),
    Reason.OTHER_PROPOSAL: (
        409,
        _("Another bot is proposed for that seat."),
        _("Nothing was changed. Decide about that one first."),
    ),
    Reason.JUST_PROPOSED: (
        429,
        _("You have proposed that a moment ago."),
        _("It came to nothing. Wait for another turn, or an hour."),
    ),
    Reason.DECIDED: (
        409,
        _("That has been decided meanwhile."),
        _("Nothing was changed. This is the table now."),
    ),
    Reason.NOT_NOW: (409, _("That cannot be proposed now."), _("Nothing was changed.")),
    Reason.NOT_ABSENT: (
        409,
        _("That seat is not to be given away."),
        _("Its holder is back, or has not been away for long enough. Nothing was changed."),
    ),
    Reason.SEAT_GONE: (
        409,
        _("That seat is not free any more."),
        _("Its holder has come back, or somebody has sat down before you."),
    ),
    Reason.NO_VOICE: (
        403,
        _("You cannot speak here."),
        _("Nothing was said. What you wrote stands below."),
    ),
    Reason.NOTHING_SAID: (422, _("There was nothing to read in that."), _("Nothing was said.")),
    Reason.TOO_FAST: (
        429,
        _("That was a lot at once."),
        _("Nothing was said. Wait a moment, and send it again."),
    ),
    Reason.NO_MESSAGE: (404, _("There is no such message."), _("It may have been removed.")),
    Reason.NO_NOTE: (403, _("You have no notes here."), _("Only its players write notes.")),
    Reason.TOO_MANY_REPORTS: (
        429,
        _("That was the last report for today."),
        _("It was not sent. The moderators look at the others first."),
    ),
}


def notice_of(reason: Reason) -> Notice:
    """Why nothing was changed."""
    status, title, text = _NOTICES[reason]
    return Notice(status, str(title), str(text))


def refused(request: HttpRequest, notice: Notice, public_id: str = "") -> HttpResponse:
    """A page of its own, where there is no table to show it on; it leads to `public_id`'s."""
    context = {"notice": notice, "public_id": public_id}
    return render(request, "refused.html", context, status=notice.status)
