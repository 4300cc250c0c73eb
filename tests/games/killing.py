"""An empty site is filled, its worker killed over and over, and then let finish: in a process of
its own, which forks them all before it has asked the database for anything.

    python -m tests.games.killing KILLS SEED TAKEN ORIGIN BROWSER ...

TAKEN is a file that grows with each letter that the mail server has, ORIGIN a push service, the
BROWSERs take pushes from it: what each says of itself, as JSON. The last line said is what became
of it all, as JSON too.
"""

import asyncio
import json
import multiprocessing
import os
import signal
import sys
import time
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from random import Random

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "coupsite.settings")
django.setup()

from allauth.account.models import EmailAddress  # noqa: E402
from asgiref.sync import sync_to_async  # noqa: E402
from django.conf import settings  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.utils import timezone  # noqa: E402

from accounts import devices  # noqa: E402
from accounts.models import User  # noqa: E402
from games import drive, lobby, orderbook, orders, verify, worker  # noqa: E402
from games.bots import answer  # noqa: E402
from games.engine.cards import Role  # noqa: E402
from games.models import (  # noqa: E402
    BotKind,
    Game,
    Job,
    JobKind,
    Outbox,
    OutboxState,
    Prompt,
    PromptState,
    Status,
    Tenure,
    WorkerBeat,
)
from games.models.move import Move  # noqa: E402
from games.notify import outbox  # noqa: E402
from games.timing import Pace  # noqa: E402
from tests.accounts.cast import client_of  # noqa: E402
from tests.games.cast import say, state_of  # noqa: E402

# What takes minutes is to happen within seconds.
drive.LEASE = timedelta(seconds=0.5)
outbox.LEASE = timedelta(seconds=1)
answer.PAUSES[Pace.PRACTICE] = answer.ALONE = (20, 200)

AT_A_LETTER = 4
"""So many of the kills fall between a letter and the word that it was taken."""

PATIENCE = 30
"""Seconds that a worker has to send one, where there is any left to send."""

HOUR, DAYS = timedelta(hours=1), timedelta(days=4)
ROLES = (Role.DUKE, Role.ASSASSIN, Role.CAPTAIN, Role.AMBASSADOR, Role.CONTESSA)
ALLOW = orders.Order(orders.Kind.ALLOW)
GIVE_UP = orders.Order(orders.Kind.CARDS, ranking=ROLES)


# --- the site -------------------------------------------------------------------------------------


def fill(browsers: list[dict[str, str]]) -> None:
    call_command("migrate", verbosity=0)
    now = timezone.now()
    WorkerBeat.objects.create(at=now)  # a worker was there: what is overdue is not given back
    random = Random(1)
    for number in range(20):  # they wait, and all who sit there have something to be told
        table(now - HOUR, people(f"Waits {number}", 2), browsers, random)
    for number in range(6):  # the time of all who are asked is up
        game = table(now - DAYS, people(f"Late {number}", 4), [], random)
        say(game, state_of(game).turn, "tax", now - DAYS)
    for number in range(6):  # orders answer, at once and at a moment that was drawn
        game = table(now, people(f"Orders {number}", 3), [], random)
        for tenure in Tenure.objects.filter(game=game):
            order(game, tenure, ALLOW, now)
        say(game, state_of(game).turn, "tax", now)
    for number in range(8):  # bots answer, and orders the person who sits there
        bots = random.choices(list(BotKind), k=4)
        game = table(now, people(f"Alone {number}", 1), [], random, bots)
        tenure = Tenure.objects.exclude(user=None).get(game=game)
        for what in (ALLOW, GIVE_UP):
            order(game, tenure, what, now)
        if state_of(game).turn == tenure.seat.index:
            say(game, tenure.seat.index, "income", now)


def people(name: str, count: int) -> list[User]:
    """So many people with confirmed addresses."""
    users = []
    for letter in "ABCDEF"[:count]:
        address = f"{name}.{letter}@example.org".replace(" ", "").lower()
        users.append(User.objects.create_user(f"{name} {letter}", address))
        EmailAddress.objects.create(user=users[-1], email=address, verified=True, primary=True)
    return users


