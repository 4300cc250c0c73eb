"""Proposing, agreeing, sitting down and coming back at the same moment, on the real database."""

from collections.abc import Callable

import pytest

from games import consent, halts
from games.consent import What
from games.models import Game, Halt, Outcome, Proposal, ProposalKind, Tenure, Voice
from games.refusal import Reason
from games.timing import PAUSE_LASTS, Pace

from .at_once import at_once
from .cast import NOON, person, running_game, tenure_of, whole
from .consent_cast import DAY_LATER, absent, offered, propose, user_of

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.services]

PAUSE, GO_ON, EXTEND, END, BOT, NEWCOMER = ProposalKind


def proposing(game: Game, seat: int, what: What) -> Callable[[], None]:
    user_id = user_of(game, seat)
    return lambda: consent.propose(
        public_id=game.public_id, user_id=user_id, what=what, now=DAY_LATER
    )


def saying(game: Game, seat: int, proposal: Proposal, *, agrees: bool) -> Callable[[], None]:
    user_id = user_of(game, seat)
    return lambda: consent.say(
        public_id=game.public_id,
        user_id=user_id,
        proposal_id=proposal.pk,
        agrees=agrees,
        now=DAY_LATER,
    )


def taking(game: Game, name: str) -> Callable[[], None]:
    user = person(name)
    return lambda: consent.take_seat(public_id=game.public_id, user=user, now=DAY_LATER)


def test_all_propose_the_same_at_once_and_have_agreed_by_it() -> None:
    game = running_game(3)
    calls = [proposing(game, seat, What(PAUSE)) for seat in (0, 1, 2, 0, 1, 2)]
    assert at_once(*calls) == [None] * 6
    assert Proposal.objects.get(kind=PAUSE).outcome == Outcome.AGREED
    assert Voice.objects.count() == 3
    whole(game)
    assert game.frozen_for == Halt.CONSENT


def test_a_yes_against_a_no_and_against_taking_it_back() -> None:
    game = running_game(3)
    end = propose(game, 0, END, now=DAY_LATER)
    user_id = user_of(game, 0)
    withdraw = lambda: consent.withdraw(  # noqa: E731
        public_id=game.public_id, user_id=user_id, proposal_id=end.pk, now=DAY_LATER
    )
    yes, no = saying(game, 1, end, agrees=True), saying(game, 2, end, agrees=False)
    results = at_once(yes, no, withdraw)
    assert set(results) <= {None, Reason.DECIDED}
    assert results.count(None) >= 1
    end.refresh_from_db()
    assert end.outcome in (Outcome.DECLINED, Outcome.WITHDRAWN)
    whole(game)


def test_two_newcomers_for_one_seat_and_its_holder_coming_back() -> None:
    for _ in range(3):
        game = running_game(3)
        seat = offered(game)
        user_id = user_of(game, seat)
        back = lambda game=game, user_id=user_id: halts.come_back(  # noqa: E731
            public_id=game.public_id, user_id=user_id, now=DAY_LATER
        )
        results = at_once(taking(game, "Zoe"), taking(game, "Yan"), back)
        assert results.count(None) == 1
        assert set(results) <= {None, Reason.SEAT_GONE, Reason.NOT_RUNNING, Reason.NOT_SEATED}
        holder = tenure_of(game, seat)
        names = ("Zoe", "Yan", Tenure.objects.get(user_id=user_id, game=game).name)
        assert holder.name == names[results.index(None)]
        assert holder.offered_at is None
        whole(game)


def test_a_bot_and_a_newcomer_for_one_seat() -> None:
    for _ in range(3):
        game = running_game(2)
        seat = absent(game)
        holder = tenure_of(game, seat).pk
        propose(game, 1 - seat, NEWCOMER, seat, now=DAY_LATER)
        bot = proposing(game, 1 - seat, What(BOT, holder, "honest"))
        results = at_once(bot, taking(game, "Zoe"))
        assert results in ([None, Reason.SEAT_GONE], [Reason.SEAT_GONE, None])
        assert (tenure_of(game, seat).bot == "honest") is (results[0] is None)
        whole(game)


def test_workers_and_players_let_it_go_on_once() -> None:
    game = running_game(2)
    pause = propose(game, 0, PAUSE)
    saying(game, 1, pause, agrees=True)()
    end = NOON + PAUSE_LASTS[Pace.DAILY]
    sweep: Callable[[], None] = lambda: consent.sweep(end) and None  # noqa: E731
    calls = [proposing(game, seat, What(GO_ON)) for seat in (0, 1)]
    assert at_once(sweep, sweep, *calls) == [None] * 4
    whole(game)
    assert game.frozen_at is None
    assert Proposal.objects.filter(kind=GO_ON, outcome=Outcome.AGREED).count() == 1
