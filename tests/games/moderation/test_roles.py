"""The roles, permission by permission."""

import pytest
from django.contrib.auth.models import Group, Permission

from games.moderation import roles

from .staff import adm, mod

pytestmark = pytest.mark.django_db

MODERATOR = {
    "games.view_game",
    "games.moderate_game",
    "games.view_report",
    "games.resolve_report",
    "games.view_tablemessage",
    "games.hide_message",
    "games.view_auditentry",
    "accounts.view_user",
    "accounts.view_sanction",
    "accounts.sanction_person",
}
ADMINISTRATOR = MODERATOR | {
    "games.look_at_hands",
    "accounts.change_user",
    "accounts.view_address",
}


def test_the_migration_has_made_both_roles() -> None:
    assert set(Group.objects.values_list("name", flat=True)) == {"moderator", "administrator"}
    assert mod().get_all_permissions() == MODERATOR
    assert adm().get_all_permissions() == ADMINISTRATOR


def test_what_was_clicked_together_is_set_right_again() -> None:
    group = Group.objects.get(name="moderator")
    group.permissions.set(Permission.objects.all()[:3])
    roles.set_right()
    assert mod().get_all_permissions() == MODERATOR


def test_nothing_of_hidden_cards_has_a_permission_of_its_own_to_give() -> None:
    given = {p for permissions in roles.ROLES.values() for p in permissions}
    assert not [p for p in given if "move" in p or "secret" in p or "password" in p]
