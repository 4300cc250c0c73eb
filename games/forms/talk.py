"""Forms of talk: saying something, reporting it, noting it down."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from games.engine.cards import MAX_PLAYERS, Role
from games.models import Phrase, ReportKind, TalkRoom
from games.models.note import LONGEST_NOTE
from games.models.report import LONGEST_REPORT
from games.models.talk import LONGEST_MESSAGE
from games.talk import plain

LAST_NUMBER = 2**31 - 1


class SayForm(forms.Form):
    """`text` is kept as it was sent, so that nothing typed is lost."""

    room = forms.ChoiceField(choices=TalkRoom)
    text = forms.CharField(
        max_length=LONGEST_MESSAGE,
        required=False,
        strip=False,
        error_messages={
            "max_length": _("That is too long: %(limit_value)d characters are the most."),
        },
    )
    phrase = forms.ChoiceField(choices=Phrase, required=False)
    form_token = forms.CharField(max_length=32, required=False)


class MessageForm(forms.Form):
    """Which message is meant, as `room.number`: its author is to be muted, or `un`muted."""

    mute = forms.RegexField(r"^(table|spectators)\.[0-9]{1,9}\Z", required=False)
    unmute = forms.RegexField(r"^(table|spectators)\.[0-9]{1,9}\Z", required=False)

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        if bool(data.get("mute")) == bool(data.get("unmute")):
            raise ValidationError("one of them")
        return data

    @property
    def place(self) -> tuple[str, int]:
        room, _dot, number = str(
            self.cleaned_data["mute"] or self.cleaned_data["unmute"]
        ).partition(".")
        return room, int(number)


class TalkReadForm(forms.Form):
    table = forms.IntegerField(min_value=0, max_value=LAST_NUMBER, required=False)
    spectators = forms.IntegerField(min_value=0, max_value=LAST_NUMBER, required=False)


class EarlierForm(forms.Form):
    """Which older part of which room is asked for."""

    room = forms.ChoiceField(choices=TalkRoom)
    before = forms.IntegerField(min_value=1, max_value=LAST_NUMBER)


class ReportForm(forms.Form):
    kind = forms.ChoiceField(label=_("What is wrong"), choices=ReportKind, widget=forms.RadioSelect)
    words = forms.CharField(
        label=_("In your words"),
        help_text=_("What happened, and where a moderator should look. May stay empty."),
        max_length=LONGEST_REPORT,
        required=False,
        widget=forms.Textarea(attrs={"rows": 4}),
    )


class TableReportForm(ReportForm):
    """Of the table itself, or of somebody who sits there: `seats` are their seats and names."""

    subject = forms.ChoiceField(label=_("Whom or what you report"), widget=forms.RadioSelect)
    field_order = ("subject", "kind", "words")

    def __init__(self, *args: object, seats: list[tuple[str, str]], **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]
        field = self.fields["subject"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [("table", _("this table")), *seats]


class NoteForm(forms.Form):
    """`about` is a seat, or a seat and a role: `2` or `2.duke`."""

    about = forms.CharField(max_length=20)
    text = forms.CharField(max_length=LONGEST_NOTE, required=False, strip=False)

    def clean_text(self) -> str:
        return plain(self.cleaned_data["text"])

    def clean_about(self) -> tuple[int, Role | None]:
        seat, _dot, role = str(self.cleaned_data["about"]).partition(".")
        if seat not in map(str, range(MAX_PLAYERS)) or (role and role not in set(Role)):
            raise ValidationError("no place for a note")
        return int(seat), Role(role) if role else None
