"""Standing orders at real tables: they answer once, when they should, as long as they should."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest

from games import drive, orderbook, orders, play, standing
from games.engine.cards import Role
from games.engine.commands import ALLOW
from games.engine.state import Choose, RespondBlock, waiting
from games.engine.view import TableView
from games.models import (
    Game,
    Job,
    JobKind,
    OrderEnd,
    OrderFiring,
    Prompt,
    PromptState,
    Source,
    StandingOrder,
    Tenure,
)
from games.models.move import Move
from games.orders import Kind, Order, Scope
from games.refusal import Reason, Refused

from .at_once import at_once
from .cast import NOON, person, prompt_of, running_game, say, state_of, tenure_of, whole
from .test_concurrency import answer

pytestmark = [pytest.mark.django_db, pytest.mark.services]

ALLOW_ALL = Order(Kind.ALLOW, untouching=True)
ALLOW_ANYTHING = Order(Kind.ALLOW)
CHALLENGE = Order(Kind.CHALLENGE)
BLOCK_AID = Order(Kind.BLOCK, role=Role.DUKE)
RANKING = (Role.DUKE, Role.ASSASSIN, Role.CAPTAIN, Role.AMBASSADOR, Role.CONTESSA)
CARDS = Order(Kind.CARDS, ranking=RANKING)
LATER = NOON + timedelta(minutes=1)


def set_order(
    game: Game, seat: int, what: Order, scope: Scope = Scope.GAME, now: datetime = NOON
) -> StandingOrder:
    user_id = tenure_of(game, seat).user_id
    assert user_id is not None
    orderbook.add(public_id=game.public_id, user_id=user_id, what=what, scope=scope, now=now)
    return StandingOrder.objects.filter(tenure=tenure_of(game, seat)).latest("pk")


def seats_from_turn(game: Game) -> list[int]:
    turn = state_of(game).turn
    return [(turn + n) % game.size for n in range(game.size)]


def jobs_of(game: Game) -> list[Job]:
    return list(Job.objects.filter(kind=JobKind.ORDER, prompt__game=game).order_by("pk"))


def live(game: Game) -> set[int]:
    return set(standing.live().filter(tenure__game=game).values_list("pk", flat=True))


def switch(game: Game, order: StandingOrder, on: bool) -> Callable[[], None]:
    user_id = order.tenure.user_id
    assert user_id is not None
    return lambda: orderbook.switch(
        public_id=game.public_id, user_id=user_id, order_id=order.pk, on=on
    )


# --- answering ------------------------------------------------------------------------------------


def test_an_allow_is_given_at_once_and_told_to_its_owner_alone() -> None:
    game = running_game(3)
    turn, one, other = seats_from_turn(game)
    order = set_order(game, one, ALLOW_ALL)
    say(game, turn, "tax", LATER)
    asked, version = prompt_of(game, one), game.version
    assert drive.sweep(LATER) == 1
    asked.refresh_from_db()
    assert (asked.state, asked.answered_by) == (PromptState.ANSWERED, Source.ORDER)
    assert state_of(game).turn == turn
    assert waiting(state_of(game)) == (other,)
    assert game.version == version + 1  # by the tax: a sealed answer leaves it
    (firing,) = OrderFiring.objects.all()
    assert (firing.order_id, firing.prompt_id, firing.said) == (order.pk, asked.pk, "allow")
    assert firing.turn == 1
    assert Move.objects.get(prompt=asked).source == Source.ORDER
    assert drive.sweep(LATER) == 0
    whole(game)


def test_a_block_waits_and_then_is_made_whatever_is_held() -> None:
    game = running_game(3)
    turn, one, _ = seats_from_turn(game)
    set_order(game, one, BLOCK_AID)
    say(game, turn, "foreign_aid", LATER)
    (job,) = jobs_of(game)
    assert LATER + timedelta(minutes=2) <= job.due < LATER + timedelta(minutes=40)
    assert drive.sweep(job.due - timedelta(milliseconds=1)) == 0
    assert drive.sweep(job.due) == 1
    state = state_of(game)
    assert (state.phase.seat, state.phase.role) == (one, Role.DUKE)
    whole(game)


def test_at_the_same_moment_the_seat_next_after_the_actor_comes_first() -> None:
    first = set[int]()
    for number in range(4):
        game = running_game(3, seed=bytes([number]) * 32)
        turn, near, far = seats_from_turn(game)
        for seat in (near, far):
            set_order(game, seat, BLOCK_AID)
        say(game, turn, "foreign_aid", LATER)
        moment = max(job.due for job in jobs_of(game))
        Job.objects.filter(prompt__game=game).update(due=moment)
        drive.sweep(moment)
        phase = state_of(game).phase
        assert isinstance(phase, RespondBlock)
        assert phase.seat == near
        first.add(near - far)
    assert len(first) > 1  # it is not the order of the seats


def test_a_list_answers_a_challenge_and_a_loss_to_the_end() -> None:
    game = running_game(2)
    turn, one = seats_from_turn(game)
    for seat in (turn, one):
        set_order(game, seat, CARDS)
    say(game, turn, "tax", LATER)
    say(game, one, "challenge", LATER)
    now = LATER
    while not isinstance(state_of(game).phase, Choose):
        now += timedelta(hours=1)
        assert drive.sweep(now) == 1
    state = state_of(game)
    assert sorted(map(len, state.hands)) == [1, 2]
    assert OrderFiring.objects.filter(why="").count() == len(jobs_of(game)) > 0
    whole(game)


def test_where_no_order_can_answer_its_owner_is_told_why_and_stays_asked() -> None:
    game = running_game(3)
    turn, one, _ = seats_from_turn(game)
    order = set_order(game, one, CHALLENGE)
    say(game, turn, "tax", LATER)
    (job,) = jobs_of(game)
    drive.sweep(job.due)
    asked = prompt_of(game, one)
    (firing,) = OrderFiring.objects.all()
    assert (firing.order_id, firing.prompt_id, firing.said, firing.why) == (
        order.pk,
        asked.pk,
        "",
        "possible",
    )
    (listed,) = standing.on_table(tenure_of(game, one), asked.pk)
    assert listed.why == "possible"
    say(game, one, "allow", job.due)


def test_a_question_that_an_order_is_not_about_makes_no_job() -> None:
    game = running_game(3)
    turn, one, _ = seats_from_turn(game)
    set_order(game, one, Order(Kind.ALLOW, role=Role.CAPTAIN))
    set_order(game, turn, ALLOW_ANYTHING)
    say(game, turn, "tax", LATER)
    assert jobs_of(game) == []


def test_an_order_counts_from_the_next_question_on() -> None:
    game = running_game(3)
    turn, one, other = seats_from_turn(game)
    set_order(game, one, CHALLENGE)
    say(game, turn, "tax", LATER)
    set_order(game, one, ALLOW_ALL, now=LATER + timedelta(seconds=1))
    set_order(game, other, ALLOW_ALL, now=LATER + timedelta(seconds=1))
    (job,) = jobs_of(game)
    drive.sweep(job.due)
    assert waiting(state_of(game)) == tuple(sorted((one, other)))


def test_who_answers_by_hand_first_has_answered() -> None:
    game = running_game(3)
    turn, one, _ = seats_from_turn(game)
    set_order(game, one, BLOCK_AID)
    say(game, turn, "foreign_aid", LATER)
    asked = prompt_of(game, one)
    say(game, one, "allow", LATER)
    (job,) = jobs_of(game)
    drive.sweep(job.due)
    asked.refresh_from_db()
    assert asked.answered_by == Source.PERSON
    assert not OrderFiring.objects.exists()


def test_an_answer_by_hand_after_that_of_an_order_is_told_so() -> None:
    game = running_game(3)
    turn, one, _ = seats_from_turn(game)
    set_order(game, one, ALLOW_ALL)
    say(game, turn, "tax", LATER)
    by_hand = answer(game, one, ALLOW)
    drive.sweep(LATER)
    with pytest.raises(Refused) as refusal:
        by_hand()
    assert refusal.value.reason is Reason.BY_ORDER


def test_switched_off_it_says_nothing_and_on_again_it_does() -> None:
    game = running_game(3)
    turn, one, _ = seats_from_turn(game)
    order = set_order(game, one, BLOCK_AID)
    say(game, turn, "foreign_aid", LATER)
    (job,) = jobs_of(game)
    switch(game, order, False)()
    drive.sweep(job.due)
    assert prompt_of(game, one)
    assert not OrderFiring.objects.exists()


def test_a_failing_order_stops_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    game = running_game(3)
    turn, one, other = seats_from_turn(game)
    set_order(game, one, BLOCK_AID)
    set_order(game, other, ALLOW_ALL)
    decide = orders.decide

    def broken(view: TableView, *rest: Any) -> Any:
        if view.viewer == one:
            raise RuntimeError("an order that cannot be read")
        return decide(view, *rest)

    monkeypatch.setattr(orders, "decide", broken)
    say(game, turn, "foreign_aid", LATER)
    drive.sweep(LATER + timedelta(hours=1))
    assert waiting(state_of(game)) == (one,)
    say(game, one, "allow", LATER + timedelta(hours=1))
    whole(game)


def test_a_list_that_cannot_be_read_stops_no_move() -> None:
    game = running_game(3)
    turn, one, other = seats_from_turn(game)
    set_order(game, one, BLOCK_AID)
    set_order(game, other, ALLOW_ALL)
    StandingOrder.objects.filter(kind=Kind.BLOCK).update(role="king")
    say(game, turn, "foreign_aid", LATER)
    drive.sweep(LATER)
    assert waiting(state_of(game)) == (one,)


def test_frozen_no_order_answers() -> None:
    game = running_game(3)
    turn, one, _ = seats_from_turn(game)
    set_order(game, one, ALLOW_ALL)
    say(game, turn, "tax", LATER)
    Game.objects.filter(pk=game.pk).update(frozen_at=LATER, frozen_for="moderator")
    drive.sweep(LATER)
    assert prompt_of(game, one)


# --- with autopilot -------------------------------------------------------------------------------


def on_autopilot(game: Game, seat: int) -> None:
    Tenure.objects.filter(pk=tenure_of(game, seat).pk).update(autopilot_since=NOON)


def test_orders_come_before_autopilot_which_answers_what_they_do_not() -> None:
    game = running_game(3)
    turn, one, other = seats_from_turn(game)
    set_order(game, one, BLOCK_AID)
    set_order(game, other, CHALLENGE)
    for seat in (one, other):
        on_autopilot(game, seat)
    say(game, turn, "tax", LATER)
    asked = {seat: prompt_of(game, seat) for seat in (one, other)}
    drive.sweep(LATER)  # the block is about another question; both answer at once all the same
    for seat in (one, other):
        asked[seat].refresh_from_db()
        assert asked[seat].answered_by == Source.AUTOPILOT
    assert OrderFiring.objects.get().why == "possible"


def test_on_autopilot_too_an_order_answers() -> None:
    game = running_game(3)
    turn, one, _ = seats_from_turn(game)
    set_order(game, one, BLOCK_AID)
    on_autopilot(game, one)
    say(game, turn, "foreign_aid", LATER)
    assert drive.sweep(LATER) == 1
    assert state_of(game).phase.seat == one


# --- how long -------------------------------------------------------------------------------------


def test_until_somebody_loses_a_card() -> None:
    game = running_game(3)
    turn, one, other = seats_from_turn(game)
    until_loss = set_order(game, other, Order(Kind.ALLOW, role=Role.CAPTAIN), Scope.LOSS)
    for_ever = set_order(game, other, ALLOW_ALL)
    say(game, turn, "tax", LATER)
    assert live(game) == {until_loss.pk, for_ever.pk}
    say(game, one, "challenge", LATER)
    while not any(state_of(game).revealed):
        drive.sweep(Prompt.objects.filter(game=game).latest("pk").due)
    until_loss.refresh_from_db()
    assert until_loss.ended == OrderEnd.LOSS
    assert live(game) == {for_ever.pk}


def test_until_the_end_of_ones_next_turn() -> None:
    game = running_game(2)
    turn, one = seats_from_turn(game)
    mine = set_order(game, turn, Order(Kind.ALLOW, role=Role.CAPTAIN), Scope.TURN)
    theirs = set_order(game, one, Order(Kind.ALLOW, role=Role.CAPTAIN), Scope.TURN)
    say(game, turn, "income", LATER)
    assert live(game) == {mine.pk, theirs.pk}  # the turn that was on does not count
    say(game, one, "income", LATER)
    assert live(game) == {mine.pk}
    say(game, turn, "income", LATER)
    assert live(game) == set()
    ended = StandingOrder.objects.values_list("ended", flat=True)
    assert set(ended) == {OrderEnd.TURN}


def test_it_ends_with_the_tenure_and_with_the_game() -> None:
    game = running_game(3)
    _, one, other = seats_from_turn(game)
    gone, stays = set_order(game, one, ALLOW_ALL), set_order(game, other, ALLOW_ALL)
    play.leave(public_id=game.public_id, user_id=gone.tenure.user_id or 0, now=LATER)
    assert live(game) == {stays.pk}
    play.leave(public_id=game.public_id, user_id=stays.tenure.user_id or 0, now=LATER)
    assert live(game) == set()
    for order in (gone, stays):
        with pytest.raises(Refused):
            switch(game, order, True)()


# --- changing the list ----------------------------------------------------------------------------


def test_the_first_that_can_answer_wins_and_the_list_can_be_put_in_order() -> None:
    game = running_game(3)
    turn, one, _ = seats_from_turn(game)
    allow, block = set_order(game, one, ALLOW_ALL), set_order(game, one, BLOCK_AID)
    user_id = tenure_of(game, one).user_id or 0
    for _ in range(2):  # said twice, done once
        orderbook.place(public_id=game.public_id, user_id=user_id, order_id=block.pk, position=0)
    assert list(standing.live().values_list("pk", flat=True)) == [block.pk, allow.pk]
    say(game, turn, "foreign_aid", LATER)
    drive.sweep(LATER + timedelta(hours=1))
    assert OrderFiring.objects.get().order_id == block.pk


def test_what_is_set_twice_is_set_once() -> None:
    game = running_game(3)
    order = set_order(game, 1, ALLOW_ALL)
    switch(game, order, False)()
    assert set_order(game, 1, ALLOW_ALL).pk == order.pk
    order.refresh_from_db()
    assert order.active
    assert set_order(game, 1, ALLOW_ALL, Scope.LOSS).pk != order.pk


def test_what_is_removed_is_gone_and_its_record_stays() -> None:
    game = running_game(3)
    turn, one, _ = seats_from_turn(game)
    order = set_order(game, one, ALLOW_ALL)
    say(game, turn, "tax", LATER)
    drive.sweep(LATER)
    user_id = order.tenure.user_id or 0
    for _ in range(2):
        orderbook.remove(public_id=game.public_id, user_id=user_id, order_id=order.pk)
    assert live(game) == set()
    assert [firing.said for firing in standing.firings(game, user_id)] == ["allow"]
    with pytest.raises(Refused) as refusal:
        switch(game, order, True)()
    assert refusal.value.reason is Reason.ORDER_GONE


def test_nobody_changes_anothers_list() -> None:
    game = running_game(3)
    order = set_order(game, 0, ALLOW_ALL)
    for name, reason in (("Ben", Reason.ORDER_GONE), ("Zoe", Reason.NOT_SEATED)):
        who = {"public_id": game.public_id, "user_id": person(name).pk, "order_id": order.pk}
        for call in (
            lambda who=who: orderbook.switch(**who, on=False),
            lambda who=who: orderbook.place(**who, position=0),
            lambda who=who: orderbook.remove(**who),
        ):
            with pytest.raises(Refused) as refusal:
                call()
            assert refusal.value.reason is reason
    order.refresh_from_db()
    assert order.active
    assert not order.ended


def test_a_list_has_an_end_and_takes_what_fits_the_table() -> None:
    game = running_game(6)
    every = [
        Order(Kind.ALLOW, player=player, role=role) for player in range(1, 6) for role in RANKING
    ]
    for what in every[: orderbook.MOST]:
        set_order(game, 0, what)
    with pytest.raises(Refused) as refusal:
        set_order(game, 0, every[orderbook.MOST])
    assert refusal.value.reason is Reason.TOO_MANY_ORDERS
    with pytest.raises(Refused) as refusal:
        set_order(game, 1, Order(Kind.BLOCK, role=Role.INQUISITOR))
    assert refusal.value.reason is Reason.ILLEGAL


# --- at once --------------------------------------------------------------------------------------


def sweep(now: datetime) -> Callable[[], None]:
    def swept() -> None:
        drive.sweep(now)

    return swept


@pytest.mark.django_db(transaction=True)
def test_switching_off_against_answering() -> None:
    for seed in range(4):
        game = running_game(3, seed=bytes([seed]) * 32)
        turn, one, _ = seats_from_turn(game)
        order = set_order(game, one, BLOCK_AID)
        say(game, turn, "foreign_aid", LATER)
        (job,) = jobs_of(game)
        assert at_once(switch(game, order, False), sweep(job.due)) == [None, None]
        order.refresh_from_db()
        assert not order.active
        job.prompt.refresh_from_db()
        answered = job.prompt.state == PromptState.ANSWERED
        assert OrderFiring.objects.filter(order=order).count() == answered
        assert Move.objects.filter(prompt=job.prompt).count() == answered
        whole(game)


@pytest.mark.django_db(transaction=True)
def test_a_hand_against_an_order_and_two_workers() -> None:
    for seed in range(4):
        game = running_game(3, seed=bytes([seed]) * 32)
        turn, one, _ = seats_from_turn(game)
        set_order(game, one, BLOCK_AID)
        say(game, turn, "foreign_aid", LATER)
        (job,) = jobs_of(game)
        results = at_once(answer(game, one, ALLOW), sweep(job.due), sweep(job.due))
        job.prompt.refresh_from_db()
        by_order = job.prompt.answered_by == Source.ORDER
        assert results == [Reason.BY_ORDER if by_order else None, None, None]
        assert Move.objects.filter(prompt=job.prompt).count() == 1
        assert OrderFiring.objects.filter(prompt=job.prompt).count() == by_order
        whole(game)
