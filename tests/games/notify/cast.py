"""Games whose people can be written to."""

from datetime import datetime, timedelta

from allauth.account.models import EmailAddress
from django.utils import timezone

from accounts import devices
from accounts.models import User
from games.models import Channel, Game, Kind, Outbox
from games.notify import outbox
from games.timing import Pace
from tests.accounts.cast import client_of
from tests.games.cast import NOON, person, prompt_of, running_game
from tests.push_service import Browser

MINUTE, HOUR = timedelta(minutes=1), timedelta(hours=1)


def verified(name: str) -> User:
    """The person of that name, with a confirmed address."""
    user = person(name)
    EmailAddress.objects.get_or_create(
        user=user, email=user.email, defaults={"verified": True, "primary": True}
    )
    return user


def turn_on(user: User, browser: Browser) -> None:
    """The person has this browser take pushes; its session outlasts the games of these tests."""
    session = client_of(user).session
    session.set_expiry(NOON + timedelta(days=300))
    session.save()
    devices.subscribe(
        user, session=str(session.session_key), device="", now=timezone.now(), **browser.told
    )


def mailed_game(size: int = 3, pace: Pace = Pace.DAILY, **options: bool) -> Game:
    """A running game whose people have confirmed addresses; that it has begun is told already."""
    game = running_game(size, pace=pace, **options)
    for user in User.objects.all():
        verified(user.name)
    Outbox.objects.filter(kind=Kind.STARTED).delete()
    return game


def deliver(now: datetime) -> None:
    """All that is due, as the worker does it."""
    while outbox.deliver(now):
        pass


def row(game: Game, seat: int, kind: Kind = Kind.ASKED) -> Outbox:
    """What a seat is to be mailed about its open question."""
    return Outbox.objects.get(prompt=prompt_of(game, seat), kind=kind, channel=Channel.EMAIL)
