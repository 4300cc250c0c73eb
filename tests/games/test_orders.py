"""Standing orders as a table of questions and answers, and what holds of any list at any table."""

from collections.abc import Iterator
from itertools import islice
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.engine import commands as say
from games.engine.cards import Hand, Options, Role, roles
from games.engine.commands import Command, parse
from games.engine.observation import describe, observe
from games.engine.rules import play
from games.engine.state import Choose, State
from games.engine.view import SPECTATOR, Line, TableView
from games.orders import (
    BLOCKED_BY,
    Answer,
    Kind,
    Moment,
    Order,
    Silence,
    Why,
    concerns,
    decide,
    fits,
    moment,
)

from .bots.table import VARIANTS, Chance, Step, steps, uniform

DUKE, ASSASSIN, CAPTAIN = Role.DUKE, Role.ASSASSIN, Role.CAPTAIN
AMBASSADOR, CONTESSA, INQUISITOR = Role.AMBASSADOR, Role.CONTESSA, Role.INQUISITOR
ANA, BEN, CYD = range(3)
RANKING = (AMBASSADOR, CAPTAIN, CONTESSA, ASSASSIN, DUKE)
NAMES = ("Ana", "Ben", "Cyd")

ALLOW_ALL = Order(Kind.ALLOW, untouching=True)
ALLOW_ANYTHING = Order(Kind.ALLOW)
ALLOW_DUKES = Order(Kind.ALLOW, role=DUKE)
ALLOW_BEN = Order(Kind.ALLOW, player=BEN)
CHALLENGE = Order(Kind.CHALLENGE)
CARDS = Order(Kind.CARDS, ranking=RANKING)


def block(role: Role) -> Order:
    return Order(Kind.BLOCK, role=role)


def table(
    *said: str,
    ana: Hand = (DUKE, CONTESSA),
    revealed: Hand = (),
    turn: int = BEN,
    ben: Hand = (CAPTAIN, AMBASSADOR),
) -> tuple[State, list[Line]]:
    """A table of three, and Ana's log, after these words of "Name: command"."""
    state = State(
        options=Options(3),
        turn=turn,
        phase=Choose(),
        coins=(5, 5, 5),
        hands=(ana, ben, (ASSASSIN, ASSASSIN)),
        revealed=((), (), revealed),
        deck=(DUKE, CONTESSA, CAPTAIN, AMBASSADOR),
        factions=(),
        almshouse=0,
        exiled=(),
        leaving=(),
    )
    lines = []
    for words in said:
        name, _, command = words.partition(": ")
        seat = NAMES.index(name)
        events, state = play(state, seat, parse(command, NAMES), Chance(Random(1)))
        lines += [line for event in events if (line := describe(event, ANA))]
    return state, lines


TAX, STEAL_CYD, STEAL_ANA = "Ben: tax", "Ben: steal Cyd", "Ben: steal Ana"
AID, KILL_ANA, KILL_CYD = "Ben: foreign_aid", "Ben: assassinate Ana", "Ben: assassinate Cyd"
BLOCKED = ("Ben: foreign_aid", "Cyd: block duke")
MINE_BLOCKED = ("Ana: foreign_aid", "Cyd: block duke")
# A challenge of Ben's theft that failed: Ana is asked once more.
ASKED_AGAIN = (STEAL_ANA, "Cyd: challenge", "Ben: reveal captain", "Cyd: lose assassin")

