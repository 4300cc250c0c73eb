"""The frame every page hangs in, and the pages for what goes wrong."""

import re

import pytest
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import PermissionDenied
from django.template.loader import render_to_string
from django.test import Client, RequestFactory
from django.views.defaults import bad_request, permission_denied, server_error
from pytest_django import DjangoAssertNumQueries


@pytest.mark.django_db
def test_home_has_the_frame(client: Client) -> None:
    html = client.get("/").content.decode()
    assert '<html lang="en" dir="ltr">' in html
    for landmark in ("<header", "<nav", "<main", "<footer"):
        assert html.count(landmark) == 1
    assert html.index('class="skip"') < html.index("<header")
    assert html.count("<h1>") == 1


@pytest.mark.django_db
def test_nothing_inline_and_nothing_from_outside(client: Client) -> None:
    response = client.get("/")
    html = response.content.decode()
    assert not re.search(r"<script(?![^>]*\ssrc=)|<style|\sstyle=|\son\w+=", html)
    assert not re.search(r"(src|href)=[\"'](https?:)?//", html)
    policy = response.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy


@pytest.mark.django_db
def test_the_frame_asks_the_database_nothing(
    client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_num_queries(0):
        client.get("/no-such-page/")


@pytest.mark.django_db
def test_an_unknown_page_says_so(client: Client) -> None:
    response = client.get("/no-such-page/")
    assert response.status_code == 404
    assert "There is no such page" in response.content.decode()


def test_a_form_without_a_token_says_so() -> None:
    response = Client(enforce_csrf_checks=True).post("/account/login/", {})
    assert response.status_code == 403
    assert "The page was open for too long" in response.content.decode()


def test_the_other_problems_have_pages_too(rf: RequestFactory) -> None:
    request = rf.get("/")
    request.user = AnonymousUser()
    for response, words in (
        (bad_request(request, Exception()), "makes no sense"),
        (permission_denied(request, PermissionDenied()), "may not do that"),
        (server_error(request), "broke on our side"),
    ):
        assert words in response.content.decode()
    assert "Too many tries" in render_to_string("429.html")


def test_the_page_for_500_needs_nothing() -> None:
    assert "<html lang=" in render_to_string("500.html", {})
