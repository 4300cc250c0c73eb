"""What every act of a moderator passes: who may, on whose game, and whether it was done already."""

from django.db.models import QuerySet

from accounts.models import User
from games import play
from games.models import AuditEntry, Game, Tenure
from games.play import Reason, Refused

MODERATE = "games.moderate_game"


def moderator(actor: User, permission: str) -> User:
    """The actor, as the database has them now; Refused without this permission."""
    found = User.objects.filter(pk=actor.pk, is_active=True, is_staff=True).first()
    if found is None or not found.has_perm(permission):
        raise Refused(Reason.NOT_MODERATOR)
    return found


def has_part(actor: User, game: Game) -> bool:
    """Whether the actor holds a seat in this game or ever has: it is not theirs to moderate."""
    return Tenure.objects.filter(game=game, user_id=actor.pk).exists()


def own_games(user_id: int | None) -> QuerySet[Game]:
    """The games in which somebody has a part."""
    return Game.objects.filter(tenures__user_id=user_id or 0)


def at_table(actor: User, public_id: str, permission: str = MODERATE) -> Game:
    """The game, locked, for somebody who may moderate it; else Refused."""
    game = play.lock(public_id)
    actor = moderator(actor, permission)
    if has_part(actor, game):
        raise Refused(Reason.PLAYED_HERE)
    return game


def done(actor: User, form_token: str) -> bool:
    """Whether this form of the actor's was sent before. Asked under the lock on its subject."""
    return (
        bool(form_token) and AuditEntry.objects.filter(actor=actor, form_token=form_token).exists()
    )
