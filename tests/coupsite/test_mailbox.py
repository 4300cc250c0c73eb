"""Letters on a laptop: kept in a folder, read in the browser, by whoever sits there."""

import re
from pathlib import Path

import pytest
from django.core.mail import EmailMultiAlternatives
from django.test import Client
from pytest_django import Settings

pytestmark = pytest.mark.django_db


@pytest.fixture
def mailbox(settings: Settings, tmp_path: Path) -> Path:
    folder = tmp_path / "mail"
    settings.MAILBOX = folder
    settings.MAILERS = {
        "default": {"BACKEND": "coupsite.mailbox.Backend", "OPTIONS": {"folder": folder}}
    }
    return folder


def send(subject: str = "Čaj", html: str = "<b>Come</b>") -> None:
    letter = EmailMultiAlternatives(subject, "Come: http://127.0.0.1:8000/g/x/", to=["a@b.example"])
    letter.attach_alternative(html, "text/html")
    letter.send()


def test_letters_can_be_read(
    mailbox: Path, client: Client, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "None yet." in client.get("/mail/").content.decode()
    send()
    told = capsys.readouterr().err
    assert "/mail/" in told
    assert "a@b.example" not in told
    assert "Čaj" not in told  # it may be a code
    page = client.get("/mail/").content.decode()
    assert "Čaj" in page
    found = re.search(r'href="(/mail/[^"]{30,}/)"', page)
    assert found
    letter = client.get(found[1])
    assert '<a href="http://127.0.0.1:8000/g/x/"' in letter.content.decode()
    assert "<b>Come</b>" not in letter.content.decode()
    html = client.get(f"{found[1]}html/")
    assert html.content.decode().strip() == "<b>Come</b>"
    policy = html.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "sandbox" in policy
    assert "script-src" not in policy


def test_the_latest_come_first_and_the_oldest_go(mailbox: Path, client: Client) -> None:
    for number in range(202):
        send(f"number {number:03}")
    page = client.get("/mail/").content.decode()
    assert len(list(mailbox.iterdir())) == 200
    assert page.index("number 201") < page.index("number 002")
    assert "number 001" not in page


def test_not_where_mail_goes_out(mailbox: Path, settings: Settings, client: Client) -> None:
    settings.MAILBOX = None
    assert client.get("/mail/").status_code == 404


def test_not_from_another_machine(mailbox: Path, client: Client) -> None:
    assert client.get("/mail/", REMOTE_ADDR="192.168.1.7").status_code == 404
    assert client.get("/mail/", REMOTE_ADDR="::1").status_code == 200
