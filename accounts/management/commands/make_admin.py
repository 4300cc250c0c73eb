"""`make admin`: become an administrator."""

import getpass
import os
import sys
from typing import Any

from allauth.account.models import EmailAddress
from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError
from django.db import transaction

from accounts.models import User


class Command(BaseCommand):
    help = (
        "Make an administrator, or make one of somebody with that address. Asks, or takes"
        " COUP_ADMIN_EMAIL, COUP_ADMIN_NAME and COUP_ADMIN_PASSWORD from the environment."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        email = answer("E-mail address", "COUP_ADMIN_EMAIL").lower()
        person = User.objects.filter(email__iexact=email).first()
        if person is None:
            name = answer("Public name", "COUP_ADMIN_NAME")
            person = User(name=name, email=email)
        password = secret(optional=person.pk is not None)
        if password:
            person.set_password(password)
        person.is_staff = person.is_superuser = person.is_active = True
        try:
            person.full_clean()
        except ValidationError as error:
            raise CommandError("\n".join(error.messages)) from None
        with transaction.atomic():
            person.save()
            EmailAddress.objects.update_or_create(
                user=person, email=email, defaults={"verified": True, "primary": True}
            )
        self.stdout.write(f"{person} is an administrator; the admin is at /admin/.")


def answer(question: str, variable: str) -> str:
    """From the environment, else from whoever sits there."""
    given = os.environ.get(variable, "").strip()
    while not given:
        if not sys.stdin.isatty():
            raise CommandError(f"Set {variable}, or run this in a terminal.")
        given = input(f"{question}: ").strip()
    return given


def secret(*, optional: bool) -> str:
    """A password from the environment, else typed unseen; empty if there may be one already."""
    given = os.environ.get("COUP_ADMIN_PASSWORD", "")
    if given or (optional and not sys.stdin.isatty()):
        return given
    if not sys.stdin.isatty():
        raise CommandError("Set COUP_ADMIN_PASSWORD, or run this in a terminal.")
    hint = " (empty keeps the old one)" if optional else ""
    return getpass.getpass(f"Password{hint}: ")
