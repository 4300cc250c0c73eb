"""The administration: people, games, reports and the audit log, and nothing else.

No page here is made from moves, seeds or hands.
"""

from django.contrib import admin

from accounts.models import User
from games.admin.audit import AuditAdmin
from games.admin.people import PersonAdmin
from games.models import AuditEntry

admin.site.register(AuditEntry, AuditAdmin)
admin.site.register(User, PersonAdmin)
