"""Every kind of message the site sends, and how each is treated: the one list."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from accounts.models import User
from games.models import Channel, Game, Kind
from games.timing import Pace


@dataclass(frozen=True, slots=True)
class About:
    """How a kind is treated.

    `channels`: those it can go by, and whether it does unless the person says otherwise.
    `optional`: the person may switch it off. `waits`: mail about it waits for the person's delay,
    and for their digest where they chose one. `wakes`: it is sent in quiet hours too.
    """

    channels: Mapping[Channel, bool]
    optional: bool = True
    waits: bool = True
    wakes: bool = False


BOTH: Final = {Channel.EMAIL: True, Channel.PUSH: True}
MAIL: Final = {Channel.EMAIL: True, Channel.PUSH: False}
ONLY_MAIL: Final = {Channel.EMAIL: True}
ONLY_PUSH: Final = {Channel.PUSH: True}

KINDS: dict[Kind, About] = {
    Kind.ASKED: About(BOTH),
    # By itself, also where a digest is chosen: that could come too late.
    Kind.REMINDER: About(BOTH, waits=False),
    # Within minutes: a letter comes too late for that.
    Kind.READY: About(ONLY_PUSH),
    Kind.MISSED: About(BOTH),
    Kind.INVITED: About(BOTH),
    Kind.STARTED: About(BOTH),
    Kind.OVER: About(MAIL),
    Kind.EXPIRED: About(MAIL),
    Kind.SEAT_OFFERED: About(BOTH),
    Kind.PROPOSED: About(BOTH),
    Kind.SEAT_AT_STAKE: About(BOTH),
    Kind.SEAT_HANDED_OVER: About(BOTH),
    Kind.ORDER_FIRED: About({Channel.EMAIL: False, Channel.PUSH: False}),
    Kind.NOTICE: About(MAIL, optional=False, waits=False),
    # Asked for a moment ago by whoever waits for it.
    Kind.ACCOUNT: About(ONLY_MAIL, optional=False, waits=False, wakes=True),
    Kind.TEST: About(BOTH, optional=False, waits=False, wakes=True),
}


def wants(user: User, kind: Kind, channel: Channel) -> bool:
    """Whether this person is to be told of this kind by this channel."""
    about = KINDS[kind]
    if channel not in about.channels:
        return False
    default = about.channels[channel]
    if not about.optional:
        return default
    return bool(user.message_choices.get(switch(kind, channel), default))


def switch(kind: Kind, channel: Channel) -> str:
    """The name of that choice among the person's preferences."""
    return f"{kind}.{channel}"


def too_quick(game: Game | None, channel: Channel) -> bool:
    """Whether this table is not told of by this channel: a live game is over before a letter is
    read, and a table of one person among bots keeps nobody waiting."""
    if game is None:
        return False
    return game.pace == Pace.PRACTICE or (game.pace == Pace.LIVE and channel is Channel.EMAIL)


def reachable(user: User, channel: Channel) -> bool:
    """Whether there may be anywhere to send to. For mail that is seen when it is sent: a guest may
    give an address until then."""
    return channel is Channel.EMAIL or user.has_push
