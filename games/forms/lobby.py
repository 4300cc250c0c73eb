"""Forms around open tables: opening one, sitting down, inviting, looking for one."""

from collections.abc import Mapping, Sequence
from secrets import token_urlsafe
from typing import Any
from unicodedata import category

from django import forms
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from accounts import guests
from accounts.models import User
from accounts.names import JOINERS, name_key, validate_name
from games.engine.cards import MAX_PLAYERS, MIN_PLAYERS
from games.lists import Wish
from games.lobby import Plan
from games.models import Admits, BotKind, Visibility, Watch
from games.models.game import PACES
from games.timing import Pace

ALL_PACES = [(pace.value, words) for pace, words in PACES.items()]
OTHERS_PACES = [(pace, words) for pace, words in ALL_PACES if pace != Pace.PRACTICE]
SIZES = [(size, str(size)) for size in range(MIN_PLAYERS, MAX_PLAYERS + 1)]
MOST_BOTS = MAX_PLAYERS - 1


def new_form_token() -> str:
    """Makes a form that is sent twice count once."""
    return token_urlsafe(18)


class NameForm(forms.Form):
    """The name of somebody who plays without an account."""

    name = forms.CharField(label=_("Your name at the table"), max_length=30)

    def clean_name(self) -> str:
        name = str(self.cleaned_data["name"])
        validate_name(name)
        if guests.name_taken(name):
            raise ValidationError(guests.NAME_TAKEN)
        return name


class PlayForm(forms.Form):
    form_token = forms.CharField(max_length=32, required=False)


class InviteForm(forms.Form):
    """Whom to invite: a name, or an address. No name has the sign that every address has."""

    name = forms.CharField(label=_("Name or e-mail address"), max_length=254)

    def clean_name(self) -> str:
        given = str(self.cleaned_data["name"])
        if "@" in given:
            validate_email(given)
        return given


class BotForm(forms.Form):
    seat = forms.IntegerField(min_value=0, max_value=MAX_PLAYERS - 1)
    kind = forms.ChoiceField(label=_("Kind of bot"), choices=BotKind)


class ReadyForm(forms.Form):
    """The question whether somebody is ready: there may be several, one after the other."""

    prompt = forms.IntegerField(min_value=1, max_value=2**63 - 1)


class WishForm(forms.Form):
    """What somebody looks for in a table. Whatever makes no sense does not matter."""

    VARIANTS = {"classic": (False, False), "inquisitor": (True, False)} | {
        "factions": (False, True),
        "both": (True, True),
    }
    variant = forms.ChoiceField(
        label=_("Game"),
        required=False,
        choices=[
            ("", _("any game")),
            ("classic", _("Classic")),
            ("inquisitor", _("Inquisitor")),
            ("factions", _("Factions")),
            ("both", _("Inquisitor and Factions")),
        ],
    )
    pace = forms.ChoiceField(
        label=_("Pace"),
        required=False,
        choices=[("", _("any pace")), *OTHERS_PACES],
    )
    size = forms.ChoiceField(label=_("Seats"), required=False, choices=[("", _("2 to 6")), *SIZES])
    bots = forms.ChoiceField(
        label=_("Bots"),
        required=False,
        choices=[("", _("with or without")), ("0", _("people alone")), ("1", _("with bots"))],
    )

    @property
    def wish(self) -> Wish:
        self.is_valid()
        given = self.cleaned_data
        inquisitor, factions = self.VARIANTS.get(given.get("variant", ""), (None, None))
        return Wish(
            inquisitor=inquisitor,
            factions=factions,
            pace=given.get("pace") or None,
            size=int(given["size"]) if given.get("size") else None,
            bots=given["bots"] == "1" if given.get("bots") else None,
        )


