"""Why somebody did, or did not, get a message: each of their questions, and what was sent."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Max, QuerySet, Sum
from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.timezone import get_current_timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.models import User
from games.engine.view import PhaseName
from games.models import READY, Channel, Game, Kind, Outbox, OutboxState, Prompt, PromptState, Why

from .kinds import KINDS, reachable, too_quick, wants

MESSAGES = "messages."
"""What `tag` begins with, and no other."""

_QUESTIONS: dict[str, Promise] = {
    READY: gettext_lazy("Whether you are ready"),
    PhaseName.ACTION: gettext_lazy("Your turn"),
    PhaseName.RESPOND: gettext_lazy("Somebody’s claim"),
    PhaseName.BLOCK: gettext_lazy("Whether you block"),
    PhaseName.RESPOND_BLOCK: gettext_lazy("Somebody’s block"),
    PhaseName.REVEAL: gettext_lazy("Your claim was challenged"),
    PhaseName.LOSE: gettext_lazy("Which card you give up"),
    PhaseName.EXCHANGE: gettext_lazy("Which cards you keep"),
    PhaseName.SHOW: gettext_lazy("Which card you show"),
    PhaseName.EXAMINE: gettext_lazy("Whether a card is swapped"),
}


@dataclass(frozen=True, slots=True)
class Fate:
    """What became of one message."""

    kind: str
    channel: str
    text: str


@dataclass(frozen=True, slots=True)
class Told:
    """A question, or something else, and what was sent about it."""

    game: Game | None
    about: str
    at: datetime
    fates: tuple[Fate, ...]


def questions_of(user: User) -> QuerySet[Prompt]:
    """All that this person was ever asked, latest first."""
    prompts = Prompt.objects.filter(tenure__user=user)
    return prompts.select_related("game", "window").order_by("-pk")


def tag(user: User) -> str:
    """Changes whenever something on this person's page of messages does."""
    asked = Prompt.objects.filter(tenure__user=user)
    told = Outbox.objects.filter(user=user)
    counts = asked.aggregate(last=Max("pk"), closed=Count("closed_at")) | told.aggregate(
        sent=Max("pk"), done=Count("done_at"), tries=Sum("attempts")
    )
    return MESSAGES + "-".join(str(number or 0) for number in counts.values())


def others_of(user: User) -> QuerySet[Outbox]:
    """What this person was to be told that is no question, latest first."""
    return Outbox.objects.filter(user=user, prompt=None).select_related("game").order_by("-pk")


def of_questions(user: User, prompts: Sequence[Prompt]) -> list[Told]:
    """What was sent about each of these: one query for all."""
    rows: dict[int, list[Outbox]] = {prompt.pk: [] for prompt in prompts}
    for row in Outbox.objects.filter(user=user, prompt__in=prompts).order_by("pk"):
        rows[row.prompt_id or 0].append(row)
    return [
        Told(
            prompt.game,
            str(_QUESTIONS[prompt.window.kind]),
            prompt.window.opened_at,
            tuple(_fates(user, prompt, rows[prompt.pk])),
        )
        for prompt in prompts
    ]


def of_others(rows: Sequence[Outbox]) -> list[Told]:
    """Of messages about anything but a question: what became of each."""
    return [Told(row.game, str(Kind(row.kind).label), row.since, (_fate(row),)) for row in rows]


def _fates(user: User, prompt: Prompt, rows: Sequence[Outbox]) -> list[Fate]:
    kind = Kind.READY if prompt.window.kind == READY else Kind.ASKED
    written = {row.channel for row in rows if row.kind == kind}
    missing = [
        Fate(str(kind.label), str(channel.label), _unwritten(user, prompt, kind, channel))
        for channel in KINDS[kind].channels
        if channel not in written
    ]
    settled = prompt.state != PromptState.OPEN
    return [_fate(row, settled=settled) for row in rows] + missing


def _fate(row: Outbox, *, settled: bool = False) -> Fate:
    """What became of this message; `settled`: what it asks is not asked any more."""
    kind, channel = str(Kind(row.kind).label), str(Channel(row.channel).label)
    why = str(Why(row.why).label) if row.why else ""
    if row.detail:
        why = f"{why} ({row.detail})"
    match row.state:
        case OutboxState.SENT:
            text = _("Sent: {when}").format(when=_moment(row.done_at))
        case OutboxState.DROPPED:
            text = _("Not sent. {why}").format(why=why)
        case OutboxState.DEAD:
            text = _("Given up: {when}. {why}").format(when=_moment(row.done_at), why=why)
        case _ if settled:
            text = _("Not sent. {why}").format(why=Why.ANSWERED.label)
        case _ if why:
            text = _("{why} Another try: {when}.").format(why=why, when=_moment(row.due))
        case _:
            text = _("Goes out {when}, if it is still open then.").format(when=_moment(row.due))
    return Fate(kind, channel, text)


def _unwritten(user: User, prompt: Prompt, kind: Kind, channel: Channel) -> str:
    """Why there was nothing to send from the beginning."""
    if too_quick(prompt.game, channel):
        return _("Not sent. A table of this pace is not told of that way.")
    if not wants(user, kind, channel):
        return _("Not sent. You have switched it off.")
    if not reachable(user, channel):
        return _("Not sent. None of your devices takes pushes.")
    return _("Not sent. It was switched off, or could not reach you, when you were asked.")


def _moment(at: datetime | None) -> str:
    if at is None:
        return ""
    return date_format(at.astimezone(get_current_timezone()), "SHORT_DATETIME_FORMAT")
