"""What keeps others' pages, programs and letters from acting here in somebody's name."""

import json
import os
import re
import subprocess
import sys
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth import hashers
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import URLPattern, URLResolver, get_resolver
from pytest_django import Settings

from accounts.models import User
from tests.accounts.cast import PASSWORD, client_of, letters, member
from tests.accounts.staff import code, staff_client, with_second_factor
from tests.coupsite.everybody import routes
from tests.coupsite.test_bodies import fill
from tests.coupsite.test_settings import PRODUCTION
from tests.games.cast import running_game
from tests.games.moderation.staff import adm

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _quick_hashes(settings: Settings) -> None:
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


MACHINES = {"/csp-report/", "/messages/off/<str:token>/"}
"""What is sent by programs, without a token: a browser's report, and "no more" by RFC 8058."""


def without_token(patterns: list[Any], before: str = "/") -> set[str]:
    found = set()
    for pattern in patterns:
        route = before + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            found |= without_token(pattern.url_patterns, route)
        elif isinstance(pattern, URLPattern) and getattr(pattern.callback, "csrf_exempt", False):
            found.add(route)
    return found


def test_two_addresses_take_a_post_without_a_token() -> None:
    assert without_token(get_resolver().url_patterns) == MACHINES


def test_a_post_without_its_token_is_forbidden_everywhere_else() -> None:
    game = running_game(3)
    for signed_in in (staff_client(adm()), client_of(User.objects.get(name="Ana")), Client()):
        client = Client(enforce_csrf_checks=True, raise_request_exception=False)
        client.cookies = signed_in.cookies
        for route in routes():
            path = address(route, game.public_id)
            for given in ({}, {"csrfmiddlewaretoken": "x" * 64}):
                status = client.post(path, given).status_code
                assert (status == 403) == (route not in MACHINES), (path, status)


def address(route: str, public_id: str) -> str:
    path = route.replace("<slug:public_id>", public_id).replace("(?P<url>.*)$", "x/")
    return fill(path.replace("^(?P<app_label>games|accounts)/$", "games/"))


def test_a_form_on_another_site_is_forbidden_even_with_a_token() -> None:
    client = Client(enforce_csrf_checks=True)
    page = client.get("/account/login/").content.decode()
    found = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page)
    assert found
    given = {"csrfmiddlewaretoken": found[1], "login": "a@example.org", "password": "x"}

    def sent(**headers: str) -> int:
        return client.post("/account/login/", given, headers=headers).status_code

    assert sent() == sent(origin="http://testserver") == 200
    for origin in ("http://evil.example", "https://testserver", "http://testserver:81", "null"):
        assert sent(origin=origin) == 403


POLICY = {
    "default-src": "'none'", "script-src": "'self'", "style-src": "'self'",
    "img-src": "'self' data:", "font-src": "'self'", "connect-src": "'self'",
    "manifest-src": "'self'", "worker-src": "'self'", "form-action": "'self'",
    "base-uri": "'none'", "frame-ancestors": "'none'", "object-src": "'none'",
    "report-uri": "/csp-report/",
}  # fmt: skip


def test_every_answer_has_the_policy_and_may_not_be_framed() -> None:
    game = running_game(3)
    client = staff_client(adm())
    client.raise_request_exception = False
    answers = [client.get(address(route, game.public_id)) for route in routes()]
    answers += [client.post("/", b"x" * 300_000, content_type="text/plain"), client.get("/?a=%00"),
                client.post("/csp-report/"), client.get("/", headers={"host": "evil.example"}),
                Client(enforce_csrf_checks=True).post("/play/")]  # fmt: skip
    assert {answer.status_code for answer in answers} >= {200, 302, 400, 403, 404, 405, 413}
    for answer in answers:
        rules = answer.headers["Content-Security-Policy"].split("; ")
        assert dict(rule.split(" ", 1) for rule in rules) == POLICY
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert answer.headers["Cross-Origin-Opener-Policy"] == "same-origin"
        assert answer.headers["Referrer-Policy"] in ("same-origin", "no-referrer")


@pytest.mark.parametrize(
    "path", ["/account/login/", "/account/signup/", "/account/logout/", "/account/reauthenticate/",
             "/account/second-factor/again/", "/admin/login/", "/account/block/",
             "/account/confirm/"]
)  # fmt: skip
def test_nobody_is_led_out_of_the_site(path: str) -> None:
    """By an address that was handed to them, before or after they prove who they are."""
    given = {"login": "miriam@example.org", "password": PASSWORD, "code": code(), "name": "Miriam"}
    user = with_second_factor(member())
    for signed_in, evil in product((False, True), (
        "//evil.example/", "https://evil.example/", r"/\evil.example", r"\\evil.example/",
        "javascript:alert(1)", "http:evil.example", "https:///evil.example", "/%09/evil.example",
        "/\t/evil.example", " //evil.example", "http://testserver@evil.example/", "///evil.example",
    )):  # fmt: skip
        client = client_of(user) if signed_in else Client()
        for answer in (
            client.get(path, {"next": evil}),
            client.post(path, given | {"next": evil}),
            client.post(f"{path}?next={evil}", given),
        ):
            led = answer.headers.get("Location", "/").partition("?")[0]
            assert re.match(r"/(?![/\\\s])", led), (path, evil, led)
            assert "javascript:" not in led


