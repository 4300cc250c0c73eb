"""The outbox: what people are to be told is written with what happened, and sent by the worker.

`asked`, `tell` and `recall` write rows in the caller's transaction. `deliver` sends what is due: it
claims rows by a lease, so that a killed worker's are sent by another, under the same batch id.
"""

import logging
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from secrets import token_hex
from typing import Protocol

from django.db.models import F, Q, QuerySet

from accounts.models import User
from games import clocks, proposals
from games.models import (
    READY,
    Act,
    Channel,
    Game,
    Kind,
    Outbox,
    OutboxState,
    Prompt,
    PromptState,
    ProposalKind,
    Status,
    Why,
)
from games.timing import INVITATION_LASTS

from . import beats, email, in_page, push
from .failed import Failed
from .hours import delay, ready
from .kinds import KINDS, reachable, too_quick, wants

logger = logging.getLogger(__name__)

LEASE = timedelta(minutes=5)
"""Longer than a mail server can make us wait: each of its answers has 20 seconds."""

PAUSES = [timedelta(minutes=m) for m in (1, 5, 15, 60, 180, 480, 1440)]
"""Between the tries to send a message; older ones that failed go along. After the last, and not
before all these have passed, it is given up, and its person is told."""

LOOKS_AGAIN = timedelta(minutes=10)
"""How often it is asked whether a game that stands still goes on."""

SERVER_RESTS = timedelta(seconds=30)
"""How long a channel whose server cannot be reached is left alone."""

SERVER_AGAIN, SERVER_GIVEN_UP = timedelta(minutes=15), timedelta(days=3)
"""The longest pause between tries to reach it, and how old news it is still told."""

ORDERS_TAKE = timedelta(seconds=15)
"""How long after its moment a standing order may answer, where the worker is busy."""

CODES_LAST = timedelta(minutes=15)
"""After that a letter with a code is of no use."""

KEPT = timedelta(days=60)
"""How long it can be read what was sent."""


class Sender(Protocol):
    """A channel. `hindrance` says why this person cannot be reached by it now, if so."""

    def hindrance(self, user: User) -> Why | None: ...
    def send(self, user: User, messages: Sequence[Outbox], now: datetime) -> None: ...


SENDERS: dict[Channel, Sender] = {Channel.EMAIL: email, Channel.PUSH: push}

# Until when a channel is left alone. One worker's own; another finds out for itself.
_RESTING: dict[Channel, datetime] = {}


# --- writing --------------------------------------------------------------------------------------


def asked(
    prompts: Iterable[Prompt], now: datetime, tried: Mapping[int, datetime] | None = None
) -> None:
    """New questions: those of them that are put to people are to be told, and recalled to them.
    Whether somebody is ready, before the first card, is asked too shortly to be recalled.

    `tried`, by prompt, is when standing orders are to answer: whose do are not told that they are
    asked, and the others are asked from then on.
    """
    rows = []
    for prompt in prompts:
        user = prompt.tenure.user
        if user is None:
            continue
        if prompt.window.kind == READY:
            told = [(Kind.READY, now)]
        else:
            first = tried[prompt.pk] + ORDERS_TAKE if tried and prompt.pk in tried else now
            told = [(Kind.ASKED, first), (Kind.REMINDER, clocks.reminder(prompt))]
        for kind, at in told:
            rows += _rows(user, kind, f"prompt.{prompt.pk}", prompt.game, now, at, prompt)
    _write(rows)


def tell(
    *,
    users: Iterable[User],
    kind: Kind,
    key: str,
    now: datetime,
    game: Game | None = None,
    act: Act | ProposalKind | None = None,
    words: str = "",
) -> None:
    """Something else that these people are to be told, once for each `key` and kind.

    `act` is what a moderator did, or players propose; `words` are somebody's own, to be quoted: a
    moderator's, say.
    """
    rows = [row for user in users for row in _rows(user, kind, key, game, now, now)]
    for row in rows:
        row.payload = {"act": act or "", "words": words} if act or words else None
    _write(rows)


def forward(
    *,
    to: Sequence[str],
    subject: str,
    body: str,
    now: datetime,
    kind: Kind = Kind.ACCOUNT,
    game: Game | None = None,
) -> None:
    """A letter to an address, which is written already, and kept until it has been sent. Account
    mail goes at once, or never."""
    Outbox.objects.create(
        kind=kind,
        game=game,
        channel=Channel.EMAIL,
        key=token_hex(16),
        payload={"to": list(to), "subject": subject, "body": body},
        since=now,
        due=now,
    )


