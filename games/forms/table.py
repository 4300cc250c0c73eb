"""What is sent from the page of a table: an answer, and how much of the log was read."""

from typing import Any

from django import forms

from games.engine.commands import SEATS, Command, IllegalCommand, parse


class AnswerForm(forms.Form):
    """An answer to a prompt: a whole command as `answer`, or an `act` with its `target`.

    `seen` is how many lines of the log the sender had read; `sure`: it was asked whether it is
    meant. Valid means well-formed, not legal.
    """

    prompt = forms.IntegerField(min_value=1, max_value=2**63 - 1)
    answer = forms.CharField(max_length=60, required=False)
    act = forms.CharField(max_length=20, required=False)
    target = forms.CharField(max_length=1, required=False)
    seen = forms.IntegerField(min_value=0, max_value=100_000, required=False)
    sure = forms.BooleanField(required=False)

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        said = data.get("answer") or _action(data.get("act", ""), data.get("target", ""))
        try:
            data["command"] = parse(said, SEATS)
        except IllegalCommand as error:
            raise forms.ValidationError("no command") from error
        return data

    @property
    def command(self) -> Command:
        command: Command = self.cleaned_data["command"]
        return command


class ReadForm(forms.Form):
    """How many lines of the log somebody has read."""

    lines = forms.IntegerField(min_value=0, max_value=100_000)


def _action(act: str, target: str) -> str:
    """The words of an action. A target that was chosen before the action changed is left out."""
    with_target = ("coup", "assassinate", "steal", "examine", "convert")
    return f"{act} {target}" if act in with_target else act
