"""To propose something, to agree or decline, to take it back. Whoever proposes agrees by it."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction

from games import consequences, play, proposals, store
from games.models import (
    Game,
    Halt,
    Outcome,
    Proposal,
    ProposalKind,
    Status,
    Tenure,
    TenureEnd,
    Voice,
    Window,
)
from games.proposals import OFFERS
from games.refusal import Reason, Refused
from games.seats import seated
from games.timing import offered_from

from .deciding import is_over, lapses, settle, tell_absent
from .table import Table, sit

NOT_AGAIN = timedelta(hours=1)
"""What somebody proposed in vain they propose again after so long, or in another turn."""


@dataclass(frozen=True, slots=True)
class What:
    """What is proposed. A seat is named by the tenure of whoever holds it."""

    kind: ProposalKind
    holder: int | None = None
    bot: str = ""


@transaction.atomic
def propose(*, public_id: str, user_id: int, what: What, now: datetime) -> None:
    """Propose something, and agree to it. If it is proposed already that is to agree; what is so
    already, or was agreed a moment ago, is not proposed again."""
    game = play.lock(public_id)
    if _is_done(game, what):
        play.of_user(seated(game), user_id)
        return
    table, mine = sit(game, user_id, now)
    _check(table, what)
    _clear(table)
    proposal = Proposal.objects.filter(
        game=game, kind=what.kind, holder=what.holder, outcome=Outcome.OPEN
    ).first()
    if proposal is None:
        proposal = _open(table, mine, what)
    elif proposal.bot != what.bot:
        raise Refused(Reason.OTHER_PROPOSAL)
    new = not proposal.voices.exists()
    if _speak(proposal, mine, now, agrees=True):
        settle(table, proposal)
    if new:
        tell_absent(table, proposal, mine)


@transaction.atomic
def say(*, public_id: str, user_id: int, proposal_id: int, agrees: bool, now: datetime) -> None:
    """Agree to what is proposed, or decline it. The same again is once."""
    game = play.lock(public_id)
    proposal = _find(game, proposal_id)
    if proposal.outcome != Outcome.OPEN:
        mine = play.of_user(seated(game), user_id)
        if proposal.voices.filter(tenure=mine, agrees=agrees).exists():
            return
        raise Refused(Reason.DECIDED)
    table, mine = sit(game, user_id, now)
    if proposal.holder_id == mine.pk:
        raise Refused(Reason.NO_SAY)
    if proposal.kind not in proposals.possible(game):
        raise Refused(Reason.FROZEN)
    if is_over(table, proposal):
        raise Refused(Reason.DECIDED)
    if _speak(proposal, mine, now, agrees=agrees):
        settle(table, proposal)


@transaction.atomic
def withdraw(*, public_id: str, user_id: int, proposal_id: int, now: datetime) -> None:
    """Take back what one has proposed. Doing so twice is once."""
    game = play.lock(public_id)
    proposal = _find(game, proposal_id)
    mine = play.of_user(seated(game), user_id)
    if proposal.by_id != mine.pk:
        raise Refused(Reason.NO_SAY)
    if proposal.outcome == Outcome.WITHDRAWN:
        return
    if proposal.outcome != Outcome.OPEN:
        raise Refused(Reason.DECIDED)
    proposals.close(game, proposal, Outcome.WITHDRAWN, now)
    consequences.show(game, now)


def _is_done(game: Game, what: What) -> bool:
    """Whether this is so already: what a second click asks for. More time is granted once for each
    question."""
    match what.kind:
        case ProposalKind.PAUSE:
            return game.frozen_at is not None and game.frozen_for == Halt.CONSENT
        case ProposalKind.GO_ON:
            return game.status == Status.RUNNING and game.frozen_at is None
        case ProposalKind.END:
            return game.status == Status.CANCELLED and game.frozen_for == Halt.CONSENT
        case ProposalKind.EXTEND:
            agreed = Proposal.objects.filter(kind=what.kind, outcome=Outcome.AGREED)
            return agreed.filter(window__game=game, window__closed_at=None).exists()
        case ProposalKind.BOT:
            agreed = Proposal.objects.filter(game=game, kind=what.kind, outcome=Outcome.AGREED)
            gone = agreed.filter(holder=what.holder, holder__ended=TenureEnd.REPLACED)
            return gone.exists()
        case _:
            free = Tenure.objects.filter(game=game, offered_at__isnull=False)
            return what.holder in free.values_list("pk", flat=True)


def _check(table: Table, what: What) -> None:
    """Refused where that cannot be proposed now."""
    if what.kind not in proposals.possible(table.game):
        raise Refused(Reason.FROZEN if table.game.frozen_at else Reason.NOT_NOW)
    if what.kind not in OFFERS:
        return
    if what.holder not in [person.holder for person in table.persons]:
        raise Refused(Reason.SEAT_GONE)
    holder = next(tenure for tenure in table.tenures if tenure.pk == what.holder)
    if not holder.absent_since or table.now < offered_from(table.pace, holder.absent_since):
        raise Refused(Reason.NOT_ABSENT)
    if holder.autopilot_since is None:
        # Others are told when the question is closed. That it is told a little earlier here gives
        # no answer away: autopilot had given it at once.
        raise Refused(Reason.NOT_ABSENT)


def _open(table: Table, mine: Tenure, what: What) -> Proposal:
    """A new one, if nobody has just said no to it."""
    game, now = table.game, table.now
    vain = Proposal.objects.filter(
        game=game,
        kind=what.kind,
        holder=what.holder,
        by=mine,
        outcome__in=[Outcome.DECLINED, Outcome.WITHDRAWN],
        closed_at__gt=now - NOT_AGAIN,
        move__gte=store.load(game).turn_began,
    )
    if vain.exists():
        raise Refused(Reason.JUST_PROPOSED)
    extends = what.kind == ProposalKind.EXTEND
    window = Window.objects.get(game=game, closed_at=None) if extends else None
    proposal = Proposal(
        game=game,
        kind=what.kind,
        by=mine,
        holder_id=what.holder,
        bot=what.bot,
        window=window,
        opened_at=now,
    )
    proposal.due = lapses(game, proposal)
    proposal.save()
    game.proposals += 1
    game.save(update_fields=["proposals"])
    return proposal


def _find(game: Game, proposal_id: int) -> Proposal:
    found = Proposal.objects.filter(pk=proposal_id, game=game).select_related("holder__seat")
    proposal = found.first()
    if proposal is None:
        raise Refused(Reason.NO_PROPOSAL)
    return proposal


def _clear(table: Table) -> None:
    """Close what is over, so that it stands in no way."""
    for proposal in Proposal.objects.filter(game=table.game, outcome=Outcome.OPEN):
        if is_over(table, proposal):
            proposals.close(table.game, proposal, Outcome.LAPSED, table.now)


def _speak(proposal: Proposal, tenure: Tenure, now: datetime, *, agrees: bool) -> bool:
    """False if that is what they had said."""
    voice = proposal.voices.filter(tenure=tenure).first()
    if voice is not None and voice.agrees == agrees:
        return False
    Voice.objects.update_or_create(
        proposal=proposal, tenure=tenure, defaults={"agrees": agrees, "at": now}
    )
    return True