MATCHES = [
    # said, Ana's orders, her answer, when
    ([TAX], [ALLOW_DUKES], say.ALLOW, Moment.AT_ONCE),
    ([TAX], [ALLOW_BEN], say.ALLOW, Moment.AT_ONCE),
    ([TAX], [ALLOW_ALL], say.ALLOW, Moment.AT_ONCE),
    ([TAX], [Order(Kind.ALLOW, player=CYD)], None, Moment.NEVER),
    ([TAX], [Order(Kind.ALLOW, role=CAPTAIN)], None, Moment.NEVER),
    ([TAX], [Order(Kind.ALLOW, player=BEN, role=DUKE)], say.ALLOW, Moment.AT_ONCE),
    ([AID], [ALLOW_ALL], say.ALLOW, Moment.AT_ONCE),
    ([AID], [ALLOW_BEN], say.ALLOW, Moment.AT_ONCE),
    ([AID], [ALLOW_DUKES], None, Moment.NEVER),
    ([STEAL_ANA], [ALLOW_ALL], None, Moment.NEVER),
    ([STEAL_ANA], [ALLOW_ANYTHING], say.ALLOW, Moment.AT_ONCE),
    ([STEAL_CYD], [ALLOW_ALL], say.ALLOW, Moment.AT_ONCE),
    (BLOCKED, [ALLOW_ALL], say.ALLOW, Moment.AT_ONCE),
    (BLOCKED, [ALLOW_DUKES], say.ALLOW, Moment.AT_ONCE),
    (BLOCKED, [ALLOW_BEN], None, Moment.NEVER),
    (MINE_BLOCKED, [ALLOW_ALL], None, Moment.NEVER),
    (MINE_BLOCKED, [ALLOW_DUKES], say.ALLOW, Moment.AT_ONCE),
    # blocks, whatever is held
    ([AID], [block(DUKE)], say.BLOCK[DUKE], Moment.DRAWN),
    ([TAX], [block(DUKE)], None, Moment.NEVER),
    ([KILL_ANA], [block(CONTESSA)], say.BLOCK[CONTESSA], Moment.DRAWN),
    ([KILL_CYD], [block(CONTESSA)], None, Moment.NEVER),
    ([STEAL_ANA], [block(CAPTAIN)], say.BLOCK[CAPTAIN], Moment.DRAWN),
    ([STEAL_ANA], [block(AMBASSADOR)], say.BLOCK[AMBASSADOR], Moment.DRAWN),
    (ASKED_AGAIN, [block(CAPTAIN)], say.BLOCK[CAPTAIN], Moment.DRAWN),
    (ASKED_AGAIN, [ALLOW_ANYTHING], None, Moment.NEVER),
    # the first that can answer, wins
    ([AID], [ALLOW_ALL, block(DUKE)], say.ALLOW, Moment.AT_ONCE),
    ([AID], [block(DUKE), ALLOW_ALL], say.BLOCK[DUKE], Moment.DRAWN),
    ([KILL_ANA], [CHALLENGE, block(CONTESSA)], say.BLOCK[CONTESSA], Moment.DRAWN),
    ([TAX], [CHALLENGE, ALLOW_ALL], say.ALLOW, Moment.DRAWN),
    ([TAX], [ALLOW_ALL, CHALLENGE], say.ALLOW, Moment.AT_ONCE),
    # other questions are the player's own
    (["Ben: income", "Cyd: income"], [ALLOW_ALL, CHALLENGE, CARDS], None, Moment.NEVER),
    ([], [ALLOW_ALL, CHALLENGE, CARDS], None, Moment.NEVER),
    ([TAX], [], None, Moment.NEVER),
]


@pytest.mark.parametrize(("said", "orders", "command", "when"), MATCHES)
def test_what_a_list_says_and_when(
    said: list[str], orders: list[Order], command: Command | None, when: Moment
) -> None:
    turn = ANA if said and said[0].startswith("Ana") else BEN
    state, lines = table(*said, turn=turn)
    answer = decide(observe(state, ANA), lines, orders)
    assert (answer.command if isinstance(answer, Answer) else None) == command
    assert moment(observe(state, SPECTATOR), ANA, orders) is when


def test_a_claim_is_impossible_when_all_three_are_seen() -> None:
    state, lines = table(TAX, ana=(DUKE, DUKE), revealed=(DUKE,))
    assert decide(observe(state, ANA), lines, [CHALLENGE]) == Answer(CHALLENGE, say.CHALLENGE)
    state, lines = table(TAX, ana=(DUKE, DUKE))
    assert decide(observe(state, ANA), lines, [CHALLENGE]) == (Silence(CHALLENGE, Why.POSSIBLE),)


def test_the_list_waits_the_same_whether_or_not_the_claim_is_impossible() -> None:
    for revealed in ((), (DUKE,)):
        state, _ = table(TAX, ana=(DUKE, DUKE), revealed=revealed)
        for orders in ([CHALLENGE], [CHALLENGE, ALLOW_ALL]):
            assert moment(observe(state, SPECTATOR), ANA, orders) is Moment.DRAWN


def test_challenged_it_shows_the_role_or_gives_up_by_rank() -> None:
    challenged = ("Ana: tax", "Ben: challenge")
    state, lines = table(*challenged, turn=ANA)
    assert decide(observe(state, ANA), lines, [CARDS]) == Answer(CARDS, say.REVEAL[DUKE])
    state, lines = table(*challenged, turn=ANA, ana=(CONTESSA, CAPTAIN))
    assert decide(observe(state, ANA), lines, [CARDS]) == Answer(CARDS, say.REVEAL[CAPTAIN])


