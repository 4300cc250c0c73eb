"""Which browsers take pushes: said by the browser, ended with its session."""

import json
from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.contrib.sessions.models import Session
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries, Settings

from accounts import devices, guests, push, webpush
from accounts.models import PushSubscription, User
from tests.accounts.cast import PASSWORD, client_of, mailed_code, member
from tests.push_service import Browser, PushService, push_service

pytestmark = pytest.mark.django_db

PUSH, END = "/account/push/", "/account/push/end/"


@pytest.fixture
def service(settings: Settings) -> Iterator[PushService]:
    with push_service() as running:
        settings.PUSH_STAND_IN = running.origin
        yield running


def turn_on(client: Client, browser: Browser) -> int:
    headers = {"User-Agent": "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Firefox/145.0"}
    response = client.post(PUSH, browser.json, content_type="application/json", headers=headers)
    return response.status_code


def devices_of(user: User) -> list[str]:
    """The endpoints that are sent to; the hint in the person's row agrees."""
    user.refresh_from_db()
    found = devices.of(user, timezone.now())
    assert user.has_push == user.push_subscriptions.exists()
    return [device.endpoint for device in found]


def test_a_browser_subscribes_once_however_often_it_says_so(service: PushService) -> None:
    user, browser = member(), service.browser()
    client = client_of(user)
    assert [turn_on(client, browser) for _ in range(2)] == [204, 204]
    assert devices_of(user) == [browser.endpoint]
    html = client.get("/account/profile/").content.decode()
    assert "data-here" in html
    other = client_of(user).get("/account/profile/").content.decode()
    assert "data-here" not in other
    assert "Firefox, Linux" in other


def test_what_a_browser_needs_to_subscribe(service: PushService, settings: Settings) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(member(), backend="django.contrib.auth.backends.ModelBackend")
    told = client.get(PUSH).json()
    key = webpush.public_key(webpush.raw(told["key"]))
    assert webpush.private_key(settings.PUSH_KEY).public_key() == key
    body = service.browser().json
    assert client.post(PUSH, body, content_type="application/json").status_code == 403
    allowed = client.post(
        PUSH, body, content_type="application/json", headers={"X-CSRFToken": told["token"]}
    )
    assert allowed.status_code == 204


def test_strangers_subscribe_to_nothing(service: PushService) -> None:
    assert Client().get(PUSH).status_code == 401
    assert turn_on(Client(), service.browser()) == 401
    assert not PushSubscription.objects.exists()


def test_without_a_key_there_is_no_push(service: PushService, settings: Settings) -> None:
    settings.PUSH_KEY = ""
    client = client_of(member())
    assert client.get(PUSH).status_code == 404
    assert turn_on(client, service.browser()) == 404
    assert 'id="push"' not in client.get("/account/profile/").content.decode()


ELSEWHERE = [
    "http://fcm.googleapis.com/send/x",
    "https://fcm.googleapis.com",
    "https://fcm.googleapis.com/",
    "https://FCM.googleapis.com/x",
    "https://fcm.googleapis.com:443/x",
    "https://fcm.googleapis.com:8443/x",
    "https://fcm.googleapis.com./x",
    "https://fcm.googleapis.com@evil.example/x",
    "https://fcm.googleapis.com\\@evil.example/x",
    "https://user:password@fcm.googleapis.com/x",
    "https://evil.example/fcm.googleapis.com/x",
    "https://evil.example?.push.apple.com/x",
    "https://evil.example#.push.apple.com/x",
    "https://fcm.googleapis.com.evil.example/x",
    "https://evilfcm.googleapis.com/x",
    "https://evilpush.apple.com/x",
    "https://push.apple.com/x",
    "https://127.0.0.1/x",
    "https://localhost/x",
    "https://10.0.0.1/x",
    "https://169.254.169.254/latest/meta-data/",
    "https://[::1]/x",
    "https://2130706433/x",
    "https://web.push.apple.com/x\r\nHost: evil.example",
    "https://web.push.apple.com/x y",
    "https://wеb.push.apple.com/x",
    "https://web.push.apple.com/" + "x" * 1000,
    "file:///etc/passwd",
    "//fcm.googleapis.com/x",
    " https://fcm.googleapis.com/x",
    "",
]


@pytest.mark.parametrize("endpoint", ELSEWHERE)
def test_pushes_go_to_push_services_alone(endpoint: str) -> None:
    told = Browser("", "").told | {"endpoint": endpoint}
    body = {"endpoint": endpoint, "keys": {name: told[name] for name in ("p256dh", "auth")}}
    client = client_of(member())
    response = client.post(PUSH, json.dumps(body), content_type="application/json")
    assert response.status_code == 400
    assert "does not send to" in response.content.decode()
    assert not PushSubscription.objects.exists()


