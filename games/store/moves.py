"""Moves: the deal, one move more, and taking moves back; and the rows that follow from a move.

The one writer of moves. With each the projection is brought along: status, version, places, who has
left, windows and prompts. Nothing that others see changes unless a spectator sees a difference.
Callers hold the lock on the game's row.
"""

from collections.abc import Sequence
from datetime import datetime

from games import clocks
from games.chance import Draws
from games.engine import codec, rules, transitions
from games.engine.commands import SEATS, Command, text
from games.engine.events import Event, Left, Resigned
from games.engine.observation import describe, observe
from games.engine.state import Over, State
from games.engine.view import SPECTATOR
from games.models import Game, Prompt, Seat, Source, Status, Tenure, TenureEnd
from games.models.move import Move

from .record import TAKE_BACK, Record, Step, fold, goes_on, load
from .windows import Change, close, open_window, show, void

LEFT = (TenureEnd.RESIGNED, TenureEnd.REMOVED)
"""How a tenure ends when its holder leaves the game."""


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
    asked = open_window(game, state, tenures, now)
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
    unsettled = goes_on(happened)
    touched = close(game, tenures, seat, happened, source, over=over, now=now)
    asked = () if unsettled or over else open_window(game, after, tenures, now)
    touched |= {tenure.pk} | {prompt.tenure_id for prompt in asked}
    return Change(after, not unsettled, public, asked, touched)


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
    kept = fold(game, None, [step for step in load(game).steps if step.number <= last.number])
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
    asked = open_window(game, state, tenures, now)
    return Change(state, True, True, asked, touched | {prompt.tenure_id for prompt in asked})


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
