"""Whether what is stored of a game is what its moves come to."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from games import store
from games.chance import Draws, commitment
from games.engine import codec, rules
from games.engine.cards import Hand, Options
from games.engine.commands import SEATS, IllegalCommand, parse
from games.engine.events import Event, Left
from games.engine.observation import phase_name
from games.engine.state import Over, State, waiting
from games.models import (
    ClockEntry,
    Game,
    Prompt,
    PromptState,
    Seat,
    Status,
    Tenure,
    TenureEnd,
    Window,
)
from games.models.move import Move
from games.timing import ALLOWANCES, Pace


def differences(game: Game) -> Iterator[str]:
    """What differs, in words, between a game's rows and its moves played once more.

    The stored events are folded, each command is decided again from its stored chance, and
    the projection (status, versions, ranks, who left, the open window and its prompts) is compared.
    Time banks are compared with what was entered for them.
    """
    try:
        yield from _differences(game)
    except Exception as error:
        # Broken rows may break the replay anywhere; the other games are still to be checked.
        yield f"it cannot be replayed: {error!r}"


def _differences(game: Game) -> Iterator[str]:
    if commitment(store.seed(game)) != game.commitment:
        yield "the commitment is not the hash of the seed"
    moves = list(Move.objects.filter(game=game).order_by("number"))
    if [move.number for move in moves] != list(range(len(moves))):
        yield "the numbers of the moves have gaps"
        return
    if not moves:
        if game.status in (Status.RUNNING, Status.OVER):
            yield "it has started, and has no deal"
        return
    if len(moves) - 1 != game.last_move:
        yield f"its last move is {len(moves) - 1}, stored is {game.last_move}"
    if moves[-1].version > game.version:  # it may be ahead: a name that changed raises it too
        yield f"its version is {moves[-1].version}, stored is {game.version}"
    yield from _replay(game, moves)


def _replay(game: Game, moves: list[Move]) -> Iterator[str]:
    """Fold the stored events, deciding each command once more on the way."""
    past = _Past(game.options)
    version = 0
    for move in moves:
        before = past.before(move)
        try:
            again = _again(game.options, before, move, store.draws(game, move.number))
        except IllegalCommand:
            yield f"move {move.number} was not allowed after those before it"
            return
        stored = past.add(move)
        if again != stored:
            yield f"move {move.number} comes to {len(again)} other events than stored"
        public = before is None or store.is_public(before, past.state, stored)
        if move.version < version + public:
            yield f"move {move.number} has version {move.version} after {version}"
        version = move.version
    if [move.undone_by_id for move in moves] != [past.undone.get(move.number) for move in moves]:
        yield "what was taken back, and by which move, differs"
    state = past.state
    gone = Tenure.objects.filter(game=game, ended__in=store.LEFT)
    if dict(gone.values_list("seat__index", "to_move")) != past.left:
        yield "who left, and when, differs"
    yield from _sitters(game, moves)
    yield from _projection(game, state)
    yield from _banks(game)


@dataclass(slots=True)
class _Past:
    """A game on the way from the deal on: the table after each move, who has left with which move,
    and of what was undone, the key of the move that undid it."""

    options: Options
    states: dict[int, State] = field(default_factory=dict)
    left: dict[int, int] = field(default_factory=dict)
    undone: dict[int, int] = field(default_factory=dict)
    last: int = -1

    @property
    def state(self) -> State:
        return self.states[self.last]

    def before(self, move: Move) -> State | None:
        """The table that `move` is made at."""
        back_to = store.taken_back_to(move.command)
        return self.states.get(self.last if back_to is None else back_to)

    def add(self, move: Move) -> list[Event]:
        """Go on by what is stored of `move`."""
        state = self.before(move)
        back_to = store.taken_back_to(move.command)
        if back_to is not None:
            since = range(back_to + 1, move.number)
            self.undone |= {number: move.pk for number in since if number not in self.undone}
            self.left = {seat: number for seat, number in self.left.items() if number <= back_to}
        stored = codec.load_events(move.events, move.schema)
        for event in stored:
            if isinstance(event, Left):
                self.left[event.seat] = move.number
            state = store.after(self.options, state, event)
        assert state is not None
        self.last, self.states[move.number] = move.number, state
        return stored


@dataclass(slots=True)
class _Witness:
    """Luck that writes down what is drawn."""

    luck: Draws
    seen: list[dict[str, Any]] = field(default_factory=list)

    def below(self, bound: int, /) -> int:
        drawn = self.luck.below(bound)
        self.seen.append({"from": [], "below": bound, "drawn": drawn})
        return drawn

    def shuffle(self, cards: Hand, /) -> Hand:
        mixed = self.luck.shuffle(cards)
        self.seen.append({"from": list(cards), "shuffled": list(mixed)})
        return mixed


def draws(game: Game) -> dict[str, Any]:
    """All the luck of an ended game, as static/check_draws.py reads it: of each move its draws,
    what was shuffled and how it lay then. For whoever may see its replay."""
    assert game.status in (Status.OVER, Status.CANCELLED)
    if game.has_begun:
        store.load(game)  # Unreadable, if it is
    return {
        "game": game.public_id,
        "commitment": game.commitment,
        "seed": store.seed(game).hex(),
        "names": game.start_names,
        "moves": _drawn(game, list(Move.objects.filter(game=game).order_by("number"))),
    }


def _drawn(game: Game, moves: Sequence[Move]) -> list[dict[str, Any]]:
    past = _Past(game.options)
    told = []
    for move in moves:
        luck = _Witness(store.draws(game, move.number))
        _again(game.options, past.before(move), move, luck)
        past.add(move)
        undone = move.undone_by_id is not None
        told.append({"number": move.number, "undone": undone, "draws": luck.seen})
    return told


def _again(options: Options, state: State | None, move: Move, luck: rules.Chance) -> list[object]:
    """What the rules say that a move came to, with this luck."""
    if state is None:
        return [rules.deal(options, luck)]
    if move.seat is None:
        return [rules.reshuffle(state, luck)]
    return [*rules.decide(state, move.seat, parse(move.command, SEATS), luck)]


def _sitters(game: Game, moves: Sequence[Move]) -> Iterator[str]:
    """Whoever takes a seat over begins where the one before ends, and each moves in their time."""
    spans: dict[int, list[Tenure]] = {}
    for tenure in Tenure.objects.filter(game=game).order_by("seat__index", "pk"):
        spans.setdefault(tenure.seat_id, []).append(tenure)
    for tenures in spans.values():
        *before, last = tenures
        begins = 0
        for tenure in before:
            if tenure.ended != TenureEnd.REPLACED:
                yield f"tenure {tenure.pk} was replaced, and does not say so"
            if tenure.from_move != begins or tenure.to_move is None:
                yield f"tenure {tenure.pk} does not follow on the one before"
            begins = (tenure.to_move or 0) + 1
        if last.from_move != begins or last.ended == TenureEnd.REPLACED:
            yield f"tenure {last.pk} does not follow on the one before"
    by_pk = {tenure.pk: tenure for tenures in spans.values() for tenure in tenures}
    for move in moves:
        sits = by_pk.get(move.tenure_id or 0)
        if sits is None:  # the deal, or a take-back
            continue
        last_move = game.last_move if sits.to_move is None else sits.to_move
        if not sits.from_move <= move.number <= last_move:
            yield f"move {move.number} was made by somebody who did not sit there"
    ended = Prompt.objects.filter(game=game, state=PromptState.OPEN).exclude(tenure__ended="")
    if ended.exists():
        yield "a question is open to somebody who has gone"


def _projection(game: Game, state: State) -> Iterator[str]:
    over = isinstance(state.phase, Over)
    if over != (game.status == Status.OVER) and game.status != Status.CANCELLED:
        yield f"its status is {game.status}, the moves say over: {over}"
    if over:
        places = {seat: place for place, seat in enumerate(rules.ranking(state), 1)}
        stored = dict(Seat.objects.filter(game=game).values_list("index", "place"))
        if places != stored:
            yield "the ranks differ"
    window = Window.objects.filter(game=game, closed_at=None).first()
    prompts = Prompt.objects.filter(game=game, state=PromptState.OPEN)
    asked = sorted(prompts.values_list("seat__index", flat=True))
    expected = [] if game.status == Status.CANCELLED else list(waiting(state))
    if asked != expected:
        yield f"open prompts: {asked}, waiting: {expected}"
    if (window is None) != (not expected):
        yield "the open window does not fit"
    if window and window.kind != phase_name(state.phase):
        yield f"the open window is {window.kind}, the phase {phase_name(state.phase)}"


def _banks(game: Game) -> Iterator[str]:
    most = ALLOWANCES[Pace(game.pace)].most
    banks: dict[int, int] = dict(Tenure.objects.filter(game=game).values_list("pk", "bank"))
    sums = dict.fromkeys(banks, 0)
    entries = ClockEntry.objects.filter(tenure__game=game).select_related("prompt").order_by("pk")
    for entry in entries:
        sums[entry.tenure_id] += entry.delta
        if not 0 <= sums[entry.tenure_id] <= most:
            yield f"the bank of tenure {entry.tenure_id} once held {sums[entry.tenure_id]} ms"
        if entry.prompt and entry.prompt.tenure_id != entry.tenure_id:
            yield f"a clock entry of tenure {entry.tenure_id} is for another's question"
        if entry.delta < 0 and (entry.prompt is None or entry.prompt.burnt < -entry.delta):
            yield f"tenure {entry.tenure_id} was charged more than a question had cost"
    if sums != banks:
        yield "the time banks are not the sums of their entries"
