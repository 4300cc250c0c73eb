"""Reading: what one viewer may see of a table. Writes nothing."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from django.db.models import Q

from games import chronicle, clocks, proposals, standing, store
from games.admission import inviter, may_enter, may_join, must_not_meet
from games.chronicle import NOBODY, Entry, Sitters
from games.engine import rules
from games.engine.cards import Hand, Role
from games.engine.commands import Command, Verb, parse
from games.engine.events import Shown
from games.engine.observation import describe, ledger, observe
from games.engine.view import (
    EVERYTHING,
    SPECTATOR,
    Claims,
    Line,
    OwnView,
    PhaseName,
    TableView,
)
from games.models import (
    Game,
    Prompt,
    PromptState,
    Source,
    Status,
    Tenure,
    TenureEnd,
    Visibility,
    Watch,
    Window,
)
from games.proposals import Proposed, Sitting
from games.timing import ALLOWANCES, Pace
from games.words.people import games as games_of
from games.words.people import record as record_of
from games.words.people import standing as standing_of

Unreadable = store.Unreadable
"""Raised for a game whose stored past makes no game."""

PUBLIC_ANSWERS = (Verb.ALLOW, Verb.CHALLENGE, Verb.BLOCK)
"""Whoever is asked may give them, whatever they hold."""


class Hidden(Exception):
    """There is no such game for this viewer, or it is not for their eyes; `exists` tells which."""

    def __init__(self, *, exists: bool) -> None:
        super().__init__()
        self.exists = exists


@dataclass(frozen=True, slots=True)
class Player:
    """Who sits there. `standing` and `record`: how a person plays, in a word and in numbers;
    `bank`: what all may know of it, as it stood when the window opened, None where there is none.
    """

    seat: int
    name: str
    standing: str
    record: str
    games: str
    is_bot: bool
    autopilot: bool
    place: int | None
    gone: bool
    bank: int | None


@dataclass(frozen=True, slots=True)
class Table:
    """A started game as one viewer sees it. `seat` is the viewer's, or NOBODY; `on_autopilot`: the
    clock answers for the viewer at once.

    `prompt_id`, `my_due` and `free_until` belong to the viewer's own open question; `question` is
    what the viewer was asked in the open window, answered or not; `read_to` is the last line
    of the log it had read, None where that is not known. `orders` is the viewer's list of standing
    orders, None where there can be none; `by_order`: one of them has answered the open question.
    `left` are those whose seats were given away; the viewer `may_sit` down on one that is free.
    `proposed` is what is to be decided together, `persons` who still play; `in_vain` is what was
    proposed last and not agreed to.
    """

    game: Game
    seat: int
    players: tuple[Player, ...]
    view: TableView
    entries: tuple[Entry, ...]
    ledger: dict[tuple[int, Role], Claims]
    turns: int
    opened: datetime | None
    deadline: datetime | None
    prompt_id: int | None
    my_due: datetime | None
    free_until: datetime | None
    question: Prompt | None
    read_to: int | None
    on_autopilot: bool = False
    orders: tuple[standing.Listed, ...] | None = None
    by_order: bool = False
    left: tuple[str, ...] = ()
    may_sit: bool = False
    persons: tuple[Sitting, ...] = ()
    proposed: tuple[Proposed, ...] = ()
    in_vain: Proposed | None = None

    @property
    def public_id(self) -> str:
        return self.game.public_id

    @property
    def title(self) -> str:
        return self.game.name

    @property
    def commitment(self) -> str:
        return self.game.commitment

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(player.name for player in self.players)

    @property
    def pace(self) -> str:
        return self.game.pace_words

    def bank(self, now: datetime) -> int | None:
        """What the viewer has in the time bank at this moment, None where there is none: others see
        only later what the open window costs."""
        bank = self.players[self.seat].bank if self.seat != NOBODY else None
        if bank is None or self.question is None:
            return bank
        return bank - (self.question.burnt or clocks.burning(self.question, now))

    @property
    def tag(self) -> str:
        """Changes whenever this viewer's table does."""
        leaving = self.view.own is not None and self.view.own.leaving
        silent = sum(bool(order.why) for order in self.orders or ())
        due = int(self.my_due.timestamp()) if self.my_due else 0  # an hour of holiday moves it
        own = f"{self.prompt_id or 0}.{leaving:d}.{self.on_autopilot:d}.{silent}.{due}"
        return f"{self.game.version}.{own}"


