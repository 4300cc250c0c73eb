"""The record of a game: the moves that are stored of it, read and folded to the table after them.

`load` hands out a Record, which holds every hidden card: for store, play, selectors, chronicle,
replay and verify alone. Moves never change, so what was folded once is kept in memory, and only
what has come since is read. Writes nothing.
"""

import logging
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Q

from games.engine import codec, transitions
from games.engine.cards import Options
from games.engine.events import Answered, Dealt, Event, Left, Resigned, TurnEnded
from games.engine.state import State
from games.models import Game, Prompt, Source, Tenure
from games.models.move import Move

logger = logging.getLogger(__name__)

TAKE_BACK = "take_back "
"""Begins the command of a move that takes the game back; the number of the last that counts ends
it. No player can say it."""


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
        return goes_on(self.events)


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


type _Row = tuple[int, int | None, str, str, Any, int, int, datetime]


@dataclass(frozen=True, slots=True)
class _Known:
    """What was folded of a game, up to the stored move `last`."""

    record: Record
    last: _Row


# Moves never change, so a folded record only ever grows. It is kept by public id, which is never
# used twice. What was folded in a transaction that came to nothing has not happened: so the last
# move that is known is read again each time, and where it is another, or none, all is.
_FOLDED: OrderedDict[str, _Known] = OrderedDict()
_KEPT = 500


class Unreadable(Exception):
    """What is stored of a game makes no game. Nobody can play on there until it is mended."""


def load(game: Game) -> Record:
    """Every move of a started game, and the table after them; or Unreadable."""
    known = _FOLDED.get(game.public_id)
    rows = _stored({game: known})[game.pk]
    try:
        return _keep(game, known, rows)
    except Exception as error:
        raise Unreadable(f"Game {game.public_id} cannot be read.") from error


def load_all(games: Sequence[Game]) -> dict[int, Record]:
    """`load` for many games, by primary key, in one query; one more for a game that was folded in
    a transaction that came to nothing.

    One that cannot be read is left out, and told in the log: it must not take the others along.
    """
    known = {game: _FOLDED.get(game.public_id) for game in games}
    rows = _stored(known) if known else {}
    records = {}
    for game, record in known.items():
        try:
            records[game.pk] = _keep(game, record, rows[game.pk])
        except Exception:
            # Whatever is wrong with one game's moves: a list must still show the others.
            logger.exception("Game %s cannot be read.", game.public_id)
    return records


def _stored(known: Mapping[Game, _Known | None]) -> dict[int, list[_Row]]:
    """The stored moves of these games, in order, from the last on that is known of each."""
    wanted = Q()
    for game, folded in known.items():
        wanted |= Q(game_id=game.pk, number__gte=folded.last[0] if folded else 0)
    rows: dict[int, list[_Row]] = {game.pk: [] for game in known}
    moves = Move.objects.filter(wanted).order_by("number")
    for pk, *row in moves.values_list(
        "game_id", "number", "seat", "source", "command", "events", "schema", "version", "at"
    ):
        rows[pk].append(tuple(row))
    return rows


def _keep(game: Game, known: _Known | None, rows: Sequence[_Row]) -> Record:
    if known and (not rows or rows[0] != known.last):
        known, rows = None, _stored({game: None})[game.pk]
    new = rows[1:] if known else rows
    if known is None or new:
        steps = tuple(
            Step(number, seat, Source(source), command, (*codec.load_events(payload, schema),), at)
            for number, seat, source, command, payload, schema, at, _moment in new
        )
        known = _Known(fold(game, known.record if known else None, steps), rows[-1])
    # Out and in again, to the end: threads may meet here, and each of these steps is whole.
    _FOLDED.pop(game.public_id, None)
    _FOLDED[game.public_id] = known
    if len(_FOLDED) > _KEPT:
        _FOLDED.popitem(last=False)
    return known.record


def forget() -> None:
    """Fold everything anew from here on."""
    _FOLDED.clear()


def fold(game: Game, known: Record | None, new: Sequence[Step]) -> Record:
    """What is `known` of a game with these `new` steps added, in order; None: nothing is."""
    state = known.state if known else None
    steps = list(known.steps) if known else []
    for step in new:
        if (last := taken_back_to(step.command)) is not None:
            steps = [kept for kept in steps if kept.number <= last]
            state = fold(game, None, steps).state
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


def goes_on(events: Sequence[Event]) -> bool:
    """Whether what happened closes no window: nothing but sealed answers and leaving."""
    return all(isinstance(event, Answered | Resigned | Left) for event in events)


def moments(record: Record) -> list[Step]:
    """The steps to which a game can be taken back: each opened a question, or a turn."""
    return [step for step in record.steps[:-1] if not step.goes_on]


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
