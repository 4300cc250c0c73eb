"""What players decide of a seat: whom it may be given to, by whose word, and who sits down."""

from collections.abc import Callable
from datetime import datetime, timedelta

import pytest

from games import consent, halts, lobby, play, selectors
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
    Status,
    Tenure,
    TenureEnd,
)
from games.refusal import Reason
from games.timing import ABSENT, ABSENT_LIVE, Pace

from .at_once import refusal
from .cast import NOON, SEED, person, running_game, say, state_of, tenure_of, whole
from .consent_cast import (
    BOT,
    DAY_LATER,
    END,
    NEWCOMER,
    PAUSE,
    absent,
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
