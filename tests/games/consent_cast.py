"""What is proposed and said at a table, for tests."""

from datetime import datetime

from games import consent, play, selectors
from games.consent import What
from games.engine.view import LineKind
from games.models import (
    Game,
    Outcome,
    Proposal,
    ProposalKind,
    Tenure,
)
from games.timing import ABSENT

from .cast import NOON, state_of, tenure_of
from .test_autopilot import away, income

PAUSE, GO_ON, EXTEND, END, BOT, NEWCOMER = ProposalKind
DAY_LATER = NOON + ABSENT


def user_of(game: Game, seat: int) -> int:
    return tenure_of(game, seat).user_id or 0


def propose(
    game: Game, seat: int, kind: ProposalKind, about: int | None = None, *,
    bot: str = "", now: datetime = NOON,
) -> Proposal:  # fmt: skip
    """The person in `seat` proposes something, of the seat `about` if need be."""
    holder = None if about is None else tenure_of(game, about).pk
    what = What(kind, holder, bot)
    consent.propose(public_id=game.public_id, user_id=user_of(game, seat), what=what, now=now)
    game.refresh_from_db()
    return Proposal.objects.filter(game=game, kind=kind).latest("pk")


def speak(
    game: Game, seat: int, proposal: Proposal, *, agrees: bool = True, now: datetime = NOON
) -> Outcome:
    """The person in `seat` says yes or no; what became of it."""
    consent.say(
        public_id=game.public_id,
        user_id=user_of(game, seat),
        proposal_id=proposal.pk,
        agrees=agrees,
        now=now,
    )
    game.refresh_from_db()
    proposal.refresh_from_db()
    return Outcome(proposal.outcome)


def kinds(game: Game) -> list[LineKind]:
    """The log as a stranger reads it."""
    entries = selectors.table(selectors.find(game.public_id), user_id=None).entries
    assert [entry.number for entry in entries] == list(range(1, len(entries) + 1))
    return [entry.line.kind for entry in entries]


def exile(game: Game) -> int:
    """Let somebody leave, who is not to play; their seat."""
    seat = (state_of(game).turn + 1) % game.size
    play.leave(public_id=game.public_id, user_id=user_of(game, seat), now=NOON)
    income(game)
    assert seat in state_of(game).exiled
    return seat


def absent(game: Game, *, now: datetime = NOON) -> int:
    """Somebody on autopilot, as all know since `now`; whose seat it is."""
    seat = away(game)
    Tenure.objects.filter(pk=tenure_of(game, seat).pk).update(absent_since=now)
    return seat


def others(game: Game, *but: int) -> list[int]:
    exiled = state_of(game).exiled
    return [seat for seat in range(game.size) if seat not in but and seat not in exiled]


def offered(game: Game) -> int:
    """A seat that stands open since DAY_LATER."""
    seat = absent(game)
    one, *rest = others(game, seat)
    offer = propose(game, one, NEWCOMER, seat, now=DAY_LATER)
    for other in rest:
        if offer.outcome == Outcome.OPEN:
            speak(game, other, offer, now=DAY_LATER)
    assert tenure_of(game, seat).offered_at == DAY_LATER
    return seat
