"""What those who play decide together at a running table, without a moderator: a pause and its end,
more time, an end without a result, and who takes the seat of somebody who has long been absent.

Whoever proposes agrees by it. All is public and shown at once; `proposals` says who counts. No game
hangs by it: what is not decided lapses, and a pause is over after a time that its pace says.
"""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction

from accounts.models import User
from games import consequences, halts, handover, invitations, play, proposals, seating, store
from games.admission import is_admitted, may_join
from games.models import (
    BotKind,
    Game,
    Halt,
    Invitation,
    InvitationState,
    Kind,
    Outcome,
    Proposal,
    ProposalKind,
    Status,
    Tenure,
    TenureEnd,
    Voice,
    Window,
)
from games.notify import outbox
from games.proposals import OFFERS, Proposed, Sitting
from games.refusal import Reason, Refused
from games.timing import PAUSE_LASTS, PROPOSAL_LASTS, Pace, offered_from

logger = logging.getLogger(__name__)

NOT_AGAIN = timedelta(hours=1)
"""What somebody proposed in vain they propose again after so long, or in another turn."""

LEASE = timedelta(seconds=60)


@dataclass(frozen=True, slots=True)
class What:
    """What is proposed. A seat is named by the tenure of whoever holds it."""

    kind: ProposalKind
    holder: int | None = None
    bot: str = ""


@dataclass(frozen=True, slots=True)
class _Table:
    """A running game under its lock."""

    game: Game
    tenures: Sequence[Tenure]
    exiled: tuple[int, ...]
    leaving: tuple[int, ...]
    now: datetime

    @classmethod
    def of(cls, game: Game, now: datetime) -> "_Table":
        state = store.load(game).state
        return cls(game, play.seated(game), state.exiled, state.leaving, now)

    @property
    def persons(self) -> tuple[Sitting, ...]:
        return proposals.sitting(self.tenures, self.exiled)

    @property
    def pace(self) -> Pace:
        return Pace(self.game.pace)


@transaction.atomic
def propose(*, public_id: str, user_id: int, what: What, now: datetime) -> None:
    """Propose something, and agree to it. If it is proposed already that is to agree; what is so
    already, or was agreed a moment ago, is not proposed again."""
    game = play.lock(public_id)
    if _is_done(game, what):
        play.of_user(play.seated(game), user_id)
        return
    table, mine = _sit(game, user_id, now)
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
        _settle(table, proposal)
    if new:
        _tell(table, proposal, mine)


@transaction.atomic
def say(*, public_id: str, user_id: int, proposal_id: int, agrees: bool, now: datetime) -> None:
    """Agree to what is proposed, or decline it. The same again is once."""
    game = play.lock(public_id)
    proposal = _find(game, proposal_id)
    if proposal.outcome != Outcome.OPEN:
        mine = play.of_user(play.seated(game), user_id)
        if proposal.voices.filter(tenure=mine, agrees=agrees).exists():
            return
        raise Refused(Reason.DECIDED)
    table, mine = _sit(game, user_id, now)
    if proposal.holder_id == mine.pk:
        raise Refused(Reason.NO_SAY)
    if proposal.kind not in proposals.possible(game):
        raise Refused(Reason.FROZEN)
    if _is_over(table, proposal):
        raise Refused(Reason.DECIDED)
    if _speak(proposal, mine, now, agrees=agrees):
        _settle(table, proposal)


@transaction.atomic
def withdraw(*, public_id: str, user_id: int, proposal_id: int, now: datetime) -> None:
    """Take back what one has proposed. Doing so twice is once."""
    game = play.lock(public_id)
    proposal = _find(game, proposal_id)
    mine = play.of_user(play.seated(game), user_id)
    if proposal.by_id != mine.pk:
        raise Refused(Reason.NO_SAY)
    if proposal.outcome == Outcome.WITHDRAWN:
        return
    if proposal.outcome != Outcome.OPEN:
        raise Refused(Reason.DECIDED)
    proposals.close(game, proposal, Outcome.WITHDRAWN, now)
    consequences.show(game, now)


@transaction.atomic
def take_seat(
    *, public_id: str, user: User, seat: int | None = None, now: datetime, link_token: str = ""
) -> None:
    """Sit down on a seat that is offered, the first if none is named; twice is once.

    The newcomer gets the public record and the seat's cards: see `handover`.
    """
    game = play.lock(public_id)
    tenures = play.seated(game)
    if any(tenure.user_id == user.pk and not tenure.ended for tenure in tenures):
        return
    if not may_join(game, user.pk, link_token):
        raise Refused(Reason.NO_GAME)
    free = [t.seat.index for t in tenures if t.offered_at and seat in (None, t.seat.index)]
    if game.status != Status.RUNNING or not free:
        raise Refused(Reason.SEAT_GONE)
    if game.frozen_at:
        raise Refused(Reason.FROZEN)
    if not is_admitted(game, user, link_token):
        raise Refused(Reason.NOT_ADMITTED)
    seating.check(user, now, game)
    handover.give(game, free[0], user, now)
    Invitation.objects.filter(game=game, user=user).update(state=InvitationState.ACCEPTED)
    invitations.recall(game, user, now)