@pytest.mark.parametrize(
    ("hand", "lost"),
    [((DUKE, CONTESSA), CONTESSA), ((DUKE, AMBASSADOR), AMBASSADOR), ((DUKE, DUKE), DUKE)],
)
def test_losing_it_gives_up_by_rank(hand: Hand, lost: Role) -> None:
    state, lines = table(STEAL_CYD, "Ana: challenge", "Ben: reveal captain", ana=hand, revealed=())
    assert decide(observe(state, ANA), lines, [CARDS]) == Answer(CARDS, say.LOSE[lost])
    assert moment(observe(state, SPECTATOR), ANA, [CARDS]) is Moment.DRAWN


def test_who_has_answered_is_not_answered_for_again() -> None:
    state, lines = table(TAX, "Ana: allow")
    assert decide(observe(state, ANA), lines, [ALLOW_ALL]) == ()


def test_what_fits_a_table() -> None:
    base, inquisitor = Options(3), Options(3, inquisitor=True)
    assert fits(block(AMBASSADOR), base, ANA)
    assert not fits(block(AMBASSADOR), inquisitor, ANA)
    assert fits(block(INQUISITOR), inquisitor, ANA)
    assert not fits(block(ASSASSIN), base, ANA)
    assert not fits(Order(Kind.BLOCK), base, ANA)
    assert fits(CARDS, base, ANA)
    assert not fits(CARDS, inquisitor, ANA)
    assert not fits(Order(Kind.CARDS, ranking=RANKING[:4]), base, ANA)
    assert fits(ALLOW_BEN, base, ANA)
    assert not fits(ALLOW_BEN, base, BEN)
    assert not fits(Order(Kind.ALLOW, player=3), base, ANA)


# --- any list at any table -------------------------------------------------------------------


def orders_for(options: Options, seat: int, random: Random) -> list[Order]:
    """A list that somebody in this seat may set."""
    known = roles(options)
    others = [other for other in range(options.players) if other != seat]
    any_of = [
        lambda: Order(
            Kind.ALLOW,
            player=random.choice([None, *others]),
            role=random.choice([None, *known]),
            untouching=random.random() < 0.5,
        ),
        lambda: CHALLENGE,
        lambda: block(random.choice([role for role in known if role in BLOCKED_BY])),
        lambda: Order(Kind.CARDS, ranking=tuple(random.sample(known, len(known)))),
    ]
    orders = [random.choice(any_of)() for _ in range(random.randint(1, 5))]
    assert all(fits(order, options, seat) for order in orders)
    return orders


def questions(options: Options, random: Random) -> Iterator[tuple[Step, TableView]]:
    for step in islice(steps(options, [uniform] * options.players, random, leaving=0.01), 80):
        if step.view.own is not None and step.view.own.legal:
            yield step, observe(step.state, SPECTATOR)


@given(st.sampled_from(VARIANTS), st.integers(0, 2**32))
@settings(max_examples=60, deadline=None)
def test_an_answer_is_always_allowed_and_comes_when_it_was_said_to(
    options: Options, seed: int
) -> None:
    random = Random(seed)
    for step, public in questions(options, random):
        orders = orders_for(options, step.seat, random)
        answer = decide(step.view, step.lines, orders)
        when = moment(public, step.seat, orders)
        assert step.view.own is not None
        for order in orders:
            assert concerns(order, public, step.seat) == concerns(order, step.view, step.seat)
        if isinstance(answer, Answer):
            assert answer.command in step.view.own.legal
            assert answer.order in orders
            assert when is not Moment.NEVER
            continue
        assert all(silence.why is Why.POSSIBLE for silence in answer)
        assert (when is Moment.NEVER) == (answer == ())
        assert when is not Moment.AT_ONCE


@given(st.sampled_from(VARIANTS), st.integers(0, 2**32))
@settings(max_examples=20, deadline=None)
def test_challenges_by_order_never_fail(options: Options, seed: int) -> None:
    random = Random(seed)
    for step, _ in questions(options, random):
        answer = decide(step.view, step.lines, [CHALLENGE])
        claim = step.view.claim
        if isinstance(answer, Answer):
            assert claim is not None
            hand = step.state.hands[claim.seat]
            assert claim.role not in hand if claim.role else DUKE in hand
