"""The second factor, and that nobody comes into the administration without it."""

import re
import time
from html import escape, unescape
from urllib.parse import urlencode

import pytest
from allauth.mfa.models import Authenticator
from django.test import Client

from accounts.models import User
from tests.accounts.cast import PASSWORD, client_of, letters, member
from tests.accounts.staff import code, staff_client, with_second_factor

pytestmark = pytest.mark.django_db


def staff(name: str = "Miriam") -> User:
    user = member(name)
    user.is_staff = user.is_superuser = True
    user.save()
    return user


def set_up(client: Client, **given: str) -> str:
    """Go through the pages as a person does; the secret."""
    asked = client.post("/account/second-factor/begin/", given)
    assert asked["Location"].startswith("/account/reauthenticate/")
    shown = client.post(asked["Location"], {"password": PASSWORD}, follow=True)
    found = re.search(r'<bdi class="code">(\w+)</bdi>', shown.content.decode())
    assert found, shown.content.decode()
    return found[1]


@pytest.mark.django_db(transaction=True)
def test_setting_it_up_leads_staff_inside() -> None:
    user = staff()
    client = client_of(user)
    turned_away = client.get("/admin/", follow=True)
    assert turned_away.redirect_chain[-1][0] == "/account/second-factor/?next=%2Fadmin%2F"
    assert "Set one up" in turned_away.content.decode()
    secret = set_up(client)
    wrong = client.post("/account/second-factor/app/", {"code": "000000"})
    assert "This is not the code" in wrong.content.decode()
    assert secret in wrong.content.decode()
    done = client.post("/account/second-factor/app/", {"code": code(secret)}, follow=True)
    assert done.content.decode().count('<bdi class="code">') == 10
    assert client.get("/admin/").status_code == 200
    assert "turned on" in letters()[-1].subject


@pytest.mark.django_db(transaction=True)
def test_it_leads_back_to_where_staff_came_from() -> None:
    user = staff()
    client, wanted = client_of(user), "/admin/accounts/user/?q=Ana&o=1"
    page = client.get(wanted, follow=True).content.decode()
    back = unescape(page.split('name="next" value="')[1].split('"')[0])
    assert back == wanted
    asked = client.post("/account/second-factor/begin/", {"next": back})
    shown = client.post(asked["Location"], {"password": PASSWORD}, follow=True).content.decode()
    action = unescape(shown.split('method="post" action="')[-1].split('"')[0])
    secret = shown.split('<bdi class="code">')[1].split("<")[0]
    wrong = client.post(action, {"code": "000000"}).content.decode()
    assert f'action="{escape(action)}"' in wrong
    codes = client.post(action, {"code": code(secret)}, follow=True).content.decode()
    assert f'<a class="btn btn--main" href="{escape(wanted)}">' in codes
    assert client.get(wanted).status_code == 200


@pytest.mark.parametrize(
    "elsewhere",
    ["https://evil.example/", "//evil.example", "/\\evil.example", "javascript:alert(1)", "home"],
)
def test_it_leads_to_no_other_site(elsewhere: str) -> None:
    client = client_of(staff())
    page = client.get("/account/second-factor/", {"next": elsewhere}).content.decode()
    assert 'name="next"' not in page
    secret = set_up(client, next=elsewhere)
    app = f"/account/second-factor/app/?{urlencode({'next': elsewhere})}"
    codes = client.post(app, {"code": code(secret)}, follow=True)
    assert codes.redirect_chain == [("/account/second-factor/codes/", 302)]
    page = client.get("/account/second-factor/codes/", {"next": elsewhere}).content.decode()
    assert '<a class="btn btn--main" href="/account/second-factor/">' in page


def test_a_get_writes_nothing() -> None:
    client = client_of(staff())
    set_up(client)
    before = (dict(client.session), list(Authenticator.objects.values_list("data", flat=True)))
    for page in ("", "app/", "codes/", "new-codes/", "off/", "again/"):
        client.get(f"/account/second-factor/{page}")
    after = (dict(client.session), list(Authenticator.objects.values_list("data", flat=True)))
    assert after == before


def test_signing_in_takes_the_password_and_the_code(client: Client) -> None:
    user = with_second_factor(staff())
    given = {"login": user.email, "password": PASSWORD}
    asked = client.post("/account/login/?next=/admin/", given)
    assert asked["Location"].startswith("/account/second-factor/sign-in/")
    assert client.get("/admin/")["Location"].startswith("/admin/login/")
    assert client.post(asked["Location"], {"code": "123"}).status_code == 200
    client.post(asked["Location"], {"code": code()})
    assert client.get("/admin/").status_code == 200


def test_a_code_that_has_just_run_out_still_counts(client: Client) -> None:
    """Typing takes time, and phones go a little wrong."""
    user = with_second_factor(staff())
    client.post("/account/login/", {"login": user.email, "password": PASSWORD})
    for ago, inside in ((90, False), (30, True)):
        client.post("/account/second-factor/sign-in/", {"code": code(ago=ago)})
        assert (client.get("/admin/").status_code == 200) == inside


def test_a_session_from_before_gives_a_code_first() -> None:
    client = client_of(with_second_factor(staff()))
    led = client.get("/admin/accounts/user/", follow=True)
    assert led.redirect_chain[-1][0].startswith("/account/second-factor/again/?next=")
    assert "Before you go on" in led.content.decode()
    inside = client.post(led.redirect_chain[-1][0], {"code": code()}, follow=True)
    assert inside.redirect_chain[-1][0] == "/admin/accounts/user/"
    assert inside.status_code == 200


def test_the_administration_shuts_after_twelve_hours(monkeypatch: pytest.MonkeyPatch) -> None:
    client = staff_client(staff())
    assert client.get("/admin/").status_code == 200
    session = client.session
    session["account_authentication_methods"] = [{"method": "mfa", "at": time.time() - 43_300}]
    session.save()
    assert client.get("/admin/").status_code == 302


def test_turning_it_off_shuts_the_administration() -> None:
    user = staff()
    client = client_of(user)
    client.post("/account/second-factor/app/", {"code": code(set_up(client))})
    assert client.get("/admin/").status_code == 200
    assert "stays shut" in client.get("/account/second-factor/off/").content.decode()
    client.post("/account/second-factor/off/")
    assert not Authenticator.objects.filter(user=user).exists()
    assert (
        client.get("/admin/", follow=True)
        .redirect_chain[-1][0]
        .startswith("/account/second-factor/?")
    )


def test_a_recovery_code_opens_once(client: Client) -> None:
    user = staff()
    first = client_of(user)
    secret = set_up(first)
    first.post("/account/second-factor/app/", {"code": code(secret)})
    page = first.get("/account/second-factor/codes/").content.decode()
    paper = re.findall(r'<bdi class="code">(\d+)</bdi>', page)
    given = {"login": user.email, "password": PASSWORD}
    for attempt, expected in ((client, 302), (Client(), 200)):
        attempt.post("/account/login/", given)
        response = attempt.post("/account/second-factor/sign-in/", {"code": paper[0]})
        assert response.status_code == expected


def test_guests_are_asked_to_sign_up_first(guest_client: tuple[Client, User]) -> None:
    client, _guest = guest_client
    assert client.get("/account/second-factor/")["Location"] == "/account/signup/"


def test_whoever_is_not_staff_stays_outside_whatever_they_prove() -> None:
    client = staff_client(member("Vuk"))
    assert client.get("/admin/", follow=True).status_code == 403
