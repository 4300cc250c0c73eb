"""What every page shows of the games."""

from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from games import selectors


def waiting(request: HttpRequest) -> dict[str, object]:
    """`waiting_count`: how many questions wait for whoever is signed in. Asked once, if at all."""

    def count() -> int:
        return selectors.open_prompts(request.user.pk) if request.user.is_authenticated else 0

    return {"waiting_count": SimpleLazyObject(count)}
