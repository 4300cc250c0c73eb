"""What is proposed at a table, and what is said to it."""

from typing import Any

from django import forms

from games.consent import What
from games.models import BotKind, ProposalKind

BOT = "bot."
"""Before the kind of bot that is proposed for a seat."""


class ProposeForm(forms.Form):
    """What somebody proposes: `holder` is the tenure of a seat that is to be given away."""

    what = forms.ChoiceField(
        choices=[(kind.value, kind.value) for kind in ProposalKind if kind != ProposalKind.BOT]
        + [(f"{BOT}{kind.value}", kind.value) for kind in BotKind]
    )
    holder = forms.IntegerField(min_value=1, max_value=2**63 - 1, required=False)

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        what = str(data.get("what", ""))
        about_seat = what.startswith(BOT) or what == ProposalKind.NEWCOMER
        if about_seat != bool(data.get("holder")):
            raise forms.ValidationError("no such proposal")
        return data

    @property
    def proposal(self) -> What:
        what, holder = str(self.cleaned_data["what"]), self.cleaned_data["holder"]
        if what.startswith(BOT):
            return What(ProposalKind.BOT, holder, what.removeprefix(BOT))
        return What(ProposalKind(what), holder)


class VoiceForm(forms.Form):
    """What somebody says to a proposal."""

    proposal = forms.IntegerField(min_value=1, max_value=2**63 - 1)
    do = forms.ChoiceField(choices=[(do, do) for do in ("agree", "decline", "withdraw")])
