"""Browsers without a screen, and what their requests cost."""

from typing import Any

from django.db import connection
from django.http import HttpResponse
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from games.models import Game

from ..cast import person, tenure_of

WRITES = ("INSERT", "UPDATE", "DELETE", "REPLACE")


def client_of(name: str) -> Client:
    """The browser of somebody who is signed in."""
    client = Client()
    client.force_login(person(name))
    return client


def client_at(game: Game, seat: int) -> Client:
    """The browser of whoever sits there."""
    client = Client()
    user = tenure_of(game, seat).user
    assert user is not None
    client.force_login(user)
    return client


def url(name: str, game: Game, *, k: str = "") -> str:
    """The address of a page of this game, with the secret of its link if that is given."""
    return reverse(f"games:{name}", args=[game.public_id]) + (f"?k={k}" if k else "")


def text(response: HttpResponse) -> str:
    return response.content.decode()


def main_of(response: HttpResponse) -> str:
    """The page without header and footer."""
    return text(response).split("<main", 1)[1].split("</main>", 1)[0]


def queries(client: Client, url: str, **data: Any) -> list[str]:
    """The queries of a GET, which must succeed."""
    with CaptureQueriesContext(connection) as seen:
        assert client.get(url, **data).status_code in (200, 204, 302)
    return [query["sql"] for query in seen.captured_queries]