# --- a letter never leads where a stranger says ---------------------------------------------------


def test_links_in_letters_lead_here_whatever_host_was_asked(settings: Settings) -> None:
    settings.ALLOWED_HOSTS = ["*"]
    member("Miriam")
    names = [f"Vuk{sign * 3}" for sign in "abcdefgh"]
    for headers in (
        {"host": "evil.example"},
        {"host": "localhost:81"},
        {"x-forwarded-host": "evil.example"},
        {"forwarded": "host=evil.example"},
    ):  # fmt: skip
        client = Client(headers=headers)
        for address in ("miriam@example.org", "nobody@example.org"):
            client.post("/account/reset/", {"email": address})
            sign_up = {"email": address, "username": names.pop(), "password1": PASSWORD}
            Client(headers=headers).post("/account/signup/", sign_up)
            cache.clear()
    assert len(letters()) == 16
    for letter in letters():
        said = f"{letter.subject} {letter.body} {letter.extra_headers}"
        assert "evil" not in said
        assert ":81" not in said
        for link in re.findall(r"https?://\S+", said):
            assert link.startswith(settings.SITE_URL + "/"), link


# --- who has an account ---------------------------------------------------------------------------


def steps(path: str, given: dict[str, str]) -> tuple[object, ...]:
    """What a stranger sees of it, and what it costs: pages, queries by kind, passwords hashed."""
    client, hashed = Client(), []
    encode = hashers.MD5PasswordHasher.encode

    def counted(self: Any, *args: Any, **kwargs: Any) -> str:
        hashed.append(1)
        return encode(self, *args, **kwargs)

    with pytest.MonkeyPatch.context() as patch, CaptureQueriesContext(connection) as queries:
        patch.setattr(hashers.MD5PasswordHasher, "encode", counted)
        answer = client.post(path, given, follow=True)
    page = re.sub(r'(name="csrfmiddlewaretoken"|name="form_token") value="\w*"', "", answer.text)
    for address in ("miriam@example.org", "unproved@example.org", "nobody@example.org"):
        page = page.replace(address, "ADDRESS")
    page = page.replace("Vuk B", "Vuk A").replace("Vuk C", "Vuk A")
    writes = [query["sql"].split()[0] for query in queries if not query["sql"].startswith("SELECT")]
    kinds = [kind for kind in writes if kind in ("INSERT", "UPDATE", "DELETE")]
    return answer.status_code, answer.redirect_chain, page, len(hashed), kinds


@pytest.mark.parametrize("wrong", [PASSWORD + "x", ""])
def test_signing_in_tells_nobody_who_has_an_account(wrong: str) -> None:
    member("Miriam")
    unproved = User.objects.create_user("Vuk", "unproved@example.org", PASSWORD)
    gone = member("Gone")
    User.objects.filter(pk=gone.pk).update(is_active=False)
    seen = [
        steps("/account/login/", {"login": f"{name}@example.org", "password": wrong})
        for name in ("nobody", "miriam", unproved.email.split("@")[0])
    ]
    assert seen[0] == seen[1] == seen[2]
    closed = steps("/account/login/", {"login": "gone@example.org", "password": wrong})
    assert (closed[0], *closed[3:]) == (seen[0][0], *seen[0][3:])


def test_asking_for_a_new_password_tells_nobody_who_has_an_account() -> None:
    member("Miriam")
    one, other = [
        steps("/account/reset/", {"email": f"{name}@example.org"}) for name in ("nobody", "miriam")
    ]
    assert one == other


def test_signing_up_tells_nobody_who_has_an_account() -> None:
    member("Miriam")
    one, other = [
        steps(
            "/account/signup/",
            {"email": f"{who}@example.org", "username": name, "password1": PASSWORD},
        )
        for who, name in (("nobody", "Vuk A"), ("miriam", "Vuk B"))
    ]
    assert one == other


# --- guessing -------------------------------------------------------------------------------------


def sign_in(address: str, email: str, password: str = "wrong") -> Any:
    given = {"login": email, "password": password}
    return Client(REMOTE_ADDR=address).post("/account/login/", given, follow=True)


