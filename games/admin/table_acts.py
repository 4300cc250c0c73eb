"""What a moderator may do at a table as it is now, each act with the form for its details."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.text import format_lazy
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.models import User
from games import selectors
from games.admin.base import ActForm, Offer, Offers
from games.chronicle import Entry
from games.engine.view import SPECTATOR
from games.models import (
    BotKind,
    Game,
    Prompt,
    PromptState,
    Status,
    TableMessage,
)
from games.models.talk import LONGEST_MESSAGE
from games.moderation import desk, looking
from games.moderation import games as moderating
from games.seats import seated
from games.words import bare
from games.words.table import in_words

SHOWN = 50
"""Messages, reports and entries of the log on one page, the latest."""


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


def offers(user: User, game: Game, data: Any = None) -> Offers:
    """The acts that are open to this moderator here, by name; `data` is what was sent."""
    return _Desk(user, game, data).offers()


def open_prompts(game: Game) -> list[Prompt]:
    """Who has not answered yet, seat by seat."""
    found = Prompt.objects.filter(game=game, state=PromptState.OPEN)
    return list(found.select_related("tenure__user", "tenure__seat").order_by("seat__index"))


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
            for prompt in open_prompts(self.game)
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
        tenures = seated(self.game)
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