def recall(*, kind: Kind, game: Game, user: User, now: datetime) -> None:
    """Take back what this person was not told yet of a game. Questions need none: whether they are
    open is asked when they are sent."""
    rows = Outbox.objects.filter(kind=kind, game=game, user=user, state=OutboxState.PENDING)
    rows.update(state=OutboxState.DROPPED, why=Why.PAST, done_at=now)


def _rows(
    user: User,
    kind: Kind,
    key: str,
    game: Game | None,
    now: datetime,
    at: datetime,
    prompt: Prompt | None = None,
) -> list[Outbox]:
    rows = []
    for channel in KINDS[kind].channels:
        if not reachable(user, channel) or too_quick(game, channel):
            continue
        if not wants(user, kind, channel):
            continue
        row = Outbox(
            user=user, kind=kind, channel=channel, key=key, prompt=prompt, game=game, since=at
        )
        row.due = ready(row, user, at)
        rows.append(row)
    return rows


def _write(rows: list[Outbox]) -> None:
    if rows:
        Outbox.objects.bulk_create(rows, ignore_conflicts=True)


# --- sending --------------------------------------------------------------------------------------


def deliver(now: datetime) -> bool:
    """Send one person what is due by one channel; whether there was anything to do.

    Any number of workers may call it at the same time.
    """
    resting = [channel for channel, until in _RESTING.items() if until > now]
    due = _pending().filter(due__lte=now, channel__in=SENDERS).exclude(channel__in=resting)
    return any(_deliver(row, now) for row in due.select_related("user").order_by("due", "pk")[:20])


def tidy(now: datetime) -> int:
    """Let go of what was sent long ago. How much went."""
    gone, _by_table = Outbox.objects.filter(done_at__lt=now - KEPT).delete()
    return gone


def _pending() -> QuerySet[Outbox]:
    return Outbox.objects.filter(state=OutboxState.PENDING)


def _deliver(first: Outbox, now: datetime) -> bool:
    batch = _claim(first, now)
    if not batch:
        return False
    rows = _still_to_send(batch, now)
    if not rows:
        return True
    mine = _pending().filter(batch=batch)
    channel = Channel(first.channel)
    try:
        if first.user is None:
            email.forward(rows[0], batch)
        else:
            SENDERS[channel].send(first.user, rows, now)
    except Failed as failure:
        if failure.everybody:
            _RESTING[channel] = now + SERVER_RESTS
        _failed(mine, rows, failure, now)
    except Exception:
        # One bad message must not stop the others.
        logger.exception("Batch %s of messages could not be sent.", batch)
        _failed(mine, rows, Failed(Why.INTERNAL, unsure=True), now)
    else:
        mine.update(state=OutboxState.SENT, done_at=now, why="", detail="", payload=None)
    in_page.poke(people=[first.user_id] if first.user_id else [])  # "why did I get a message?"
    return True


def _claim(first: Outbox, now: datetime) -> str:
    """Take what goes out together with `first`: the id of the batch, or nothing if another did.

    That is all that is due to its person by its channel, and whatever failed before: when a server
    is back, there is one letter. A batch whose lease ran out may have been sent: it goes again, as
    it was and under the same id. A letter about a question leaves none behind about the same.
    """
    if first.batch:
        batch, rows = first.batch, _pending().filter(batch=first.batch, due=first.due)
    elif first.user_id is None:
        batch, rows = token_hex(16), _pending().filter(pk=first.pk, batch="")
    else:
        own = _pending().filter(user=first.user_id, channel=first.channel, batch="")
        due = Q(due__lte=now) | Q(attempts__gt=0)
        told = own.filter(due, prompt__isnull=False).values("prompt")
        batch, rows = token_hex(16), own.filter(due | Q(kind=Kind.ASKED, prompt__in=told))
    claimed = rows.update(batch=batch, due=now + LEASE, attempts=F("attempts") + 1)
    return batch if claimed else ""


def _still_to_send(batch: str, now: datetime) -> list[Outbox]:
    """What of a claimed batch is to be sent now. The rest is dropped, or put off."""
    rows = _pending().filter(batch=batch).order_by("pk")
    rows = rows.select_related(
        "user", "game__host", "prompt__game", "prompt__tenure__seat", "prompt__window"
    )
    going = []
    for row in rows:
        match _verdict(row, now):
            case None:
                going.append(row)
            case Why() as why:
                _finish(_pending().filter(pk=row.pk), OutboxState.DROPPED, why, now)
            case at:
                _pending().filter(pk=row.pk).update(
                    due=at, batch="", attempts=F("attempts") - 1, postponed=row.postponed
                )
    return going