@transaction.atomic
def invite(*, public_id: str, user_id: int, name: str, now: datetime) -> None:
    """Offer a seat that stands open to somebody by name. Asking twice is once."""
    game = play.lock(public_id)
    table, mine = _sit(game, user_id, now)
    if not any(tenure.offered_at for tenure in table.tenures):
        raise Refused(Reason.SEAT_GONE)
    guest = User.objects.named(name)
    if guest is None or mine.user is None:
        raise Refused(Reason.NO_PERSON)
    if Tenure.objects.filter(game=game, user=guest).exists():
        raise Refused(Reason.SAT_BEFORE)
    Invitation.objects.filter(game=game, user=guest, state=InvitationState.EXPIRED).delete()
    if not Invitation.objects.filter(game=game, user=guest).exists():
        invitations.ask(game, mine.user, [guest], now, kind=Kind.SEAT_OFFERED)


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
    table = _Table.of(game, now)
    if _is_over(table, proposal):
        proposals.close(game, proposal, Outcome.LAPSED, now)
        consequences.show(game, now)
        return
    proposal.due = _lapses(game, proposal)
    proposal.save(update_fields=["due"])
    if proposal.kind in proposals.possible(game) and _comes_to(table, proposal) != Outcome.OPEN:
        _settle(table, proposal)


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


# --- one proposal ---------------------------------------------------------------------------------


def _sit(game: Game, user_id: int, now: datetime) -> tuple[_Table, Tenure]:
    """The table, and where this person sits there; refused if they have no say in it."""
    if game.status != Status.RUNNING:
        raise Refused(Reason.NOT_RUNNING)
    table = _Table.of(game, now)
    mine = play.of_user(table.tenures, user_id)
    if mine.ended or mine.seat.index in table.exiled + table.leaving:
        raise Refused(Reason.NO_SAY)
    if mine.autopilot_since:
        raise Refused(Reason.NOT_BACK)
    return table, mine


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


def _check(table: _Table, what: What) -> None:
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


def _open(table: _Table, mine: Tenure, what: What) -> Proposal:
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
    proposal.due = _lapses(game, proposal)
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


def _lapses(game: Game, proposal: Proposal) -> datetime:
    return proposal.opened_at + PROPOSAL_LASTS[Pace(game.pace)]


def _is_over(table: _Table, proposal: Proposal) -> bool:
    """Whether an open proposal is about nothing any more."""
    if _lapses(table.game, proposal) <= table.now:
        return True
    if proposal.kind == ProposalKind.GO_ON and table.game.frozen_at is None:
        return True
    if proposal.window is not None and proposal.window.closed_at is not None:
        return True
    holder = proposal.holder
    return holder is not None and (bool(holder.ended) or holder.seat.index in table.exiled)


def _clear(table: _Table) -> None:
    """Close what is over, so that it stands in no way."""
    for proposal in Proposal.objects.filter(game=table.game, outcome=Outcome.OPEN):
        if _is_over(table, proposal):
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


def _as_said(table: _Table, proposal: Proposal) -> tuple[Proposed, tuple[int, ...]]:
    proposed = next(one for one in proposals.of(table.game) if one.pk == proposal.pk)
    return proposed, proposals.counted(proposed, table.persons, table.pace, table.now)


def _comes_to(table: _Table, proposal: Proposal) -> Outcome:
    outcome = proposals.decision(*_as_said(table, proposal))
    holder = proposal.holder
    if outcome == Outcome.AGREED and proposal.kind == ProposalKind.BOT and holder is not None:
        # A moderator has taken them out, which is told when the turn ends.
        return Outcome.LAPSED if holder.seat.index in table.leaving else outcome
    return outcome


def _settle(table: _Table, proposal: Proposal) -> None:
    """Somebody has spoken, or others count: show it, and do what is agreed."""
    game, now = table.game, table.now
    outcome = _comes_to(table, proposal)
    if outcome != Outcome.OPEN:
        proposals.close(game, proposal, outcome, now)
    consequences.show(game, now)
    if outcome == Outcome.AGREED:
        _carry_out(game.public_id, proposal, now)


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


def _tell(table: _Table, proposal: Proposal, by: Tenure) -> None:
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
