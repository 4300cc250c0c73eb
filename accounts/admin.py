from allauth.account.decorators import secure_admin_login
from django.contrib import admin

from accounts.models import User


@admin.register(User)
class UserAdmin(admin.ModelAdmin[User]):
    list_display = ["name", "email", "is_guest", "is_active", "is_staff", "date_joined"]
    list_filter = ["is_guest", "is_active", "is_staff"]
    search_fields = ["name", "name_key", "email"]
    readonly_fields = ["name_key", "date_joined", "last_login"]
    exclude = ["password"]


# One way in: with the site's own limits, mails and sessions.
admin.site.login = secure_admin_login(admin.site.login)  # type: ignore[method-assign]
