"""The seats around the table, the viewer's own, and how they ended."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from games.engine.cards import Hand, Role
from games.engine.cards import roles as roles_in_play
from games.engine.view import Claims, OwnView, PhaseName, TableView

from . import marks
from .clock import Bank, length
from .terms import NOTHING, faction_name, icon, joined, role_name


class Player(Protocol):
    """Who sits in a seat."""

    @property
    def name(self) -> str: ...
    @property
    def is_bot(self) -> bool: ...
    @property
    def autopilot(self) -> bool: ...
    @property
    def standing(self) -> str: ...
    @property
    def record(self) -> str: ...
    @property
    def games(self) -> str: ...
    @property
    def bank(self) -> int | None: ...


@dataclass(frozen=True, slots=True)
class Seat:
    """A player at the table, seen from outside. `foot` says what matters now, in a word or two;
    `answers` who does, if it is no person; `bank` is their time bank."""

    number: int
    name: str
    classes: str
    arms: str
    coins: SafeString
    flag: SafeString
    influence: SafeString
    claims: SafeString
    foot: str
    foot_icon: SafeString
    answers: str
    is_bot: bool
    standing: str
    record: str
    games: str
    bank: str


@dataclass(frozen=True, slots=True)
class Mine:
    """The viewer's own seat: cards face up to its owner, and those it has lost."""

    number: int
    arms: str
    coins: SafeString
    flag: SafeString
    faction: str
    held: str
    cards: SafeString
    lost: SafeString
    bank: str
    exiled: bool
    leaving: bool
    may_leave: bool


@dataclass(frozen=True, slots=True)
class Place:
    """A line of the final ranking."""

    place: int
    name: str
    arms: str
    is_viewer: bool
    influence: SafeString


def all_seats(view: TableView) -> list[int]:
    """All seats, from the one after the viewer on; the viewer comes last."""
    count = len(view.seats)
    first = view.viewer + 1 if view.viewer >= 0 else 0
    return [(first + step) % count for step in range(count)]


def order(view: TableView) -> list[int]:
    """The seats drawn around the table: while a player has cards to hold, theirs lies in front."""
    return [seat for seat in all_seats(view) if view.own is None or seat != view.viewer]


def opponent(
    view: TableView, player: Player, number: int, ledger: Mapping[tuple[int, Role], Claims]
) -> Seat:
    """A seat as it lies around the table."""
    seat = view.seats[number]
    over = view.phase is PhaseName.OVER
    on_turn = number == view.turn and not over
    shown = view.hands[number] if view.hands else (None,) * seat.hidden
    foot, foot_icon = _foot(view, number)
    classes = ["seat"]
    if seat.exiled:
        classes.append("seat--out")
    elif on_turn:
        classes.append("seat--turn flip")
    return Seat(
        number=number,
        name=player.name,
        classes=" ".join(classes),
        arms=f"arms-{number + 1}",
        coins=marks.coins(seat.coins),
        flag=marks.flag(seat.faction),
        influence=_influence(shown, seat.revealed),
        claims=_claims(view, number, ledger),
        foot=foot,
        foot_icon=foot_icon,
        answers=_who_answers(player, exiled=seat.exiled or over),
        is_bot=player.is_bot,
        standing=player.standing,
        record=player.record,
        games=player.games,
        bank="" if player.bank is None or seat.exiled or over else length(player.bank),
    )


def _who_answers(player: Player, *, exiled: bool) -> str:
    if player.is_bot:
        return _("bot")
    return _("autopilot") if player.autopilot and not exiled else ""


def _foot(view: TableView, number: int) -> tuple[str, SafeString]:
    """The one thing to know of a seat now, the same whether or not it has answered."""
    seat = view.seats[number]
    if view.phase is PhaseName.OVER:
        place = view.ranking.index(number) + 1
        return _("place {place}").format(place=place), NOTHING
    if seat.exiled:
        return _("exiled"), NOTHING
    if number == view.turn and view.phase is PhaseName.ACTION:
        return _("to play"), NOTHING
    if seat.asked:
        return _("asked"), icon("envelope")
    return (_("on turn"), NOTHING) if number == view.turn else ("", NOTHING)


def _influence(hidden: Iterable[Role | None], revealed: Hand) -> SafeString:
    cards = [marks.mini(role) for role in hidden]
    cards += [marks.mini(role, lost=True) for role in revealed]
    return joined(cards)


def _claims(view: TableView, number: int, ledger: Mapping[tuple[int, Role], Claims]) -> SafeString:
    made = [role for role in roles_in_play(view.options) if (number, role) in ledger]
    return joined(marks.claimed(role) for role in made)


def own_seat(view: TableView, own: OwnView, bank: Bank | None) -> Mine:
    """The seat in front of the viewer."""
    seat = view.seats[view.viewer]
    return Mine(
        number=view.viewer,
        arms=f"arms-{view.viewer + 1}",
        coins=marks.coins(seat.coins),
        flag=marks.flag(seat.faction),
        faction=faction_name(seat.faction) if seat.faction else "",
        held=pgettext("between the items of a list", ", ").join(map(role_name, own.hand)),
        cards=marks.cards(own.hand),
        lost=_influence((), seat.revealed),
        bank=length(bank.left) if bank and not seat.exiled else "",
        exiled=seat.exiled,
        leaving=own.leaving,
        may_leave=not (seat.exiled or own.leaving or view.phase is PhaseName.OVER),
    )


def ranking(view: TableView, names: Sequence[str]) -> tuple[Place, ...]:
    """The places of a finished game, the winner first; () before."""
    return tuple(
        Place(
            place=place,
            name=names[seat],
            arms=f"arms-{seat + 1}",
            is_viewer=seat == view.viewer,
            influence=_influence(
                view.hands[seat] if view.hands else (None,) * view.seats[seat].hidden,
                view.seats[seat].revealed,
            ),
        )
        for place, seat in enumerate(view.ranking, start=1)
    )
