"""What players may decide together, as one viewer's page shows it."""

from dataclasses import dataclass
from datetime import datetime

from django.utils.safestring import SafeString

from games import proposals, selectors
from games.models import BotKind, Outcome, ProposalKind
from games.proposals import Proposed
from games.timing import Pace, offered_from
from games.words import together as words
from games.words.terms import people


@dataclass(frozen=True, slots=True)
class Open:
    """A proposal that is to be decided. `asked`: the viewer may say something to it; `said`: what
    they have; `mine`: they have proposed it."""

    number: int
    text: SafeString
    agreed: SafeString
    against: SafeString
    waits: SafeString
    asked: bool
    said: bool | None
    mine: bool


@dataclass(frozen=True, slots=True)
class Way:
    """Something that the viewer may propose."""

    kind: str
    label: str
    does: str


@dataclass(frozen=True, slots=True)
class Absent:
    """Somebody whose seat may be offered, at once or from then on."""

    holder: int
    name: str
    since: datetime
    offered_from: datetime | None


@dataclass(frozen=True, slots=True)
class Together:
    """`free` are those whose seats stand open; `may_invite`: the viewer may ask somebody to take
    one. `in_vain` is what was proposed last, and `became` what became of it, if nothing did."""

    open: tuple[Open, ...]
    ways: tuple[Way, ...]
    absent: tuple[Absent, ...]
    bots: tuple[tuple[str, str], ...]
    free: tuple[str, ...]
    may_invite: bool
    became: str
    in_vain: SafeString
    in_vain_at: datetime | None

    @property
    def go_on(self) -> Way | None:
        return next((way for way in self.ways if way.kind == ProposalKind.GO_ON), None)


def together(table: selectors.Table, now: datetime) -> Together:
    """For the page of this viewer at this moment."""
    kinds = proposals.possible(table.game) if _has_say(table) else ()
    taken = {one.kind for one in table.proposed if one.about is None}
    last = table.in_vain
    offers = set(proposals.OFFERS) & set(kinds)
    return Together(
        open=tuple(_open(table, one, now) for one in table.proposed),
        ways=tuple(
            Way(kind, str(words.LABELS[kind]), str(words.DOES[kind]))
            for kind in kinds
            if kind in words.LABELS and kind not in taken
        ),
        absent=_absent(table, now) if offers else (),
        bots=tuple((str(kind), str(label)) for kind, label in BotKind.choices),
        free=tuple(table.names[person.seat] for person in table.persons if person.offered),
        may_invite=bool(kinds),
        became=words.became(last.outcome) if last else "",
        in_vain=_text(table, last) if last else SafeString(),
        in_vain_at=last.closed_at if last else None,
    )


def _has_say(table: selectors.Table) -> bool:
    own = table.view.own
    plays = table.seat in [person.seat for person in table.persons]
    return plays and own is not None and not own.leaving and not table.on_autopilot


def _open(table: selectors.Table, one: Proposed, now: datetime) -> Open:
    counted = proposals.counted(one, table.persons, Pace(table.game.pace), now)
    spoken = one.yes + one.no
    return Open(
        number=one.pk,
        text=_text(table, one),
        agreed=people(table.names, one.yes),
        against=people(table.names, one.no),
        waits=people(table.names, [seat for seat in counted if seat not in spoken]),
        asked=_has_say(table) and table.seat != one.about,
        said=(table.seat in one.yes) if table.seat in spoken else None,
        mine=one.by_seat == table.seat and table.seat in spoken,
    )


def _text(table: selectors.Table, one: Proposed) -> SafeString:
    holder = "" if one.about is None else table.names[one.about]
    mine = one.by_seat == table.seat and one.outcome is Outcome.OPEN
    return words.proposal(one.kind, one.by, holder, one.bot, mine=mine)


def _absent(table: selectors.Table, now: datetime) -> tuple[Absent, ...]:
    absent = []
    for person in table.persons:
        if person.absent_since is None:
            continue
        at = offered_from(Pace(table.game.pace), person.absent_since)
        name = table.names[person.seat]
        absent.append(Absent(person.holder, name, person.absent_since, at if at > now else None))
    return tuple(absent)
