"""Several workers deliver at the same time: nothing is lost, nothing goes out twice."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.core import mail
from django.db import connection

from games.models import Kind, Outbox, OutboxState
from games.notify import outbox
from tests.games.cast import NOON

from .cast import HOUR, verified
from .post import Post, text_of

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.services]

NAMES = ("Ana", "Ben", "Cyd", "Dov", "Eva", "Fay")


def workers(count: int) -> None:
    barrier = Barrier(count)

    def work(_number: int) -> None:
        try:
            barrier.wait()
            while Outbox.objects.filter(state=OutboxState.PENDING, due__lte=NOON + HOUR).exists():
                outbox.deliver(NOON + HOUR)
        finally:
            connection.close()

    with ThreadPoolExecutor(count) as pool:
        list(pool.map(work, range(count)))


def tell_everybody(messages: int) -> list[str]:
    people = [verified(name) for name in NAMES]
    for number in range(messages):
        outbox.tell(users=people, kind=Kind.EXPIRED, key=f"game.{number}", now=NOON)
    return sorted(str(user.email) for user in people)


def test_four_workers_send_each_person_one_letter(post: Post) -> None:
    addresses = tell_everybody(5)
    workers(4)
    assert sorted(post.receivers()) == addresses
    assert len({letter["Message-ID"] for letter in post.letters}) == len(addresses)
    assert not Outbox.objects.exclude(state=OutboxState.SENT, attempts=1).exists()
    for letter in post.letters:
        assert text_of(letter).count("It did not fill in time") == 5


def test_what_comes_in_while_they_work_is_sent_once_too() -> None:
    addresses = tell_everybody(1)
    barrier = Barrier(2)

    def come_in() -> None:
        try:
            barrier.wait()
            for number in range(10, 30):
                outbox.tell(
                    users=[verified(NAMES[number % 6])],
                    kind=Kind.EXPIRED,
                    key=f"game.{number}",
                    now=NOON,
                )
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as pool:
        coming = pool.submit(come_in)
        working = pool.submit(lambda: (barrier.wait(), workers(2)))
        coming.result()
        working.result()
    workers(2)
    told = sum(str(letter.body).count("It did not fill in time") for letter in mail.outbox)
    assert told == len(addresses) + 20
    assert Outbox.objects.filter(state=OutboxState.SENT).count() == told
