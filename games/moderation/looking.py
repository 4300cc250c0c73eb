"""Looking at hidden cards: a moderator is blind until they say why they must not be, and has no
part in that game from then on."""

from django.db import transaction

from games import selectors
from games.engine.cards import Hand
from games.models import Act, Recusal, Status
from games.moderation import desk
from games.moderation.desk import Decision
from games.refusal import Reason, Refused

LOOK = "games.look_at_hands"


@transaction.atomic
def look(decision: Decision, *, public_id: str) -> tuple[Hand, ...]:
    """The cards in each hand, once it is written down who looks, and why.

    The same form again shows them again while the table is as it was; to look at what came of it
    since is another look.
    """
    game = desk.at_table(decision.actor, public_id, LOOK)
    if game.status != Status.RUNNING:
        raise Refused(Reason.NOT_RUNNING)
    Recusal.objects.get_or_create(game=game, user=decision.actor, defaults={"at": decision.now})
    done = decision.done()
    if done is None:
        decision.log(Act.LOOK, game=game, details={"version": game.version})
    elif (done.act, done.game_id, done.details) != (Act.LOOK, game.pk, {"version": game.version}):
        raise Refused(Reason.MOVED_ON)
    return selectors.hidden_cards(game)