def test_one_account_is_not_guessed_from_many_addresses() -> None:
    member("Miriam")
    for number in range(5):
        sign_in(f"192.0.2.{number}", "miriam@example.org")
    last = sign_in("198.51.100.1", "miriam@example.org", PASSWORD)
    assert "Too many tries" in last.text
    assert "_auth_user_id" not in last.client.session


def test_many_accounts_are_not_guessed_from_one_address() -> None:
    people = [member(f"Vuk{sign * 3}") for sign in "abcdefghjkmnp"]
    seen = [sign_in("192.0.2.1", str(user.email)) for user in people]
    assert "do not belong together" in seen[0].text
    assert "Too many tries" in seen[-1].text
    elsewhere = sign_in("192.0.2.2", "nobody@example.org")
    assert "do not belong together" in elsewhere.text


def test_the_code_of_the_second_factor_is_not_guessed() -> None:
    user = with_second_factor(member("Miriam"))
    given = {"login": str(user.email), "password": PASSWORD}
    answers = []
    for number in range(8):
        client = Client(REMOTE_ADDR=f"192.0.2.{number}")
        asked = client.post("/account/login/", given)
        wrong = str((int(code()) + 1 + number) % 1_000_000).zfill(6)
        answers.append(client.post(asked.headers["Location"], {"code": wrong}))
    assert "This is not the code" in answers[0].text
    assert answers[-1].status_code == 429 or "Too many tries" in answers[-1].text
    last = Client(REMOTE_ADDR="192.0.2.99")
    asked = last.post("/account/login/", given)
    last.post(asked.headers.get("Location", "/account/second-factor/sign-in/"), {"code": code()})
    assert last.get("/account/password/").status_code == 302


def test_limits_are_kept_where_all_processes_see_them(tmp_path: Path) -> None:
    shown = "settings.CACHES['default']['BACKEND']"
    own = {"PATH": os.environ["PATH"], "COUP_DATA_DIR": str(tmp_path)} | PRODUCTION
    done = subprocess.run(
        [sys.executable, "-c", f"from coupsite import settings; print({shown})"],
        env=own, capture_output=True, text=True,
    )  # fmt: skip
    assert done.stdout.strip() == "django.core.cache.backends.redis.RedisCache"


# --- in production --------------------------------------------------------------------------------

IN_PRODUCTION = """
import json, django
from coupsite import settings
static = settings.STORAGES["staticfiles"]  # nothing is collected
static["BACKEND"] = "django.contrib.staticfiles.storage.StaticFilesStorage"
django.setup()
from django.core.management import call_command
call_command("migrate", verbosity=0)
from django.test import Client
from accounts.models import User
def seen(answer):
    return answer.status_code, dict(answer.headers), {
        name: [bool(cookie["secure"]), bool(cookie["httponly"]), cookie["samesite"]]
        for name, cookie in answer.cookies.items()}
secure = {"host": "coup.example", "x-forwarded-proto": "https", "x-forwarded-for": "192.0.2.1"}
client = Client(headers=secure, raise_request_exception=False)
answers = {
    "page": client.get("/account/login/"),
    "guest": client.post("/play/"),
    "sign in": client.post("/account/login/", {"login": "a@example.org", "password": "x"}),
    "plain": Client(headers={"host": "coup.example"}).get("/account/login/?next=/lobby/"),
    "another host": client.get("/", headers={"host": "evil.example"}),
    "forwarded": client.get("/next/", headers={"x-forwarded-host": "evil.example"}),
    "mail": client.get("/mail/"),
}
print(json.dumps({name: seen(answer) for name, answer in answers.items()}))
"""


def test_in_production_cookies_and_connections_are_safe(tmp_path: Path) -> None:
    own = {"PATH": os.environ["PATH"], "COUP_DATA_DIR": str(tmp_path)}
    own |= PRODUCTION | {"REDIS_URL": "", "COUP_ONE_PROCESS": "1",
                         "DJANGO_SETTINGS_MODULE": "coupsite.settings"}  # fmt: skip
    done = subprocess.run(
        [sys.executable, "-c", IN_PRODUCTION], env=own, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    seen = json.loads(done.stdout.splitlines()[-1])
    status, headers, cookies = seen["page"]
    assert status == 200
    assert headers["Strict-Transport-Security"] == "max-age=31536000; includeSubDomains; preload"
    assert cookies == {"csrftoken": [True, False, "Lax"]}
    status, headers, cookies = seen["guest"]
    assert (status, headers["Location"][:3]) == (302, "/g/")
    assert cookies["sessionid"] == cookies["device"] == [True, True, "Lax"]
    assert all(secure and same == "Lax" for secure, _, same in cookies.values())
    status, headers, _ = seen["plain"]
    assert (status, headers["Location"]) == (
        301,
        "https://coup.example/account/login/?next=/lobby/",
    )
    assert seen["another host"][0] == 400
    assert "evil" not in str(seen["forwarded"])
    assert seen["mail"][0] == 404
