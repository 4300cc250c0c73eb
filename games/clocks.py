"""The clocks of a table: what a question grants, what it has cost, and when none of them runs.

`timing` computes; this module brings it what it needs, and keeps what comes of it. Callers hold
the lock on the game's row.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta

from games import timing
from games.models import (
    ClockEntry,
    ClockReason,
    Game,
    Pause,
    Prompt,
    PromptState,
    Source,
    Tenure,
    Window,
    WorkerBeat,
)
from games.timing import ALLOWANCES, Pace, Span

FRESH = timedelta(seconds=30)
"""Without a sign of life from any worker for longer than this, no clock runs."""

type Rests = dict[int | None, list[Span]]
"""When clocks rest beside the nights: by the person's primary key, and for all under None."""


# --- the bank -------------------------------------------------------------------------------------


def open_banks(game: Game, tenures: Iterable[Tenure]) -> None:
    """Give people who sit down what their time bank begins with. Bots have none."""
    bank = ALLOWANCES[Pace(game.pace)].bank
    people = [tenure for tenure in tenures if tenure.user_id] if bank else []
    for tenure in people:
        tenure.bank = bank
    if people:
        ClockEntry.objects.bulk_create(
            ClockEntry(tenure=tenure, delta=bank, reason=ClockReason.OPENING) for tenure in people
        )
        Tenure.objects.filter(pk__in=[tenure.pk for tenure in people]).update(bank=bank)


def settle(
    game: Game, tenures: Sequence[Tenure], prompts: Iterable[Prompt], heard: set[int]
) -> None:
    """The question is closed: write what each prompt has cost, and what it gives back.

    `heard` are the prompts whose answers counted: others give nothing back, or all would see who
    had answered before a challenge made their answers void.
    """
    allowance = ALLOWANCES[Pace(game.pace)]
    by_pk = {tenure.pk: tenure for tenure in tenures if tenure.user_id}
    entries: list[ClockEntry] = []
    for prompt in prompts:
        tenure = by_pk.get(prompt.tenure_id)
        if tenure is None:
            continue
        burnt = min(prompt.burnt, tenure.bank)
        own = prompt.pk in heard and prompt.answered_by == Source.PERSON
        back = min(allowance.back if own else 0, allowance.most - tenure.bank + burnt)
        for delta, reason in ((-burnt, ClockReason.BURNT), (back, ClockReason.GIVEN_BACK)):
            if delta:
                tenure.bank += delta
                entries.append(ClockEntry(tenure=tenure, prompt=prompt, delta=delta, reason=reason))
    if entries:
        ClockEntry.objects.bulk_create(entries)
        Tenure.objects.bulk_update({entry.tenure for entry in entries}, ["bank"])


# --- deadlines ------------------------------------------------------------------------------------


def grant(
    game: Game, prompts: Iterable[Prompt], *, turn: bool, now: datetime, rests: Rests | None = None
) -> datetime:
    """Set what these questions grant if they are put now; the public deadline, one for all."""
    allowance = ALLOWANCES[Pace(game.pace)]
    rests = rests or {}
    for prompt in prompts:
        prompt.opened_at = now
        prompt.grace = allowance.turn if turn else allowance.answer
        prompt.bank = prompt.tenure.bank
        _set_due(prompt, rests)
    return max(prompt.due for prompt in prompts)


def reckon(windows: Sequence[Window]) -> list[Window]:
    """Compute the deadlines of open windows once more; those whose public one has changed.

    They are what they would be if nobody had answered.
    """
    asked: dict[int, list[Prompt]] = {window.pk: [] for window in windows}
    prompts = Prompt.objects.filter(window__in=windows).exclude(state=PromptState.VOID)
    for prompt in prompts.select_related("tenure"):
        asked[prompt.window_id].append(prompt)
    everything = [prompt for prompts in asked.values() for prompt in prompts]
    if not everything:
        return []
    rests = _rests(everything, min(prompt.opened_at for prompt in everything))
    before = {prompt.pk: (prompt.free_until, prompt.due) for prompt in everything}
    for prompt in everything:
        _set_due(prompt, rests)
    moved = [
        prompt for prompt in everything if before[prompt.pk] != (prompt.free_until, prompt.due)
    ]
    Prompt.objects.bulk_update(moved, ["free_until", "due"], batch_size=200)
    changed = []
    for window in windows:
        public = max((prompt.due for prompt in asked[window.pk]), default=window.deadline)
        if public != window.deadline:
            window.deadline = public
            changed.append(window)
    Window.objects.bulk_update(changed, ["deadline"], batch_size=200)
    return changed


def late(window: Window, now: datetime) -> list[Prompt]:
    """The open questions of a window whose time is up."""
    return list(window.prompts.filter(state=PromptState.OPEN, due__lte=now).order_by("due", "pk"))


def burnt(prompt: Prompt, now: datetime) -> int:
    """What a question that is closed now costs of its person's bank."""
    if now <= prompt.free_until or not prompt.bank:
        return 0
    rests = _rests([prompt], prompt.free_until)
    if (gap := outage(now)) is not None:
        rests[None].append(gap)
    sleep, away = timing.read_sleep(prompt.sleep), _away(prompt, rests)
    return min(prompt.bank, timing.awake(prompt.free_until, now, sleep, away))


def reminder(prompt: Prompt, *, exactly: bool = False) -> datetime:
    """When three quarters of the person's waking time are over: by their nights, and `exactly` by
    all that has come between."""
    rests = _rests([prompt], prompt.opened_at) if exactly else {}
    sleep, away = timing.read_sleep(prompt.sleep), _away(prompt, rests)
    return timing.due(prompt.opened_at, (prompt.grace + prompt.bank) * 3 // 4, sleep, away)


def _set_due(prompt: Prompt, rests: Rests) -> None:
    sleep, away = timing.read_sleep(prompt.sleep), _away(prompt, rests)
    opened = prompt.opened_at
    prompt.free_until = timing.due(opened, prompt.grace, sleep, away)
    prompt.due = timing.due(opened, prompt.grace + prompt.bank, sleep, away)


def _away(prompt: Prompt, rests: Rests) -> list[Span]:
    user_id = prompt.tenure.user_id
    return rests.get(None, []) + (rests.get(user_id, []) if user_id else [])


def _rests(prompts: Iterable[Prompt], since: datetime) -> Rests:
    rests: Rests = defaultdict(list)
    rests[None] += Pause.objects.filter(ends__gt=since).values_list("starts", "ends")
    return rests


# --- whether clocks run ---------------------------------------------------------------------------


def outage(now: datetime) -> Span | None:
    """From when on no worker has been there, if that is too long for clocks to have run."""
    seen = WorkerBeat.objects.values_list("at", flat=True).first()
    return (seen, now) if seen and now - seen > FRESH else None


def run(now: datetime) -> bool:
    """Whether clocks run: a worker was there a moment ago."""
    return WorkerBeat.objects.filter(at__gte=now - FRESH).exists()
