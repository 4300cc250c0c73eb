"""No order tells by its time what its owner holds, and nobody sees that one has answered."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from itertools import islice
from random import Random
from unittest import mock

import pytest
from asgiref.sync import sync_to_async
from django.db import transaction

from games import drive, standing, store
from games.chance import Draws
from games.engine.cards import roles
from games.engine.commands import Command
from games.engine.observation import observe
from games.engine.state import State, waiting
from games.engine.view import SPECTATOR, Line, TableView
from games.models import (
    Game,
    Job,
    JobKind,
    Prompt,
    PromptState,
    Seat,
    Source,
    StandingOrder,
    Tenure,
)
from games.orders import Answer, Kind, Order, decide
from games.timing import Pace

from .bots.table import VARIANTS, steps, uniform
from .cast import NAMES, NOON, SEED, running_game, say
from .redeal import redeal
from .rewriting import history, rewrite
from .test_orders import orders_for
from .test_redeal import seen, states
from .test_secrecy import ask, client_of
from .test_sockets import table_page, user_in
from .test_standing import ALLOW_ANYTHING, CARDS, CHALLENGE, LATER, seats_from_turn, set_order

WINDOWS = 2_000


def row(order: Order) -> StandingOrder:
    return StandingOrder(
        kind=order.kind,
        player=order.player,
        role=order.role or "",
        untouching=order.untouching,
        ranking=",".join(order.ranking),
    )


type Answered = tuple[list[datetime], Command | None]


def answered(
    listed: list[Order],
    seat: int,
    number: int,
    table: State,
    saw: list[tuple[list[Line], TableView]],
) -> Answered:
    """When the worker turns to the list of a seat that is asked, and what that says."""
    prompt = Prompt(tenure=Tenure(pk=1, seat=Seat(index=seat)))
    book = {1: [row(order) for order in listed]}
    luck, public = Draws(SEED, NAMES, number), observe(table, SPECTATOR)
    jobs = standing.jobs([prompt], book, public, Pace.DAILY, luck, NOON)
    lines = [line for told, _ in saw[: number + 1] for line in told]
    outcome = decide(saw[number][1], lines, listed)
    said = outcome.command if isinstance(outcome, Answer) else None
    return [job.due for job in jobs], said


def twins(random: Random) -> Iterator[tuple[Answered, Answered]]:
    """What comes of a list for each seat that is asked something in a random game: as the cards
    are, and with all that spectators do not see dealt anew."""
    options = random.choice(VARIANTS)
    played = islice(steps(options, [uniform] * options.players, random, leaving=0.01), 150)
    deals = [moves := [*played][-1].moves, redeal(moves, SPECTATOR, random)]
    tables = [states(options, deal) for deal in deals]
    sights = [[seen(options, deal, seat) for seat in range(options.players)] for deal in deals]
    for number, table in enumerate(tables[0]):
        if number and set(waiting(table)) < set(waiting(tables[0][number - 1])):
            continue  # the question was put before
        for seat in waiting(table):
            cards = Order(Kind.CARDS, ranking=tuple(random.sample(roles(options), 5)))
            listed = [*orders_for(options, seat, random), cards]
            random.shuffle(listed)
            one, other = (
                answered(listed, seat, number, deal[number], sight[seat])
                for deal, sight in zip(tables, sights, strict=True)
            )
            yield one, other


def test_in_2000_windows_the_answer_comes_at_the_same_instant_with_other_cards() -> None:
    random = Random("orders")
    compared = differed = waited = 0
    while compared < WINDOWS:
        for (due, said), (other_due, other_said) in twins(random):
            assert due == other_due
            assert due or not (said or other_said)
            compared += 1
            differed += said != other_said
            waited += due > [NOON]
    assert differed > 10
    assert waited > 500


@pytest.mark.django_db
@pytest.mark.services
def test_the_worker_answers_at_the_same_instant_with_other_cards() -> None:
    random = Random("worker")
    said = set()
    for _ in range(3):
        game = running_game(3, seed=random.randbytes(32))
        turn, one, _ = seats_from_turn(game)
        for seat in range(3):
            for order in (CHALLENGE, CARDS, ALLOW_ANYTHING):
                set_order(game, seat, order)
        stored = history(game)
        came = []
        for deal in (stored, *(redeal(stored, SPECTATOR, random) for _ in range(3))):
            rewrite(game, deal)
            store.forget()
            before = transaction.savepoint_create()
            say(game, turn, "tax", LATER)
            say(game, one, "challenge", LATER)
            came.append(next_answer(game))
            transaction.savepoint_rollback(before)
            store.forget()
            game.refresh_from_db()
        assert len({at for at, _ in came}) == 1
        said |= {words for _, words in came}
    assert len(said) > 1


def next_answer(game: Game) -> tuple[datetime | None, str]:
    """When a standing order has answered the question that is open now, and what."""
    asked = Prompt.objects.get(game=game, state=PromptState.OPEN)
    job = Job.objects.get(kind=JobKind.ORDER, prompt=asked)
    drive.sweep(job.due - timedelta(milliseconds=1))
    assert Prompt.objects.filter(pk=asked.pk, state=PromptState.OPEN).exists()
    drive.sweep(job.due)
    asked.refresh_from_db()
    assert (asked.answered_by, asked.closed_at) == (Source.ORDER, job.due)
    return asked.closed_at, store.said(asked, asked.tenure)


@pytest.mark.django_db
@pytest.mark.services
def test_an_order_that_has_answered_changes_no_byte_for_others() -> None:
    game = running_game(4)
    turn, one, *rest = seats_from_turn(game)
    set_order(game, one, ALLOW_ANYTHING)
    say(game, turn, "tax", NOON)
    clients = [client_of(game, seat) for seat in (SPECTATOR, turn, *rest)]
    with mock.patch("django.utils.timezone.now", return_value=NOON):
        before = [ask(client, game) for client in clients]
        assert drive.sweep(NOON) == 1
        assert [ask(client, game) for client in clients] == before


@pytest.mark.django_db(transaction=True)
@pytest.mark.services
async def test_an_order_that_has_answered_pokes_its_owner_alone() -> None:
    game, turn, one, other = await sync_to_async(a_list_is_asked)()
    mine, *others = [
        await table_page(game, await user_in(game, seat)) for seat in (one, turn, other)
    ]
    await sync_to_async(drive.sweep)(LATER)
    assert any("poke-table" in frame for frame in await mine.frames())
    assert [await page.frames() for page in others] == [[], []]


def a_list_is_asked() -> tuple[Game, int, int, int]:
    game = running_game(3)
    turn, one, other = seats_from_turn(game)
    set_order(game, one, ALLOW_ANYTHING)
    say(game, turn, "tax", LATER)
    return game, turn, one, other
