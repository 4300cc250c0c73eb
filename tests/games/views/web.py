"""Browsers without a screen, and what their requests cost."""

from typing import Any

from django.db import connection
from django.http import HttpResponse
from django.test import Client
from django.test.utils import CaptureQueriesContext

from ..cast import person

WRITES = ("INSERT", "UPDATE", "DELETE", "REPLACE")


def client_of(name: str) -> Client:
    """The browser of somebody who is signed in."""
    client = Client()
    client.force_login(person(name))
    return client


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
