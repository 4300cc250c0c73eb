"""Time in words: until when, how long, and what of it comes out of the time bank."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.utils.formats import date_format, time_format
from django.utils.timezone import get_current_timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext


@dataclass(frozen=True, slots=True)
class Bank:
    """The viewer's time bank: the milliseconds `left`, and when it begins to run, where they are
    asked."""

    left: int
    runs_from: datetime | None = None


@dataclass(frozen=True, slots=True)
class Until:
    """Until when the open question may be answered; `share` of the time is left, in per cent.

    `bank_share` is the part of the whole that the time bank pays for, which begins at `bank_iso`
    and `bank_runs` already, or not yet.
    """

    iso: str
    when: str
    left: str
    share: int
    bank_iso: str
    bank_from: str
    bank_runs: bool
    bank_share: int


def time_left(
    now: datetime, opened: datetime | None, due: datetime | None, bank: Bank | None = None
) -> Until | None:
    """Until when, and how much of the time since `opened` is left; None without an end."""
    if due is None:
        return None
    share = _share(now, due, opened)
    runs_from = bank.runs_from if bank and bank.left else None
    paid = _share(runs_from, due, opened) if runs_from else 0
    return Until(
        iso=due.isoformat(),
        when=_when(now, due),
        left=duration(max(due - now, timedelta())),
        share=share,
        bank_iso=runs_from.isoformat() if runs_from else "",
        bank_from=_when(now, runs_from) if runs_from else "",
        bank_runs=runs_from is not None and runs_from <= now,
        bank_share=min(paid, share),
    )


def _share(since: datetime, due: datetime, opened: datetime | None) -> int:
    whole = due - opened if opened else timedelta()
    if whole <= timedelta():
        return 0
    return min(round(100 * (max(due - since, timedelta()) / whole)), 100)


def _when(now: datetime, due: datetime) -> str:
    """The hour on the reader's clock, with the day where it is not today."""
    zone = get_current_timezone()
    local = due.astimezone(zone)
    hour = time_format(local, "TIME_FORMAT")
    match (local.date() - now.astimezone(zone).date()).days:
        case 0:
            return _("today, {time}").format(time=hour)
        case 1:
            return _("tomorrow, {time}").format(time=hour)
    return _("{day}, {time}").format(day=date_format(local, "MONTH_DAY_FORMAT"), time=hour)


def duration(left: timedelta) -> str:
    """A length of time in one unit or two, for reading at a glance."""
    minutes = int(left.total_seconds()) // 60
    if minutes >= 2 * 24 * 60:
        days, hours = divmod(minutes // 60, 24)
        whole = ngettext("{n} day", "{n} days", days).format(n=days)
        return f"{whole} {pgettext('hours', '{n} hr').format(n=hours)}" if hours else whole
    if minutes >= 60:
        return _("{hours} hr {minutes} min").format(hours=minutes // 60, minutes=minutes % 60)
    if minutes:
        return ngettext("{n} minute", "{n} minutes", minutes).format(n=minutes)
    return _("less than a minute")


def length(milliseconds: int) -> str:
    """What is in a time bank, in one unit or two: hours up to three days, which is easily compared
    with what a move gives back."""
    seconds = milliseconds // 1000
    days, hours = divmod(seconds // 3600, 24)
    if days > 3:
        return _both(pgettext("days", "{n} d"), days, pgettext("hours", "{n} hr"), hours)
    hours, minutes = divmod(seconds // 60, 60)
    if hours:
        return _both(pgettext("hours", "{n} hr"), hours, pgettext("minutes", "{n} min"), minutes)
    return _both(
        pgettext("minutes", "{n} min"), minutes, pgettext("seconds", "{n} s"), seconds % 60
    )


def _both(large: str, many: int, small: str, few: int) -> str:
    parts = [large.format(n=many)] if many or not few else []
    return " ".join([*parts, small.format(n=few)] if few else parts)
