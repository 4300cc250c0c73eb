"""What players decide together: who counts, what comes of it, and that no table hangs by it."""

from collections.abc import Callable
from datetime import datetime, timedelta

import pytest
from django.test import Client
from django.utils import timezone

from games import consent, drive, halts, lobby, play, proposals, selectors
from games.consent import What
from games.engine.view import LineKind
from games.models import (
    BotKind,
    Game,
    Halt,
    Kind,
    Outbox,
    Outcome,
    Proposal,
    ProposalKind,
    Status,
    Tenure,
    TenureEnd,
    Voice,
    Window,
)
from games.refusal import Reason
from games.timing import ABSENT, ABSENT_LIVE, PAUSE_LASTS, PROPOSAL_LASTS, Pace

from .at_once import refusal
from .cast import NOON, SEED, person, prompt_of, running_game, say, state_of, tenure_of, whole
from .test_autopilot import away, come_back, income

pytestmark = [pytest.mark.django_db, pytest.mark.services]

PAUSE, GO_ON, EXTEND, END, BOT, NEWCOMER = ProposalKind
DAY_LATER = NOON + ABSENT


@pytest.fixture
def game() -> Game:
    return running_game(3)


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


# --- seats ----------------------------------------------------------------------------------------


def test_a_seat_is_offered_after_a_day_and_not_before(game: Game) -> None:
    seat = absent(game)
    one, other = others(game, seat)
    almost = DAY_LATER - timedelta(seconds=1)
    for about, now in ((seat, almost), (other, DAY_LATER)):
        offer = lambda about=about, now=now: propose(game, one, NEWCOMER, about, now=now)  # noqa: E731
        assert refusal(offer) is Reason.NOT_ABSENT
    assert propose(game, one, NEWCOMER, seat, now=DAY_LATER).outcome == Outcome.OPEN


def test_at_a_live_table_two_minutes_are_long() -> None:
    game = running_game(2, pace=Pace.LIVE)
    seat = absent(game)
    offer: Callable[[datetime], Proposal] = lambda now: propose(  # noqa: E731
        game, 1 - seat, BOT, seat, bot=BotKind.HONEST, now=now
    )
    soon = NOON + ABSENT_LIVE
    assert refusal(lambda: offer(soon - timedelta(seconds=1))) is Reason.NOT_ABSENT
    assert offer(soon).outcome == Outcome.AGREED


def test_who_is_secretly_on_autopilot_is_not_offered(game: Game) -> None:
    turn = state_of(game).turn
    one = (turn + 1) % 3
    Tenure.objects.filter(pk=tenure_of(game, one).pk).update(autopilot_since=NOON, timeouts=2)
    offer = lambda: propose(game, turn, NEWCOMER, one, now=DAY_LATER)  # noqa: E731
    assert refusal(offer) is Reason.NOT_ABSENT


def test_of_two_the_other_decides_alone_and_a_bot_plays_on() -> None:
    game = running_game(2)
    seat = absent(game)
    old = tenure_of(game, seat)
    propose(game, 1 - seat, BOT, seat, bot=BotKind.COUNTER, now=DAY_LATER)
    new = tenure_of(game, seat)
    old.refresh_from_db()
    assert (new.bot, old.ended) == (BotKind.COUNTER, TenureEnd.REPLACED)
    what = What(BOT, old.pk, BotKind.COUNTER)
    consent.propose(  # the second half of a double click
        public_id=game.public_id, user_id=user_of(game, 1 - seat), what=what, now=DAY_LATER
    )
    assert tenure_of(game, seat) == new
    assert kinds(game)[-1] is LineKind.TOOK_OVER
    told = Outbox.objects.filter(user=old.user, kind=Kind.SEAT_HANDED_OVER)
    assert told.exists()
    whole(game)


def test_of_more_a_majority_decides_and_a_no_is_no_veto() -> None:
    game = running_game(4)
    seat = absent(game)
    one, two, three = others(game, seat)
    offer = propose(game, one, BOT, seat, bot=BotKind.HONEST, now=DAY_LATER)
    assert speak(game, two, offer, agrees=False, now=DAY_LATER) == Outcome.OPEN
    wrong = lambda: propose(game, three, BOT, seat, bot=BotKind.BLUFFER, now=DAY_LATER)  # noqa: E731
    assert refusal(wrong) is Reason.OTHER_PROPOSAL
    assert speak(game, three, offer, now=DAY_LATER) == Outcome.AGREED
    assert tenure_of(game, seat).bot == BotKind.HONEST


def test_of_more_two_noes_of_three_decline() -> None:
    game = running_game(4)
    seat = absent(game)
    one, two, three = others(game, seat)
    offer = propose(game, one, NEWCOMER, seat, now=DAY_LATER)
    speak(game, two, offer, agrees=False, now=DAY_LATER)
    assert speak(game, three, offer, agrees=False, now=DAY_LATER) == Outcome.DECLINED


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


