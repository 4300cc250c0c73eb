"""The door: the only way to change a running game, for people, bots, the clock and moderators."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction

from games import autopilot, clocks, consequences, orders, proposals, selectors, standing, store
from games.engine import rules
from games.engine.commands import RESIGN, SEATS, TIMEOUT, Command, IllegalCommand, Verb, text
from games.engine.events import Event, Left, Lost, TurnEnded
from games.engine.view import LineKind
from games.models import (
    Game,
    Kind,
    Prompt,
    PromptState,
    Source,
    Status,
    Tenure,
    Window,
)
from games.notify import in_page, outbox
from games.refusal import Reason, Refused
from games.seats import seated

# Resigning has a door of its own; running out of time is the clock's to say.
NOT_ANSWERS = (Verb.RESIGN, Verb.TIMEOUT)


@dataclass(frozen=True, slots=True)
class Actor:
    """Who says something at a locked table, and how it came."""

    tenure: Tenure
    source: Source


def lock(public_id: str) -> Game:
    """The game's row, locked until the end of the transaction. Refused if there is none."""
    try:
        return Game.objects.select_for_update().get(public_id=public_id)
    except Game.DoesNotExist:
        raise Refused(Reason.NO_GAME) from None


def answer(
    *, public_id: str, user_id: int, prompt_id: int, command: Command, now: datetime
) -> None:
    """A person answers a question. The same answer again is the first one's result, once more.

    If their time is up the clock has answered before them, whoever finds out.
    """
    if not _answer(public_id, user_id, prompt_id, command, now):
        raise Refused(Reason.MOVED_ON)


@transaction.atomic
def _answer(public_id: str, user_id: int, prompt_id: int, command: Command, now: datetime) -> bool:
    """Answer; False if it was too late, and the clock has answered instead."""
    game = lock(public_id)
    tenures = seated(game)
    tenure = of_user(tenures, user_id)
    prompt = Prompt.objects.filter(pk=prompt_id, game=game).first()
    if prompt is None or prompt.tenure_id != tenure.pk:
        raise Refused(Reason.NOT_YOURS)
    by_hand = prompt.state == PromptState.ANSWERED and prompt.answered_by == Source.PERSON
    if by_hand and store.said(prompt, tenure) == text(command, SEATS):
        return True
    if command.verb in NOT_ANSWERS:
        raise Refused(Reason.ILLEGAL)
    if prompt.answered_by == Source.ORDER:
        raise Refused(Reason.BY_ORDER)
    if prompt.state != PromptState.OPEN:
        raise Refused(Reason.MOVED_ON)
    if prompt.due <= now and clocks.run(now) and _time_out(game, now):
        prompt.refresh_from_db()
        tenures = seated(game)
        if prompt.state != PromptState.OPEN:
            return False
    _say(game, tenures, Actor(tenure, Source.PERSON), prompt, command, now)
    return True


@transaction.atomic
def leave(*, public_id: str, user_id: int, now: datetime) -> None:
    """A person resigns. Saying it again changes nothing."""
    game = lock(public_id)
    tenures = seated(game)
    tenure = of_user(tenures, user_id)
    _resign(game, tenures, tenure, Source.PERSON, now)


@transaction.atomic
def remove(*, public_id: str, tenure_id: int, now: datetime) -> bool:
    """A moderator takes whoever holds this tenure out of the game, person or bot. False, and
    nothing changed, if they are leaving anyway."""
    game = lock(public_id)
    tenures = seated(game)
    tenure = next((t for t in tenures if t.pk == tenure_id), None)
    if tenure is None:
        raise Refused(Reason.MOVED_ON)
    return _resign(game, tenures, tenure, Source.MODERATOR, now)


def _resign(
    game: Game, tenures: Sequence[Tenure], tenure: Tenure, source: Source, now: datetime
) -> bool:
    if game.status != Status.RUNNING:
        raise Refused(Reason.NOT_RUNNING)
    seat = tenure.seat.index
    state = store.load(game).state
    if seat in state.leaving or seat in state.exiled:
        return False
    prompt = Prompt.objects.filter(tenure=tenure, state=PromptState.OPEN).first()
    _say(game, tenures, Actor(tenure, source), prompt, RESIGN, now)
    return True


@transaction.atomic
def answer_for(
    *, public_id: str, prompt_id: int, command: Command, source: Source, now: datetime
) -> bool:
    """Something other than a person answers. False, and nothing changed, if it came too late."""
    game = lock(public_id)
    tenures = seated(game)
    prompt = Prompt.objects.filter(pk=prompt_id, game=game, state=PromptState.OPEN).first()
    if prompt is None or game.frozen_at or game.status != Status.RUNNING:
        return False
    tenure = next(tenure for tenure in tenures if tenure.pk == prompt.tenure_id)
    if source == Source.AUTOPILOT and tenure.autopilot_since is None:
        return False
    _say(game, tenures, Actor(tenure, source), prompt, command, now)
    return True


@transaction.atomic
def time_out(*, public_id: str, now: datetime) -> int:
    """Let the clock answer at a table for all whose time is up; how many they were.

    Anybody who finds a deadline over may call it: it is applied once.
    """
    return _time_out(lock(public_id), now)


def _time_out(game: Game, now: datetime) -> int:
    window = Window.objects.filter(game=game, closed_at=None).first()
    if window is None or game.frozen_at or game.status != Status.RUNNING:
        return 0
    prompts = clocks.late(window, now)
    for prompt in prompts:
        tenures = seated(game)
        tenure = next(tenure for tenure in tenures if tenure.pk == prompt.tenure_id)
        _say(game, tenures, Actor(tenure, Source.CLOCK), prompt, TIMEOUT, now)
    window.refresh_from_db()
    if window.closed_at is None and window.deadline <= now:
        _show_deadline(game, window, now)
    return len(prompts)


