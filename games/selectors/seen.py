"""A table as a seat or a spectator sees it: for bots, letters, lists and moderators.

Views and lines are made by `engine.observation` and `chronicle` for one viewer; nothing that is
handed out here holds the state of a game. `hidden_cards` alone tells cards.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from games import chronicle, store
from games.chronicle import NOBODY, Entry, Sitters
from games.engine import rules
from games.engine.cards import Hand
from games.engine.commands import SEATS, Command, Verb, parse
from games.engine.events import Shown
from games.engine.observation import describe, observe
from games.engine.view import SPECTATOR, Line, OwnView, PhaseName, TableView
from games.models import Game, Prompt, Source, Tenure
from games.seats import ever_seated, latest, seated

PUBLIC_ANSWERS = (Verb.ALLOW, Verb.CHALLENGE, Verb.BLOCK)
"""Whoever is asked may give them, whatever they hold."""


def public_view(game: Game) -> TableView:
    """A started game as a spectator sees it."""
    return observe(store.load(game).state, SPECTATOR)


def seat_view(game: Game, tenure: Tenure) -> tuple[TableView, tuple[Line, ...]]:
    """What a seat sees, and every line it may read: all that a bot is given."""
    record = store.load(game)
    seat, since = tenure.seat.index, tenure.from_move
    entries, _ = chronicle.entries(record.steps, seat, since, Sitters())
    return look(record, seat, since), tuple(entry.line for entry in entries)


def seat_views(tenures: Sequence[Tenure]) -> dict[int, TableView]:
    """What each of these seats sees now, by its game's primary key: one query for all.

    Without the games that cannot be read.
    """
    records = store.load_all([tenure.game for tenure in tenures])
    return {
        tenure.game_id: look(records[tenure.game_id], tenure.seat.index, tenure.from_move)
        for tenure in tenures
        if tenure.game_id in records
    }


def as_asked(game: Game, seat: int) -> tuple[TableView, tuple[Entry, ...]]:
    """A running table as a spectator sees it, and what everybody knows of the question to `seat`.

    For letters and pushes, which others may read: `own` holds no card, and of the answers just
    those that do not take one from the hand.
    """
    record = store.load(game)
    answers = tuple(c for c in rules.legal(record.state, seat) if c.verb in PUBLIC_ANSWERS)
    own = OwnView(hand=(), legal=answers, default=None, sealed=None, seen=(), leaving=False)
    view = replace(observe(record.state, SPECTATOR), viewer=seat, own=own)
    everybody = ever_seated(game)
    mine = next(tenure for tenure in latest(everybody) if tenure.seat.index == seat)
    sitters = Sitters.of(everybody, mine)
    sitters.seat = NOBODY  # what an order said is nothing for others to read
    return view, chronicle.entries(record.steps, SPECTATOR, 0, sitters)[0]


def answered(prompt: Prompt) -> Command | None:
    """What its own person has answered to this question by hand; None if nobody did, or if it is
    not of the answers that a letter offers. For whoever holds the link of that letter."""
    said = store.said(prompt, prompt.tenure) if prompt.answered_by == Source.PERSON else ""
    command = parse(said, SEATS) if said else None
    return command if command and command.verb in PUBLIC_ANSWERS else None


def public_entries(games: Sequence[Game]) -> dict[int, tuple[Entry, ...]]:
    """The log of each of these games as everybody could read it, by primary key, in one query."""
    records = store.load_all(games)
    return {
        pk: chronicle.entries(record.steps, SPECTATOR, 0, Sitters())[0]
        for pk, record in records.items()
    }


@dataclass(frozen=True, slots=True)
class Turning:
    """A moment to which a game can be taken back: the lines that told of it."""

    version: int
    turn: int
    entries: tuple[Entry, ...]


def moments(game: Game) -> list[Turning]:
    """The moments to which a running game can be taken back, as everybody saw them, in order."""
    record = store.load(game)
    names = tuple(tenure.name for tenure in seated(game))
    entries, _turns = chronicle.entries(record.steps, SPECTATOR, 0, Sitters(names))
    wanted = {step.number for step in store.moments(record)}
    found, told, turn = [], 0, 1
    for step in record.steps:
        lines = sum(describe(event, SPECTATOR) is not None for event in step.events)
        told, new = told + lines, entries[told : told + lines]
        turn = new[-1].turn if new else turn
        if step.number in wanted:
            found.append(Turning(step.version, turn, new))
    return found


def hidden_cards(game: Game) -> tuple[Hand, ...]:
    """The cards in each hand. For `moderation.looking` alone, which writes down who asks."""
    return store.load(game).state.hands


def look(record: store.Record, viewer: int, since: int) -> TableView:
    """The table for a viewer who came with the move `since`: what was sealed or shown before that
    was said by, or to, somebody else."""
    view = observe(record.state, viewer)
    own = view.own
    if own is None or not since:
        return view
    steps = [step for step in record.steps if step.number >= since]
    if not any(step.seat == viewer for step in steps):
        own = replace(own, sealed=None)
    shown = any(isinstance(event, Shown) for step in steps for event in step.events)
    if view.phase is PhaseName.EXAMINE and not shown:
        own = replace(own, seen=())
    return replace(view, own=own)
