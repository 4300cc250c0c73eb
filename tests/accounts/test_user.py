import pytest
from django.contrib.auth import authenticate
from django.core.exceptions import ValidationError
from django.core.management import CommandError, call_command
from django.db import IntegrityError

from accounts.models import User
from accounts.names import name_key, validate_name

pytestmark = pytest.mark.django_db


def test_a_guest_has_no_address_and_no_password() -> None:
    first, second = User.objects.create_guest("Ada"), User.objects.create_guest("Bertil")
    assert first.is_guest
    assert second.email is None
    assert not first.has_usable_password()


@pytest.mark.parametrize("other", ["miriam", "MIRIAM", "Ｍiriam", " Miriam "])
def test_spelling_does_not_make_another_name(other: str) -> None:
    User.objects.create_user("Miriam")
    with pytest.raises(IntegrityError):
        User.objects.create_user(other)


def test_an_address_is_used_once_however_spelled() -> None:
    User.objects.create_user("Miriam", "miriam@example.org")
    with pytest.raises(IntegrityError):
        User.objects.create(name="Vuk", email="Miriam@Example.org")


def test_the_key_follows_the_name() -> None:
    person = User.objects.create_user("Miriam")
    person.name = "Élise"
    person.save(update_fields=["name"])
    person.refresh_from_db()
    assert person.name_key == name_key("Élise")


@pytest.mark.parametrize("given", ["Miriam", "miriam", "miriam@example.org", "MIRIAM@example.org"])
def test_signing_in_by_name_or_address(given: str) -> None:
    person = User.objects.create_user("Miriam", "miriam@example.org", "correct horse")
    assert authenticate(username=given, password="correct horse") == person
    assert authenticate(username=given, password="wrong") is None


@pytest.mark.parametrize("name", ["Miriam", "Ελένη", "Jiří", "Vuk 2", "مریم"])
def test_names_from_anywhere(name: str) -> None:
    validate_name(name)


@pytest.mark.parametrize("name", ["", "x", "x" * 31, "a@b", "a\u202eb", "a\x00b", "a\u200bb"])
def test_names_that_mislead(name: str) -> None:
    with pytest.raises(ValidationError):
        validate_name(name)


def test_make_admin(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COUP_ADMIN_EMAIL", "Boss@example.org")
    monkeypatch.setenv("COUP_ADMIN_NAME", "Boss")
    monkeypatch.setenv("COUP_ADMIN_PASSWORD", "correct horse")
    call_command("make_admin")
    boss = User.objects.get(email="boss@example.org")
    assert boss.is_superuser
    assert boss.check_password("correct horse")


def test_make_admin_of_somebody(monkeypatch: pytest.MonkeyPatch) -> None:
    User.objects.create_user("Miriam", "miriam@example.org", "kept as it was")
    monkeypatch.setenv("COUP_ADMIN_EMAIL", "miriam@example.org")
    call_command("make_admin")
    miriam = User.objects.get()
    assert miriam.is_superuser
    assert miriam.check_password("kept as it was")


def test_make_admin_without_a_terminal_says_what_it_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COUP_ADMIN_EMAIL", raising=False)
    with pytest.raises(CommandError, match="COUP_ADMIN_EMAIL"):
        call_command("make_admin")
