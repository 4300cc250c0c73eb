"""Django's admin behind our own door, with nothing in it but what `games.admin` puts there.

Other applications would bring addresses, groups, and the secrets of second factors. Not in apps.py,
where it would pass for this application's own.
"""

from django.contrib.admin.apps import SimpleAdminConfig


class StaffAdminConfig(SimpleAdminConfig):
    default_site = "accounts.views.staff.AdminSite"

    def ready(self) -> None:
        super().ready()
        from games import admin  # noqa: F401  registers
