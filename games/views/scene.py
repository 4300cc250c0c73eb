"""A picture of a table for the first page: a moment made up, drawn like any other."""

from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext as _

from games.engine.cards import Options, Role
from games.engine.commands import ALLOW, CHALLENGE, Command, Verb
from games.engine.view import ActionView, Claims, ClaimView, OwnView, PhaseName, SeatView, TableView
from games.words import Presentation, present

YOU, LEFT, TOP, RIGHT = range(4)


@dataclass(frozen=True, slots=True)
class _Player:
    name: str
    is_bot: bool = False
    autopilot: bool = False
    standing: str = ""
    record: str = ""
    games: str = ""
    bank: int | None = None


_ASKED = (YOU, LEFT, RIGHT)
_COINS = (3, 5, 1, 2)
_REVEALED = ((), (Role.CAPTAIN,), (), (Role.DUKE,))
VIEW = TableView(
    viewer=YOU,
    options=Options(4),
    phase=PhaseName.RESPOND,
    turn=TOP,
    seats=tuple(
        SeatView(
            coins=_COINS[seat],
            hidden=2 - len(_REVEALED[seat]),
            revealed=_REVEALED[seat],
            faction=None,
            exiled=False,
            asked=seat in _ASKED,
        )
        for seat in range(4)
    ),
    deck=7,
    almshouse=0,
    action=ActionView(TOP, Verb.ASSASSINATE, YOU, Role.ASSASSIN, 3),
    claim=ClaimView(TOP, Role.ASSASSIN, blocking=False, challenger=None),
    asked=_ASKED,
    own=OwnView(
        hand=(Role.DUKE, Role.CONTESSA),
        legal=(ALLOW, CHALLENGE, Command(Verb.BLOCK, roles=(Role.CONTESSA,))),
        default=ALLOW,
        sealed=None,
        seen=(),
        leaving=False,
    ),
    ranking=(),
    hands=(),
)


def scene(now: datetime) -> Presentation:
    """The viewer, who holds a Contessa, is asked about an assassin."""
    players = [_Player(_("You")), _Player("Miriam"), _Player("Bianca"), _Player("Θάνος")]
    ledger = {
        (LEFT, Role.DUKE): Claims(2, proved=True),
        (TOP, Role.ASSASSIN): Claims(1),
        (TOP, Role.CAPTAIN): Claims(2),
        (RIGHT, Role.AMBASSADOR): Claims(1),
    }
    return present(VIEW, players, (), ledger, now=now, seat=YOU)