def find(public_id: str) -> Game:
    """The game; Hidden if there is none."""
    game = Game.objects.filter(public_id=public_id).first()
    if game is None:
        raise Hidden(exists=False)
    return game


def all_tenures(game: Game) -> list[Tenure]:
    """Everybody who sat at a table, seat by seat, one after the other."""
    tenures = Tenure.objects.filter(game=game).order_by("seat__index", "pk")
    return list(tenures.select_related("user", "seat"))


def latest(tenures: Iterable[Tenure]) -> list[Tenure]:
    """Of `all_tenures`, who sits, or sat last, on each seat."""
    return list({tenure.seat_id: tenure for tenure in tenures}.values())


def latest_tenures(game: Game) -> list[Tenure]:
    """Who sits, or sat last, on each seat."""
    return latest(all_tenures(game))


def may_watch(game: Game, *, link_token: str) -> bool:
    """Whether somebody without a seat may look at this table."""
    if link_token and link_token == game.link_token:
        return game.watch != Watch.PLAYERS
    return game.watch == Watch.ANYBODY and game.visibility != Visibility.PRIVATE


def may_see(game: Game, user_id: int | None, link_token: str) -> bool:
    """Whether this user may look at this table, from a seat or beside it."""
    if not game.has_begun:
        return may_enter(game, user_id, link_token)
    if may_watch(game, link_token=link_token):
        return True
    if user_id is None:
        return False
    sat = Tenure.objects.filter(game=game, user_id=user_id)
    if not game.has_ended:  # till then, who has given the seat away is like a stranger
        sat = sat.exclude(ended=TenureEnd.REPLACED)
    return sat.exists()


def is_secret(game: Game, user_id: int | None, link_token: str = "") -> bool:
    """Whether this user is not to know that there is such a table."""
    if game.visibility == Visibility.PRIVATE:
        return not may_see(game, user_id, link_token)
    return not game.has_begun and must_not_meet(game, user_id)


def table(game: Game, *, user_id: int | None, link_token: str = "", on_duty: bool = False) -> Table:
    """A started game for this user; Hidden if they may not see it.

    `on_duty`: for a moderator, who sees of every table what a spectator would.
    """
    everybody = all_tenures(game)
    tenures = latest(everybody)
    mine = next((t for t in tenures if user_id is not None and t.user_id == user_id), None)
    sat = user_id is not None and any(t.user_id == user_id for t in everybody)
    sees = mine is not None or on_duty or (sat and game.has_ended)
    if not sees and not may_watch(game, link_token=link_token):
        raise Hidden(exists=game.visibility != Visibility.PRIVATE)
    seat = mine.seat.index if mine else NOBODY
    window = Window.objects.filter(game=game, closed_at=None).first()
    last = mine.prompts.order_by("-pk").first() if mine else None
    if last is not None:
        last.game = game
    prompt = last if last and last.state == PromptState.OPEN else None
    # After the prompt: whoever answers what a move in between has changed is told that it came too
    # late. The other way round an answer to the old question would count for the new one.
    record = store.load(game)
    viewer, since = _viewer(game, mine)
    proposed = proposals.of(game)
    sitters = Sitters.of(everybody, mine, proposed)
    entries, turns = chronicle.entries(record.steps, viewer, since, sitters)
    free = is_free(game, tenures)
    running = game.status == Status.RUNNING
    return Table(
        game=game,
        seat=seat,
        players=tuple(_player(game, tenure) for tenure in tenures),
        view=_look(record, viewer, since),
        entries=entries,
        ledger=ledger(entry.line for entry in entries),
        turns=turns,
        opened=window.opened_at if window else None,
        deadline=window.deadline if window else None,
        prompt_id=prompt.pk if prompt else None,
        my_due=prompt.due if prompt else None,
        free_until=prompt.free_until if prompt else None,
        question=last if last and window and last.window_id == window.pk else None,
        read_to=(mine.read_lines or None) if mine else None,
        on_autopilot=mine is not None and _answers_by_autopilot(game, mine),
        orders=_orders(game, mine, prompt, record),
        by_order=mine is not None and chronicle.ordered(record.steps, seat, mine.from_move),
        left=tuple(t.name for t in everybody if t.ended == TenureEnd.REPLACED),
        may_sit=free and not sat and may_join(game, user_id, link_token),
        persons=proposals.sitting(tenures, record.state.exiled) if running else (),
        proposed=proposals.to_decide(game, proposed, window.pk if window else None)
        if running
        else (),
        in_vain=proposals.in_vain(proposed) if running else None,
    )


