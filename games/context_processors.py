"""What every page shows of the games."""

from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from games import selectors


def waiting(request: HttpRequest) -> dict[str, object]:
    """`waiting_count`: how many questions wait for whoever is signed in. Asked once, if at all."""

    def count() -> int:
        # A request may fail before it is known whose it is.
        user = getattr(request, "user", None)
        return selectors.open_prompts(user.pk) if user and user.is_authenticated else 0

    return {"waiting_count": SimpleLazyObject(count)}
