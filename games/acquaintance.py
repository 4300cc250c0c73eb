"""People as one person knows them: how often they met at a table, and whether they still may."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Max, QuerySet

from accounts.models import Block, User
from games.models import Tenure
from games.words.people import record, standing


@dataclass(frozen=True, slots=True)
class Known:
    """Somebody with whom I played `times` games, the `last` one then.

    `block_id` is that of my block, if I have blocked them.
    """

    user: User
    times: int
    last: datetime | None
    block_id: int | None

    @property
    def standing(self) -> str:
        return standing(self.user)

    @property
    def record(self) -> str:
        return record(self.user)


def played_with(user_id: int) -> QuerySet[User]:
    """Those with whom I sat at a table that started, the latest first."""
    mine = Tenure.objects.filter(user_id=user_id, game__started_at__isnull=False)
    return (
        User.objects.filter(tenures__game__in=mine.values("game"), is_active=True)
        .exclude(pk=user_id)
        .annotate(
            times=Count("tenures__game", distinct=True), last=Max("tenures__game__changed_at")
        )
        .order_by("-last", "pk")
    )


def known(people: Sequence[User], user_id: int | None) -> list[Known]:
    """These people, as this user knows them."""
    mine = Block.objects.filter(by_id=user_id, blocked__in=people)
    blocks = dict(mine.values_list("blocked_id", "pk"))
    return [
        Known(user, getattr(user, "times", 0), getattr(user, "last", None), blocks.get(user.pk))
        for user in people
    ]
