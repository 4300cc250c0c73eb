"""What a letter says: one letter for all that one person is to be told, in their terms."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime

from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from accounts import zones
from accounts.models import User
from games import selectors
from games.engine.view import PhaseName
from games.models import READY, Act, Channel, Game, Kind, Outbox, Prompt, ProposalKind, Status
from games.seats import seated
from games.words import (
    answers,
    are_you_ready,
    asked_publicly,
    bare,
    sentence,
    simple,
    since_last_move,
)
from games.words.clock import Bank, Until, time_left
from games.words.notices import SENTENCES
from games.words.together import ASKED_TOGETHER

from . import links
from .kinds import KINDS

BUTTONS = (PhaseName.RESPOND, PhaseName.BLOCK, PhaseName.RESPOND_BLOCK)


@dataclass(frozen=True, slots=True)
class Letter:
    """`leave` is the address that switches off what the letter is mainly about; or empty."""

    subject: str
    text: str
    html: str
    leave: str


@dataclass(frozen=True, slots=True)
class Button:
    title: str
    url: str


@dataclass(frozen=True, slots=True)
class Question:
    """A question as a letter puts it."""

    table: str
    url: str
    urgent: bool
    happened: tuple[SafeString, ...]
    claim: SafeString
    ask: SafeString
    until: Until | None
    buttons: tuple[Button, ...]

    @property
    def happened_plain(self) -> list[str]:
        return [bare(line) for line in self.happened]

    @property
    def claim_plain(self) -> str:
        return bare(self.claim)

    @property
    def ask_plain(self) -> str:
        return bare(self.ask)


@dataclass(frozen=True, slots=True)
class Item:
    """Anything else: what it is about, a sentence, words of a person, and where to go."""

    title: str
    text: str
    words: str
    button: Button


@contextmanager
def in_their_terms(user: User) -> Iterator[None]:
    """In the person's language and time zone."""
    language = user.language if translation.check_for_language(user.language) else None
    with (
        translation.override(language or translation.get_language()),
        timezone.override(zones.zone(user.time_zone)),
    ):
        yield


def letter(user: User, messages: Sequence[Outbox], now: datetime) -> Letter:
    """These messages in one letter, in the person's language and time zone."""
    with in_their_terms(user):
        return _letter(user, messages, now)


def _letter(user: User, messages: Sequence[Outbox], now: datetime) -> Letter:
    by_prompt: dict[int, list[Outbox]] = {}
    others: list[Outbox] = []
    for message in messages:
        if message.prompt_id is None:
            others.append(message)
        else:
            by_prompt.setdefault(message.prompt_id, []).append(message)
    asked = sorted(by_prompt.values(), key=lambda about: (_prompt(about).due, _prompt(about).pk))
    questions = [question(user, _prompt(about), _kinds(about), now) for about in asked]
    # Whoever is asked sees that the game has begun.
    at_table = {_prompt(about).game_id for about in asked}
    told = [m for m in others if m.kind != Kind.STARTED or m.game_id not in at_table]
    items = [item(message) for message in told]
    first = asked[0][0] if asked else others[0]
    about = KINDS[Kind(first.kind)]
    leave = links.switch_url(user, Kind(first.kind), Channel(first.channel))
    context = {
        "questions": questions,
        "items": items,
        "name": user.name,
        "leave": leave if about.optional else "",
        "leave_kind": first.get_kind_display(),
        "preferences": links.absolute(reverse("games:messages")),
        "language": translation.get_language(),
        "direction": "rtl" if translation.get_language_bidi() else "ltr",
    }
    return Letter(
        subject=_subject(questions, items),
        text=render_to_string("emails/letter.txt", context).strip() + "\n",
        html=render_to_string("emails/letter.html", context),
        leave=leave if about.optional else "",
    )


def _prompt(about: Sequence[Outbox]) -> Prompt:
    prompt = about[0].prompt
    assert prompt is not None
    return prompt


def _kinds(about: Iterable[Outbox]) -> set[Kind]:
    return {Kind(message.kind) for message in about}


def _subject(questions: Sequence[Question], items: Sequence[Item]) -> str:
    if len(questions) > 1:
        return ngettext(
            "{count} table waits for you", "{count} tables wait for you", len(questions)
        ).format(count=len(questions))
    if not questions:
        more = _("{title}, and more") if len(items) > 1 else "{title}"
        return more.format(title=items[0].title)
    (only,) = questions
    if only.urgent:
        return _("{table}: your time is running out").format(table=only.table)
    return f"{only.table}: {only.ask_plain}"


