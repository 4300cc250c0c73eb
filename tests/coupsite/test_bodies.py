"""What is sent to the site and is too long, too much, or cannot be kept: 400 or 413, never 500."""

import re
from itertools import product
from typing import Any

import pytest
from asgiref.testing import ApplicationCommunicator
from django.core.cache import cache
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from pytest_django import Settings

from coupsite import asgi
from coupsite.middleware import LONGEST_BODY
from tests.accounts.cast import client_of, member
from tests.coupsite.everybody import routes

pytestmark = [pytest.mark.django_db, pytest.mark.services]

FORM = "application/x-www-form-urlencoded"
KINDS = (FORM, "application/json", "text/plain", "application/csp-report")
LONG = b"a=" + b"x" * LONGEST_BODY
PLACES = ("/account/login/", "/account/push/", "/csp-report/", "/messages/off/x/", "/", "/nowhere/")


@pytest.fixture
def browser(settings: Settings) -> Client:
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    client = client_of(member())
    client.raise_request_exception = False
    return client


def test_a_body_that_is_too_long_is_not_read(browser: Client) -> None:
    for path, kind in product(PLACES, KINDS):
        assert browser.post(path, LONG, content_type=kind).status_code == 413
        assert browser.post(path, b"a=b", content_type=kind).status_code < 500


def test_a_file_is_nothing_that_somebody_may_send(browser: Client) -> None:
    for path in PLACES:
        file = SimpleUploadedFile("x.txt", b"x" * (LONGEST_BODY + 1))
        assert browser.post(path, {"name": file}).status_code == 413
        small = SimpleUploadedFile("x.txt", b"x")
        assert browser.post(path, {"name": small}).status_code < 500


def test_too_many_fields_or_files_make_no_sense(browser: Client) -> None:
    for path in PLACES:
        fields = "&".join(f"f{number}=" for number in range(1000))
        assert browser.post(path, fields, content_type=FORM).status_code == 400
        files = {f"f{number}": SimpleUploadedFile("x", b"x") for number in range(200)}
        assert browser.post(path, files).status_code == 400


def test_long_headers_and_addresses_break_nothing() -> None:
    client = Client(raise_request_exception=False)
    long = "x" * 60_000
    for headers in ({"Cookie": f"sessionid={long}"}, {"Referer": long}, {"Accept-Language": long},
                    {"User-Agent": long}, {"X-Forwarded-For": long}, {"HX-Current-URL": long},
                    {"Cookie": "messages=" + long}, {"If-None-Match": long}):  # fmt: skip
        for path in ("/", "/lobby/", "/account/login/"):
            assert client.get(path, headers=headers).status_code < 500
        assert client.post("/account/login/", {"login": "x"}, headers=headers).status_code < 500
    assert client.get(f"/{long}/").status_code == 404
    assert client.get(f"/?{long}").status_code == 200


def test_deep_json_is_nonsense(browser: Client) -> None:
    for body in ("[" * 50_000, '{"a":' * 8_000, '{"endpoint": 1}', "9" * 5_000, "NaN"):
        for path, odd in (("/account/push/", {400}), ("/csp-report/", {400, 413})):
            cache.clear()
            assert browser.post(path, body, content_type="application/json").status_code in odd


@pytest.mark.parametrize("where", ["field", "query", "path", "cookie"])
def test_a_character_that_cannot_be_kept_makes_no_sense_anywhere(
    where: str, browser: Client
) -> None:
    """PostgreSQL takes no NUL; in a cookie it may be written as digits."""
    cookie = {"Cookie": r'sessionid="\000aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"'}
    fields = ("form_token", "name", "text", "k", "mute", "next", "login", "email", "password")
    for route in routes():
        if "admin" in route:
            continue
        path = fill(route)
        match where:
            case "field":
                for kind in ({"content_type": FORM}, {}):
                    given: Any = dict.fromkeys(fields, "a\0b")
                    if kind:
                        given = "&".join(f"{name}=a%00b" for name in fields)
                    assert browser.post(path, given, **kind).status_code == 400, path
            case "query":
                assert browser.get(f"{path}?k=a%00b").status_code == 400, path
            case "path":
                assert browser.get(f"{path}%00/").status_code == 400, path
            case "cookie":
                assert browser.get(path, headers=cookie).status_code == 400, path


def fill(route: str) -> str:
    """An address of this route, with something for each of its parameters."""
    route = re.sub(r"<uuid:\w+>", "00000000-0000-0000-0000-000000000000", route)
    return re.sub(r"<\w+:\w+>", "1", route)


# --- under ASGI, where Django would put all of it on the disk first -------------------------------


async def answered(
    headers: list[tuple[bytes, bytes]], parts: list[dict[str, Any]]
) -> tuple[int, int]:
    """The status, and how many of the parts were taken."""
    scope: dict[str, Any] = {
        "type": "http", "method": "POST", "path": "/account/login/", "raw_path": b"",
        "root_path": "", "query_string": b"", "scheme": "http",
        "headers": [(b"host", b"localhost"), *headers],
        "client": ("127.0.0.1", 1), "server": ("127.0.0.1", 80), "http_version": "1.1",
    }  # fmt: skip
    http: Any = asgi.application
    site = ApplicationCommunicator(http, scope)
    for part in parts:
        await site.send_input({"type": "http.request", **part})
    start = await site.receive_output(timeout=60)
    left = site.input_queue.qsize()
    await site.receive_output(timeout=60)
    await site.wait(timeout=60)
    return start["status"], len(parts) - left


PART = {"body": b"x" * 65536, "more_body": True}


@pytest.mark.django_db(transaction=True)
async def test_a_length_that_is_too_long_is_refused_before_anything_is_read() -> None:
    headers = [(b"content-length", str(LONGEST_BODY + 1).encode())]
    assert await answered(headers, [PART] * 5) == (413, 0)
    assert await answered([(b"content-length", b"9" * 400)], [PART] * 5) == (413, 0)


@pytest.mark.django_db(transaction=True)
async def test_a_body_without_a_length_is_read_as_far_as_it_may_be_long() -> None:
    headers = [(b"transfer-encoding", b"chunked"), (b"content-type", FORM.encode())]
    assert await answered(headers, [PART] * 100) == (413, LONGEST_BODY // 65536 + 1)
    whole = [{"body": b"login=a", "more_body": True}, {"body": b"%40b", "more_body": False}]
    assert await answered(headers, whole) == (403, 2)  # it has no token
    assert (
        await answered(headers, [{"body": b"a", "more_body": True}, {"type": "http.disconnect"}])
    )[0] == 413


@pytest.mark.django_db(transaction=True)
async def test_a_body_of_the_right_length_is_served() -> None:
    headers = [(b"content-length", b"7"), (b"content-type", FORM.encode())]
    status, _taken = await answered(headers, [{"body": b"login=a", "more_body": False}])
    assert status == 403
