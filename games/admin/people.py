"""People: what a moderator needs to know of somebody, and what may be decided about them."""

from datetime import datetime, timedelta
from functools import partial
from typing import Any

from django import forms
from django.contrib import admin
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts import guests, sanctions
from accounts.models import Sanction, SanctionKind, User
from accounts.names import normal_name, validate_name
from games.admin.base import ActForm, Offer, Offers, SubjectAdmin
from games.models import Tenure
from games.moderation import desk, people, reports
from games.moderation.roles import ROLES

DAYS = {
    1: gettext_lazy("a day"),
    3: gettext_lazy("three days"),
    7: gettext_lazy("a week"),
    30: gettext_lazy("a month"),
    90: gettext_lazy("three months"),
}
SHOWN = 20


class SanctionForm(ActForm):
    kind = forms.ChoiceField(label=gettext_lazy("What"), choices=SanctionKind)
    days = forms.TypedChoiceField(
        label=gettext_lazy("For how long (silence and suspension)"),
        choices=list(DAYS.items()),
        coerce=int,
        required=False,
    )
    field_order = ["kind", "days", "reason"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["reason"].label = _("Reason, which the person reads")

    def clean(self) -> dict[str, Any]:
        given = super().clean() or {}
        days = given.pop("days", None)
        ends = given.get("kind") in (SanctionKind.MUTE, SanctionKind.SUSPENSION)
        if ends and not days:
            self.add_error("days", _("This one needs an end."))
        return given | {"lasts": timedelta(days=days) if ends and days else None}


class LiftForm(ActForm):
    sanction_id = forms.TypedChoiceField(label=gettext_lazy("Which"), coerce=int)
    field_order = ["sanction_id", "reason"]


class RenameForm(ActForm):
    name = forms.CharField(label=gettext_lazy("New public name"), max_length=30)
    field_order = ["name", "reason"]

    def clean_name(self) -> str:
        name = normal_name(self.cleaned_data["name"])
        validate_name(name)
        if guests.name_taken(name):
            raise forms.ValidationError(guests.NAME_TAKEN)
        return name


class RoleForm(ActForm):
    role = forms.ChoiceField(
        label=gettext_lazy("Role"),
        choices=[("", gettext_lazy("none")), *((role, role) for role in ROLES)],
        required=False,
    )
    field_order = ["role", "reason"]


class SanctionedFilter(admin.SimpleListFilter):
    title = gettext_lazy("sanctions")
    parameter_name = "sanctioned"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("1", _("has some in force"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[User]) -> QuerySet[User]:
        if self.value() != "1":
            return queryset
        held = Sanction.objects.filter(sanctions.in_force(timezone.now()))
        return queryset.filter(pk__in=held.values("user_id"))


class PersonAdmin(SubjectAdmin[User]):
    """Addresses are shown to, and searched by, those alone who may see them."""

    page = "admin/accounts/user/page.html"
    list_filter = ["is_guest", "is_active", SanctionedFilter, "is_staff"]
    ordering = ["name_key"]
    search_help_text = gettext_lazy("A public name")

    def get_list_display(self, request: HttpRequest) -> Any:
        shown = ["name", "is_guest", "is_active", "has_sanctions", "is_staff", "date_joined"]
        return [*shown, "email"] if _sees_addresses(request) else shown

    def get_search_fields(self, request: HttpRequest) -> list[str]:
        return ["name", "name_key", *(["email"] if _sees_addresses(request) else [])]

    def context(self, request: HttpRequest, subject: User, now: datetime) -> dict[str, Any]:
        assert isinstance(request.user, User)
        about = reports.queue(request.user).filter(Q(person=subject) | Q(message__user=subject))
        seats = Tenure.objects.filter(user=subject).select_related("game", "seat")
        holds = set(sanctions.of(subject, now).values_list("pk", flat=True))
        decided = Sanction.objects.filter(user=subject).select_related("by", "lifted_by")
        return {
            "address": subject.email if _sees_addresses(request) else None,
            "role": people.role_of(subject),
            "decided": [(one, one.pk in holds) for one in decided.order_by("-since")],
            "meanings": sanctions.MEANING.items(),
            "reports": about.order_by("-at")[:SHOWN],
            "seats": seats.order_by("-pk")[:SHOWN],
            "entries": desk.readable(request.user.pk).filter(person=subject)[:SHOWN],
        }

    def offers(self, user: User, subject: User, data: Any = None) -> Offers:
        if not people.may_judge(user, subject):
            return {}
        about = partial(_about, subject.pk)
        found = {
            "sanction": Offer(
                _("Warn, silence, suspend or ban"), SanctionForm(data), about(people.impose)
            ),
            "rename": Offer(_("Give another name"), RenameForm(data), about(people.rename)),
        }
        lift = LiftForm(data)
        field = lift.fields["sanction_id"]
        assert isinstance(field, forms.TypedChoiceField)
        held = sanctions.of(subject, timezone.now())
        field.choices = [(one.pk, f"{one.get_kind_display()}: {one.reason}") for one in held]
        if field.choices:
            found["lift"] = Offer(_("Lift a sanction"), lift, people.lift)
        if people.may_judge(user, subject, people.GIVE_ROLE) and not subject.is_guest:
            form = RoleForm(data, initial={"role": people.role_of(subject)})
            found["role"] = Offer(_("Give or take a role"), form, about(people.give_role))
        return found


def _about(user_id: int, do: Any) -> Any:
    return partial(do, user_id=user_id)


def _sees_addresses(request: HttpRequest) -> bool:
    return request.user.has_perm("accounts.view_address")
