"""No log says who somebody is, what they hold, or how to answer for them: at no level, and not
when things break."""

import logging
import re
from collections.abc import Iterator
from datetime import timedelta
from io import StringIO
from random import Random

import pytest
from django.core.mail import EmailMultiAlternatives
from django.test import Client, RequestFactory
from django.utils import timezone
from pytest_django import Settings

from accounts import devices
from coupsite.logs import Discreet
from games import drive, store
from games.engine.cards import Role
from games.engine.commands import SEATS, text
from games.engine.rules import legal
from games.engine.state import waiting
from games.models import Game, Prompt
from games.notify import links, push
from tests.accounts.cast import PASSWORD, client_of
from tests.push_service import push_service

from .cast import NAMES, person, prompt_of, running_game, state_of, tenure_of
from .notify.cast import deliver, verified

pytestmark = pytest.mark.django_db


@pytest.fixture
def log() -> Iterator[StringIO]:
    """What the site's own handler writes, when everything is written."""
    root = logging.getLogger()
    (handler,) = (one for one in root.handlers if isinstance(one.formatter, Discreet))
    assert isinstance(handler, logging.StreamHandler)
    assert handler in logging.getLogger("django").handlers
    said = StringIO()
    level, stream = root.level, handler.setStream(said)
    root.setLevel(logging.DEBUG)
    yield said
    root.setLevel(level)
    handler.setStream(stream)


def play_on(game: Game, clients: list[Client], random: Random, moves: int) -> Iterator[Prompt]:
    """Moves by HTTP, with what people look at between them; the prompts that were answered."""
    for _move in range(moves):
        state = state_of(game)
        if not (asked := waiting(state)):
            return
        seat = random.choice(asked)
        prompt = prompt_of(game, seat)
        said = text(random.choice(legal(state, seat)), SEATS)
        client = clients[seat]
        client.get(f"/g/{game.public_id}/?k={game.link_token}&log=all")
        client.get(f"/g/{game.public_id}/talk/")
        words = {"prompt": prompt.pk, "answer": said, "sure": "on"}
        assert client.post(f"/g/{game.public_id}/answer/", words).status_code in (302, 422)
        client.post(f"/g/{game.public_id}/answer/", words | {"answer": "allow"})
        yield prompt


def test_a_game_with_letters_pushes_and_talk_leaves_no_secret(
    log: StringIO, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    with push_service() as service:
        settings.PUSH_STAND_IN = service.origin
        game = running_game(3)
        clients = []
        for seat in range(3):
            name = tenure_of(game, seat).name
            client = client_of(verified(name))
            clients.append(client)
            browser = service.browser(name)
            session = str(client.session.session_key)
            now = timezone.now()
            devices.subscribe(person(name), session=session, device="", now=now, **browser.told)
        secrets = [game.link_token, store.seed(game).hex(), *NAMES[:3], "@example.org", PASSWORD]
        secrets += [browser.place for browser in map(service.browser, NAMES[:3])]
        talk = f"/g/{game.public_id}/talk/say/"
        for prompt in play_on(game, clients, Random(3), 25):
            clients[0].post(talk, {"room": "table", "words": "Write to eva@example.org, duke!"})
            user = prompt.tenure.user
            assert user
            letter = links.answer_url(prompt, user, "allow").removeprefix(settings.SITE_URL)
            secrets.append(letter.split("/")[2])
            Client().post(letter, {"answer": "x"})
            deliver(timezone.now() + timedelta(hours=1))
            drive.sweep(timezone.now())

        def down(mail: EmailMultiAlternatives) -> int:
            raise ValueError(f"no way to {mail.to} of {mail.body}")

        def broken(*_given: object) -> None:
            raise ValueError(f"no way to ana@example.org with /g/x/?k={game.link_token}")

        monkeypatch.setattr(EmailMultiAlternatives, "send", down)
        monkeypatch.setattr(push, "send", broken)
        Client().post("/account/reset/", {"email": "ana@example.org"})
        deliver(timezone.now() + timedelta(minutes=1))
        Client().get(f"/g/nowhere/?k={game.link_token}")
        Client(enforce_csrf_checks=True).post(letter, {"answer": "allow"})
        Client().post("/account/login/", {"login": "ana@example.org", "password": PASSWORD})
    said = log.getvalue()
    assert "/answer/…/" in said
    assert "could not be sent" in said
    assert [secret for secret in secrets if secret in said] == []
    cards = re.compile(rf"\b({'|'.join(Role)})\b", re.IGNORECASE)
    assert not cards.search(said), cards.search(said)


def test_a_page_that_breaks_does_not_tell_what_stood_on_it(log: StringIO) -> None:
    """Django's words about a name that a template misses list all the others."""
    game = running_game(3)
    client_of(verified("Ana")).get(f"/g/{game.public_id}/")
    assert "Failed lookup" not in log.getvalue()


def test_of_an_address_only_the_signed_part_is_left_out(log: StringIO) -> None:
    request = RequestFactory().get("/g/abc/?k=secret-link&log=all")
    logging.getLogger("django.request").error("%s for ana.b+c@mail.example.org", request)
    logging.getLogger("games").debug("/messages/off/abc:def/ and /people/Ana/")
    said = log.getvalue()
    assert "/g/abc/?k=…&log=all" in said
    assert "for …\n" in said
    assert "/messages/off/…/ and /people/Ana/" in said
