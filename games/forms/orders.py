"""Forms for standing orders: one for each kind, which turns into an order."""

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from games.engine.cards import Options, Role, roles
from games.orders import BLOCKED_BY, Kind, Order, Scope
from games.words import role_name
from games.words.orders import until

_PLACES = (_("Give up first"), _("second"), _("third"), _("fourth"), _("last"))


class OrderForm(forms.Form):
    """What an order says, and how long. `seat` is its owner's; `names` are those of all seats."""

    kind: Kind
    scope = forms.ChoiceField(label=_("How long"), choices=[])

    def __init__(
        self,
        data: Mapping[str, Any] | None = None,
        *,
        options: Options,
        names: Sequence[str],
        seat: int,
    ) -> None:
        super().__init__(data, auto_id=f"{self.kind}-%s", label_suffix="")
        self.roles = roles(options)
        self.others = [(str(n), name) for n, name in enumerate(names) if n != seat]
        self.choices("scope", [(scope.value, until(scope)) for scope in Scope])
        self.set_up()
        self.order_fields([name for name in self.fields if name != "scope"])

    def set_up(self) -> None:
        """Offer what this table has."""

    def choices(self, name: str, choices: Sequence[tuple[str, Any]]) -> None:
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)
        field.choices = choices
        if not field.initial:
            field.initial = choices[0][0]

    def named(self, known: Sequence[Role]) -> list[tuple[str, str]]:
        return [(role.value, role_name(role)) for role in known]

    def value(self, name: str) -> Any:
        """What a valid form says; of one that was not sent, what it proposes."""
        return self.cleaned_data[name] if self.is_bound else self.fields[name].initial

    @property
    def order(self) -> Order:
        return Order(self.kind)

    @property
    def until(self) -> Scope:
        return Scope(self.value("scope"))


class AllowForm(OrderForm):
    kind = Kind.ALLOW
    player = forms.ChoiceField(label=_("Whose claims"), choices=[], required=False)
    role = forms.ChoiceField(label=_("Which role"), choices=[], required=False)
    untouching = forms.BooleanField(
        label=_("Only where it does not touch me"), required=False, initial=True
    )

    def set_up(self) -> None:
        self.choices("player", [("", _("anybody’s")), *self.others])
        self.choices("role", [("", _("any, and foreign aid")), *self.named(self.roles)])

    @property
    def order(self) -> Order:
        player, role = self.value("player"), self.value("role")
        return Order(
            self.kind,
            player=int(player) if player else None,
            role=Role(role) if role else None,
            untouching=self.value("untouching"),
        )


class ChallengeForm(OrderForm):
    kind = Kind.CHALLENGE


class BlockForm(OrderForm):
    kind = Kind.BLOCK
    role = forms.ChoiceField(label=_("As which role"), choices=[])

    def set_up(self) -> None:
        self.choices("role", self.named([role for role in self.roles if role in BLOCKED_BY]))

    @property
    def order(self) -> Order:
        return Order(self.kind, role=Role(self.value("role")))


class CardsForm(OrderForm):
    kind = Kind.CARDS

    def set_up(self) -> None:
        for number, (place, role) in enumerate(zip(_PLACES, self.roles, strict=True)):
            self.fields[f"card{number}"] = forms.ChoiceField(label=place, initial=role.value)
            self.choices(f"card{number}", self.named(self.roles))

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        ranked = [data.get(name) for name in self.fields if name.startswith("card")]
        if not self.errors and len(set(ranked)) < len(ranked):
            raise ValidationError(_("Name each role once."))
        return data

    @property
    def order(self) -> Order:
        ranked = (self.value(name) for name in self.fields if name.startswith("card"))
        return Order(self.kind, ranking=tuple(Role(role) for role in ranked))


class ChangeForm(forms.Form):
    """What to do with an order of the list; `back`: then back to the table."""

    order = forms.IntegerField(min_value=1, max_value=2**63 - 1)
    do = forms.RegexField(r"^(on|off|remove|to-[0-9]{1,2})$")
    back = forms.BooleanField(required=False)

    @property
    def position(self) -> int:
        return int(self.cleaned_data["do"].removeprefix("to-"))


FORMS: dict[Kind, type[OrderForm]] = {
    form.kind: form for form in (AllowForm, ChallengeForm, BlockForm, CardsForm)
}
