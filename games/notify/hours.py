"""When a person's messages may go out: their delay, their digest, their quiet hours."""

from datetime import datetime, timedelta

from accounts import zones
from accounts.models import User
from games.models import Channel, Kind, Outbox

from .kinds import KINDS


def ready(message: Outbox, user: User, now: datetime) -> datetime:
    """The first moment from which `message` may be sent; `now` or earlier if it may be already.

    It follows from since when it is news and what the person wants now, so that a digest
    that was missed is due since then, and a changed choice holds for what is waiting already.
    """
    about = KINDS[Kind(message.kind)]
    at = message.since
    if about.waits and message.channel == Channel.EMAIL:
        if user.digest_hour is None:
            at += delay(user, Channel.EMAIL)
        else:
            at = next_hour(user, user.digest_hour, at)
    at = max(at, now)
    if not about.wakes and user.quiet_to is not None and is_quiet(user, at):
        at = next_hour(user, user.quiet_to, at)
    return at


def delay(user: User, channel: Channel) -> timedelta:
    """How long news waits before it goes out by this channel."""
    return timedelta(minutes=user.mail_delay if channel is Channel.EMAIL else 0)


def is_quiet(user: User, at: datetime) -> bool:
    """Whether that moment lies in the person's quiet hours, which may go past midnight."""
    if user.quiet_from is None or user.quiet_to is None:
        return False
    hour = at.astimezone(zones.zone(user.time_zone)).hour
    if user.quiet_from <= user.quiet_to:
        return user.quiet_from <= hour < user.quiet_to
    return hour >= user.quiet_from or hour < user.quiet_to


def next_hour(user: User, hour: int, after: datetime) -> datetime:
    """When it is next `hour` o'clock on the person's clock, later than `after`."""
    local = after.astimezone(zones.zone(user.time_zone))
    at = local.replace(hour=hour, minute=0, second=0, microsecond=0, fold=0)
    while at.timestamp() <= after.timestamp():
        at += timedelta(days=1)  # on the clock: with summer time that is 23 or 25 hours
    return at.astimezone(after.tzinfo)