class TableForm(forms.Form):
    """What a table is opened with."""

    letters: Sequence[str] = ()

    form_token = forms.CharField(max_length=32, required=False, widget=forms.HiddenInput)
    title = forms.CharField(label=_("Its name, if you like"), max_length=60, required=False)
    size = forms.TypedChoiceField(
        label=_("Seats"), choices=SIZES, coerce=int, initial=4, widget=forms.RadioSelect
    )
    inquisitor = forms.BooleanField(
        label=_("Inquisitor instead of Ambassador: may look at a card, and have it swapped"),
        required=False,
    )
    factions = forms.BooleanField(
        label=_("Factions: two sides that spare their own, and an almshouse to embezzle"),
        required=False,
    )
    both_one = forms.TypedChoiceField(
        label=_("If only two play"),
        choices=[("", _("the first starts with 1 coin")), ("1", _("both start with 1 coin"))],
        coerce=bool,
        required=False,
        widget=forms.RadioSelect,
    )
    pace = forms.ChoiceField(
        label=_("Time for an answer"),
        choices=ALL_PACES,
        initial=Pace.DAILY.value,
        widget=forms.RadioSelect,
    )
    visibility = forms.ChoiceField(
        label=_("Who may sit down"),
        choices=Visibility,
        initial=Visibility.PUBLIC,
        widget=forms.RadioSelect,
    )
    admits = forms.ChoiceField(
        label=_("Whom it takes of those not invited"),
        choices=Admits,
        required=False,
        initial=Admits.EVERYBODY,
        widget=forms.RadioSelect,
    )
    invited = forms.CharField(
        label=_("Invite by name or e-mail address, one a line"),
        max_length=1500,
        required=False,
        widget=forms.Textarea(attrs={"rows": 3}),
    )
    watch = forms.ChoiceField(
        label=_("Who may watch"), choices=Watch, initial=Watch.ANYBODY, widget=forms.RadioSelect
    )
    honest, bluffer, counter = (
        forms.IntegerField(
            label=label,
            min_value=0,
            max_value=MOST_BOTS,
            initial=0,
            required=False,
            widget=forms.NumberInput(attrs={"inputmode": "numeric"}),
        )
        for label in (
            _("Honest: claims what it holds"),
            _("Bluffer: claims what pays"),
            _("Counter: remembers every card and claim"),
        )
    )

    def clean_title(self) -> str:
        """No control and direction characters, but those that join letters, as in Persian."""
        title = " ".join(str(self.cleaned_data["title"]).split())
        if any(category(char).startswith("C") and char not in JOINERS for char in title):
            raise ValidationError(_("A name has letters, digits and signs that can be seen."))
        return title

    def clean_invited(self) -> list[User]:
        """The people named; `letters` are the addresses."""
        lines = [line.strip() for line in str(self.cleaned_data["invited"]).splitlines()]
        self.letters = list(dict.fromkeys(line.lower() for line in lines if "@" in line))
        for address in self.letters:
            validate_email(address)
        keys = {name_key(line): line for line in lines if line and "@" not in line}
        people = User.objects.filter(name_key__in=keys, is_active=True).in_bulk(
            field_name="name_key"
        )
        unknown = [name for key, name in keys.items() if key not in people]
        if unknown:
            raise ValidationError(
                _("Nobody here is called %(names)s."), params={"names": ", ".join(unknown)}
            )
        if len(people) + len(self.letters) >= MAX_PLAYERS:
            raise ValidationError(
                ngettext_lazy(
                    "There is room for one guest at most.",
                    "There is room for %(most)d guests at most.",
                    MAX_PLAYERS - 1,
                ),
                params={"most": MAX_PLAYERS - 1},
            )
        return list(people.values())

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        size, bots = data.get("size"), len(self.bots)
        if size and bots >= size:
            self.add_error("size", _("You need a seat, too: fewer bots, or more seats."))
        elif size and data.get("pace") == Pace.PRACTICE and bots != size - 1:
            self.add_error("pace", _("Without hurry is for a table where all others are bots."))
        lonely = data.get("visibility") == Visibility.PRIVATE and not (
            data.get("invited", True) or self.letters
        )
        if lonely and size and bots < size - 1:
            self.add_error("invited", _("Whom do you invite? Nobody else could come."))
        return data

    @property
    def bots(self) -> list[BotKind]:
        """The kinds of bots wished for, one each."""
        return [
            kind for kind in BotKind for _number in range(self.cleaned_data.get(kind.value) or 0)
        ]

    def plan(self, bots: list[BotKind], host_id: int) -> Plan:
        """The plan of a valid form; `bots` in the order in which they sit."""
        data: Mapping[str, Any] = self.cleaned_data
        return Plan(
            size=data["size"],
            pace=Pace(data["pace"]),
            bots=bots,
            inquisitor=data["inquisitor"],
            factions=data["factions"],
            both_one=bool(data["both_one"]),
            title=data["title"],
            visibility=Visibility(data["visibility"]),
            watch=Watch(data["watch"]),
            admits=Admits(data["admits"] or Admits.EVERYBODY),
            letters=self.letters,
            invited=[user for user in data["invited"] if user.pk != host_id],
        )