@pytest.mark.parametrize(
    "endpoint",
    [
        "https://fcm.googleapis.com/fcm/send/fA:APA91b-_x",
        "https://updates.push.services.mozilla.com/wpush/v2/gAAAA",
        "https://wns2-par02p.notify.windows.com/w/?token=BQYA%2bx",
        "https://web.push.apple.com/QGuQyavXutnMH",
    ],
)
def test_those_of_the_usual_browsers_are_known(endpoint: str) -> None:
    browser = Browser(endpoint, "")
    user = member()
    assert turn_on(client_of(user), browser) == 204
    assert devices_of(user) == [endpoint]


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"null",
        b"[]",
        b"{}",
        b"\xff\xfe",
        b'{"endpoint": 1, "keys": {"p256dh": "x", "auth": "y"}}',
        b'{"endpoint": "https://web.push.apple.com/x", "keys": {"p256dh": "x", "auth": "y"}}',
        b'{"endpoint": "https://web.push.apple.com/x", "keys": {"p256dh": "%s", "auth": "%s"}}'
        % (b"B" * 87, b"A" * 22),
        b"[" * 100_000,
    ],
)
def test_nonsense_is_refused_in_words(body: bytes) -> None:
    response = client_of(member()).post(PUSH, body, content_type="application/json")
    assert response.status_code == 400
    assert "makes no sense" in response.content.decode()


def test_one_of_a_setting_that_changed_is_sent_nothing(
    service: PushService, settings: Settings
) -> None:
    user, browser = member(), service.browser()
    turn_on(client_of(user), browser)
    settings.PUSH_STAND_IN = ""
    message = push.Push(b"{}", timezone.now(), push.Urgency.NORMAL, "topic")
    (((outcome, _detail),),) = devices.deliver(user, [message], timezone.now())
    assert outcome is push.Outcome.GONE
    assert service.received == []
    assert devices_of(user) == []


def test_a_browser_that_refuses_for_good_is_let_go(service: PushService) -> None:
    user, browser = member(), service.browser()
    turn_on(client_of(user), browser)
    message = push.Push(b"{}", timezone.now(), push.Urgency.NORMAL, "topic")

    def deliver(*statuses: int) -> None:
        for service.statuses[browser.place] in statuses:
            devices.deliver(user, [message], timezone.now())

    deliver(403, 403, 403, 403, 201, 403, 403, 500, 403, 403)
    assert devices_of(user) == [browser.endpoint]
    deliver(403)
    assert devices_of(user) == []


@pytest.mark.parametrize("status", [404, 410])
def test_a_browser_that_is_gone_is_not_asked_again(service: PushService, status: int) -> None:
    user, gone, here = member(), service.browser("gone"), service.browser("here")
    for browser in (gone, here):
        turn_on(client_of(user), browser)
    service.statuses[gone.place] = status
    message = push.Push(b"{}", timezone.now(), push.Urgency.NORMAL, "topic")
    for _ in range(2):
        devices.deliver(user, [message, message], timezone.now())
    assert [received.place for received in service.received].count(gone.place) == 1
    assert len(service.plain(here)) == 4
    assert devices_of(user) == [here.endpoint]


def test_signing_out_ends_it_there_and_nowhere_else(service: PushService) -> None:
    user, here, there = member(), service.browser("here"), service.browser("there")
    client, other = client_of(user), client_of(user)
    turn_on(client, here)
    turn_on(other, there)
    client.post("/account/logout/")
    assert devices_of(user) == [there.endpoint]
    assert PushSubscription.objects.count() == 1


def test_signing_out_everywhere_ends_all(service: PushService) -> None:
    user = member()
    client = client_of(user)
    for n, browser in enumerate((client, client_of(user))):
        turn_on(browser, service.browser(str(n)))
    client.post("/account/sign-out-everywhere/")
    assert devices_of(user) == []
    assert not PushSubscription.objects.exists()


def test_a_new_password_ends_the_others_and_keeps_this_one(service: PushService) -> None:
    user, here = member(), service.browser("here")
    client = Client()
    client.post("/account/login/", {"login": user.email or "", "password": PASSWORD})
    turn_on(client, here)
    turn_on(client_of(user), service.browser("there"))
    new = {"oldpassword": PASSWORD, "password1": "another correct horse"}
    assert client.post("/account/password/", new).status_code == 302
    assert devices_of(user) == [here.endpoint]


