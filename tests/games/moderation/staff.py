"""Who works here, in tests: Mod moderates, Adm administers; neither plays unless told to."""

from django.contrib.auth.models import Group

from accounts.models import User
from games.moderation import roles
from tests.games.cast import person


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
