"""The administration: people, games, reports and the audit log, and nothing else.

No page here is made from moves, seeds or hands.
"""

from django.contrib import admin

from accounts.models import User
from games.admin.audit import AuditAdmin
from games.admin.games import GameAdmin
from games.admin.people import PersonAdmin
from games.admin.reports import ReportAdmin
from games.models import AuditEntry, Game, Report

admin.site.register(Game, GameAdmin)
admin.site.register(Report, ReportAdmin)
admin.site.register(AuditEntry, AuditAdmin)
admin.site.register(User, PersonAdmin)
