"""Where a game's past is kept: load = fold the moves; append = one more, and what follows from it.

The one writer of moves, windows and prompts. Callers hold the lock on the game's row.
"""

import logging
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Q

from games import clocks
from games.chance import SEED_BYTES, Draws, commitment
from games.engine import codec, rules, transitions
from games.engine.cards import Options
from games.engine.commands import Command, text
from games.engine.events import Allowed, Answered, Dealt, Event, Left, Resigned, TurnEnded
from games.engine.observation import describe, observe, phase_name
from games.engine.state import Over, State, waiting
from games.engine.view import SPECTATOR, PhaseName
from games.models import Game, Prompt, PromptState, Seat, Source, Status, Tenure, TenureEnd, Window
from games.models.move import Move
from games.models.secret import GameSecret

logger = logging.getLogger(__name__)

TAKE_BACK = "take_back "
"""Begins the command of a move that takes the game back; the number of the last that counts ends
it. No player can say it."""

LEFT = (TenureEnd.RESIGNED, TenureEnd.REMOVED)
"""How a tenure ends when its holder leaves the game."""

SEATS = ("0", "1", "2", "3", "4", "5")
"""Players are named by seat number in a stored command: a name may change, a seat does not."""


@dataclass(frozen=True, slots=True)
class Step:
    """A move that was made. `seat` and `command` are None and empty for the deal."""

    number: int
    seat: int | None
    source: Source
    command: str
    events: tuple[Event, ...]
    version: int

    @property
    def goes_on(self) -> bool:
        """Whether it closes no window: nothing but sealed answers and leaving."""
        return _goes_on(self.events)


@dataclass(frozen=True, slots=True)
class Record:
    """A game so far. `steps` are those that count: not what was taken back."""

    state: State
    steps: tuple[Step, ...]

    @property
    def turn_began(self) -> int:
        """The number of the move with which the turn that is on began."""
        for step in reversed(self.steps):
            if any(isinstance(event, TurnEnded) for event in step.events):
                return step.number
        return 0


@dataclass(frozen=True, slots=True)
class Change:
    """What an append came to: `public` if a spectator sees it; `asked` are the new prompts.

    `state` is the table after it. `settled`: the question before is, and what was sealed is told.
    `touched` are the tenures whose own prompts changed.
    """

    state: State
    settled: bool
    public: bool
    asked: tuple[Prompt, ...]
    touched: frozenset[int]


# Moves never change, so a folded record only ever grows. It is kept by public id, which is never
# used twice, and holds committed moves alone: `append` leaves it as it was.
_FOLDED: OrderedDict[str, Record] = OrderedDict()
_KEPT = 500


class Unreadable(Exception):
    """What is stored of a game makes no game. Nobody can play on there until it is mended."""


def load(game: Game) -> Record:
    """Every move of a started game, and the table after them; or Unreadable."""
    known = _FOLDED.get(game.public_id)
    rows = _unseen({game: known})[game.pk]
    try:
        return _keep(game, known, rows)
    except Exception as error:
        raise Unreadable(f"Game {game.public_id} cannot be read.") from error


def load_all(games: Sequence[Game]) -> dict[int, Record]:
    """`load` for many games, by primary key, in one query.

    One that cannot be read is left out, and told in the log: it must not take the others along.
    """
    known = {game: _FOLDED.get(game.public_id) for game in games}
    rows = _unseen(known) if known else {}
    records = {}
    for game, record in known.items():
        try:
            records[game.pk] = _keep(game, record, rows[game.pk])
        except Exception:
            logger.exception("Game %s cannot be read.", game.public_id)
    return records


type _Row = tuple[int, int | None, str, str, Any, int, int]


def _unseen(known: Mapping[Game, Record | None]) -> dict[int, list[_Row]]:
    """The stored moves that came after what is known of these games, in order."""
    unseen = Q()
    for game, record in known.items():
        unseen |= Q(game_id=game.pk, number__gt=record.steps[-1].number if record else -1)
    rows: dict[int, list[_Row]] = {game.pk: [] for game in known}
    moves = Move.objects.filter(unseen).order_by("number")
    for pk, *row in moves.values_list(
        "game_id", "number", "seat", "source", "command", "events", "schema", "version"
    ):
        rows[pk].append(tuple(row))
    return rows


def _keep(game: Game, known: Record | None, rows: Sequence[_Row]) -> Record:
    if known is None or rows:
        new = tuple(
            Step(number, seat, Source(source), command, (*codec.load_events(payload, schema),), at)
            for number, seat, source, command, payload, schema, at in rows
        )
        known = _fold(game, known, new)
    # Out and in again, to the end: threads may meet here, and each of these steps is whole.
    _FOLDED.pop(game.public_id, None)
    _FOLDED[game.public_id] = known
    if len(_FOLDED) > _KEPT:
        _FOLDED.popitem(last=False)
    return known


