"""What waits for one person, at whatever table."""

from django.db.models import Q

from games.models import Prompt, PromptState, Status


def waiting_for(user_id: int) -> Q:
    """Of prompts: those that wait for this person."""
    return Q(
        tenure__user_id=user_id,
        tenure__ended="",
        state=PromptState.OPEN,
        # At an open table: whether they are ready.
        game__status__in=[Status.RUNNING, Status.OPEN],
        game__frozen_at=None,
    )


def open_prompts(user_id: int) -> int:
    """How many questions wait for this person."""
    return Prompt.objects.filter(waiting_for(user_id)).count()


def next_waiting(user_id: int, *, after: str = "") -> str | None:
    """The public id of a game that waits for this person: the most urgent; or round in that order,
    the one that comes `after` another."""
    waiting = Prompt.objects.filter(waiting_for(user_id)).order_by("due", "pk")
    ids = list(waiting.values_list("game__public_id", flat=True))
    at = ids.index(after) + 1 if after in ids else 0
    return ids[at % len(ids)] if ids else None
