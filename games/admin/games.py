"""Games: what everybody may see of a table, and who has not answered yet."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db.models import Count, Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import URLPattern, path
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.models import User
from games import selectors
from games.admin.base import ActForm, Offers, SubjectAdmin
from games.admin.table_acts import SHOWN, offers, open_prompts
from games.models import (
    Game,
    Report,
    ReportState,
    TableMessage,
    Tenure,
)
from games.moderation import desk, hints, reports
from games.moderation import games as moderating
from games.seats import seated
from games.words import present
from games.words.notices import notices
from games.words.terms import role_name


class _YesFilter(admin.SimpleListFilter):
    """One kind of game, or all."""

    only: str | Any = ""

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("1", str(self.only))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Game]) -> QuerySet[Game]:
        return self.narrow(queryset) if self.value() == "1" else queryset

    def narrow(self, queryset: QuerySet[Game]) -> QuerySet[Game]:
        raise NotImplementedError


class FrozenFilter(_YesFilter):
    title, parameter_name = gettext_lazy("frozen"), "frozen"
    only = gettext_lazy("frozen")

    def narrow(self, queryset: QuerySet[Game]) -> QuerySet[Game]:
        return queryset.filter(frozen_at__isnull=False)


class StuckFilter(_YesFilter):
    title, parameter_name = gettext_lazy("stuck"), "stuck"
    only = gettext_lazy("does not go on by itself")

    def narrow(self, queryset: QuerySet[Game]) -> QuerySet[Game]:
        return queryset.filter(pk__in=moderating.stuck(timezone.now()).values("pk"))


class ReportedFilter(_YesFilter):
    title, parameter_name = gettext_lazy("reported"), "reported"
    only = gettext_lazy("has open reports")

    def narrow(self, queryset: QuerySet[Game]) -> QuerySet[Game]:
        is_open = Report.objects.filter(state=ReportState.OPEN)
        of_games, of_messages = is_open.values("game_id"), is_open.values("message__game_id")
        return queryset.filter(Q(pk__in=of_games) | Q(pk__in=of_messages))


@dataclass(frozen=True, slots=True)
class SeatRow:
    """A seat as the public sees it, and since when it owes an answer; never what was answered."""

    tenure: Tenure
    coins: int
    hidden: int
    revealed: str
    waits_until: datetime | None


class GameAdmin(SubjectAdmin[Game]):
    """Blind: no page here is made from anything but what a spectator sees, but for prompts."""

    page = "admin/games/game/page.html"
    list_display = [
        "name", "public_id", "status", "pace", "visibility", "is_frozen", "open_reports",
        "changed_at",
    ]  # fmt: skip
    list_filter = ["status", "pace", "visibility", FrozenFilter, StuckFilter, ReportedFilter]
    search_fields = ["title", "public_id", "tenures__user__name", "tenures__bot_name"]
    search_help_text = gettext_lazy("A title, the id of a game, the name of a player")
    ordering = ["-changed_at"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Game]:
        """Without the games in which whoever asks has a part."""
        found = super().get_queryset(request).exclude(pk__in=desk.own_games(request.user.pk))
        is_open = Q(reports__state=ReportState.OPEN)
        of_messages = Q(messages__reports__state=ReportState.OPEN)
        return found.annotate(
            open_reports=Count("reports", filter=is_open, distinct=True)
            + Count("messages__reports", filter=of_messages, distinct=True)
        )

    def get_urls(self) -> list[URLPattern]:
        hints = self.admin_site.admin_view(self.hints)
        return [path("hints/", hints, name="games_game_hints"), *super().get_urls()]

    def hints(self, request: HttpRequest) -> HttpResponse:
        """Who may be one person on two seats, or two who play together."""
        if not request.user.has_perm(desk.MODERATE):
            raise PermissionDenied
        assert isinstance(request.user, User)
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": _("Hints"),
            "shared": hints.shared(request.user, timezone.now()),
            "doubts": hints.doubts(request.user, timezone.now()),
        }
        return TemplateResponse(request, "admin/games/game/hints.html", context)

    @admin.display(description=gettext_lazy("frozen"), boolean=True, ordering="frozen_at")
    def is_frozen(self, game: Game) -> bool:
        return game.frozen_at is not None

    @admin.display(description=gettext_lazy("open reports"), ordering="open_reports")
    def open_reports(self, game: Any) -> int:
        return int(game.open_reports)

    def show(
        self,
        request: HttpRequest,
        subject: Game,
        sent: Mapping[str, ActForm] | None = None,
        found: Any = None,
    ) -> HttpResponse:
        """The page; after looking, with the cards in each hand."""
        response = super().show(request, subject, sent, found)
        if found is not None and isinstance(response, TemplateResponse):
            names = [tenure.name for tenure in seated(subject)]
            hands = [", ".join(role_name(role) for role in hand) or "–" for hand in found]
            response.context_data = {
                **(response.context_data or {}),
                "hands": list(zip(names, hands, strict=True)),
            }
        return response

    def find(self, request: HttpRequest, pk: str | int) -> Game:
        if str(pk).isdecimal() and desk.own_games(request.user.pk).filter(pk=pk).exists():
            raise PermissionDenied
        return super().find(request, pk)

    def context(self, request: HttpRequest, subject: Game, now: datetime) -> dict[str, Any]:
        talk = TableMessage.objects.filter(game=subject).select_related("user", "hidden_by")
        assert isinstance(request.user, User)
        about = reports.queue(request.user).filter(Q(game=subject) | Q(message__game=subject))
        return {
            "told": notices(subject.notices),
            "talk": list(reversed(talk.order_by("-at", "-pk")[:SHOWN])),
            "reports": about.order_by("-at")[:SHOWN],
            "entries": desk.readable(request.user.pk).filter(game=subject)[:SHOWN],
            **(_as_table(subject, now) if subject.has_begun else _as_room(subject)),
        }

    def offers(self, user: User, subject: Game, data: Any = None) -> Offers:
        if not user.has_perm(desk.MODERATE):
            return {}
        return offers(user, subject, data)


def _as_room(game: Game) -> dict[str, Any]:
    """A table that has not begun: who sits there."""
    return {"sitters": [tenure.name for tenure in seated(game)]}


def _as_table(game: Game, now: datetime) -> dict[str, Any]:
    """A table that has begun, in the words of its own page. Where what is stored of it cannot be
    read, that is said, and who sits there."""
    try:
        table = selectors.table(game, user_id=None, on_duty=True)
    except selectors.Unreadable:
        return _as_room(game) | {"unreadable": True}
    shown = present(
        table.view,
        table.players,
        table.entries,
        table.ledger,
        now=now,
        opened=table.opened,
        due=table.deadline,
        whole_log=True,
    )
    waits = {prompt.tenure_id: prompt.due for prompt in open_prompts(game)}
    rows = [
        SeatRow(
            tenure,
            seat.coins,
            seat.hidden,
            ", ".join(role_name(role) for role in seat.revealed),
            waits.get(tenure.pk),
        )
        for tenure, seat in zip(seated(game), table.view.seats, strict=True)
    ]
    return {"table": table, "p": shown, "rows": rows, "log": [line.text for line in shown.log]}