def forget() -> None:
    """Fold everything anew from here on."""
    _FOLDED.clear()


def _fold(game: Game, known: Record | None, new: Sequence[Step]) -> Record:
    state = known.state if known else None
    steps = list(known.steps) if known else []
    for step in new:
        if (last := taken_back_to(step.command)) is not None:
            steps = [kept for kept in steps if kept.number <= last]
            state = _fold(game, None, steps).state
        for event in step.events:
            state = after(game.options, state, event)
        steps.append(step)
    assert state is not None
    return Record(state, tuple(steps))


def taken_back_to(command: str) -> int | None:
    """The last move that counts, if this is the command of a move that takes the game back."""
    if not command.startswith(TAKE_BACK):
        return None
    return int(command.removeprefix(TAKE_BACK))


def after(options: Options, state: State | None, event: Event) -> State:
    """The table after `event`; the deal makes one where there was none."""
    if state is None:
        assert isinstance(event, Dealt)
        return transitions.start(options, event)
    return transitions.evolve(state, event)


def new_secret(game: Game, seed: bytes) -> None:
    """Keep the seed of a game about to be saved, and set what is shown of it."""
    assert len(seed) == SEED_BYTES
    game.commitment = commitment(seed)
    game.save()
    GameSecret.objects.create(game=game, seed=seed)


def seed(game: Game) -> bytes:
    """The secret itself: to be shown of an ended game alone."""
    return bytes(GameSecret.objects.values_list("seed", flat=True).get(pk=game.pk))


def draws(game: Game, number: int) -> Draws:
    """The luck of move `number`."""
    return Draws(seed(game), game.start_names, number)


def bot_draws(game: Game, prompt: Prompt) -> Draws:
    """The luck of the bot that answers `prompt`: apart from the luck of any move."""
    return Draws(seed(game), [*game.start_names, f"bot for prompt {prompt.pk}"], 0)


def pause_draws(game: Game) -> Draws:
    """The luck of the pauses of bots after the table stood still: apart from that of any move."""
    return Draws(seed(game), [*game.start_names, f"going on at {game.version}"], 0)


def said(prompt: Prompt, tenure: Tenure) -> str:
    """The stored command by which this tenure answered this prompt; "" if somebody else did."""
    said = Move.objects.filter(prompt_id=prompt.pk, tenure=tenure)
    return said.values_list("command", flat=True).first() or ""


def said_by(user_id: int) -> dict[int, list[dict[str, object]]]:
    """What this person said, or was said for them, by tenure: commands alone, never what came of
    them. Moves have numbers once their game has ended: before, these count sealed answers too."""
    said: dict[int, list[dict[str, object]]] = {}
    moves = Move.objects.filter(tenure__user_id=user_id).order_by("game_id", "number")
    for tenure, ended, number, at, source, command in moves.values_list(
        "tenure_id", "game__ended_at", "number", "at", "source", "command"
    ):
        told: dict[str, object] = {"at": at, "by": source, "said": command}
        said.setdefault(tenure or 0, []).append({"number": number if ended else None, **told})
    return said


def deal(*, game: Game, tenures: Sequence[Tenure], luck: Draws, now: datetime) -> Change:
    """Start the game with these tenures, in seat order: the deal is move 0."""
    game.status, game.started_at, game.changed_at = Status.RUNNING, now, now
    game.version += 1
    dealt = rules.deal(game.options, luck)
    Move.objects.create(
        game=game,
        number=0,
        source=Source.DEAL,
        events=codec.dump_events([dealt]),
        schema=codec.SCHEMA,
        version=game.version,
        at=now,
    )
    clocks.open_banks(game, tenures)
    state = transitions.start(game.options, dealt)
    asked = _open(game, state, tenures, now)
    game.save()
    return Change(state, True, True, asked, frozenset(prompt.tenure_id for prompt in asked))


