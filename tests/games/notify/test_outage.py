"""Everything is down for three hours and comes back: time is given back, and nobody is flooded."""

from collections import Counter
from datetime import datetime, timedelta

import pytest
from django.core import mail

from games import drive, halts, heartbeat, lobby
from games.models import (
    READY,
    Game,
    Halt,
    Kind,
    Outbox,
    OutboxState,
    Prompt,
    PromptState,
    Source,
    Why,
)
from games.notify import outbox
from games.timing import Pace
from tests.games.cast import NOON, all_ready, person, say, state_of, tenure_of

from .cast import HOUR, MINUTE, verified

pytestmark = [pytest.mark.django_db, pytest.mark.services]

NAMES = ("Ana", "Ben", "Cyd")
DOWN = NOON + 5 * MINUTE
WORKED, BACK = DOWN - timedelta(seconds=20), DOWN + 3 * HOUR
"""When a worker was there last, and next."""


def work(now: datetime) -> int:
    """What a worker does in one round; how many answers that were."""
    heartbeat.beat(now)
    done = drive.sweep(now)
    while outbox.deliver(now):
        pass
    return done


def work_on(since: datetime, until: datetime) -> None:
    """Work, with a look every twenty seconds."""
    for second in range(0, int((until - since).total_seconds()), 20):
        work(since + timedelta(seconds=second))


def brisk_table(number: int) -> Game:
    """Ten minutes for an answer, half an hour in the bank: three hours are the end of all."""
    plan = lobby.Plan(size=3, pace=Pace.BRISK, title=f"Table {number}")
    game = lobby.open_table(host=person(NAMES[0]), plan=plan, seed=bytes([number]) * 32, now=NOON)
    for name in NAMES[1:]:
        lobby.sit(public_id=game.public_id, user=person(name), now=NOON)
    all_ready(game)
    game.refresh_from_db()
    return game


def test_down_for_three_hours_and_back() -> None:
    people = [verified(name) for name in NAMES]
    work(NOON)
    *asking, answered, ended = [brisk_table(number) for number in range(8)]
    turn = state_of(answered).turn
    say(answered, turn, "tax", NOON)
    work_on(NOON, DOWN)
    for seat in {0, 1, 2} - {turn}:  # pages are served yet, and by now no worker is there
        say(answered, seat, "allow", DOWN)
    halts.cancel(public_id=ended.public_id, now=DOWN, source=Halt.CONSENT)
    assert mail.outbox == []
    prompts = Prompt.objects.filter(game__in=asking).exclude(window__kind=READY)
    before = {prompt.pk: prompt.due for prompt in prompts}
    assert max(before.values()) < BACK

    assert work(BACK) == 0
    gap = BACK - WORKED
    assert all(prompt.due == before[prompt.pk] + gap for prompt in prompts.all())
    work_on(BACK, BACK + 5 * MINUTE)
    assert sorted(letter.to[0] for letter in mail.outbox) == [user.email for user in people]
    asked = Counter(tenure_of(game, state_of(game).turn).name for game in [*asking, answered])
    for user, letter in zip(people, sorted(mail.outbox, key=lambda one: one.to), strict=True):
        assert str(letter.body).count("Choose one action and announce it.") == asked[user.name]
    told = Outbox.objects.filter(prompt__game=answered, prompt__window__kind="respond")
    assert set(told.values_list("state", "why")) == {(OutboxState.DROPPED, Why.ANSWERED)}
    assert not Outbox.objects.filter(kind=Kind.REMINDER, state=OutboxState.SENT).exists()

    (due,) = set(prompts.values_list("due", flat=True))
    work_on(BACK + 5 * MINUTE, due)
    assert not prompts.exclude(state=PromptState.OPEN).exists()
    assert work(due) == len(asking)
    assert set(prompts.filter(pk__in=before).values_list("answered_by", flat=True)) == {
        Source.CLOCK
    }
