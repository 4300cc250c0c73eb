"""The audit log, to be read."""

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from games.admin.base import ReadOnlyAdmin
from games.models import AuditEntry
from games.moderation import desk


class AuditAdmin(ReadOnlyAdmin[AuditEntry]):
    list_display = ["number", "at", "actor", "act", "game", "person", "reason"]
    list_filter = ["act", "at"]
    list_select_related = ["actor", "game", "person"]
    search_fields = ["actor__name", "game__public_id", "person__name", "reason"]
    search_help_text = _("Names, the id of a game, a reason")
    fields = [
        "number", "at", "actor", "act", "game", "person", "message_number", "report_number",
        "reason", "details", "previous", "hash",
    ]  # fmt: skip

    def get_queryset(self, request: HttpRequest) -> QuerySet[AuditEntry]:
        """What whoever asks may read of it."""
        return desk.readable(request.user.pk)


admin.site.empty_value_display = "–"