def _verdict(row: Outbox, now: datetime) -> Why | datetime | None:
    """Why a message is not to be sent any more, or until when not yet; None if it is."""
    user, kind, channel = row.user, Kind(row.kind), Channel(row.channel)
    if user is None:
        lasts = CODES_LAST if kind is Kind.ACCOUNT else INVITATION_LASTS
        return _past(row) or (Why.PAST if now - row.since > lasts else None)
    if user.closed_at or not (user.is_active or kind is Kind.NOTICE):
        return Why.CLOSED  # whoever is banned is told that, and why
    if past := _past(row):
        return past
    if not wants(user, kind, channel):
        return Why.OFF
    hindrance = SENDERS[channel].hindrance(user)
    # A test is how one finds out whether a mended address works.
    if hindrance and not (kind is Kind.TEST and hindrance is Why.BOUNCED):
        return hindrance
    if row.prompt is not None:
        if row.prompt.game.frozen_at:
            return now + LOOKS_AGAIN
        if kind is Kind.REMINDER:
            # The deadline may have moved since the row was written.
            row.since = clocks.reminder(row.prompt, exactly=True)
    at = ready(row, user, now)
    if at <= now and not row.postponed and _sees_it(row, user, now):
        row.postponed, at = True, now + max(delay(user, channel), beats.FRESH)
    return at if at > now else None


def _sees_it(row: Outbox, user: User, now: datetime) -> bool:
    return row.game is not None and beats.watches(
        user_id=user.pk, public_id=row.game.public_id, now=now
    )


def _past(row: Outbox) -> Why | None:
    """Why what a message tells is over, if it is."""
    kind, game, prompt = Kind(row.kind), row.game, row.prompt
    if prompt is not None:
        if prompt.state != PromptState.OPEN:
            return Why.ANSWERED
        if prompt.tenure.ended or prompt.tenure.user_id != row.user_id:
            return Why.LEFT
    if kind is Kind.MISSED and game and game.tenures.filter(user=row.user_id).exists():
        return Why.PAST  # they are back
    if game is not None and kind in _ONLY_WHILE and game.status != _ONLY_WHILE[kind]:
        return Why.PAST
    if kind in _TRUE_WHILE and not _TRUE_WHILE[kind](row.key):
        return Why.PAST
    return None


_ONLY_WHILE = {
    Kind.ASKED: Status.RUNNING,
    Kind.REMINDER: Status.RUNNING,
    Kind.STARTED: Status.RUNNING,
    Kind.SEAT_OFFERED: Status.RUNNING,
    Kind.PROPOSED: Status.RUNNING,
    Kind.SEAT_AT_STAKE: Status.RUNNING,
    Kind.INVITED: Status.OPEN,
    Kind.READY: Status.OPEN,
    Kind.MISSED: Status.OPEN,
}

_TRUE_WHILE = {Kind.PROPOSED: proposals.is_open, Kind.SEAT_AT_STAKE: proposals.threatens}


def _failed(mine: QuerySet[Outbox], rows: Sequence[Outbox], failure: Failed, now: datetime) -> None:
    """Try again later, each time after a longer pause, or give up. What is new does neither wait
    nor go with what is old."""
    pause = PAUSES[min(min(row.attempts for row in rows), len(PAUSES)) - 1]
    age = sum(PAUSES, timedelta())
    if failure.everybody:
        # Nobody's own fault: it is tried until the server is back, within days.
        pause, age = min(pause, SERVER_AGAIN), SERVER_GIVEN_UP
    hopeless = [
        row.pk
        for row in rows
        if failure.permanent or (row.attempts > len(PAUSES) and now - row.since >= age)
    ]
    _finish(mine.filter(pk__in=hopeless), OutboxState.DEAD, failure.why, now, failure.detail)
    retry = {"due": now + pause, "why": failure.why, "detail": failure.detail[:200]}
    if not failure.unsure:
        retry["batch"] = ""  # it was not taken: it may go with whatever is due by then
    mine.update(**retry)


def _finish(
    rows: QuerySet[Outbox], state: OutboxState, why: Why, now: datetime, detail: str = ""
) -> None:
    rows.update(state=state, why=why, detail=detail[:200], done_at=now, payload=None)
