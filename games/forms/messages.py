"""What somebody wants to be told, by which channel, and when."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games.models import Channel, Kind
from games.notify.kinds import KINDS, switch, wants
from games.notify.preferences import Wishes

HOURS = [(str(hour), f"{hour:02}:00") for hour in range(24)]
DELAYS = [
    ("0", _("at once")),
    ("5", _("5 minutes")),
    ("10", _("10 minutes")),
    ("30", _("half an hour")),
    ("60", _("an hour")),
    ("240", _("4 hours")),
]


class MessagesForm(forms.Form):
    """What somebody wants to be told, by which channel, and when."""

    mail_delay = forms.TypedChoiceField(
        label=_("Mail goes out after"),
        help_text=_("Answer before, and there is nothing to write."),
        choices=DELAYS,
        coerce=int,
    )
    digest_hour = forms.TypedChoiceField(
        label=_("One letter a day instead"),
        help_text=_(
            "With all that is still open then. The reminder comes by itself: at that hour it"
            " might be too late."
        ),
        choices=[("", _("No")), *HOURS],
        coerce=int,
        empty_value=None,
        required=False,
    )
    quiet_from = forms.TypedChoiceField(
        label=_("Quiet from"),
        choices=[("", _("No quiet hours")), *HOURS],
        coerce=int,
        empty_value=None,
        required=False,
    )
    quiet_to = forms.TypedChoiceField(
        label=_("Quiet until"),
        help_text=_("Nothing is sent in between, and nothing is lost: it comes afterwards."),
        choices=[("", _("No quiet hours")), *HOURS],
        coerce=int,
        empty_value=None,
        required=False,
    )

    def __init__(self, user: User, data: Any = None) -> None:
        own = ("mail_delay", "digest_hour", "quiet_from", "quiet_to")
        super().__init__(data, initial={name: getattr(user, name) for name in own})
        for kind, channel in optional():
            self.fields[switch(kind, channel)] = forms.BooleanField(
                label=channel.label, initial=wants(user, kind, channel), required=False
            )

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        begins, ends = data.get("quiet_from"), data.get("quiet_to")
        if (begins is None) != (ends is None):
            missing = "quiet_from" if begins is None else "quiet_to"
            self.add_error(missing, _("Quiet hours need both a beginning and an end."))
        elif begins is not None and begins == ends:
            self.add_error("quiet_to", _("That would be the whole day."))
        return data

    def rows(self) -> list[tuple[str, list[forms.BoundField | None]]]:
        """By kind: its name, and its switch for each channel, or None where it has none."""
        kinds = list(dict.fromkeys(kind for kind, _channel in optional()))
        return [
            (str(kind.label), [self._switch(kind, channel) for channel in Channel])
            for kind in kinds
        ]

    def _switch(self, kind: Kind, channel: Channel) -> forms.BoundField | None:
        name = switch(kind, channel)
        return self[name] if name in self.fields else None

    @property
    def wishes(self) -> Wishes:
        data = self.cleaned_data
        return Wishes(
            choices={pair: data[switch(*pair)] for pair in optional()},
            mail_delay=data["mail_delay"],
            digest_hour=data["digest_hour"],
            quiet_from=data["quiet_from"],
            quiet_to=data["quiet_to"],
        )


def optional() -> list[tuple[Kind, Channel]]:
    """What a person may switch on and off."""
    return [
        (kind, channel)
        for kind, about in KINDS.items()
        if about.optional
        for channel in about.channels
    ]
