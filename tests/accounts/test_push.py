"""Handing a push to its service: what is sent, and what is made of the answer."""

import socket
import ssl
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from threading import Thread

import pytest
from django.core.management import call_command
from pytest_django import Settings

from accounts import push, webpush
from accounts.models import PushSubscription
from accounts.push import Outcome, Push, Urgency
from tests.push_service import Browser, PushService, push_service, verified

NOON = datetime(2030, 5, 1, 12, tzinfo=UTC)


@pytest.fixture
def service(settings: Settings) -> Iterator[PushService]:
    with push_service() as running:
        settings.PUSH_STAND_IN = running.origin
        yield running


def to(browser: Browser) -> PushSubscription:
    return PushSubscription(**browser.told)


def message(text: bytes = b'{"title": "x"}', lasts: timedelta = timedelta(hours=1)) -> Push:
    return Push(text, NOON + lasts, Urgency.HIGH, "prompt-7")


def test_only_the_browser_reads_it_and_the_service_knows_who_writes(
    service: PushService, settings: Settings
) -> None:
    browser = service.browser()
    text = '{"title": "Ana claims a Duke — 14:00"}'.encode()
    assert push.send(to(browser), message(text), NOON) == (Outcome.TAKEN, "201")
    assert service.plain(browser) == [text]
    (received,) = service.received
    claims = verified(received, service.origin)
    assert claims["key"] == push.public_key()
    assert claims["sub"] == settings.PUSH_CONTACT
    assert 0 < claims["exp"] - NOON.timestamp() <= 24 * 3600
    wanted = {"ttl": "3600", "urgency": "high", "topic": "prompt-7"}
    assert {name: received.headers[name] for name in wanted} == wanted
    assert received.headers["content-encoding"] == "aes128gcm"


def test_no_two_are_sealed_alike_and_all_are_as_long(service: PushService) -> None:
    browser = service.browser()
    for text in (b"{}", b"{}", b"x" * 1000):
        push.send(to(browser), message(text), NOON)
    assert len({received.body for received in service.received}) == 3
    assert len({len(received.body) for received in service.received}) == 1


@pytest.mark.parametrize(
    ("lasts", "ttl"),
    [
        (timedelta(days=90), str(28 * 86400)),
        (timedelta(seconds=-5), "0"),
        (timedelta(seconds=90.7), "90"),
    ],
)
def test_it_is_kept_no_longer_than_it_is_true(
    service: PushService, lasts: timedelta, ttl: str
) -> None:
    push.send(to(service.browser()), message(lasts=lasts), NOON)
    assert service.received[0].headers["ttl"] == ttl


@pytest.mark.parametrize(
    ("status", "outcome"),
    [
        (200, Outcome.TAKEN),
        (201, Outcome.TAKEN),
        (202, Outcome.TAKEN),
        (404, Outcome.GONE),
        (410, Outcome.GONE),
        (429, Outcome.LATER),
        (500, Outcome.LATER),
        (503, Outcome.LATER),
        (301, Outcome.REFUSED),
        (307, Outcome.REFUSED),
        (400, Outcome.REFUSED),
        (403, Outcome.REFUSED),
        (413, Outcome.REFUSED),
    ],
)
def test_what_is_made_of_an_answer(service: PushService, status: int, outcome: Outcome) -> None:
    browser = service.browser()
    service.statuses[browser.place] = status
    assert push.send(to(browser), message(), NOON) == (outcome, str(status))
    assert [received.place for received in service.received] == [browser.place]


def test_a_service_that_is_not_there_is_tried_again(settings: Settings) -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        settings.PUSH_STAND_IN = f"http://127.0.0.1:{closed.getsockname()[1]}"
    browser = Browser(settings.PUSH_STAND_IN, "/x")
    outcome, detail = push.send(to(browser), message(), NOON)
    assert (outcome, detail) == (Outcome.LATER, "ConnectionRefusedError")


@pytest.mark.parametrize("answer", [b"", b"hello\r\n\r\n", b"HTTP/1.1 200"])
def test_a_service_that_makes_no_sense_or_says_nothing_is_tried_again(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, answer: bytes
) -> None:
    monkeypatch.setattr(push, "TIMEOUT", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        settings.PUSH_STAND_IN = f"http://127.0.0.1:{listener.getsockname()[1]}"
        held = []

        def serve() -> None:
            line, _address = listener.accept()
            line.sendall(answer)
            held.append(line)  # and never closed

        thread = Thread(target=serve)
        thread.start()
        outcome, _detail = push.send(to(Browser(settings.PUSH_STAND_IN, "/x")), message(), NOON)
        thread.join()
        held[0].close()
    assert outcome is Outcome.LATER


def test_a_name_that_leads_to_a_private_address_gets_not_a_byte(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    heard = []
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]

        def serve() -> None:
            line, _address = listener.accept()
            with line:
                line.settimeout(5)
                heard.append(line.recv(4096))

        def lookup(*_args: object, **_kwargs: object) -> list[object]:
            return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", port))]

        monkeypatch.setattr(socket, "getaddrinfo", lookup)
        thread = Thread(target=serve)
        thread.start()
        browser = Browser("https://web.push.apple.com", "/x")
        assert push.send(to(browser), message(), NOON) == (Outcome.LATER, "OSError")
        thread.join()
    assert heard == [b""]


def test_tls_knows_whom_it_talks_to() -> None:
    assert push._TLS.verify_mode is ssl.CERT_REQUIRED
    assert push._TLS.check_hostname


def test_the_command_prints_a_key_for_the_environment(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("push_keys")
    name, _equals, key = capsys.readouterr().out.strip().partition("=")
    assert name == "COUP_PUSH_PRIVATE_KEY"
    assert len(webpush.point(webpush.private_key(key))) == 65
