"""What players propose to each other at a running table, in words."""

from collections.abc import Mapping

from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from games.models import BotKind, Outcome, ProposalKind

from .terms import Message, fill, player

_PROPOSES: Mapping[ProposalKind, Message] = {
    ProposalKind.PAUSE: _("{player} proposes to pause the game."),
    ProposalKind.GO_ON: _("{player} proposes to go on."),
    ProposalKind.EXTEND: _("{player} proposes to give the open question its time once more."),
    ProposalKind.END: _("{player} proposes to end the game without a result."),
    ProposalKind.BOT: _("{player} proposes that a bot ({bot}) takes the seat of {holder}."),
    ProposalKind.NEWCOMER: _("{player} proposes to offer the seat of {holder} to a newcomer."),
}
_YOU_PROPOSE: Mapping[ProposalKind, Message] = {
    ProposalKind.PAUSE: _("You propose to pause the game."),
    ProposalKind.GO_ON: _("You propose to go on."),
    ProposalKind.EXTEND: _("You propose to give the open question its time once more."),
    ProposalKind.END: _("You propose to end the game without a result."),
    ProposalKind.BOT: _("You propose that a bot ({bot}) takes the seat of {holder}."),
    ProposalKind.NEWCOMER: _("You propose to offer the seat of {holder} to a newcomer."),
}

_BECAME: Mapping[Outcome, Message] = {
    Outcome.DECLINED: _("Declined:"),
    Outcome.WITHDRAWN: _("Taken back:"),
    Outcome.LAPSED: _("Came to nothing:"),
}

LABELS: Mapping[ProposalKind, Message] = {
    ProposalKind.PAUSE: _("Propose a pause"),
    ProposalKind.GO_ON: _("Propose to go on"),
    ProposalKind.EXTEND: _("Propose more time"),
    ProposalKind.END: _("Propose an end without a result"),
}

DOES: Mapping[ProposalKind, Message] = {
    ProposalKind.PAUSE: _("No clock runs, and nobody can answer, until all agree to go on."),
    ProposalKind.GO_ON: _("The open question has its full time again."),
    ProposalKind.EXTEND: _("The time for this answer once more, for all who are asked."),
    ProposalKind.END: _("All cards are turned up, and nobody has won."),
}

ASKED_TOGETHER: Mapping[ProposalKind, Message] = {
    ProposalKind.PAUSE: _("Somebody proposes a pause. It needs the consent of all who play."),
    ProposalKind.GO_ON: _("Somebody proposes to go on. It needs the consent of all who play."),
    ProposalKind.EXTEND: _("Somebody proposes more time. It needs the consent of all who play."),
    ProposalKind.END: _(
        "Somebody proposes to end the game without a result. It needs the consent of all who play."
    ),
    ProposalKind.BOT: _(
        "Somebody proposes that a bot plays on for a player who is away. It needs a majority."
    ),
    ProposalKind.NEWCOMER: _(
        "Somebody proposes to offer the seat of a player who is away. It needs a majority."
    ),
}
"""For whoever is to say something to it; who proposes what stands at the table."""


def proposal(kind: ProposalKind, by: str, holder: str, bot: str, *, mine: bool) -> SafeString:
    """What is proposed, and by whom."""
    message = (_YOU_PROPOSE if mine else _PROPOSES)[kind]
    label = str(BotKind(bot).label) if bot else ""
    return fill(message, player=player((by,), 0), holder=player((holder,), 0), bot=label)


def became(outcome: Outcome) -> str:
    """What became of one that was not agreed to."""
    return str(_BECAME[outcome])