def append(
    *,
    game: Game,
    tenures: Sequence[Tenure],
    record: Record,
    seat: int,
    prompt: Prompt | None,
    command: Command,
    source: Source,
    happened: Sequence[Event],
    after: State,
    now: datetime,
) -> Change:
    """Store a move of `seat` that came to `happened` and `after`; bring the projection along.

    `tenures` are the open ones in seat order. Nothing that others see changes unless a spectator
    sees a difference: `version` and `changed_at` stay for a sealed answer.
    """
    before = record.state
    public = is_public(before, after, happened)
    game.last_move += 1
    if public:
        show(game, now)
    over = isinstance(after.phase, Over)
    if over:
        game.status, game.ended_at = Status.OVER, now
    tenure = tenures[seat]
    Move.objects.create(
        game=game,
        number=game.last_move,
        tenure=tenure,
        seat=seat,
        prompt=prompt,
        command=text(command, SEATS),
        source=source,
        events=codec.dump_events(list(happened)),
        schema=codec.SCHEMA,
        version=game.version,
        at=now,
    )
    game.save()
    if over:
        _rank(game, after)
    _end_tenures(game, tenures, record, source, happened)
    goes_on = _goes_on(happened)
    touched = _close(game, tenures, seat, happened, source, over=over, now=now)
    asked = () if goes_on or over else _open(game, after, tenures, now)
    touched |= {tenure.pk} | {prompt.tenure_id for prompt in asked}
    return Change(after, not goes_on, public, asked, touched)


def moments(record: Record) -> list[Step]:
    """The steps to which a game can be taken back: each opened a question, or a turn."""
    return [step for step in record.steps[:-1] if not step.goes_on]


def take_back(
    *, game: Game, tenures: Sequence[Tenure], last: Step, luck: Draws, now: datetime
) -> Change:
    """Undo every move after `last`, one of `moments`, and ask anew. What was undone stays stored.

    A seat that was left since is held again. The deck is shuffled: some know what lay on it. All
    that was answered under seal in the window that opens again is undone too, so that who had
    answered is told to nobody.
    """
    touched = void(game, now)
    show(game, now)
    kept = _fold(game, None, [step for step in load(game).steps if step.number <= last.number])
    shuffled = rules.reshuffle(kept.state, luck)
    state = transitions.evolve(kept.state, shuffled)
    game.last_move += 1
    move = Move.objects.create(
        game=game,
        number=game.last_move,
        source=Source.MODERATOR,
        command=f"{TAKE_BACK}{last.number}",
        events=codec.dump_events([shuffled]),
        schema=codec.SCHEMA,
        version=game.version,
        at=now,
    )
    undone = Move.objects.filter(game=game, number__gt=last.number, number__lt=move.number)
    undone.filter(undone_by=None).update(undone_by=move)
    gone = Tenure.objects.filter(game=game, to_move__gt=last.number)
    gone.filter(ended__in=LEFT).update(ended="", to_move=None)
    # Lines are counted anew: what somebody had read is not known any more.
    Tenure.objects.filter(game=game).update(read_lines=0)
    for tenure in tenures:
        tenure.refresh_from_db(fields=["ended", "to_move", "read_lines"])
    game.save()
    asked = _open(game, state, tenures, now)
    return Change(state, True, True, asked, touched | {prompt.tenure_id for prompt in asked})


def reopen(*, game: Game, tenures: Sequence[Tenure], now: datetime) -> Change:
    """Put the open question once more, in a window of its own, to those who have not answered.

    Sealed answers stay, and move along: the deadline shown is one for all who were asked. The
    caller saves the game.
    """
    sealed = list(
        Prompt.objects.filter(
            game=game, window__closed_at=None, state=PromptState.ANSWERED
        ).select_related("tenure__user", "game")
    )
    touched = void(game, now)
    show(game, now)
    state = load(game).state
    asked = _open(game, state, tenures, now, sealed)
    Prompt.objects.bulk_update(
        sealed, ["window", "opened_at", "grace", "bank", "sleep", "free_until", "due"]
    )
    return Change(state, False, True, asked, touched | {prompt.tenure_id for prompt in asked})


def change_hands(*, game: Game, old: Tenure, new: Tenure, now: datetime) -> Prompt | None:
    """The question that was put to `old`, if one is open, is put to `new` from now on.

    An answer given under seal stays. The clock that all see begins anew in either case, or it would
    tell which it is. The new question is handed back, None if there is none.
    """
    window = Window.objects.filter(game=game, closed_at=None).first()
    asked = Prompt.objects.filter(window=window, tenure=old).exclude(state=PromptState.VOID).first()
    if window is None or asked is None:
        return None
    answered = asked.state == PromptState.ANSWERED
    if not answered:
        Prompt.objects.filter(pk=asked.pk).update(state=PromptState.VOID, closed_at=now)
        asked = Prompt(window=window, game=game, seat_id=new.seat_id)
    asked.tenure, asked.burnt = new, 0
    clocks.grant(game, [asked], turn=window.kind == PhaseName.ACTION, now=now)
    asked.save()
    clocks.reckon([window], now)
    return None if answered else asked


def void(game: Game, now: datetime) -> frozenset[int]:
    """Take the open question back, and close its window; the tenures that have not answered."""
    prompts = Prompt.objects.filter(game=game, state=PromptState.OPEN)
    touched = frozenset(prompts.values_list("tenure_id", flat=True))
    prompts.update(state=PromptState.VOID, closed_at=now)
    Window.objects.filter(game=game, closed_at=None).update(closed_at=now)
    return touched


