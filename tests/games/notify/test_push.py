"""What a push says, to whom, and what becomes of it: with a push service of the test's own."""

from collections.abc import Iterator
from datetime import timedelta
from random import Random

import pytest
from pytest_django import Settings

from accounts.models import PushSubscription
from games import store
from games.engine.view import SPECTATOR
from games.models import Channel, Game, Kind, Outbox, OutboxState, Prompt, PromptState, Why
from games.notify import push
from tests.games.cast import (
    NAMES,
    NOON,
    person,
    prompt_of,
    running_game,
    say,
    state_of,
    stir,
    tenure_of,
)
from tests.games.redeal import redeal
from tests.games.rewriting import history, rewrite
from tests.push_service import Browser, PushService, push_service, verified

from .cast import HOUR, deliver, turn_on

pytestmark = pytest.mark.django_db


@pytest.fixture
def service(settings: Settings) -> Iterator[PushService]:
    with push_service() as running:
        settings.PUSH_STAND_IN = running.origin
        yield running


def pushed_game(service: PushService, size: int = 3) -> tuple[Game, dict[int, Browser]]:
    """A game at which everybody takes pushes; by seat, what with."""
    browsers = {name: service.browser(name) for name in NAMES[:size]}
    for name, browser in browsers.items():
        turn_on(person(name), browser)
    game = running_game(size)
    return game, {seat: browsers[tenure_of(game, seat).name] for seat in range(size)}


def state(kind: Kind = Kind.ASKED) -> list[str]:
    rows = Outbox.objects.filter(channel=Channel.PUSH, kind=kind).order_by("pk")
    return list(rows.values_list("state", flat=True))


def test_whoever_is_asked_is_told_at_once(service: PushService) -> None:
    game, browsers = pushed_game(service)
    turn = state_of(game).turn
    deliver(NOON)
    questions = [told for told in service.read(browsers[turn]) if told["tag"].startswith("prompt-")]
    (told,) = questions
    assert told["title"] == f"{game.name}: Choose one action and announce it."
    assert told["url"] == f"/g/{game.public_id}/"
    assert told["tag"] == f"prompt-{prompt_of(game, turn).pk}"
    assert state() == [OutboxState.SENT]
    for other in set(browsers) - {turn}:
        assert not [t for t in service.read(browsers[other]) if t["tag"].startswith("prompt-")]
    for sent in service.received:
        verified(sent, service.origin)
        assert 0 < int(sent.headers["ttl"]) <= timedelta(days=28).total_seconds()


def test_what_was_answered_is_not_told(service: PushService) -> None:
    game, browsers = pushed_game(service)
    turn = state_of(game).turn
    say(game, turn, "income")
    deliver(NOON)
    assert not [t for t in service.read(browsers[turn]) if t["tag"].startswith("prompt-")]


def test_a_browser_that_is_gone_is_told_nothing_more(service: PushService) -> None:
    game, browsers = pushed_game(service)
    turn = state_of(game).turn
    service.statuses[browsers[turn].place] = 410
    deliver(NOON)
    row = Outbox.objects.get(channel=Channel.PUSH, kind=Kind.ASKED)
    assert (row.state, row.why) == (OutboxState.DEAD, Why.NO_DEVICE)
    assert not PushSubscription.objects.filter(endpoint=browsers[turn].endpoint).exists()


@pytest.mark.parametrize("status", [429, 500, 503])
def test_a_service_that_is_busy_is_asked_again(service: PushService, status: int) -> None:
    game, browsers = pushed_game(service)
    turn = state_of(game).turn
    service.statuses[browsers[turn].place] = status
    deliver(NOON)
    row = Outbox.objects.get(channel=Channel.PUSH, kind=Kind.ASKED)
    assert (row.state, row.why) == (OutboxState.PENDING, Why.UNREACHABLE)
    del service.statuses[browsers[turn].place]
    deliver(NOON + HOUR)
    assert state() == [OutboxState.SENT]
    tags = [told["tag"] for told in service.read(browsers[turn])]
    assert tags.count(f"prompt-{prompt_of(game, turn).pk}") == 2  # the second takes its place


def test_a_refusal_is_final_and_told(service: PushService) -> None:
    game, browsers = pushed_game(service)
    service.statuses[browsers[state_of(game).turn].place] = 403
    deliver(NOON)
    row = Outbox.objects.get(channel=Channel.PUSH, kind=Kind.ASKED)
    assert (row.state, row.why, row.detail) == (OutboxState.DEAD, Why.REFUSED, "403")


def test_signing_out_ends_it(service: PushService) -> None:
    game, browsers = pushed_game(service)
    turn = state_of(game).turn
    user = tenure_of(game, turn).user
    assert user
    user.end_sessions()
    deliver(NOON)
    assert service.read(browsers[turn]) == []


def test_cards_dealt_anew_change_no_byte(service: PushService) -> None:
    """Nothing that a seat alone knows is in a push."""
    random, changed = Random(3), 0
    game, _browsers = pushed_game(service, 4)
    for _ in stir(game, random, 30):
        for prompt in Prompt.objects.filter(game=game, state=PromptState.OPEN):
            row = Outbox.objects.filter(prompt=prompt, channel=Channel.PUSH).first()
            if row is None or row.user is None:
                continue
            stored = history(game)
            other = redeal(stored, SPECTATOR, random)
            changed += other != stored

            def read(row: Outbox = row) -> bytes:
                store.forget()
                row.refresh_from_db()
                assert row.user
                return push._push(row.user, row, NOON).text

            before = read()
            rewrite(game, other)
            assert read() == before
            rewrite(game, stored)
            store.forget()
    assert changed