def test_a_session_that_ran_out_takes_it_along(service: PushService) -> None:
    user = member()
    turn_on(client_of(user), service.browser())
    later = timezone.now() + timedelta(days=181)
    assert devices.of(user, later) == []
    assert devices.sweep(timezone.now()) == 0
    assert devices.sweep(later) == 1
    assert devices_of(user) == []


def test_a_closed_account_is_told_nothing(service: PushService) -> None:
    user = member()
    turn_on(client_of(user), service.browser())
    User.objects.filter(pk=user.pk).update(is_active=False)
    assert devices_of(user) == []


def test_a_former_player_has_no_devices(service: PushService) -> None:
    user = member()
    turn_on(client_of(user), service.browser())
    Session.objects.all().delete()
    guests.discard(user)
    assert not PushSubscription.objects.exists()


def test_another_person_on_the_same_device_takes_it_over(service: PushService) -> None:
    before, after, browser = member("Miriam"), member("Vuk"), service.browser()
    turn_on(client_of(before), browser)
    assert turn_on(client_of(after), browser) == 204
    assert devices_of(before) == []
    assert devices_of(after) == [browser.endpoint]


def test_whoever_knows_but_the_address_of_a_browser_takes_nothing(service: PushService) -> None:
    victim, browser = member("Miriam"), service.browser()
    turn_on(client_of(victim), browser)
    thief = Browser(browser.origin, browser.place)
    assert turn_on(client_of(member("Vuk")), thief) == 400
    assert devices_of(victim) == [browser.endpoint]


def test_a_browser_has_one(service: PushService) -> None:
    user, new = member(), service.browser("new")
    client = client_of(user)
    turn_on(client, service.browser("old"))
    turn_on(client, new)
    assert devices_of(user) == [new.endpoint]


def test_the_newest_ten_are_kept(service: PushService) -> None:
    user = member()
    for n in range(12):
        turn_on(client_of(user), service.browser(str(n)))
    assert devices_of(user) == [f"{service.origin}/push/{n}" for n in range(11, 1, -1)]


def test_a_guest_who_signs_up_or_in_keeps_it(service: PushService) -> None:
    guest, browser = guests.create("Quiet Heron"), service.browser()
    client = client_of(guest)
    turn_on(client, browser)
    given = {"email": "m@example.org", "username": "Miriam", "password1": PASSWORD}
    client.post("/account/signup/", given)
    client.post("/account/confirm/", {"code": mailed_code()})
    guest.refresh_from_db()
    assert not guest.is_guest
    assert devices_of(guest) == [browser.endpoint]

    account, other = member("Vuk"), guests.create("Calm Otter")
    client, browser = client_of(other), service.browser("b")
    turn_on(client, browser)
    client.post("/account/login/", {"login": account.email or "", "password": PASSWORD})
    assert devices_of(account) == [browser.endpoint]


def test_only_ones_own_are_ended(service: PushService) -> None:
    user = member("Miriam")
    client = client_of(user)
    turn_on(client, service.browser())
    (device,) = PushSubscription.objects.all()
    other = client_of(member("Vuk"))
    for value in (device.pk, "x", "", "²", 10**30):
        assert other.post(END, {"device": value}).status_code == 302
    assert len(devices_of(user)) == 1
    for _ in range(2):
        assert client.post(END, {"device": device.pk}).status_code == 302
    assert devices_of(user) == []


def test_the_list_costs_the_same_however_long(
    service: PushService, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    user = member()
    client = client_of(user)
    for n in range(2):
        turn_on(client_of(user), service.browser(str(n)))
    with django_assert_num_queries(8):
        client.get("/account/profile/")
    for n in range(2, 9):
        turn_on(client_of(user), service.browser(str(n)))
    with django_assert_num_queries(8):
        client.get("/account/profile/")


def test_too_many_tries_are_refused(service: PushService) -> None:
    client, browser = client_of(member()), service.browser()
    assert {turn_on(client, browser) for _ in range(20)} == {204}
    assert turn_on(client, browser) == 429


@pytest.mark.parametrize(
    ("user_agent", "name"),
    [
        (
            "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0",
            "Firefox, Linux",
        ),
        ("Mozilla/5.0 (Linux; Android 10; K) Chrome/142.0 Mobile Safari/537.36", "Chrome, Android"),
        ("Mozilla/5.0 (Windows NT 10.0) Chrome/142.0 Safari/537.36 Edg/142.0", "Edge, Windows"),
        ("Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) Safari/604.1", "Safari, iOS"),
        ("Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Safari/605.1", "Safari, macOS"),
        ("", ""),
        ("\0<script>" * 1000, ""),
    ],
)
def test_devices_have_names(user_agent: str, name: str) -> None:
    assert devices.name_of(user_agent) == name
