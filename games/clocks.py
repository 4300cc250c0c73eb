"""The clocks of a table: what a question grants, what it has cost, and when none of them runs.

`timing` computes; this module brings it what it needs, and keeps what comes of it. Callers hold
the lock on the game's row.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from django.db.models import F

from accounts import rest
from accounts.models import Absence, User
from games import timing
from games.engine.view import PhaseName
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
from games.timing import ALLOWANCES, Pace, Sleep, Span

FRESH = timedelta(seconds=30)
"""Without a sign of life from any worker for longer than this, no clock runs."""


@dataclass(frozen=True, slots=True)
class Rests:
    """When clocks rest beside the nights: all of them, and those of a person, by primary key.

    An hour of holiday that was `taken` when time ran out tells that somebody had not answered:
    nothing that others see may be computed from it.
    """

    pauses: list[Span] = field(default_factory=list)
    booked: dict[int, list[Span]] = field(default_factory=lambda: defaultdict(list))
    taken: dict[int, list[Span]] = field(default_factory=lambda: defaultdict(list))


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


def grant(game: Game, prompts: Sequence[Prompt], *, turn: bool, now: datetime) -> datetime:
    """Set what these questions grant if they are put now; the public deadline, one for all."""
    allowance = ALLOWANCES[Pace(game.pace)]
    away = [p for p in prompts if (user := p.tenure.user) and (user.away_until or now) > now]
    rests = _absences(away, now, Rests())
    for prompt in prompts:
        prompt.opened_at = now
        prompt.grace = allowance.turn if turn else allowance.answer
        prompt.bank = prompt.tenure.bank
        prompt.sleep = str(sleep_of(prompt.tenure.user) or "") if allowance.rests else ""
        _set_due(prompt, rests)
    return max(_public_due(prompt, rests) for prompt in prompts)


def call(game: Game, prompts: Sequence[Prompt], now: datetime) -> datetime:
    """Set what it grants if people are asked now whether they are ready; until when they all are.
    No bank, and no rest but that of all clocks."""
    for prompt in prompts:
        prompt.opened_at, prompt.grace = now, ALLOWANCES[Pace(game.pace)].ready
        _set_due(prompt, Rests())
    return max(prompt.due for prompt in prompts)


def reckon(windows: Sequence[Window], now: datetime) -> list[Window]:
    """Compute the deadlines of open windows once more; those whose public one has changed.

    They are what they would be if nobody had answered. Where the public one is over and the window
    still open, somebody has taken an hour of holiday: it goes on by an hour at a time, whoever that
    was, and whenever it is that their time is up.
    """
    asked: dict[int, list[Prompt]] = {window.pk: [] for window in windows}
    prompts = Prompt.objects.filter(window__in=windows).exclude(state=PromptState.VOID)
    everything = list(prompts.select_related("tenure", "game"))
    if not everything:
        return []
    rests = _rests(everything, min(prompt.opened_at for prompt in everything))
    before = {prompt.pk: (prompt.free_until, prompt.due) for prompt in everything}
    for prompt in everything:
        _set_due(prompt, rests)
        asked[prompt.window_id].append(prompt)
    _save([p for p in everything if before[p.pk] != (p.free_until, p.due)])
    changed = []
    for window in windows:
        public = max(_public_due(prompt, rests) for prompt in asked[window.pk])
        while public <= now:
            public += rest.HOUR
        if public != window.deadline:
            window.deadline = public
            changed.append(window)
    Window.objects.bulk_update(changed, ["deadline"], batch_size=200)
    return changed


def extend(game: Game, now: datetime) -> frozenset[int]:
    """Grant the grace of the open question once more, to all; whose prompts are open still."""
    window = Window.objects.get(game=game, closed_at=None)
    allowance = ALLOWANCES[Pace(game.pace)]
    more = allowance.turn if window.kind == PhaseName.ACTION else allowance.answer
    asked = window.prompts.exclude(state=PromptState.VOID)
    asked.update(grace=F("grace") + more)
    reckon([window], now)
    waiting = asked.filter(state=PromptState.OPEN)
    return frozenset(waiting.values_list("tenure_id", flat=True))


def late(window: Window, now: datetime) -> list[Prompt]:
    """The open questions of a window whose time is up, and whose person takes no holiday now."""
    found = window.prompts.filter(state=PromptState.OPEN, due__lte=now).order_by("due", "pk")
    prompts = list(found.select_related("tenure__user", "game"))
    if not prompts:
        return []
    rests = _rests(prompts, min(prompt.opened_at for prompt in prompts))
    for prompt in prompts:
        _set_due(prompt, rests)
        while prompt.due <= now and _takes_hour(prompt, rests):
            _set_due(prompt, rests)
    _save([prompt for prompt in prompts if prompt.due > now])
    return [prompt for prompt in prompts if prompt.due <= now]


def burnt(prompt: Prompt, now: datetime) -> int:
    """What a question that is closed now costs of its person's bank."""
    if now <= prompt.free_until or not prompt.bank:
        return 0
    rests = _rests([prompt], prompt.free_until)
    if (gap := outage(now)) is not None:
        rests.pauses.append(gap)
    spent = timing.awake(prompt.free_until, now, *_own_rests(prompt, rests))
    return min(prompt.bank, spent)