def show(game: Game, now: datetime) -> None:
    """Something that a spectator sees has changed. The caller saves the game."""
    game.version, game.changed_at = game.version + 1, now


def _goes_on(events: Sequence[Event]) -> bool:
    return all(isinstance(event, Answered | Resigned | Left) for event in events)


def is_public(before: State, after: State, happened: Sequence[Event]) -> bool:
    """Whether a spectator sees a difference: a line of the log, or the table itself."""
    if any(describe(event, SPECTATOR) for event in happened):
        return True
    return observe(before, SPECTATOR) != observe(after, SPECTATOR)


def _rank(game: Game, after: State) -> None:
    places = {seat: place for place, seat in enumerate(rules.ranking(after), 1)}
    seats = list(Seat.objects.filter(game=game))
    for seat in seats:
        seat.place = places[seat.index]
    Seat.objects.bulk_update(seats, ["place"])


def _end_tenures(
    game: Game,
    tenures: Sequence[Tenure],
    record: Record,
    source: Source,
    happened: Sequence[Event],
) -> None:
    left = [event.seat for event in happened if isinstance(event, Left)]
    if not left:
        return
    said = [*((step.source, event) for step in record.steps for event in step.events)]
    said += [(source, event) for event in happened]
    by = {event.seat: by for by, event in said if isinstance(event, Resigned)}
    for seat in left:
        end = TenureEnd.REMOVED if by.get(seat) == Source.MODERATOR else TenureEnd.RESIGNED
        Tenure.objects.filter(pk=tenures[seat].pk).update(ended=end, to_move=game.last_move)


def _close(
    game: Game,
    tenures: Sequence[Tenure],
    seat: int,
    happened: Sequence[Event],
    source: Source,
    *,
    over: bool,
    now: datetime,
) -> frozenset[int]:
    """Close what was answered and, unless the window goes on, the rest; whose prompts changed."""
    answered = {seat} | {event.seat for event in happened if isinstance(event, Answered)}
    answering = {tenures[index].pk for index in answered}
    asked = list(
        Prompt.objects.filter(game=game, window__closed_at=None)
        .exclude(state=PromptState.VOID)
        .select_related("tenure")
    )
    waiting_still = [prompt for prompt in asked if prompt.state == PromptState.OPEN]
    given = [prompt for prompt in waiting_still if prompt.tenure_id in answering]
    _shut(given, PromptState.ANSWERED, source, now)
    if _goes_on(happened):
        return frozenset(prompt.tenure_id for prompt in given)
    rest = [prompt for prompt in waiting_still if prompt.tenure_id not in answering]
    _shut(rest, PromptState.VOID if over else PromptState.SUPERSEDED, "", now)
    # What was said before under seal counts if it is told now; not after a challenge, say.
    told = any(isinstance(event, Allowed) for event in happened)
    clocks.settle(game, tenures, asked, {prompt.pk for prompt in (asked if told else given)})
    Window.objects.filter(game=game, closed_at=None).update(closed_at=now)
    return frozenset(prompt.tenure_id for prompt in waiting_still)


def _shut(prompts: Sequence[Prompt], state: PromptState, by: str, now: datetime) -> None:
    """Close these open prompts, and keep what they have cost."""
    by_cost: dict[int, list[int]] = {}
    for prompt in prompts:
        prompt.state, prompt.answered_by, prompt.closed_at = state, by, now
        prompt.burnt = clocks.burnt(prompt, now)
        by_cost.setdefault(prompt.burnt, []).append(prompt.pk)
    for cost, keys in by_cost.items():
        Prompt.objects.filter(pk__in=keys).update(
            state=state, answered_by=by, closed_at=now, burnt=cost
        )


def _open(
    game: Game,
    after: State,
    tenures: Sequence[Tenure],
    now: datetime,
    sealed: Sequence[Prompt] = (),
) -> tuple[Prompt, ...]:
    """Ask those whose answer is missing; `sealed` are the answered questions of the same kind."""
    kind = phase_name(after.phase)
    prompts = [
        Prompt(game=game, seat_id=tenures[seat].seat_id, tenure=tenures[seat])
        for seat in waiting(after)
    ]
    deadline = clocks.grant(game, [*prompts, *sealed], turn=kind is PhaseName.ACTION, now=now)
    window = Window.objects.create(game=game, kind=kind, opened_at=now, deadline=deadline)
    for prompt in [*prompts, *sealed]:
        prompt.window = window
    return tuple(Prompt.objects.bulk_create(prompts))
