"""Windows and prompts: what is asked of whom and until when; opened, closed and put anew.

A window is the question to the table; a prompt puts it to one seat. The answers stand in the moves.
What an answer costs a time bank is entered as the window closes, by `clocks`. Callers hold the lock
on the game's row, and save the game.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from games import clocks
from games.engine.events import Allowed, Answered, Event
from games.engine.observation import observe, phase_name
from games.engine.state import State, waiting
from games.engine.view import SPECTATOR, PhaseName, TableView
from games.models import Game, Prompt, PromptState, Source, Tenure, Window

from .record import goes_on, load


@dataclass(frozen=True, slots=True)
class Change:
    """What a change of a game came to: `public` if a spectator sees it; `asked`, the new prompts.

    `state` is the table after it. `settled`: the question before is, and what was sealed is told.
    `touched` are the tenures whose own prompts changed.
    """

    state: State
    settled: bool
    public: bool
    asked: tuple[Prompt, ...]
    touched: frozenset[int]

    @property
    def view(self) -> TableView:
        """The table after it, as a spectator sees it."""
        return observe(self.state, SPECTATOR)


def open_window(
    game: Game,
    after: State,
    tenures: Sequence[Tenure],
    now: datetime,
    sealed: Sequence[Prompt] = (),
) -> tuple[Prompt, ...]:
    """Ask those whose answer is missing: the new prompts. `sealed` are the answered questions of
    the same kind, which move along into the new window; the caller saves them."""
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


def close(
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
    if goes_on(happened):
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
    asked = open_window(game, state, tenures, now, sealed)
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