@transaction.atomic
def reckon(*, public_id: str, now: datetime) -> None:
    """The rests of somebody at this table have changed: so may what is open until when."""
    game = lock(public_id)
    window = Window.objects.filter(game=game, closed_at=None).first()
    if window is not None and not game.frozen_at:
        _show_deadline(game, window, now)


def _show_deadline(game: Game, window: Window, now: datetime) -> None:
    """Compute deadlines once more. If the public one has changed all see it, as no news of the
    game."""
    if not clocks.reckon([window], now):
        return
    game.version += 1
    game.save(update_fields=["version"])
    table = (game.public_id, game.version)
    in_page.poke(tables=[table])


@transaction.atomic
def answer_by_order(*, public_id: str, prompt_id: int, now: datetime) -> bool:
    """The standing orders of the seat that is asked answer, if one of them can.

    They are read under the lock under which they are switched off. False, and nothing said, where
    the question is closed, or no order that counts is about it; where one is, but cannot answer,
    its owner is told why and stays asked. What they leave open autopilot answers, if it is on.
    """
    game = lock(public_id)
    tenures = seated(game)
    open_prompts = Prompt.objects.filter(pk=prompt_id, game=game, state=PromptState.OPEN)
    prompt = open_prompts.select_related("window").first()
    if prompt is None or game.frozen_at or game.status != Status.RUNNING:
        return False
    tenure = next(tenure for tenure in tenures if tenure.pk == prompt.tenure_id)
    book = standing.book(prompt)
    if book:
        view, lines = selectors.seat_view(game, tenure)
        outcome = orders.decide(view, lines, [order.what for order in book])
        turn = 1 + sum(line.kind is LineKind.TURN for line in lines)
        standing.record(prompt, book, outcome, turn, now)
        if isinstance(outcome, orders.Answer):
            _say(game, tenures, Actor(tenure, Source.ORDER), prompt, outcome.command, now)
            _tell_order(game, tenure, prompt, now)
            return True
        people = [tenure.user_id] if tenure.user_id and outcome else []
        in_page.poke(people=people)
    if not tenure.autopilot_since:
        return False
    _say(game, tenures, Actor(tenure, Source.AUTOPILOT), prompt, TIMEOUT, now)
    return True


@transaction.atomic
def start(*, game: Game, tenures: Sequence[Tenure], now: datetime) -> None:
    """Deal. The caller holds the lock and has checked that the table is open and full."""
    game.start_names = [tenure.name for tenure in tenures]
    luck = store.draws(game, 0)
    change = store.deal(game=game, tenures=tenures, luck=luck, now=now)
    consequences.follow(game, tenures, change, luck, now)
    first = {prompt.tenure_id for prompt in change.asked}
    others = [tenure for tenure in tenures if tenure.pk not in first]
    consequences.tell(game, others, Kind.STARTED, now)


def of_user(tenures: Sequence[Tenure], user_id: int) -> Tenure:
    """Of those who sit at a table, this person; refused where they are none of them."""
    for tenure in tenures:
        if tenure.user_id == user_id:
            return tenure
    raise Refused(Reason.NOT_SEATED)


def _say(
    game: Game,
    tenures: Sequence[Tenure],
    actor: Actor,
    prompt: Prompt | None,
    command: Command,
    now: datetime,
) -> None:
    if game.status != Status.RUNNING:
        raise Refused(Reason.NOT_RUNNING)
    if game.frozen_at:
        raise Refused(Reason.FROZEN)
    record = store.load(game)
    seat = actor.tenure.seat.index
    luck = store.draws(game, game.last_move + 1)
    try:
        happened, after = rules.play(record.state, seat, command, luck)
    except IllegalCommand:
        raise Refused(Reason.ILLEGAL) from None
    change = store.append(
        game=game,
        tenures=tenures,
        record=record,
        seat=seat,
        prompt=prompt,
        command=command,
        source=actor.source,
        happened=happened,
        after=after,
        now=now,
    )
    if autopilot.count(actor.tenure, actor.source, now):
        hold_seat(game, actor.tenure, now)
    _end_orders(game, tenures, record, happened)
    consequences.follow(game, tenures, change, luck, now)


def hold_seat(game: Game, tenure: Tenure, now: datetime) -> None:
    """Its holder is back: the seat is not offered to others any more. All see that at once, or
    somebody would take it; it tells of no answer, since autopilot had given that."""
    if proposals.end_offers(game, tenure, now):
        consequences.show(game, now)


def _end_orders(
    game: Game, tenures: Sequence[Tenure], record: store.Record, happened: Sequence[Event]
) -> None:
    """End the standing orders whose scope is over with what `happened` after `record`."""
    loss = any(isinstance(event, Lost | Left) for event in happened)
    turn_over = any(isinstance(event, TurnEnded) for event in happened)
    if loss or turn_over:
        turn = tenures[record.state.turn] if turn_over else None
        standing.end(game.pk, loss=loss, turn=turn, began=record.turn_began)


def _tell_order(game: Game, tenure: Tenure, prompt: Prompt, now: datetime) -> None:
    """Tell whose order has answered, if they want to be told."""
    users = [tenure.user] if tenure.user else []
    outbox.tell(users=users, kind=Kind.ORDER_FIRED, key=f"prompt.{prompt.pk}", now=now, game=game)
