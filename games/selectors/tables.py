"""A started game as one viewer may see it: all that its page shows. Built anew for each viewer."""

from dataclasses import dataclass
from datetime import datetime

from games import chronicle, clocks, proposals, standing, store
from games.admission import may_join, rematches
from games.chronicle import NOBODY, Entry, Sitters
from games.engine.cards import Role
from games.engine.observation import ledger
from games.engine.view import EVERYTHING, SPECTATOR, Claims, TableView
from games.models import (
    Game,
    Prompt,
    PromptState,
    Status,
    Tenure,
    TenureEnd,
    Visibility,
    Window,
)
from games.proposals import Proposed, Sitting
from games.seats import ever_seated, latest
from games.timing import ALLOWANCES, Pace
from games.words.people import games as games_of
from games.words.people import record as record_of
from games.words.people import standing as standing_of

from .access import Hidden, may_watch
from .free_seats import is_free
from .seen import look


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
class Rematch:
    """The table for playing again that `host` has opened; the viewer `sits` there, or may."""

    public_id: str
    host: str
    sits: bool


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
    proposed last and not agreed to; `rematch` is for those who played, after the end.
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
    rematch: Rematch | None = None

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
        again = f".{self.rematch.public_id}.{self.rematch.sits:d}" if self.rematch else ""
        return f"{self.game.version}.{own}{again}"


def table(game: Game, *, user_id: int | None, link_token: str = "", on_duty: bool = False) -> Table:
    """A started game for this user; Hidden if they may not see it.

    `on_duty`: for a moderator, who sees of every table what a spectator would.
    """
    everybody = ever_seated(game)
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
        view=look(record, viewer, since),
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
        rematch=_rematch(game, user_id) if mine and user_id and game.has_ended else None,
    )


def _rematch(old: Game, user_id: int) -> Rematch | None:
    """What pressing "play again" would lead to, if somebody has pressed it before."""
    theirs, open_to_them = rematches(old, user_id)
    if game := theirs.select_related("host").first():
        return Rematch(game.public_id, game.host.name, sits=True)
    if game := open_to_them.select_related("host").first():
        return Rematch(game.public_id, game.host.name, sits=False)
    return None


def _orders(
    game: Game, mine: Tenure | None, prompt: Prompt | None, record: store.Record
) -> tuple[standing.Listed, ...] | None:
    if mine is None or mine.ended or game.status != Status.RUNNING:
        return None
    if mine.seat.index in record.state.exiled:
        return None
    return standing.on_table(mine, prompt.pk if prompt else None)


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


def _viewer(game: Game, mine: Tenure | None) -> tuple[int, int]:
    """Whose eyes, and from which move on; before it they are a spectator's."""
    if game.has_ended:
        return EVERYTHING, 0
    if mine is None:
        return SPECTATOR, 0
    return mine.seat.index, mine.from_move
