from django.contrib import admin

from accounts.models import User


@admin.register(User)
class UserAdmin(admin.ModelAdmin[User]):
    list_display = ["name", "email", "is_guest", "is_active", "is_staff", "date_joined"]
    list_filter = ["is_guest", "is_active", "is_staff"]
    search_fields = ["name", "name_key", "email"]
    readonly_fields = ["name_key", "date_joined", "last_login"]
    exclude = ["password"]