@dataclass(frozen=True, slots=True)
class Vacancy:
    """A running game with seats that stand open, for somebody who may take one. `names` are of all
    who sit there; `free` says of each open seat whose it was, how many cards it holds face down,
    and its coins; `by`, if anybody, has invited them."""

    game: Game
    names: tuple[str, ...]
    free: tuple[tuple[str, int, int], ...]
    by: str = ""


def vacant(game: Game, *, user_id: int | None, link_token: str = "") -> Vacancy:
    """The seats of this game that this user may take; Hidden if there are none for them."""
    everybody = all_tenures(game)
    if any(user_id is not None and tenure.user_id == user_id for tenure in everybody):
        raise Hidden(exists=game.visibility != Visibility.PRIVATE)
    if not is_free(game, everybody) or not may_join(game, user_id, link_token):
        raise Hidden(exists=game.visibility != Visibility.PRIVATE)
    (vacancy,) = _vacancies({game: latest(everybody)})
    return replace(vacancy, by=inviter(game, user_id, link_token))


def vacancies(games: Sequence[Game], tenures: Mapping[int, Iterable[Tenure]]) -> list[Vacancy]:
    """Of games with seats that stand open: `tenures` by primary key are who sits there. One query
    for all; one that cannot be read is left out."""
    return _vacancies({game: list(tenures[game.pk]) for game in games})


def _vacancies(seated: Mapping[Game, Sequence[Tenure]]) -> list[Vacancy]:
    records = store.load_all(list(seated))
    return [
        Vacancy(
            game,
            tuple(tenure.name for tenure in tenures),
            tuple(
                (tenure.name, seats[tenure.seat.index].hidden, seats[tenure.seat.index].coins)
                for tenure in tenures
                if tenure.offered_at
            ),
        )
        for game, tenures in seated.items()
        if game.pk in records
        for seats in [observe(records[game.pk].state, SPECTATOR).seats]
    ]


def sits(game: Game, user_id: int | None) -> bool:
    """Whether this user holds a seat there."""
    return user_id is not None and game.tenures.filter(user_id=user_id, ended="").exists()


def is_free(game: Game, tenures: Iterable[Tenure]) -> bool:
    """Whether somebody may sit down in the middle of this game."""
    stands_open = any(tenure.offered_at for tenure in tenures)
    return stands_open and game.status == Status.RUNNING and game.frozen_at is None


def _orders(
    game: Game, mine: Tenure | None, prompt: Prompt | None, record: store.Record
) -> tuple[standing.Listed, ...] | None:
    if mine is None or mine.ended or game.status != Status.RUNNING:
        return None
    if mine.seat.index in record.state.exiled:
        return None
    return standing.on_table(mine, prompt.pk if prompt else None)


def seat_view(game: Game, tenure: Tenure) -> tuple[TableView, tuple[Line, ...]]:
    """What a seat sees, and every line it may read: all that a bot is given."""
    record = store.load(game)
    seat, since = tenure.seat.index, tenure.from_move
    entries, _ = chronicle.entries(record.steps, seat, since, Sitters())
    return _look(record, seat, since), tuple(entry.line for entry in entries)


def as_asked(game: Game, seat: int) -> tuple[TableView, tuple[Entry, ...]]:
    """A running table as a spectator sees it, and what everybody knows of the question to `seat`.

    For letters and pushes, which others may read: `own` holds no card, and of the answers just
    those that do not take one from the hand.
    """
    record = store.load(game)
    answers = tuple(c for c in rules.legal(record.state, seat) if c.verb in PUBLIC_ANSWERS)
    own = OwnView(hand=(), legal=answers, default=None, sealed=None, seen=(), leaving=False)
    view = replace(observe(record.state, SPECTATOR), viewer=seat, own=own)
    everybody = all_tenures(game)
    mine = next(tenure for tenure in latest(everybody) if tenure.seat.index == seat)
    sitters = Sitters.of(everybody, mine)
    sitters.seat = NOBODY  # what an order said is nothing for others to read
    return view, chronicle.entries(record.steps, SPECTATOR, 0, sitters)[0]


