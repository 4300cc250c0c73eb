"""What every act of a moderator passes: who may, on whose game, and whether it was done already."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q, QuerySet

from accounts.models import User
from games import play
from games.models import Act, AuditEntry, Game, Tenure
from games.moderation import audit
from games.moderation.audit import Details
from games.refusal import Reason, Refused

MODERATE = "games.moderate_game"


@dataclass(frozen=True, slots=True)
class Decision:
    """Who decides something, why, and when. The same form again is the same decision."""

    actor: User
    reason: str
    form_token: str
    now: datetime

    @property
    def is_done(self) -> bool:
        """Whether it was carried out already. Asked under the lock on its subject."""
        return self.done() is not None

    def done(self) -> AuditEntry | None:
        """What was written down when it was carried out, if it was."""
        if not self.form_token:
            return None
        done = AuditEntry.objects.filter(actor=self.actor, form_token=self.form_token)
        return done.first()

    def log(
        self,
        act: Act,
        *,
        game: Game | None = None,
        person: User | None = None,
        message_number: int | None = None,
        report_number: int | None = None,
        details: Details | None = None,
    ) -> str:
        """Write it down, last in its transaction; a key for what is told of it."""
        entry = audit.append(
            actor=self.actor,
            act=act,
            game=game,
            person=person,
            message_number=message_number,
            report_number=report_number,
            reason=self.reason,
            details=details,
            form_token=self.form_token,
            now=self.now,
        )
        return f"audit.{entry.number}"


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


def readable(reader_id: int | None) -> QuerySet[AuditEntry]:
    """What this person may read of the audit log, the latest first: not of games in which they have
    a part, and nothing of reports about themselves, which would name who is behind them."""
    about_me = Q(person=reader_id, report_number__isnull=False)
    found = AuditEntry.objects.exclude(Q(game__in=own_games(reader_id)) | about_me)
    return found.select_related("actor").order_by("-number")
