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


def scene(now: datetime) -> Presentation:
    """The viewer, who holds a Contessa, is asked about an assassin."""
    asked = (YOU, LEFT, RIGHT)
    coins, revealed = (3, 5, 1, 2), ((), (Role.CAPTAIN,), (), (Role.DUKE,))
    legal = (ALLOW, CHALLENGE, Command(Verb.BLOCK, roles=(Role.CONTESSA,)))
    view = TableView(
        viewer=YOU,
        options=Options(4),
        phase=PhaseName.RESPOND,
        turn=TOP,
        seats=tuple(
            SeatView(
                coins=coins[seat],
                hidden=2 - len(revealed[seat]),
                revealed=revealed[seat],
                faction=None,
                exiled=False,
                asked=seat in asked,
            )
            for seat in range(4)
        ),
        deck=7,
        almshouse=0,
        action=ActionView(TOP, Verb.ASSASSINATE, YOU, Role.ASSASSIN, 3),
        claim=ClaimView(TOP, Role.ASSASSIN, blocking=False, challenger=None),
        asked=asked,
        own=OwnView(
            hand=(Role.DUKE, Role.CONTESSA),
            legal=legal,
            default=ALLOW,
            sealed=None,
            seen=(),
            leaving=False,
        ),
        ranking=(),
        hands=(),
    )
    players = [_Player(_("You")), _Player("Miriam"), _Player("Bianca"), _Player("Θάνος")]
    ledger = {
        (LEFT, Role.DUKE): Claims(2, proved=True),
        (TOP, Role.ASSASSIN): Claims(1),
        (TOP, Role.CAPTAIN): Claims(2),
        (RIGHT, Role.AMBASSADOR): Claims(1),
    }
    return present(view, players, (), ledger, now=now, seat=YOU)
