"""Standing orders as they are kept: whose they are, until when, when they answer, what they did."""

import logging
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import F, OuterRef, Q, QuerySet, Subquery

from games import orders
from games.bots.answer import pause
from games.chance import Draws
from games.engine.commands import text
from games.engine.view import TableView
from games.models import Game, Job, JobKind, OrderFiring, Prompt, StandingOrder, Status, Tenure

logger = logging.getLogger(__name__)

type Book = list[StandingOrder]
"""The orders of a tenure that live and are switched on, first to last."""


@dataclass(frozen=True, slots=True)
class Listed:
    """An order as its owner sees it. `why` it does not answer the question it is about, if so."""

    order: StandingOrder
    why: str


def live() -> QuerySet[StandingOrder]:
    """Orders that have not ended: with their scope, their tenure, or the game."""
    sits = StandingOrder.objects.filter(tenure__ended="", tenure__game__status=Status.RUNNING)
    return sits.filter(ended="").order_by("position", "pk")


def book(prompt: Prompt) -> Book:
    """What may answer `prompt`: an order counts from the next question on after it was set."""
    set_before = live().filter(created_at__lte=prompt.window.opened_at)
    return list(set_before.filter(tenure_id=prompt.tenure_id, active=True))


def on_table(tenure: Tenure, prompt_id: int | None) -> tuple[Listed, ...]:
    """The list of a player who is asked `prompt_id`: one query."""
    here = OrderFiring.objects.filter(order=OuterRef("pk"), prompt=prompt_id or 0)
    rows = live().filter(tenure=tenure).annotate(silence=Subquery(here.values("why")[:1]))
    return tuple(Listed(row, row.silence or "") for row in rows)


def firings(game: Game, user_id: int, at_most: int = 30) -> list[OrderFiring]:
    """What the orders of a person did in a game, newest first, with each order."""
    mine = OrderFiring.objects.filter(order__tenure__game=game, order__tenure__user_id=user_id)
    done = mine.select_related("order")
    return list(done.order_by("-pk")[:at_most])


def books(prompts: Iterable[Prompt]) -> dict[int, Book]:
    """The orders that may answer these new questions, by tenure: one query."""
    tenures = [prompt.tenure_id for prompt in prompts]
    by_tenure: dict[int, Book] = defaultdict(list)
    for order in live().filter(tenure_id__in=tenures, active=True):
        by_tenure[order.tenure_id].append(order)
    return by_tenure


def jobs(
    prompts: Sequence[Prompt],
    books: Mapping[int, Book],
    public: TableView,
    pace: str,
    luck: Draws,
    now: datetime,
) -> list[Job]:
    """What the worker is to do about questions put `now`: one job for each whose list is about it.

    `public` is a spectator's view, so that nothing here can hang on a card. A moment is drawn as
    bots draw theirs, from one distribution a pace, with luck of its own for each seat. A seat on
    autopilot answers all at once, by its list or without: waiting would tell that there is one.
    """
    listed = []
    for prompt in prompts:
        seat = prompt.tenure.seat.index
        try:
            what = [order.what for order in books.get(prompt.tenure_id, ())]
            when = orders.moment(public, seat, what)
        except Exception:
            # Somebody's bad list must not stop the move of another. They are asked all the same.
            logger.exception("The orders of tenure %s cannot be read.", prompt.tenure_id)
            continue
        if when is orders.Moment.NEVER:
            continue
        due = now
        if when is orders.Moment.DRAWN and not prompt.tenure.autopilot_since:
            below = luck.apart(f"order of seat {seat}").below
            due += timedelta(milliseconds=pause(pace, True, below))
        listed.append(Job(kind=JobKind.ORDER, prompt=prompt, due=due))
    return listed


def end(game_id: int, *, loss: bool, turn: Tenure | None, began: int) -> None:
    """End the orders whose scope is over: somebody lost an influence; the turn of this tenure,
    which began with move `began`, ended."""
    over = Q(scope=orders.Scope.LOSS) if loss else Q(pk__in=[])
    if turn:
        over |= Q(scope=orders.Scope.TURN, tenure=turn, from_move__lt=began)
    there = StandingOrder.objects.filter(over, tenure__game_id=game_id, ended="")
    there.update(ended=F("scope"))


def record(
    prompt: Prompt,
    book: Book,
    outcome: orders.Answer | tuple[orders.Silence, ...],
    turn: int,
    now: datetime,
) -> None:
    """Keep for its owner what a list said to a question, or why each order could not."""
    rows = {order.what: order for order in book}
    if isinstance(outcome, orders.Answer):
        said = [(rows[outcome.order], text(outcome.command, ()), "")]
    else:
        said = [(rows[silence.order], "", silence.why.value) for silence in outcome]
    OrderFiring.objects.bulk_create(
        [
            OrderFiring(order=row, prompt=prompt, turn=turn, said=words, why=why, at=now)
            for row, words, why in said
        ],
        ignore_conflicts=True,
    )
