"""What the games keep of a person, for that person to take along. Writes nothing."""

from typing import Any

from django.dispatch import receiver

from accounts.models import User
from accounts.signals import data_asked
from games import store
from games.models import (
    Game,
    Invitation,
    Mute,
    Note,
    OrderFiring,
    Outbox,
    Proposal,
    Recusal,
    Report,
    StandingOrder,
    TableMessage,
    TalkRead,
    Tenure,
    Voice,
)


@receiver(data_asked, dispatch_uid="games.export")
def of(*, user: User, **_signal: Any) -> dict[str, Any]:
    """Seats with what was said from them, and all that this person wrote or was written."""
    said = store.said_by(user.pk)
    seats = Tenure.objects.filter(user=user).order_by("pk").select_related("game", "seat")
    return {
        "seats": [
            {
                "game": tenure.game.public_id,
                "title": tenure.game.name,
                "seat": tenure.seat.index,
                "place": tenure.seat.place,
                "left": tenure.ended or None,
                "read_lines": tenure.read_lines,
                "moves": said.get(tenure.pk, []),
            }
            for tenure in seats
        ],
        "tables_opened": _rows(Game.objects.filter(host=user), "public_id", "title", "created_at"),
        "invitations": _rows(
            Invitation.objects.filter(user=user), "game__public_id", "by__name", "state",
            "created_at",
        ),
        "invitations_sent": _rows(
            Invitation.objects.filter(by=user), "game__public_id", "user__name", "state",
            "created_at",
        ),
        "messages_at_tables": _rows(
            TableMessage.objects.filter(user=user), "game__public_id", "room", "text", "phrase",
            "at",
        ),
        "proposals": _rows(
            Proposal.objects.filter(by__user=user), "game__public_id", "kind", "outcome",
            "opened_at",
        ),
        "said_to_proposals": _rows(
            Voice.objects.filter(tenure__user=user), "proposal__game__public_id",
            "proposal__kind", "agrees", "at",
        ),
        "notes": _rows(
            Note.objects.filter(tenure__user=user), "tenure__game__public_id", "seat", "role",
            "text",
        ),
        "orders": _rows(
            StandingOrder.objects.filter(tenure__user=user), "tenure__game__public_id", "kind",
            "player", "role", "untouching", "ranking", "scope", "active", "ended", "created_at",
        ),
        "orders_given": _rows(
            OrderFiring.objects.filter(order__tenure__user=user),
            "order__tenure__game__public_id", "order__kind", "said", "why", "at",
        ),
        "talk_read": _rows(
            TalkRead.objects.filter(user=user), "game__public_id", "table", "spectators"
        ),
        "cards_looked_at": _rows(Recusal.objects.filter(user=user), "game__public_id", "at"),
        "muted": _rows(Mute.objects.filter(by=user), "whom__name"),
        "reports": _rows(
            Report.objects.filter(reporter=user), "kind", "words", "state", "answer", "at"
        ),
        "messages_to_you": _rows(
            Outbox.objects.filter(user=user), "kind", "channel", "state", "why", "since", "done_at"
        ),
    }  # fmt: skip


def _rows(found: Any, *fields: str) -> list[dict[str, Any]]:
    return list(found.order_by("pk").values(*fields))
