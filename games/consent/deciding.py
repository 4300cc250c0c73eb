"""What a proposal comes to: agreed and carried out, declined, or lapsed; and who is told of it.

Looked at whenever somebody has spoken, and by `sweep` when it is due. No game hangs by a proposal:
what is not decided lapses, and a pause is over after a time that its pace says.
"""

import logging
from datetime import datetime, timedelta

from django.db import transaction

from games import consequences, halts, handover, play, proposals
from games.models import (
    BotKind,
    Game,
    Halt,
    Kind,
    Outcome,
    Proposal,
    ProposalKind,
    Status,
    Tenure,
)
from games.notify import outbox
from games.proposals import Proposed
from games.timing import PAUSE_LASTS, PROPOSAL_LASTS, Pace

from .table import Table

logger = logging.getLogger(__name__)

LEASE = timedelta(seconds=60)


def sweep(now: datetime) -> int:
    """Look at what is due: proposals that lapse, or for which those who count may have changed, and
    pauses that are over. How many there were. Anybody may call it, at the same time as others."""
    due = Proposal.objects.filter(due__lte=now).order_by("due")[:100]
    found = list(due.values_list("pk", "game__public_id"))
    for pk, public_id in found:
        try:
            _look(public_id, pk, now)
        except Exception:
            # One bad game must not keep the others waiting.
            logger.exception("Proposal %s could not be looked at.", pk)
            Proposal.objects.filter(pk=pk).update(due=now + LEASE)
    return len(found)


@transaction.atomic
def _look(public_id: str, pk: int, now: datetime) -> None:
    game = play.lock(public_id)
    proposal = Proposal.objects.get(pk=pk)
    if proposal.due is None or proposal.due > now:  # another was faster
        return
    if proposal.outcome == Outcome.AGREED:
        _end_pause(game, proposal, now)
        return
    if game.status != Status.RUNNING:
        proposals.close(game, proposal, Outcome.LAPSED, now)
        return
    table = Table.of(game, now)
    if is_over(table, proposal):
        proposals.close(game, proposal, Outcome.LAPSED, now)
        consequences.show(game, now)
        return
    proposal.due = lapses(game, proposal)
    proposal.save(update_fields=["due"])
    if proposal.kind in proposals.possible(game) and _comes_to(table, proposal) != Outcome.OPEN:
        settle(table, proposal)


def _end_pause(game: Game, proposal: Proposal, now: datetime) -> None:
    """The time that all agreed to is over: the game goes on, with the full time for the question.
    One that goes on already, or that has been paused anew, is left alone."""
    proposal.due = None
    proposal.save(update_fields=["due"])
    if game.frozen_for != Halt.CONSENT or not game.frozen_at:
        return
    if game.frozen_at + PAUSE_LASTS[Pace(game.pace)] > now:
        return
    asked = Proposal.objects.filter(game=game, kind=ProposalKind.GO_ON, outcome=Outcome.OPEN)
    over = asked.first() or Proposal(game=game, kind=ProposalKind.GO_ON, opened_at=now)
    proposals.close(game, over, Outcome.AGREED, now)
    halts.thaw(public_id=game.public_id, now=now, source=Halt.CONSENT)


def lapses(game: Game, proposal: Proposal) -> datetime:
    """When a proposal that is not decided till then is over."""
    return proposal.opened_at + PROPOSAL_LASTS[Pace(game.pace)]


def is_over(table: Table, proposal: Proposal) -> bool:
    """Whether an open proposal is about nothing any more."""
    if lapses(table.game, proposal) <= table.now:
        return True
    if proposal.kind == ProposalKind.GO_ON and table.game.frozen_at is None:
        return True
    if proposal.window is not None and proposal.window.closed_at is not None:
        return True
    holder = proposal.holder
    return holder is not None and (bool(holder.ended) or holder.seat.index in table.exiled)


def settle(table: Table, proposal: Proposal) -> None:
    """Somebody has spoken, or others count: show it, and do what is agreed."""
    game, now = table.game, table.now
    outcome = _comes_to(table, proposal)
    if outcome != Outcome.OPEN:
        proposals.close(game, proposal, outcome, now)
    consequences.show(game, now)
    if outcome == Outcome.AGREED:
        _carry_out(game.public_id, proposal, now)


def _comes_to(table: Table, proposal: Proposal) -> Outcome:
    outcome = proposals.decision(*_as_said(table, proposal))
    holder = proposal.holder
    if outcome == Outcome.AGREED and proposal.kind == ProposalKind.BOT and holder is not None:
        # A moderator has taken them out, which is told when the turn ends.
        return Outcome.LAPSED if holder.seat.index in table.leaving else outcome
    return outcome


def _as_said(table: Table, proposal: Proposal) -> tuple[Proposed, tuple[int, ...]]:
    proposed = next(one for one in proposals.of(table.game) if one.pk == proposal.pk)
    return proposed, proposals.counted(proposed, table.persons, table.pace, table.now)


def _carry_out(public_id: str, proposal: Proposal, now: datetime) -> None:
    holder = proposal.holder
    match ProposalKind(proposal.kind):
        case ProposalKind.PAUSE:
            halts.freeze(public_id=public_id, now=now, source=Halt.CONSENT)
            proposal.due = now + PAUSE_LASTS[Pace(proposal.game.pace)]
            proposal.save(update_fields=["due"])
        case ProposalKind.GO_ON:
            halts.thaw(public_id=public_id, now=now, source=Halt.CONSENT)
        case ProposalKind.EXTEND:
            halts.extend(public_id=public_id, now=now)
        case ProposalKind.END:
            halts.cancel(public_id=public_id, now=now, source=Halt.CONSENT)
        case ProposalKind.BOT:
            assert holder
            bot = BotKind(proposal.bot)
            handover.hand_over(public_id=public_id, seat=holder.seat.index, to=bot, now=now)
        case ProposalKind.NEWCOMER:
            assert holder
            Tenure.objects.filter(pk=holder.pk).update(offered_at=now)


def tell_absent(table: Table, proposal: Proposal, by: Tenure) -> None:
    """Tell those who are not there: whoever is to say something, and whose seat is at stake."""
    key, game, now = proposals.key(proposal), table.game, table.now
    kind = ProposalKind(proposal.kind)
    if proposal.outcome == Outcome.OPEN:
        _proposed, seats = _as_said(table, proposal)
        asked = [t.user for t in table.tenures if t.seat.index in seats and t != by and t.user]
        outbox.tell(users=asked, kind=Kind.PROPOSED, key=key, now=now, game=game, act=kind)
    holder = proposal.holder
    if (
        holder is not None
        and holder.user
        and (proposal.outcome == Outcome.OPEN or kind is ProposalKind.NEWCOMER)
    ):
        outbox.tell(users=[holder.user], kind=Kind.SEAT_AT_STAKE, key=key, now=now, game=game)
