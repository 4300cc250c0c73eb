"""What players decide together: who counts, what comes of it, and that no table hangs by it."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from games import consent, drive, halts, play, proposals, selectors
from games.consent import What
from games.engine.view import LineKind
from games.models import (
    Game,
    Halt,
    Kind,
    Outbox,
    Outcome,
    Proposal,
    Status,
    Tenure,
    Voice,
    Window,
)
from games.refusal import Reason
from games.timing import PAUSE_LASTS, PROPOSAL_LASTS, Pace

from .at_once import refusal
from .cast import NOON, person, prompt_of, running_game, say, state_of, tenure_of, whole
from .consent_cast import (
    DAY_LATER,
    END,
    EXTEND,
    GO_ON,
    NEWCOMER,
    PAUSE,
    absent,
    exile,
    kinds,
    offered,
    others,
    propose,
    speak,
    user_of,
)
from .test_autopilot import come_back, income

pytestmark = [pytest.mark.django_db, pytest.mark.services]


@pytest.fixture
def game() -> Game:
    return running_game(3)


def test_all_agree_to_a_pause_and_all_to_go_on(game: Game) -> None:
    say(game, state_of(game).turn, "tax")
    before = Window.objects.get(game=game, closed_at=None)
    version = game.version
    pause = propose(game, 0, PAUSE)
    assert game.version > version
    assert not game.frozen_at
    assert speak(game, 1, pause) == Outcome.OPEN
    assert speak(game, 2, pause) == Outcome.AGREED
    assert (game.frozen_for, game.frozen_at) == (Halt.CONSENT, NOON)
    assert kinds(game)[-1] is LineKind.PAUSED
    asked = next(seat for seat in range(3) if seat != state_of(game).turn)
    assert refusal(lambda: say(game, asked, "allow")) is Reason.FROZEN
    later = NOON + timedelta(days=2)
    go_on = propose(game, 2, GO_ON, now=later)
    for seat in (0, 1):
        assert game.frozen_at
        speak(game, seat, go_on, now=later)
    assert game.frozen_at is None
    after = Window.objects.get(game=game, closed_at=None)
    assert after.deadline - later == before.deadline - before.opened_at
    assert kinds(game)[-2:] == [LineKind.PAUSED, LineKind.WENT_ON]
    whole(game)


def test_one_no_declines_and_the_same_person_waits_before_they_ask_again(game: Game) -> None:
    pause = propose(game, 0, PAUSE)
    assert speak(game, 1, pause, agrees=False) == Outcome.DECLINED
    assert refusal(lambda: speak(game, 2, pause)) is Reason.DECIDED
    assert refusal(lambda: propose(game, 0, PAUSE)) is Reason.JUST_PROPOSED
    assert propose(game, 0, END).outcome == Outcome.OPEN  # something else
    assert propose(game, 1, PAUSE).outcome == Outcome.OPEN  # or somebody else
    consent.withdraw(
        public_id=game.public_id,
        user_id=user_of(game, 1),
        proposal_id=Proposal.objects.latest("pk").pk,
        now=NOON,
    )
    almost = NOON + consent.NOT_AGAIN - timedelta(seconds=1)
    assert refusal(lambda: propose(game, 1, PAUSE, now=almost)) is Reason.JUST_PROPOSED
    assert propose(game, 1, PAUSE, now=NOON + consent.NOT_AGAIN).outcome == Outcome.OPEN
    assert not game.frozen_at


def test_in_another_turn_it_may_be_proposed_again(game: Game) -> None:
    speak(game, 1, propose(game, 0, PAUSE), agrees=False)
    income(game)
    assert propose(game, 0, PAUSE).outcome == Outcome.OPEN


def test_everything_said_twice_is_said_once(game: Game) -> None:
    pause = propose(game, 0, PAUSE)
    version = game.version
    assert propose(game, 0, PAUSE) == pause
    assert game.version == version
    speak(game, 1, pause)
    version = game.version
    speak(game, 1, pause)
    assert game.version == version
    assert propose(game, 2, PAUSE) == pause  # who proposes the same agrees
    assert game.frozen_at
    assert Proposal.objects.count() == 1
    assert Voice.objects.count() == 3
    version = game.version
    assert speak(game, 1, pause) == Outcome.AGREED
    assert propose(game, 2, PAUSE) == pause
    assert game.version == version
    assert refusal(lambda: speak(game, 1, pause, agrees=False)) is Reason.DECIDED


def test_whoever_proposed_may_take_it_back_and_nobody_else(game: Game) -> None:
    pause = propose(game, 0, PAUSE)
    take_back: Callable[[int], None] = lambda seat: consent.withdraw(  # noqa: E731
        public_id=game.public_id, user_id=user_of(game, seat), proposal_id=pause.pk, now=NOON
    )
    assert refusal(lambda: take_back(1)) is Reason.NO_SAY
    for _ in range(2):
        take_back(0)
    pause.refresh_from_db()
    assert pause.outcome == Outcome.WITHDRAWN
    table = selectors.table(selectors.find(game.public_id), user_id=None)
    assert table.proposed == ()
    assert table.in_vain
    assert table.in_vain.outcome is Outcome.WITHDRAWN


def test_more_time_is_granted_once_for_each_question(game: Game) -> None:
    turn = state_of(game).turn
    due = prompt_of(game, turn).due
    first, second, third = turn, (turn + 1) % 3, (turn + 2) % 3
    more = propose(game, second, EXTEND)
    speak(game, first, more)
    assert prompt_of(game, turn).due == due
    speak(game, third, more)
    assert prompt_of(game, turn).due == due + timedelta(days=1)
    propose(game, second, EXTEND)
    assert Proposal.objects.count() == 1
    assert kinds(game)[-1] is LineKind.EXTENDED
    income(game)
    again = propose(game, second, EXTEND)
    assert again != more
    income(game)  # the question is closed: more time for it is no matter any more
    assert selectors.table(selectors.find(game.public_id), user_id=None).proposed == ()
    assert refusal(lambda: speak(game, first, again)) is Reason.DECIDED
    assert consent.sweep(NOON) == 1
    again.refresh_from_db()
    assert again.outcome == Outcome.LAPSED
    whole(game)


def test_all_agree_to_an_end_without_a_result(game: Game) -> None:
    end = propose(game, 0, END)
    for seat in (1, 2):
        speak(game, seat, end)
    assert (game.status, game.frozen_for) == (Status.CANCELLED, Halt.CONSENT)
    assert kinds(game)[-1] is LineKind.BROKEN_OFF
    assert propose(game, 1, END) == end
    assert speak(game, 2, end) == Outcome.AGREED
    assert refusal(lambda: propose(game, 0, PAUSE)) is Reason.NOT_RUNNING
    whole(game)


def test_who_is_out_or_never_was_in_has_no_say(game: Game) -> None:
    gone = exile(game)
    stayed = others(game)
    assert refusal(lambda: _propose_as(game, person("Zoe").pk)) is Reason.NOT_SEATED
    user = Tenure.objects.get(game=game, seat__index=gone).user_id or 0
    assert refusal(lambda: _propose_as(game, user)) is Reason.NO_SAY
    pause = propose(game, stayed[0], PAUSE)
    for who, reason in ((person("Zoe").pk, Reason.NOT_SEATED), (user, Reason.NO_SAY)):
        said = lambda who=who: consent.say(  # noqa: E731
            public_id=game.public_id, user_id=who, proposal_id=pause.pk, agrees=False, now=NOON
        )
        assert refusal(said) is reason
    assert speak(game, stayed[1], pause) == Outcome.AGREED


def _propose_as(game: Game, user_id: int) -> None:
    consent.propose(public_id=game.public_id, user_id=user_id, what=What(PAUSE), now=NOON)


def test_a_proposal_of_another_table_is_none(game: Game) -> None:
    pause = propose(game, 0, PAUSE)
    other = running_game(3)
    assert refusal(lambda: speak(other, 1, pause)) is Reason.NO_PROPOSAL


def test_who_leaves_and_who_is_exiled_counts_no_more(game: Game) -> None:
    turn = state_of(game).turn
    leaver, rest = (turn + 1) % 3, (turn + 2) % 3
    say(game, turn, "tax")
    pause = propose(game, turn, PAUSE)
    assert speak(game, rest, pause) == Outcome.OPEN
    play.leave(public_id=game.public_id, user_id=user_of(game, leaver), now=NOON)
    # Till the turn ends nobody knows, and it does not show by this either.
    assert refusal(lambda: speak(game, leaver, pause)) is Reason.NO_SAY
    consent.sweep(NOON)
    game.refresh_from_db()
    assert not game.frozen_at
    say(game, rest, "allow")
    assert consent.sweep(NOON) == 1
    pause.refresh_from_db()
    game.refresh_from_db()
    assert pause.outcome == Outcome.AGREED
    assert game.frozen_for == Halt.CONSENT
    assert consent.sweep(NOON) == 0
    whole(game)


def test_who_comes_to_be_on_autopilot_counts_until_all_know(game: Game) -> None:
    turn = state_of(game).turn
    one, other = (turn + 1) % 3, (turn + 2) % 3
    Tenure.objects.filter(pk=tenure_of(game, one).pk).update(timeouts=1)
    say(game, turn, "tax")
    pause = propose(game, turn, PAUSE)
    speak(game, other, pause)
    play.time_out(public_id=game.public_id, now=prompt_of(game, one).due - timedelta(seconds=1))
    drive.play.answer_for(
        public_id=game.public_id,
        prompt_id=prompt_of(game, one).pk,
        command=drive.TIMEOUT,
        source=drive.Source.CLOCK,
        now=NOON,
    )
    assert tenure_of(game, one).autopilot_since
    consent.sweep(NOON)
    pause.refresh_from_db()
    assert pause.outcome == Outcome.OPEN
    assert refusal(lambda: speak(game, one, pause)) is Reason.NOT_BACK
    say(game, other, "allow")  # the window closes
    consent.sweep(NOON)
    pause.refresh_from_db()
    assert pause.outcome == Outcome.AGREED


def test_whoever_is_back_has_a_say_though_the_mark_is_still_there(game: Game) -> None:
    seat = absent(game)
    one, other = others(game, seat)
    pause = propose(game, one, PAUSE)
    come_back(game, seat)
    assert speak(game, seat, pause, agrees=False) == Outcome.DECLINED
    assert speak(game, one, propose(game, other, PAUSE)) == Outcome.AGREED


def test_an_end_needs_those_too_who_are_not_long_away(game: Game) -> None:
    seat = absent(game)
    one, other = others(game, seat)
    end = propose(game, one, END)
    assert speak(game, other, end) == Outcome.OPEN
    soon = DAY_LATER + timedelta(hours=1)
    income(game)
    consent.sweep(soon)
    game.refresh_from_db()
    assert game.status == Status.CANCELLED


def test_of_two_one_alone_ends_nothing_while_the_other_may_come_back() -> None:
    game = running_game(2)
    seat = absent(game)
    assert propose(game, 1 - seat, END).outcome == Outcome.OPEN
    assert propose(game, 1 - seat, PAUSE).outcome == Outcome.AGREED
    come_back(game, seat)
    assert propose(game, seat, GO_ON).outcome == Outcome.OPEN
    game.refresh_from_db()
    assert game.frozen_at


def test_a_pause_is_over_by_itself_in_the_end(game: Game) -> None:
    pause = propose(game, 0, PAUSE)
    for seat in (1, 2):
        speak(game, seat, pause)
    end = NOON + PAUSE_LASTS[Pace.DAILY]
    assert consent.sweep(end - timedelta(seconds=1)) == 0
    assert drive.sweep(end) == 0
    assert consent.sweep(end) == 1
    assert consent.sweep(end + timedelta(days=99)) == 0
    game.refresh_from_db()
    assert game.frozen_at is None
    assert prompt_of(game, state_of(game).turn).opened_at == end
    assert kinds(game)[-1] is LineKind.WENT_ON
    whole(game)


def test_the_end_of_one_pause_is_not_that_of_the_next(game: Game) -> None:
    for kind, at in ((PAUSE, 0), (GO_ON, 1), (PAUSE, 2)):
        now = NOON + timedelta(days=at)
        proposal = propose(game, 0, kind, now=now)
        for seat in (1, 2):
            speak(game, seat, proposal, now=now)
    lasts = PAUSE_LASTS[Pace.DAILY]
    consent.sweep(NOON + lasts)
    game.refresh_from_db()
    assert game.frozen_at
    consent.sweep(NOON + timedelta(days=2) + lasts)
    game.refresh_from_db()
    assert game.frozen_at is None


def test_what_nobody_decides_lapses(game: Game) -> None:
    pause = propose(game, 0, PAUSE)
    end = NOON + PROPOSAL_LASTS[Pace.DAILY]
    version = game.version
    assert consent.sweep(end - timedelta(seconds=1)) == 0
    assert refusal(lambda: speak(game, 1, pause, now=end)) is Reason.DECIDED
    assert consent.sweep(end) == 1
    pause.refresh_from_db()
    game.refresh_from_db()
    assert (pause.outcome, pause.due) == (Outcome.LAPSED, None)
    assert game.version > version
    assert propose(game, 0, PAUSE, now=end) != pause


def test_one_that_has_lapsed_unseen_stands_in_no_way(game: Game) -> None:
    pause = propose(game, 0, PAUSE)
    late = NOON + PROPOSAL_LASTS[Pace.DAILY]
    assert propose(game, 1, PAUSE, now=late) != pause
    pause.refresh_from_db()
    assert pause.outcome == Outcome.LAPSED


def test_proposals_end_with_the_game(game: Game) -> None:
    pause = propose(game, 0, PAUSE)
    for seat in (1, 2):
        play.leave(public_id=game.public_id, user_id=user_of(game, seat), now=NOON)
    assert not state_of(game).leaving
    game.refresh_from_db()
    assert game.status == Status.OVER
    assert consent.sweep(NOON) == 1
    pause.refresh_from_db()
    assert (pause.outcome, pause.due) == (Outcome.LAPSED, None)


def test_a_moderators_word_is_above_that_of_the_players(game: Game) -> None:
    pause = propose(game, 0, PAUSE)
    halts.freeze(public_id=game.public_id, now=NOON, source=Halt.MODERATOR)
    for kind in (PAUSE, GO_ON, EXTEND, END):
        assert refusal(lambda kind=kind: propose(game, 1, kind)) is Reason.FROZEN
    assert refusal(lambda: speak(game, 1, pause)) is Reason.FROZEN
    halts.thaw(public_id=game.public_id, now=NOON, source=Halt.MODERATOR)
    for seat in (1, 2):
        speak(game, seat, pause)
    assert game.frozen_for == Halt.CONSENT
    halts.freeze(public_id=game.public_id, now=NOON, source=Halt.MODERATOR)
    consent.sweep(NOON + timedelta(days=30))
    game.refresh_from_db()
    assert game.frozen_for == Halt.MODERATOR


# --- messages -------------------------------------------------------------------------------------


def told(kind: Kind) -> set[str]:
    rows = Outbox.objects.filter(kind=kind).select_related("user")
    return {row.user.name for row in rows if row.user}


def test_those_are_told_who_are_to_say_something(game: Game) -> None:
    seat = absent(game)
    one, other = others(game, seat)
    offer = propose(game, one, NEWCOMER, seat, now=DAY_LATER)
    assert told(Kind.PROPOSED) == {tenure_of(game, other).name}
    assert told(Kind.SEAT_AT_STAKE) == {tenure_of(game, seat).name}
    key = proposals.key(offer)
    assert proposals.is_open(key)
    assert proposals.threatens(key)
    speak(game, other, offer, now=DAY_LATER)
    assert not proposals.is_open(key)
    assert proposals.threatens(key)
    come_back(game, seat)
    assert not proposals.threatens(key)


def test_nobody_is_told_of_what_one_decides_alone() -> None:
    game = running_game(2)
    seat = absent(game)
    propose(game, 1 - seat, NEWCOMER, seat, now=DAY_LATER)
    assert told(Kind.PROPOSED) == set()
    assert told(Kind.SEAT_AT_STAKE) == {tenure_of(game, seat).name}


def test_a_spectator_reads_it_in_the_log(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(timezone, "now", lambda: DAY_LATER)
    seat = offered(game)
    page = Client().get(f"/g/{game.public_id}/").content.decode()
    name = tenure_of(game, seat).name
    assert f"The seat of <bdi>{name}</bdi> stands open to a newcomer." in page
