"""Who answers for a seat that nobody answers by hand: bots, standing orders, the clock.

Called by the worker."""

import logging
from collections.abc import Callable
from datetime import datetime, timedelta

from django.db.models import F

from games import play, ready, selectors, store
from games.bots.answer import answer
from games.engine.commands import TIMEOUT
from games.models import Job, JobKind, Prompt, PromptState, Source, Status, Window
from games.refusal import Refused

logger = logging.getLogger(__name__)

LEASE = timedelta(seconds=60)
ATTEMPTS = 5

# Games whose clock failed, by public id, and until when they are left alone: they keep no other
# clock waiting, and fill no log. One worker's own; another finds out for itself.
_BROKEN: dict[str, datetime] = {}


def sweep(now: datetime, *, at_most: int = 100) -> int:
    """Do what is due; how much that was. Anybody may call it, at the same time as others."""
    return _run_jobs(now, at_most) + _time_out(now, at_most)


def _run_jobs(now: datetime, at_most: int) -> int:
    due = Job.objects.filter(done_at=None, dead=False, due__lte=now).order_by("due", "pk")[:at_most]
    return sum(_run(job, now) for job in due.select_related("prompt__game", "prompt__tenure__seat"))


def _run(job: Job, now: datetime) -> bool:
    """Claim a job by its lease and do it; a job that keeps failing is given up, in the log."""
    claim = Job.objects.filter(pk=job.pk, due=job.due, done_at=None)
    if not claim.update(due=now + LEASE, attempts=F("attempts") + 1):
        return False
    try:
        _ANSWERS[JobKind(job.kind)](job.prompt, now)
    except Refused:
        # Between the bot's look and the lock somebody left whom it meant. It looks again at once;
        # whatever is refused over and over waits, and is given up, like what fails.
        Job.objects.filter(pk=job.pk, attempts__lt=ATTEMPTS).update(due=now)
        if Job.objects.filter(pk=job.pk, attempts__gte=ATTEMPTS).update(dead=True):
            logger.error("Job %s was refused over and over.", job.pk)
        return False
    except Exception:
        # One bad job must not stop the others. The clock answers in the end.
        logger.exception("Job %s failed.", job.pk)
        Job.objects.filter(pk=job.pk, attempts__gte=ATTEMPTS).update(dead=True)
        return False
    Job.objects.filter(pk=job.pk).update(done_at=now)
    return True


def _bot_answers(prompt: Prompt, now: datetime) -> None:
    """Let the bot answer. What it is given cannot change while its question is open."""
    game = prompt.game
    if prompt.state != PromptState.OPEN or game.status != Status.RUNNING or game.frozen_at:
        return
    view, lines = selectors.seat_view(game, prompt.tenure)
    if view.own is None or not view.own.legal:  # settled since the prompt was read
        return
    below = store.bot_draws(game, prompt).below
    play.answer_for(
        public_id=game.public_id,
        prompt_id=prompt.pk,
        command=answer(prompt.tenure.bot, view, lines, below),
        source=Source.BOT,
        now=now,
    )


def _orders_answer(prompt: Prompt, now: datetime) -> None:
    """Let standing orders answer. Somebody who was quicker, or has switched them off, has won."""
    play.answer_by_order(public_id=prompt.game.public_id, prompt_id=prompt.pk, now=now)


def _autopilot_answers(prompt: Prompt, now: datetime) -> None:
    play.answer_for(
        public_id=prompt.game.public_id,
        prompt_id=prompt.pk,
        command=TIMEOUT,
        source=Source.AUTOPILOT,
        now=now,
    )


_ANSWERS = {
    JobKind.BOT: _bot_answers,
    JobKind.ORDER: _orders_answer,
    JobKind.AUTOPILOT: _autopilot_answers,
}


def _time_out(now: datetime, at_most: int) -> int:
    for public_id, until in list(_BROKEN.items()):
        if until <= now:
            _BROKEN.pop(public_id, None)
    running = {"game__status": Status.RUNNING, "game__frozen_at": None}
    prompts = Prompt.objects.filter(state=PromptState.OPEN, due__lte=now, **running)
    windows = Window.objects.filter(closed_at=None, deadline__lte=now, **running)
    open_tables = Prompt.objects.filter(
        state=PromptState.OPEN, due__lte=now, game__status=Status.OPEN
    )
    games = {
        public_id: apply
        for found, due, apply in (
            (prompts, "due", play.time_out),
            (windows, "deadline", play.time_out),
            (open_tables, "due", ready.time_out),
        )
        for public_id in found.exclude(game__public_id__in=list(_BROKEN))
        .order_by(due)
        .values_list("game__public_id", flat=True)[:at_most]
    }
    return sum(_time_out_at(public_id, apply, now) for public_id, apply in games.items())


def _time_out_at(public_id: str, apply: Callable[..., int], now: datetime) -> int:
    try:
        return apply(public_id=public_id, now=now)
    except Exception:
        # One bad game must not stop the clocks of the others.
        logger.exception("The clock could not answer in game %s.", public_id)
        _BROKEN[public_id] = now + LEASE
        return 0
