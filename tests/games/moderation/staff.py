"""Who works here, in tests: Mod moderates, Adm administers; neither plays unless told to."""

from secrets import token_hex

from django.contrib.auth.models import Group

from accounts.models import User
from games.moderation import roles
from games.moderation.desk import Decision
from tests.games.cast import NOON, person


def worker(name: str, role: str) -> User:
    """Somebody with this role."""
    if not Group.objects.filter(name=role).exists():  # a test before this one emptied the tables
        roles.set_right()
    user = person(name)
    user.is_staff = True
    user.save()
    user.groups.set([Group.objects.get(name=role)])
    return User.objects.get(pk=user.pk)


def mod() -> User:
    return worker("Mod", "moderator")


def adm() -> User:
    return worker("Adm", "administrator")


def decide(actor: User, reason: str = "It must be.", token: str = "") -> Decision:
    """A decision of its own, or the one that the form `token` stands for."""
    return Decision(actor, reason, token or token_hex(8), NOON)
