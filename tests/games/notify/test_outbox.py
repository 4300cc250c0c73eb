"""The outbox: what is written with a move, and what of it is sent when."""

from datetime import datetime, timedelta

import pytest
from allauth.account.models import EmailAddress
from django.core import mail

from accounts.models import User
from games.models import Channel, Game, Kind, Outbox, OutboxState, Why
from games.notify import outbox
from games.timing import Pace
from tests.games.cast import NOON, person, prompt_of, running_game, say, state_of, tenure_of

pytestmark = [pytest.mark.django_db, pytest.mark.services]

MINUTES = timedelta(minutes=1)


def game_of(size: int = 3, pace: Pace = Pace.DAILY) -> Game:
    """A running game whose people have confirmed addresses."""
    game = running_game(size, pace=pace)
    for user in User.objects.all():
        EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    Outbox.objects.filter(kind=Kind.STARTED).delete()
    return game


def deliver(now: datetime) -> None:
    while outbox.deliver(now):
        pass


def row(seat_of: Game, seat: int, kind: Kind = Kind.ASKED) -> Outbox:
    return Outbox.objects.get(prompt=prompt_of(seat_of, seat), kind=kind, channel=Channel.EMAIL)


def test_a_question_is_mailed_after_ten_minutes() -> None:
    game = game_of()
    turn = state_of(game).turn
    deliver(NOON + 9 * MINUTES)
    assert mail.outbox == []
    deliver(NOON + 10 * MINUTES)
    user = tenure_of(game, turn).user
    assert user is not None
    assert [letter.to for letter in mail.outbox] == [[user.email]]
    assert row(game, turn).state == OutboxState.SENT
    deliver(NOON + 11 * MINUTES)
    assert len(mail.outbox) == 1


def test_an_answer_recalls_it() -> None:
    game = game_of()
    turn = state_of(game).turn
    asked = row(game, turn)
    say(game, turn, "income", NOON + MINUTES)
    deliver(NOON + 10 * MINUTES)
    asked.refresh_from_db()
    assert (asked.state, asked.why) == (OutboxState.DROPPED, Why.ANSWERED)
    assert mail.outbox == []


@pytest.mark.parametrize("pace", [Pace.LIVE, Pace.PRACTICE])
def test_quick_tables_are_not_mailed_about(pace: Pace) -> None:
    game_of(pace=pace)
    assert not Outbox.objects.exists()


def test_what_is_due_together_is_one_letter() -> None:
    user = person("Ana")
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    outbox.tell(users=[user], kind=Kind.OVER, key="game.1", now=NOON)
    outbox.tell(users=[user], kind=Kind.OVER, key="game.1", now=NOON)
    outbox.tell(users=[user], kind=Kind.OVER, key="game.2", now=NOON + MINUTES)
    deliver(NOON + 11 * MINUTES)
    assert len(mail.outbox) == 1
    assert Outbox.objects.filter(state=OutboxState.SENT).count() == 2
