"""Forms about when a person's clocks rest."""

from datetime import date, datetime, time
from typing import Any, Self

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts import rest
from accounts.models import User

TOO_LONG = gettext_lazy(
    "That is too much sleep for a clock: it rests 10 hours a day at most, so be awake for 14."
)


class HoursForm(forms.Form):
    """From when to when somebody is awake; both empty for a clock that never rests."""

    up = forms.TimeField(
        label=gettext_lazy("Awake from"),
        required=False,
        widget=forms.TimeInput({"type": "time"}, format="%H:%M"),
    )
    down = forms.TimeField(
        label=gettext_lazy("until"),
        required=False,
        widget=forms.TimeInput({"type": "time"}, format="%H:%M"),
    )

    @classmethod
    def of(cls, person: User) -> Self:
        """As it is now."""
        if person.sleep_from is None or person.sleep_to is None:
            return cls()
        times = {"up": _time(person.sleep_to), "down": _time(person.sleep_from)}
        return cls(initial=times)

    def clean(self) -> dict[str, Any]:
        given = self.cleaned_data
        up, down = given.get("up"), given.get("down")
        if self.errors:
            return given
        if (up is None) != (down is None):
            self.add_error("down" if up else "up", _("Give both times, or neither."))
        elif up == down and up is not None:
            self.add_error("down", _("Give two different times."))
        elif up and down and (_minute(up) - _minute(down)) % (24 * 60) > rest.LONGEST_SLEEP:
            self.add_error("down", TOO_LONG)
        return given

    @property
    def awake(self) -> tuple[int, int] | None:
        """The minutes of the day, once the form is valid."""
        up, down = self.cleaned_data["up"], self.cleaned_data["down"]
        return (_minute(up), _minute(down)) if up is not None else None


class HolidayForm(forms.Form):
    """From the beginning of one day to the end of another."""

    first = forms.DateField(
        label=gettext_lazy("First day"), widget=forms.DateInput({"type": "date"})
    )
    last = forms.DateField(label=gettext_lazy("Last day"), widget=forms.DateInput({"type": "date"}))

    def __init__(self, *args: Any, person: User | None = None, now: datetime | None = None) -> None:
        super().__init__(*args)
        self.today: date | None = rest.today(person, now) if person and now else None

    def clean(self) -> dict[str, Any]:
        given = self.cleaned_data
        first, last = given.get("first"), given.get("last")
        if first is None or last is None or self.today is None:
            return given
        if first <= self.today:
            self.add_error("first", _("Book ahead: from tomorrow on."))
        elif last < first:
            self.add_error("last", _("That is before the first day."))
        elif last - self.today > rest.BOOKED_AHEAD:
            self.add_error("last", _("Book no more than a year ahead."))
        return given


def _time(minute: int) -> time:
    return time(minute // 60, minute % 60)


def _minute(at: time) -> int:
    return at.hour * 60 + at.minute
