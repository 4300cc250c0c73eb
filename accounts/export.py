"""All that is kept of a person, for that person."""

from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator

from accounts import signals
from accounts.models import Absence, Block, Sanction, Trace, User

SECRET = (
    "id", "password", "name_key", "session_epoch", "form_token", "is_superuser", "is_staff",
    "is_active",
)  # fmt: skip
"""Fields of the person's row that are ours: keys and marks."""


def of(user: User) -> dict[str, Any]:
    """The person's data, section by section, ready for JSON. Whoever keeps more answers the signal
    `data_asked`."""
    found: dict[str, Any] = {
        "person": {
            field.name: field.value_from_object(user)
            for field in User._meta.concrete_fields
            if field.name not in SECRET
        },
        "addresses": list(
            EmailAddress.objects.filter(user=user).values("email", "verified", "primary")
        ),
        "second_factors": list(
            Authenticator.objects.filter(user=user).values("type", "created_at", "last_used_at")
        ),
        "blocked": list(Block.objects.filter(by=user).values("blocked__name", "created_at")),
        "absences": list(
            Absence.objects.filter(user=user)
            .order_by("starts")
            .values("starts", "ends", "hours", "by_itself")
        ),
        "devices": list(
            user.push_subscriptions.values("device", "endpoint", "made_at", "taken_at")
        ),
        "traces": list(Trace.objects.filter(user=user).values("kind", "hash", "seen_at")),
        "sanctions": list(
            Sanction.objects.filter(user=user).values(
                "kind", "reason", "since", "until", "read_at", "lifted_at"
            )
        ),
    }
    answers: list[Any] = signals.data_asked.send(User, user=user)
    for _receiver, sections in answers:
        found |= sections
    return found