def burning(prompt: Prompt, now: datetime) -> int:
    """What a question that is still open has cost of its person's bank so far, for that person."""
    if prompt.state != PromptState.OPEN or now <= prompt.free_until:
        return 0
    # What is left is what lies between now and the deadline, which knows of all rests.
    away = [prompt] if (user := prompt.tenure.user) and (user.away_until or now) > now else []
    rests = _absences(away, now, Rests())
    left = timing.awake(now, prompt.due, *_own_rests(prompt, rests))
    return max(prompt.bank - left, 0)


def reminder(prompt: Prompt, *, exactly: bool = False) -> datetime:
    """When three quarters of the person's waking time are over: by their nights, and `exactly` by
    all that has come between."""
    rests = _rests([prompt], prompt.opened_at) if exactly else Rests()
    part = (prompt.grace + prompt.bank) * 3 // 4
    return timing.due(prompt.opened_at, part, *_own_rests(prompt, rests))


def _takes_hour(prompt: Prompt, rests: Rests) -> bool:
    """Whether the person of a question whose time is up takes an hour of holiday by itself."""
    user = prompt.tenure.user
    if user is None or not user.holiday_by_itself or not _may_rest(prompt):
        return False
    if not rest.take_hour(user.pk, prompt.due):
        return False
    rests.taken[user.pk].append((prompt.due, prompt.due + rest.HOUR))
    return True


def _set_due(prompt: Prompt, rests: Rests) -> None:
    own = _own_rests(prompt, rests)
    prompt.free_until = timing.due(prompt.opened_at, prompt.grace, *own)
    prompt.due = timing.due(prompt.opened_at, prompt.grace + prompt.bank, *own)


def _public_due(prompt: Prompt, rests: Rests) -> datetime:
    if not rests.taken.get(prompt.tenure.user_id or 0):
        return prompt.due
    own = _own_rests(prompt, Rests(rests.pauses, rests.booked))
    return timing.due(prompt.opened_at, prompt.grace + prompt.bank, *own)


def _save(prompts: Sequence[Prompt]) -> None:
    Prompt.objects.bulk_update(prompts, ["free_until", "due"], batch_size=200)


# --- rests ----------------------------------------------------------------------------------------


def _may_rest(prompt: Prompt) -> bool:
    return ALLOWANCES[Pace(prompt.game.pace)].rests


def sleep_of(user: User | None) -> Sleep | None:
    """When this person sleeps, if they have said so."""
    if user is None or user.sleep_from is None or user.sleep_to is None:
        return None
    return Sleep(user.sleep_zone, user.sleep_from, user.sleep_to)


def hours_together(pace: Pace, users: Iterable[User], now: datetime) -> int | None:
    """How many hours a day all of these are awake; None where no clock rests for their sleep."""
    sleeps = [sleep for user in users if (sleep := sleep_of(user))]
    if not sleeps or not ALLOWANCES[pace].rests:
        return None
    return round(timing.together(sleeps, now) / timing.HOUR)


def _own_rests(prompt: Prompt, rests: Rests) -> tuple[Sleep | None, list[Span]]:
    away = rests.pauses
    if (user_id := prompt.tenure.user_id) and _may_rest(prompt):
        away = away + rests.booked.get(user_id, []) + rests.taken.get(user_id, [])
    return timing.read_sleep(prompt.sleep), away


def _rests(prompts: Iterable[Prompt], since: datetime) -> Rests:
    pauses = Pause.objects.filter(ends__gt=since).values_list("starts", "ends")
    return _absences(prompts, since, Rests(list(pauses)))


def _absences(prompts: Iterable[Prompt], since: datetime, rests: Rests) -> Rests:
    """Enter the absences of those who are asked."""
    users = {prompt.tenure.user_id for prompt in prompts if _may_rest(prompt)} - {None}
    if users:
        absences = Absence.objects.filter(user__in=users, ends__gt=since)
        for absence in absences:
            spans = rests.taken if absence.by_itself else rests.booked
            spans[absence.user_id].append((absence.starts, absence.ends))
    return rests


# --- whether clocks run ---------------------------------------------------------------------------


def outage(now: datetime) -> Span | None:
    """From when on no worker has been there, if that is too long for clocks to have run."""
    seen = WorkerBeat.objects.values_list("at", flat=True).first()
    return (seen, now) if seen and now - seen > FRESH else None


def run(now: datetime) -> bool:
    """Whether clocks run: a worker was there a moment ago."""
    return WorkerBeat.objects.filter(at__gte=now - FRESH).exists()
