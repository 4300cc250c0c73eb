"""Who may do what: the two roles, as groups that every migration sets right.

A role is what stands here, whatever was clicked together in the administration. Nobody's role
gives `look_at_hands` by itself but the administrator's: see `games.moderation.looking`.
"""

from typing import Any

from django.apps import apps
from django.contrib.auth.management import create_permissions
from django.contrib.auth.models import Group, Permission

MODERATOR = (
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
)
ROLES: dict[str, tuple[str, ...]] = {
    "moderator": MODERATOR,
    "administrator": (
        *MODERATOR,
        "games.look_at_hands",
        "accounts.change_user",
        "accounts.view_address",
    ),
}


def set_right(**_signal: Any) -> None:
    """Make the groups, with these permissions and no others. After each migration."""
    for label in ("accounts", "games"):
        create_permissions(apps.get_app_config(label), verbosity=0)
    permissions = Permission.objects.filter(content_type__app_label__in=["accounts", "games"])
    rows = permissions.values_list("content_type__app_label", "codename", "pk")
    known = {f"{label}.{code}": pk for label, code, pk in rows}
    for name, wanted in ROLES.items():
        group, _made = Group.objects.get_or_create(name=name)
        group.permissions.set([known[permission] for permission in wanted])
