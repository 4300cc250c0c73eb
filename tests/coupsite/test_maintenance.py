"""COUP_MAINTENANCE: closed, in words, without the database."""

import pytest
from django.test import Client
from pytest_django import Settings


@pytest.mark.usefixtures("pseudo_languages")
def test_every_page_says_that_the_site_is_closed(settings: Settings) -> None:
    settings.MAINTENANCE = True
    client = Client()
    client.cookies[settings.SESSION_COOKIE_NAME] = "any"
    for response in (client.get("/"), client.post("/account/login/"), client.get("/nowhere/")):
        assert response.status_code == 503
        assert int(response.headers["Retry-After"]) > 0
        assert response.headers["Cache-Control"] == "no-store"
        assert "default-src 'none'" in response.headers["Content-Security-Policy"]
        assert "Coup is closed for a moment" in response.content.decode()
    response = client.get("/", headers={"accept-language": "ar-xb"})
    assert 'dir="rtl"' in response.content.decode()


@pytest.mark.django_db
def test_otherwise_it_is_open() -> None:
    assert Client().get("/").status_code == 200
