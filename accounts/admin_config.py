"""Django's admin behind our own door. Not in apps.py, where it would pass for this app's own."""

from django.contrib.admin.apps import AdminConfig


class StaffAdminConfig(AdminConfig):
    default_site = "accounts.views.staff.AdminSite"