def answered(prompt: Prompt) -> Command | None:
    """What its own person has answered to this question by hand; None if nobody did, or if it is
    not of the answers that a letter offers. For whoever holds the link of that letter."""
    said = store.said(prompt, prompt.tenure) if prompt.answered_by == Source.PERSON else ""
    command = parse(said, store.SEATS) if said else None
    return command if command and command.verb in PUBLIC_ANSWERS else None


@dataclass(frozen=True, slots=True)
class Turning:
    """A moment to which a game can be taken back: the lines that told of it."""

    version: int
    turn: int
    entries: tuple[Entry, ...]


def moments(game: Game) -> list[Turning]:
    """The moments to which a running game can be taken back, as everybody saw them, in order."""
    record = store.load(game)
    names = tuple(tenure.name for tenure in latest_tenures(game))
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


def public_entries(games: Sequence[Game]) -> dict[int, tuple[Entry, ...]]:
    """The log of each of these games as everybody could read it, by primary key, in one query."""
    records = store.load_all(games)
    return {
        pk: chronicle.entries(record.steps, SPECTATOR, 0, Sitters())[0]
        for pk, record in records.items()
    }


def hidden_cards(game: Game) -> tuple[Hand, ...]:
    """The cards in each hand. For `moderation.looking` alone, which writes down who asks."""
    return store.load(game).state.hands


def public_view(game: Game) -> TableView:
    """A started game as a spectator sees it."""
    return observe(store.load(game).state, SPECTATOR)


def seat_views(tenures: Sequence[Tenure]) -> dict[int, TableView]:
    """What each of these seats sees now, by its game's primary key: one query for all.

    Without the games that cannot be read.
    """
    records = store.load_all([tenure.game for tenure in tenures])
    return {
        tenure.game_id: _look(records[tenure.game_id], tenure.seat.index, tenure.from_move)
        for tenure in tenures
        if tenure.game_id in records
    }


def open_prompts(user_id: int) -> int:
    """How many questions wait for this person."""
    return Prompt.objects.filter(waiting_for(user_id)).count()


def next_waiting(user_id: int, *, after: str = "") -> str | None:
    """The public id of a game that waits for this person: the most urgent; or round in that order,
    the one that comes `after` another."""
    waiting = Prompt.objects.filter(waiting_for(user_id)).order_by("due", "pk")
    ids = list(waiting.values_list("game__public_id", flat=True))
    at = ids.index(after) + 1 if after in ids else 0
    return ids[at % len(ids)] if ids else None


def waiting_for(user_id: int) -> Q:
    """Of prompts: those that wait for this person."""
    return Q(
        tenure__user_id=user_id,
        tenure__ended="",
        state=PromptState.OPEN,
        # At an open table: whether they are ready.
        game__status__in=[Status.RUNNING, Status.OPEN],
        game__frozen_at=None,
    )


def _answers_by_autopilot(game: Game, mine: Tenure) -> bool:
    return game.status == Status.RUNNING and not mine.ended and mine.autopilot_since is not None


def _has_bank(game: Game, tenure: Tenure) -> bool:
    sits = tenure.user_id is not None and not tenure.ended and game.status == Status.RUNNING
    return sits and ALLOWANCES[Pace(game.pace)].most > 0


def _player(game: Game, tenure: Tenure) -> Player:
    return Player(
        seat=tenure.seat.index,
        name=tenure.name,
        standing=standing_of(tenure.user) if tenure.user else "",
        record=record_of(tenure.user) if tenure.user else "",
        games=games_of(tenure.user) if tenure.user else "",
        is_bot=bool(tenure.bot),
        autopilot=tenure.absent_since is not None,
        place=tenure.seat.place,
        gone=bool(tenure.ended),
        bank=tenure.bank if _has_bank(game, tenure) else None,
    )


def _look(record: store.Record, viewer: int, since: int) -> TableView:
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


def _viewer(game: Game, mine: Tenure | None) -> tuple[int, int]:
    """Whose eyes, and from which move on; before it they are a spectator's."""
    if game.has_ended:
        return EVERYTHING, 0
    if mine is None:
        return SPECTATOR, 0
    return mine.seat.index, mine.from_move