def question(user: User, prompt: Prompt, kinds: set[Kind], now: datetime) -> Question:
    """An open question, from what a spectator sees."""
    if prompt.window.kind == READY:
        return _before(user, prompt, now)
    game, seat = prompt.game, prompt.tenure.seat.index
    view, entries = selectors.as_asked(game, seat)
    names = tuple(tenure.name for tenure in seated(game))
    said = asked_publicly(view, names)
    table_url = links.absolute(reverse("games:table", args=[game.public_id]))
    tappable = view.phase in BUTTONS and links.may_answer(user, now)
    buttons = [
        Button(bare(answer.title), links.answer_url(prompt, user, answer.value))
        for answer in (answers(view, names) if tappable else ())
    ]
    return Question(
        table=game.name,
        url=table_url,
        urgent=Kind.REMINDER in kinds,
        happened=tuple(simple(line) for line in since_last_move(view, entries)),
        claim=simple(said.claim),
        ask=simple(said.ask),
        until=time_of(user, prompt, now),
        buttons=tuple(buttons),
    )


def time_of(user: User, prompt: Prompt, now: datetime) -> Until | None:
    """Until when the person may answer, and from when on that costs of their time bank; in UTC, and
    said so, where their zone is not known."""
    until = time_left(now, prompt.opened_at, prompt.due, Bank(prompt.bank, prompt.free_until))
    if until is None or user.time_zone:
        return until
    bank_from = until.bank_from and f"{until.bank_from} UTC"
    return replace(until, when=f"{until.when} UTC", bank_from=bank_from)


def _before(user: User, prompt: Prompt, now: datetime) -> Question:
    """The question whether somebody is ready: there is no game yet to tell of."""
    said = are_you_ready()
    return Question(
        table=prompt.game.name,
        url=links.absolute(reverse("games:table", args=[prompt.game.public_id])),
        urgent=False,
        happened=(),
        claim=said.claim,
        ask=said.ask,
        until=time_of(user, prompt, now),
        buttons=(),
    )


_SENTENCES = {
    Kind.MISSED: gettext_lazy(
        "Everybody was asked whether they were ready, and you were not there. No harm done: if a"
        " seat is free, take it again."
    ),
    Kind.INVITED: gettext_lazy("{host} asks you to sit down there."),
    Kind.STARTED: gettext_lazy("The cards are dealt. You will be told when you are asked."),
    Kind.EXPIRED: gettext_lazy("It did not fill in time, or its host gave it up."),
    Kind.SEAT_OFFERED: gettext_lazy("Somebody there does not answer any more: you may take over."),
    Kind.SEAT_AT_STAKE: gettext_lazy(
        "You are on autopilot there, and the others offer your seat to somebody else. Come back,"
        " and it stays yours."
    ),
    Kind.SEAT_HANDED_OVER: gettext_lazy("Somebody else, or a bot, plays on in your place."),
    Kind.ORDER_FIRED: gettext_lazy("It answered as you had told it to. The table shows what."),
    Kind.TEST: gettext_lazy("This is the test that you asked for. It works."),
}


def item(message: Outbox) -> Item:
    """A message that is no question."""
    kind, game = Kind(message.kind), message.game
    title = message.get_kind_display()
    if game is None:
        url = links.absolute(reverse("games:messages" if kind is Kind.TEST else "home"))
    else:
        title = f"{game.name} · {title}"
        url = links.absolute(reverse("games:table", args=[game.public_id]))
    payload = message.payload or {}
    if kind is Kind.OVER and game is not None:
        text = _how_it_ended(game)
    elif kind is Kind.PROPOSED:
        text = str(ASKED_TOGETHER[ProposalKind(payload["act"])])
    elif act := payload.get("act"):
        text = str(SENTENCES[Act(act)])
    else:
        text = str(_SENTENCES.get(kind, "")).format(host=game.host.name if game else "")
    return Item(title, text, payload.get("words", ""), Button(_("Open"), url))


def _how_it_ended(game: Game) -> str:
    if game.status == Status.CANCELLED:
        return _("It was ended without a result.")
    names = tuple(tenure.name for tenure in seated(game))
    return bare(sentence(selectors.public_view(game), names).claim)
