"""What players may decide together: who counts, what is decided, and how it is kept.

Those count who still play: exiles have lost and wait for nothing, bots have no wishes, and whoever
is known to be on autopilot would keep the others waiting. An end concerns these too: for it they
count as long as nobody may offer their seat. Whoever has spoken counts.

It goes by what everybody knows: who is secretly on autopilot, or has secretly resigned, counts
until that is told. Callers that write hold the lock on the game's row.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from typing import Any

from django.db.models import Q

from games.models import Game, Halt, Outcome, Proposal, ProposalKind, Tenure
from games.timing import Pace, offered_from

OFFERS = (ProposalKind.BOT, ProposalKind.NEWCOMER)
"""A seat is given away by a majority, all else by consent of all."""

WHILE_RUNNING = (ProposalKind.PAUSE, ProposalKind.EXTEND, ProposalKind.END, *OFFERS)
WHILE_PAUSED = (ProposalKind.GO_ON, ProposalKind.END)
IN_PRACTICE = (ProposalKind.END,)
"""Nobody is in a hurry at a table of one person among bots."""


@dataclass(frozen=True, slots=True)
class Proposed:
    """A proposal with what was said to it; but for `move` everybody may know it.

    `by` is a name; `about` the seat that is to be given away; `yes` and `no` are seats whose
    holders have spoken and sit there still.
    """

    pk: int
    kind: ProposalKind
    outcome: Outcome
    bot: str
    by: str
    by_seat: int | None
    about: int | None
    window_id: int | None
    opened_at: datetime
    closed_at: datetime | None
    move: int | None
    yes: tuple[int, ...]
    no: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Sitting:
    """A person still in the game, as everybody knows: `absent_since` is since when on autopilot,
    `holder` the tenure, which is `offered` to newcomers."""

    seat: int
    holder: int
    absent_since: datetime | None
    offered: bool


def sitting(tenures: Iterable[Tenure], exiled: Collection[int]) -> tuple[Sitting, ...]:
    """Of the tenures that hold the seats: the persons still in the game."""
    return tuple(
        Sitting(t.seat.index, t.pk, t.absent_since, t.offered_at is not None)
        for t in tenures
        if t.user_id and not t.ended and t.seat.index not in exiled
    )


def possible(game: Game) -> tuple[ProposalKind, ...]:
    """What may be proposed, and agreed to, at a running table as it stands. A moderator's word is
    above that of the players."""
    if game.frozen_at:
        return WHILE_PAUSED if game.frozen_for == Halt.CONSENT else ()
    return IN_PRACTICE if game.pace == Pace.PRACTICE else WHILE_RUNNING


def counted(
    proposed: Proposed, persons: Iterable[Sitting], pace: Pace, now: datetime
) -> tuple[int, ...]:
    """The seats of those who decide."""
    spoken = proposed.yes + proposed.no
    return tuple(
        person.seat
        for person in persons
        if person.seat != proposed.about
        and (
            (since := person.absent_since) is None
            or person.seat in spoken
            or (proposed.kind is ProposalKind.END and now < offered_from(pace, since))
        )
    )


def decision(proposed: Proposed, seats: Collection[int]) -> Outcome:
    """What those who count have come to."""
    needed = len(seats) // 2 + 1 if proposed.kind in OFFERS else len(seats)
    agreed = sum(seat in seats for seat in proposed.yes)
    against = sum(seat in seats for seat in proposed.no)
    if seats and agreed >= needed:
        return Outcome.AGREED
    return Outcome.DECLINED if len(seats) - against < needed else Outcome.OPEN


def of(game: Game) -> list[Proposed]:
    """All that was ever proposed at a table, in order: one query, or none where there was none."""
    if not game.proposals:
        return []
    rows = (
        Proposal.objects.filter(game=game)
        .order_by("pk", "voices__pk")
        .values(
            "pk", "kind", "outcome", "bot", "by__user__name", "by__seat__index",
            "holder__seat__index", "window_id", "opened_at", "closed_at", "move",
            "voices__tenure__seat__index", "voices__agrees", "voices__tenure__ended",
        )
    )  # fmt: skip
    return [_proposed(list(group)) for _pk, group in groupby(rows, lambda row: row["pk"])]


def _proposed(rows: list[Any]) -> Proposed:
    """One proposal, of which there is a row for each voice."""
    row = rows[0]
    heard = [voice for voice in rows if voice["voices__tenure__ended"] == ""]
    yes, no = (
        tuple(
            voice["voices__tenure__seat__index"]
            for voice in heard
            if voice["voices__agrees"] is agrees
        )
        for agrees in (True, False)
    )
    return Proposed(
        pk=row["pk"],
        kind=ProposalKind(row["kind"]),
        outcome=Outcome(row["outcome"]),
        bot=row["bot"],
        by=row["by__user__name"] or "",
        by_seat=row["by__seat__index"],
        about=row["holder__seat__index"],
        window_id=row["window_id"],
        opened_at=row["opened_at"],
        closed_at=row["closed_at"],
        move=row["move"],
        yes=yes,
        no=no,
    )


def to_decide(
    game: Game, proposed: Iterable[Proposed], window_id: int | None
) -> tuple[Proposed, ...]:
    """Those that can be agreed to at this running table; `window_id` is of the open question."""
    kinds = possible(game)
    return tuple(
        one
        for one in proposed
        if one.outcome is Outcome.OPEN and one.kind in kinds and one.window_id in (None, window_id)
    )


def in_vain(proposed: Iterable[Proposed]) -> Proposed | None:
    """The last of those that were closed, if it was not agreed to."""
    closed = [(one.closed_at, one.pk, one) for one in proposed if one.closed_at]
    last = max(closed, default=(None, 0, None))[2]
    return last if last is not None and last.outcome is not Outcome.AGREED else None


def close(game: Game, proposal: Proposal, outcome: Outcome, now: datetime) -> None:
    """It is decided, or decided no more."""
    proposal.outcome, proposal.closed_at = outcome, now
    proposal.move, proposal.due = game.last_move, None
    proposal.save()


def look_again(game: Game, now: datetime) -> None:
    """Who counts may have changed, or the question may be another: the worker counts again."""
    if game.proposals:
        Proposal.objects.filter(game=game, outcome=Outcome.OPEN).update(due=now)


def end_offers(game: Game, tenure: Tenure, now: datetime) -> bool:
    """The seat is not to be had any more: its holder is back, or somebody has taken it. Whether it
    was, or was about to be; that is something that everybody sees."""
    if not game.proposals and tenure.offered_at is None:
        return False
    open_offers = Proposal.objects.filter(game=game, holder=tenure, outcome=Outcome.OPEN)
    ended = open_offers.update(outcome=Outcome.LAPSED, closed_at=now, move=game.last_move, due=None)
    if tenure.offered_at:
        tenure.offered_at, ended = None, ended + 1
        tenure.save(update_fields=["offered_at"])
    return bool(ended)


def key(proposal: Proposal) -> str:
    """By which messages about it are known."""
    return f"proposal.{proposal.pk}"


def is_open(key: str) -> bool:
    """Whether what a message with this key asks for is still to be decided."""
    return Proposal.objects.filter(pk=_pk(key), outcome=Outcome.OPEN).exists()


def threatens(key: str) -> bool:
    """Whether the seat that a message with this key tells of may still be lost."""
    found = Proposal.objects.filter(pk=_pk(key), holder__ended="")
    to_lose = Q(outcome=Outcome.OPEN) | Q(holder__offered_at__isnull=False)
    return found.filter(to_lose, holder__autopilot_since__isnull=False).exists()


def _pk(key: str) -> int:
    return int(key.removeprefix("proposal."))
