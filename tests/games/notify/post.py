"""A real mail server on the loopback that does as it is told."""

import asyncio
import email.policy
from collections.abc import Iterator
from contextlib import contextmanager
from email import message_from_bytes
from email.message import EmailMessage
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from aiosmtpd.controller import Controller
from pytest_django import Settings

from coupsite.settings import mailer

OK = "250 OK"


class Post:
    """`url` is where it listens, `letters` are those it took. `to` is what it says to RCPT, by
    address, else OK; `data` what it says to a letter, once it has thought for `seconds`;
    `stays_mute`: it takes the letter, and the answer is lost. The file `noted` grows with each."""

    def __init__(self) -> None:
        self.url = ""
        self.letters: list[EmailMessage] = []
        self.to: dict[str, str] = {}
        self.data = OK
        self.seconds = 0.0
        self.stays_mute = False
        self.noted: Path | None = None

    async def handle_RCPT(  # noqa: N802  aiosmtpd's name
        self, server: Any, session: Any, envelope: Any, address: str, options: list[str]
    ) -> str:
        if address not in self.to:
            envelope.rcpt_tos.append(address)
        return self.to.get(address, OK)

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:  # noqa: N802
        if self.data == OK:
            letter = message_from_bytes(
                envelope.content, _class=EmailMessage, policy=email.policy.default
            )
            self.letters.append(letter)
            if self.noted:
                with self.noted.open("a") as noted:
                    noted.write(".")
        await asyncio.sleep(self.seconds)
        if self.stays_mute:
            server.transport.abort()
        return self.data

    def receivers(self) -> list[str]:
        return [str(letter["To"]) for letter in self.letters]


class _AnyPort(Controller):
    """aiosmtpd knocks at the port that it was given, which is none."""

    def _trigger_server(self) -> None:
        self.port = self.server.sockets[0].getsockname()[1]
        super()._trigger_server()


@contextmanager
def open_post(settings: Settings) -> Iterator[Post]:
    """A server, and the site told to use it."""
    post = Post()
    controller = _AnyPort(post, hostname="127.0.0.1", port=0)
    controller.start()
    try:
        post.url = f"smtp://127.0.0.1:{controller.port}"
        settings.MAILERS = {"default": mailer(urlsplit(post.url))}
        yield post
    finally:
        controller.stop()


def html_of(letter: EmailMessage) -> str:
    part = letter.get_body(("html",))
    assert part is not None
    return str(part.get_content())


def text_of(letter: EmailMessage) -> str:
    part = letter.get_body(("plain",))
    assert part is not None
    return str(part.get_content())
