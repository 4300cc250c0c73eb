"""Games: what everybody may see of a table, who has not answered yet, and what may be done."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any

from django import forms
from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db.models import Count, Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import URLPattern, path
from django.utils import timezone
from django.utils.text import format_lazy
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.models import User
from games import selectors
from games.admin.base import ActForm, Offer, Offers, SubjectAdmin
from games.chronicle import Entry
from games.engine.view import SPECTATOR
from games.models import (
    BotKind,
    Game,
    Prompt,
    PromptState,
    Report,
    ReportState,
    Status,
    TableMessage,
    Tenure,
)
from games.models.talk import LONGEST_MESSAGE
from games.moderation import desk, hints, looking, reports
from games.moderation import games as moderating
from games.words import bare, present
from games.words.notices import notices
from games.words.table import in_words
from games.words.terms import role_name

SHOWN = 50


class AnswerForm(ActForm):
    prompt_id = forms.TypedChoiceField(label=gettext_lazy("For whom"), coerce=int)
    field_order = ["prompt_id", "reason"]


class TenureForm(ActForm):
    tenure_id = forms.TypedChoiceField(label=gettext_lazy("Whom"), coerce=int)
    field_order = ["tenure_id", "reason"]


_A_BOT = gettext_lazy("a bot")


class HandOverForm(TenureForm):
    to = forms.ChoiceField(
        label=gettext_lazy("To"),
        choices=[
            ("person", gettext_lazy("a person, who has agreed")),
            *((kind.value, format_lazy("{}: {}", _A_BOT, kind.label)) for kind in BotKind),
        ],
    )
    name = forms.CharField(label=gettext_lazy("The person's name"), max_length=30, required=False)
    field_order = ["tenure_id", "to", "name", "reason"]

    def clean(self) -> dict[str, Any]:
        given = super().clean() or {}
        name, to = given.pop("name", ""), given.get("to")
        if to != "person":
            return given | ({"to": BotKind(to)} if to else {})
        person = User.objects.named(name)
        if person is None:
            self.add_error("name", _("Nobody here has that name."))
        return given | {"to": person}


class TakeBackForm(ActForm):
    version = forms.TypedChoiceField(label=gettext_lazy("To the moment after"), coerce=int)
    field_order = ["version", "reason"]


class AnnounceForm(ActForm):
    words = forms.CharField(
        label=gettext_lazy("What all at the table read"),
        max_length=LONGEST_MESSAGE,
        widget=forms.Textarea({"rows": 2}),
    )
    field_order = ["words", "reason"]


class HideForm(ActForm):
    message_id = forms.TypedChoiceField(label=gettext_lazy("Which"), coerce=int)
    field_order = ["message_id", "reason"]


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
            names = [tenure.name for tenure in selectors.latest_tenures(subject)]
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
        return _Desk(user, subject, data).offers()


@dataclass(frozen=True, slots=True)
class _Desk:
    """What a moderator may do at a table as it is now."""

    user: User
    game: Game
    data: Any

    def offers(self) -> dict[str, Offer]:
        found: dict[str, Offer] = {}
        running = self.game.status == Status.RUNNING
        if running:
            found |= self.of_running()
        if self.game.status in (Status.OPEN, Status.RUNNING):
            found["announce"] = self.offer(
                _("Say something to the table"), AnnounceForm(self.data), moderating.announce
            )
            found["cancel"] = self.offer(
                _("End it without a result"), ActForm(self.data), moderating.cancel, danger=True
            )
        if self.game.title:
            found["retitle"] = self.offer(
                _("Take its title away"), ActForm(self.data), moderating.take_title_away
            )
        return found | self.of_talk()

    def of_running(self) -> dict[str, Offer]:
        found: dict[str, Offer] = {}
        if self.game.frozen_at:
            found["thaw"] = self.offer(
                _("Let it go on, with fresh windows"), ActForm(self.data), moderating.thaw
            )
        else:
            found["extend"] = self.offer(
                _("Give the full time once more"), ActForm(self.data), moderating.extend
            )
            found |= self.of_players()
        if not self.game.frozen_at or self.game.frozen_for != "moderator":
            found["freeze"] = self.offer(_("Freeze it"), ActForm(self.data), moderating.freeze)
        found |= self.of_seats()
        back = self.choices(TakeBackForm(self.data), "version", _moments(self.game))
        if back:
            help_ = _("What came after is undone, for all to see, and the deck is shuffled anew.")
            found["take_back"] = self.offer(
                _("Take it back"), back, moderating.take_back, help=help_, danger=True
            )
        if self.user.has_perm(looking.LOOK):
            help_ = _("It is logged, and you take no seat and do not talk at this table any more.")
            found["look"] = self.offer(
                _("Look at the hidden cards"), ActForm(self.data), looking.look, help=help_
            )
        return found

    def of_players(self) -> dict[str, Offer]:
        found: dict[str, Offer] = {}
        asked = [
            (prompt.pk, _("{who}, until {when}").format(who=prompt.tenure.name, when=_when(prompt)))
            for prompt in _open_prompts(self.game)
        ]
        if answering := self.choices(AnswerForm(self.data), "prompt_id", asked):
            found["answer"] = self.offer(
                _("Give the default answer"), answering, moderating.answer_by_default
            )
        if form := self.choices(TenureForm(self.data), "tenure_id", self.sitting()):
            found["remove"] = self.offer(_("Remove a player"), form, moderating.remove, danger=True)
        return found

    def of_seats(self) -> dict[str, Offer]:
        if form := self.choices(HandOverForm(self.data), "tenure_id", self.sitting()):
            return {"hand_over": self.offer(_("Hand a seat over"), form, moderating.hand_over)}
        return {}

    def sitting(self) -> list[tuple[int, str]]:
        tenures = selectors.latest_tenures(self.game)
        return [(tenure.pk, tenure.name) for tenure in tenures if not tenure.ended]

    def of_talk(self) -> dict[str, Offer]:
        if not self.user.has_perm(moderating.HIDE):
            return {}
        talk = TableMessage.objects.filter(game=self.game).select_related("user")
        last = talk.order_by("-at", "-pk")[:SHOWN]
        found = {}
        for name, title, do, hidden in (
            ("hide", _("Remove a message"), moderating.hide, False),
            ("unhide", _("Show a removed message again"), moderating.unhide, True),
        ):
            said = [(m.pk, f"{m.user}: {m.words}") for m in last if bool(m.hidden_at) == hidden]
            if form := self.choices(HideForm(self.data), "message_id", said):
                found[name] = Offer(title, form, do)
        return found

    def offer(self, title: str, form: ActForm, do: Any, **how: Any) -> Offer:
        return Offer(title, form, partial(_at, self.game.public_id, do), **how)

    def choices[F: ActForm](
        self, form: F, name: str, choices: Sequence[tuple[int, str]]
    ) -> F | None:
        """The form with these choices; None where there are none."""
        field = form.fields[name]
        assert isinstance(field, forms.TypedChoiceField)
        field.choices = choices
        return form if choices else None


def _at(public_id: str, do: Any, decision: desk.Decision, **given: Any) -> object:
    return do(decision, public_id=public_id, **given)


def _as_room(game: Game) -> dict[str, Any]:
    """A table that has not begun: who sits there."""
    return {"sitters": [tenure.name for tenure in selectors.latest_tenures(game)]}


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
    waits = {prompt.tenure_id: prompt.due for prompt in _open_prompts(game)}
    rows = [
        SeatRow(
            tenure,
            seat.coins,
            seat.hidden,
            ", ".join(role_name(role) for role in seat.revealed),
            waits.get(tenure.pk),
        )
        for tenure, seat in zip(selectors.latest_tenures(game), table.view.seats, strict=True)
    ]
    return {"table": table, "p": shown, "rows": rows, "log": [line.text for line in shown.log]}


def _open_prompts(game: Game) -> list[Prompt]:
    found = Prompt.objects.filter(game=game, state=PromptState.OPEN)
    return list(found.select_related("tenure__user", "tenure__seat").order_by("seat__index"))


def _when(prompt: Prompt) -> str:
    return timezone.localtime(prompt.due).strftime("%Y-%m-%d %H:%M")


def _moments(game: Game) -> list[tuple[int, str]]:
    """To where the game can be taken back: by version, what everybody saw happen then."""

    def told(entries: Sequence[Entry]) -> list[str]:
        return [bare(text) for _entry, text in in_words(entries, SPECTATOR)]

    try:
        moments = selectors.moments(game)
    except selectors.Unreadable:
        return []
    return [
        (moment.version, f"{moment.turn}. {' '.join(told(moment.entries))}")
        for moment in reversed(moments)
    ]