def take(game: Game, name: str, *, link_token: str = "", now: datetime = DAY_LATER) -> None:
    consent.take_seat(public_id=game.public_id, user=person(name), link_token=link_token, now=now)


def test_a_newcomer_takes_a_seat_that_stands_open(game: Game) -> None:
    seat = offered(game)
    assert kinds(game)[-1] is LineKind.OFFERED
    for _ in range(2):
        take(game, "Zoe")
    assert tenure_of(game, seat).user == person("Zoe")
    assert kinds(game)[-2:] == [LineKind.OFFERED, LineKind.TOOK_OVER]
    assert refusal(lambda: take(game, "Yan")) is Reason.SEAT_GONE
    whole(game)


def test_what_is_decided_after_a_takeover_is_told_after_it(game: Game) -> None:
    seat = offered(game)
    take(game, "Zoe")
    later = DAY_LATER + timedelta(minutes=1)
    pause = propose(game, seat, PAUSE, now=later)
    for one in others(game, seat):
        speak(game, one, pause, now=later)
    told = [LineKind.OFFERED, LineKind.TOOK_OVER, LineKind.PAUSED]
    assert kinds(game)[-3:] == told
    entries = selectors.table(game, user_id=user_of(game, seat)).entries
    assert [entry.line.kind for entry in entries][-3:] == told
    assert [entry.mine for entry in entries][-3:] == [False, True, True]
    assert entries[-1].names[seat] == "Zoe"


def test_who_sat_there_before_does_not_come_in_by_another_seat(game: Game) -> None:
    seat = offered(game)
    name = tenure_of(game, seat).name
    take(game, name)  # who sits there sits there: one click brings back, not this
    assert tenure_of(game, seat).offered_at
    take(game, "Zoe")
    one = others(game, seat)[0]
    later = DAY_LATER + ABSENT
    Tenure.objects.filter(pk=tenure_of(game, one).pk).update(
        absent_since=DAY_LATER, autopilot_since=DAY_LATER
    )
    offer = propose(game, others(game, seat, one)[0], NEWCOMER, one, now=later)
    speak(game, seat, offer, now=later)
    assert refusal(lambda: take(game, name, now=later)) is Reason.SAT_BEFORE


@pytest.mark.parametrize("way", ["click", "answer"])
def test_the_holder_coming_back_ends_an_offer_that_nobody_has_taken(game: Game, way: str) -> None:
    seat = offered(game)
    bot = propose(game, others(game, seat)[0], BOT, seat, bot=BotKind.HONEST, now=DAY_LATER)
    while state_of(game).turn != seat:
        income(game)
    game.refresh_from_db()
    version = game.version
    if way == "click":
        come_back(game, seat)
    else:
        say(game, seat, "tax")
    game.refresh_from_db()
    assert game.version > version
    assert tenure_of(game, seat).offered_at is None
    bot.refresh_from_db()
    assert bot.outcome == Outcome.LAPSED
    assert refusal(lambda: take(game, "Zoe")) is Reason.SEAT_GONE
    # Others see the mark till the question is closed: it may not be offered anew for all that.
    again = lambda: propose(game, others(game, seat)[0], NEWCOMER, seat, now=DAY_LATER)  # noqa: E731
    assert refusal(again) is Reason.NOT_ABSENT
    whole(game)


def test_a_seat_that_a_moderator_has_emptied_goes_to_nobody(game: Game) -> None:
    seat = absent(game)
    one, other = others(game, seat)
    offer = propose(game, one, BOT, seat, bot=BotKind.HONEST, now=DAY_LATER)
    say(game, state_of(game).turn, "tax")
    play.remove(public_id=game.public_id, tenure_id=tenure_of(game, seat).pk, now=DAY_LATER)
    assert seat in state_of(game).leaving
    assert speak(game, other, offer, now=DAY_LATER) == Outcome.LAPSED
    whole(game)


def test_a_seat_at_a_paused_table_waits(game: Game) -> None:
    offered(game)
    halts.freeze(public_id=game.public_id, now=DAY_LATER, source=Halt.CONSENT)
    assert refusal(lambda: take(game, "Zoe")) is Reason.FROZEN
    halts.thaw(public_id=game.public_id, now=DAY_LATER, source=Halt.CONSENT)
    take(game, "Zoe")


def test_alone_among_bots_one_may_end_the_game_and_nothing_else() -> None:
    plan = lobby.Plan(size=2, pace=Pace.PRACTICE, bots=[BotKind.HONEST])
    game = lobby.open_table(host=person("Ana"), plan=plan, seed=SEED, now=NOON)
    assert refusal(lambda: propose(game, 0, PAUSE)) is Reason.NOT_NOW
    propose(game, 0, END)
    assert game.status == Status.CANCELLED


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
