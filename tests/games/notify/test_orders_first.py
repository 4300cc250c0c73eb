"""Whoever has standing orders is not told of a question before these have had their moment."""

from datetime import timedelta

import pytest
from django.core import mail

from accounts.models import User
from games import drive
from games.models import Job, JobKind, Kind, Outbox, OutboxState, Why
from games.notify.outbox import ORDERS_TAKE
from games.orders import Order
from tests.games.cast import NOON, prompt_of, say, state_of, tenure_of
from tests.games.test_standing import ALLOW_ANYTHING, CHALLENGE, set_order

from .cast import HOUR, deliver, mailed_game

pytestmark = pytest.mark.django_db

LATER = NOON + timedelta(minutes=1)


def asked_with(order: Order) -> tuple[Outbox, Job]:
    """Somebody with this order is asked about a claim, and wants to be written to at once."""
    game = mailed_game(3)
    User.objects.update(mail_delay=0)
    turn = state_of(game).turn
    seat = (turn + 1) % 3
    set_order(game, seat, order)
    say(game, turn, "tax", LATER)
    prompt = prompt_of(game, seat)
    told = Outbox.objects.get(prompt=prompt, kind=Kind.ASKED, channel="email")
    assert told.user == tenure_of(game, seat).user
    return told, Job.objects.get(prompt=prompt, kind=JobKind.ORDER)


def letters_to(told: Outbox) -> int:
    assert told.user
    return sum(letter.to == [told.user.email] for letter in mail.outbox)


def test_what_an_order_answers_at_once_is_not_told() -> None:
    told, job = asked_with(ALLOW_ANYTHING)
    assert job.due == LATER
    deliver(LATER)  # by chance before the worker has come to the order
    assert letters_to(told) == 0
    drive.sweep(LATER)
    deliver(LATER + HOUR)
    assert letters_to(told) == 0
    told.refresh_from_db()
    assert (told.state, told.why) == (OutboxState.DROPPED, Why.ANSWERED)


def test_what_no_order_answers_is_told_after_their_moment() -> None:
    told, job = asked_with(CHALLENGE)
    assert job.due > LATER
    drive.sweep(job.due)
    deliver(job.due)
    assert letters_to(told) == 0
    deliver(job.due + ORDERS_TAKE)
    assert letters_to(told) == 1