def table(
    at: datetime,
    users: list[User],
    browsers: list[dict[str, str]],
    random: Random,
    bots: list[BotKind] | None = None,
) -> Game:
    """A game of these people and bots that was dealt at that time."""
    for user in users if browsers else []:
        key = client_of(user).session.session_key
        devices.subscribe(user, session=str(key), device="", now=at, **browsers.pop())
    pace = Pace.PRACTICE if bots else Pace.DAILY
    plan = lobby.Plan(size=len(users) + len(bots or []), pace=pace, bots=bots or ())
    game = lobby.open_table(host=users[0], plan=plan, seed=random.randbytes(32), now=at)
    for user in users[1:]:
        lobby.sit(public_id=game.public_id, user=user, now=at)
    game.refresh_from_db()
    return game


def order(game: Game, tenure: Tenure, what: orders.Order, now: datetime) -> None:
    orderbook.add(
        public_id=game.public_id,
        user_id=tenure.user_id or 0,
        what=what,
        scope=orders.Scope.GAME,
        now=now,
    )


# --- its worker -----------------------------------------------------------------------------------


def work() -> None:
    asyncio.run(worker.run(asyncio.Event()))


def finish() -> None:
    """Work until nothing is due."""

    async def run() -> None:
        stop = asyncio.Event()
        task = asyncio.create_task(worker.run(stop))
        while await sync_to_async(remains)():
            await asyncio.sleep(0.1)
        stop.set()
        await task

    asyncio.run(run())


def remains() -> dict[str, int]:
    """How much there is to do, of each kind."""
    now = timezone.now()
    running = {"game__status": Status.RUNNING, "game__frozen_at": None}
    counts = {
        "jobs": Job.objects.filter(done_at=None).count(),
        "messages": Outbox.objects.filter(state=OutboxState.PENDING, due__lte=now).count(),
        "clocks": Prompt.objects.filter(state=PromptState.OPEN, due__lte=now, **running).count(),
    }
    return {kind: count for kind, count in counts.items() if count}


# --- what became of it ----------------------------------------------------------------------------


def report() -> None:
    answered = Prompt.objects.filter(state=PromptState.ANSWERED)
    late = Tenure.objects.filter(user__name__startswith="Late")
    rows = Outbox.objects.exclude(batch="").select_related("user").order_by("pk")
    said = {
        "differing": [line for game in Game.objects.all() for line in verify.differences(game)],
        "remaining": remains(),
        "done": {
            kind: Job.objects.filter(kind=kind, done_at__isnull=False).count() for kind in JobKind
        },
        "answered": sorted(answered.values_list("pk", flat=True)),
        "moves": sorted(Move.objects.exclude(prompt=None).values_list("prompt", flat=True)),
        "timeouts": sorted(late.values_list("timeouts", flat=True)),
        "told": [
            {
                "channel": row.channel,
                "sent": row.state == OutboxState.SENT,
                "batch": row.batch,
                "to": row.user.email if row.user else "",
                "tag": f"prompt-{row.prompt_id}" if row.prompt_id else f"message-{row.pk}",
            }
            for row in rows
        ],
    }
    sys.stdout.write(json.dumps(said))


# --- one after the other --------------------------------------------------------------------------

_fork = multiprocessing.get_context("fork")


def do(step: Callable[..., None], *arguments: object) -> None:
    """Do this in a process of its own."""
    process = _fork.Process(target=step, args=arguments)
    process.start()
    process.join()
    assert process.exitcode == 0, step


def kill(seconds: float, taken: Path | None = None) -> None:
    """Let a worker begin, and kill it after so many seconds; or, on however slow a machine, as soon
    as the mail server has one more letter, which `taken` grows by."""
    process = _fork.Process(target=work)
    before = taken.stat().st_size if taken else 0
    process.start()
    if taken is None:
        time.sleep(seconds)
    else:
        ends = time.monotonic() + PATIENCE
        while taken.stat().st_size == before and time.monotonic() < ends:
            time.sleep(0.005)
    process.kill()
    process.join()
    assert process.exitcode == -signal.SIGKILL


def main(kills: int, seed: int, taken: Path, origin: str, browsers: list[dict[str, str]]) -> None:
    settings.PUSH_STAND_IN = origin
    random = Random(seed)
    do(fill, browsers)
    for number in range(kills):
        kill(random.uniform(0.05, 0.6), taken if number < AT_A_LETTER else None)
    do(finish)
    do(report)


if __name__ == "__main__":
    kills, seed, taken, origin, *told = sys.argv[1:]
    main(int(kills), int(seed), Path(taken), origin, [json.loads(browser) for browser in told])
