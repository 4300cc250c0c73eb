"""Every address, by everybody, with every kind of nonsense: an answer in words, nothing written.

The addresses come from the URLconf, so that a new one is tried without anybody thinking of it.
"""

import re
from collections.abc import Iterator
from datetime import timedelta
from itertools import cycle, islice
from typing import Any
from urllib.parse import urlencode

import pytest
from allauth.account.models import EmailAddress
from django.core.cache import cache
from django.db import connection, transaction
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from games import lobby, play, store
from games.models import Game, Halt, Invitation, Prompt, Seat, Tenure, Visibility
from games.models.move import Move
from games.timing import Pace

from .cast import NOON, SEED, person, prompt_of, running_game, say, state_of

pytestmark = pytest.mark.django_db

WRITES = re.compile(r"\s*(INSERT|UPDATE|DELETE|REPLACE|CREATE|DROP|ALTER)\b", re.IGNORECASE)
PARAMETER = re.compile(r"<(?:(\w+):)?(\w+)>")
WORDS = ("nowhere", "_" * 300)
NUMBERS = ("1", "9" * 30, "9" * 5000)
ODD = ("", "-1", "9" * 40, "٣", "1.5", "\0", "a\0b", "\ud7ff\U0010ffff", "x" * 5000, "<b>")


def routes(patterns: list[Any], before: str = "") -> Iterator[tuple[str, str]]:
    """Every address of the site but the administration's, and its name."""
    for pattern in patterns:
        route = before + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            if pattern.app_name != "admin":
                yield from routes(pattern.url_patterns, route)
        else:
            assert isinstance(pattern, URLPattern)
            yield pattern.name or route, "/" + route


ROUTES = list(routes(get_resolver().url_patterns))


def paths(route: str, ids: list[str]) -> list[str]:
    """The route with each game, and with nonsense, in the place of its parameters."""
    found = [route]
    while PARAMETER.search(found[0]):
        match = PARAMETER.search(found[0])
        assert match
        kind, name = match.groups()
        values = ids if name == "public_id" else NUMBERS if kind == "int" else WORDS
        found = [PARAMETER.sub(value, path, count=1) for path in found for value in values]
    return found


def tables() -> dict[str, Game]:
    """A table in each state it can be in; Ana hosts them all, Ben sits at most."""
    ana, ben = person("Ana"), person("Ben")

    def opened(visibility: Visibility) -> Game:
        plan = lobby.Plan(4, Pace.DAILY, visibility=visibility)
        return lobby.open_table(host=ana, plan=plan, seed=SEED, now=NOON)

    games = {name: opened(visibility) for name, visibility in (
        ("open", Visibility.PUBLIC), ("unlisted", Visibility.UNLISTED),
        ("private", Visibility.PRIVATE), ("cancelled", Visibility.PUBLIC),
    )}  # fmt: skip
    lobby.sit(public_id=games["open"].public_id, user=ben, now=NOON)
    lobby.cancel(public_id=games["cancelled"].public_id, host=ana, now=NOON)
    plan = lobby.Plan(2, Pace.LIVE)
    games["asking"] = lobby.open_table(host=ana, plan=plan, seed=SEED, now=NOON)
    lobby.sit(public_id=games["asking"].public_id, user=ben, now=NOON)
    for name in ("running", "secret", "frozen", "over"):
        games[name] = running_game(3)
    say(games["running"], state_of(games["running"]).turn, "tax")
    Game.objects.filter(pk=games["secret"].pk).update(visibility=Visibility.PRIVATE)
    frozen = Game.objects.filter(pk=games["frozen"].pk)
    frozen.update(frozen_at=NOON + timedelta(hours=1), frozen_for=Halt.MODERATOR)
    for user in (person("Ben"), person("Cyd")):
        play.leave(public_id=games["over"].public_id, user_id=user.pk, now=NOON)
    for game in games.values():
        game.refresh_from_db()
    return games


def everybody() -> dict[str, Client]:
    found = {"nobody": Client(raise_request_exception=False)}
    for name in ("Ana", "Ben", "Zoe"):
        found[name] = Client(raise_request_exception=False)
        user = person(name)
        user.set_password("Correct horse")
        user.save()
        EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
        found[name].force_login(user)
    return found


def state() -> list[Any]:
    """All that is kept of the games."""
    models = (Game, Seat, Tenure, Invitation, Prompt, Move)
    return [list(model._default_manager.order_by("pk").values()) for model in models]


def test_a_get_of_any_address_breaks_nothing_and_writes_nothing() -> None:
    games = tables()
    ids = [game.public_id for game in games.values()] + list(WORDS)
    queries = [
        "?k=%00&seen=%ff&page=%D9%A3&log=all&turn=-1&asked=9999999999999999999999&next=//evil.example/",
        "?page=-1&turn=1&after=%00&size=9&variant=%00&bots=2&pace=%ff&seen=room.&k=a%0d%0ab",
    ]
    wrote, broke = [], []

    def watch(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        if WRITES.match(sql):
            wrote.append((path, sql))
        return execute(sql, params, many, context)

    clients = everybody()
    with connection.execute_wrapper(watch):
        for _name, route in ROUTES:
            for path in paths(route, ids):
                for query in queries:
                    for name, client in clients.items():
                        response = client.get(path + query, headers={"Referer": "http://[/"})
                        # Without a worker /health/ says 503: that is what it is for.
                        if response.status_code >= 500 and path != "/health/":
                            broke.append((name, path + query))
                        location = response.headers.get("Location", "/")
                        assert "evil" not in location.partition("?")[0]
    assert broke == []
    assert wrote == []


# What a body may be: anything, in any encoding.
FORM = "application/x-www-form-urlencoded"
MULTIPART = "multipart/form-data; boundary=x"
FIELDS = ("prompt", "answer", "act", "target", "seen", "sure", "lines", "name", "seat", "kind",
          "form_token", "size", "pace", "visibility", "invited", "title", "honest", "watch",
          "email", "login", "password", "password1", "code", "time_zone", "language", "next",
          "action", "oldpassword", "username")  # fmt: skip


IN_ONE_GO = 3
"""How many of the bodies each person sends to each address: all of them in turn."""


def bodies(prompt: int) -> Iterator[tuple[bytes, str]]:
    for odd in ODD:
        yield urlencode(dict.fromkeys(FIELDS, odd)).encode(), FORM
    yield b"&".join(field.encode() + b"=%ff%fe\xff" for field in FIELDS), FORM
    yield b"prompt=1&prompt=2&answer=allow&answer=challenge", FORM
    yield (
        urlencode({"prompt": prompt, "answer": "challenge", "sure": "on", "seen": 3}).encode(),
        FORM,
    )
    yield urlencode({"prompt": prompt, "answer": "timeout"}).encode(), FORM
    yield urlencode({"prompt": prompt, "answer": "resign"}).encode(), FORM
    yield urlencode({"prompt": prompt, "act": "coup", "target": "9"}).encode(), FORM
    yield urlencode({"seat": 5, "kind": "honest", "name": "Zoe"}).encode(), FORM
    yield b"a=" + b"x" * 300_000, FORM
    yield b"&".join(b"f%d=1" % number for number in range(500)), FORM
    yield b"{}", "application/json"
    yield b"\xff\x00", MULTIPART
    yield b'--x\r\nContent-Disposition: form-data; name="prompt"\r\n\r\n1', MULTIPART
    yield b"prompt=1", "multipart/form-data"
    yield b"prompt=1", f"{FORM}; charset=utf-7-no"


def test_a_post_of_anything_to_any_address_breaks_nothing() -> None:
    games = tables()
    ids = [game.public_id for game in games.values()] + list(WORDS)
    running = games["running"]
    prompt = prompt_of(running, (state_of(running).turn + 1) % 3).pk
    broke, moved = [], []
    clients = everybody()
    before = state()
    tried = cycle(bodies(prompt))
    for name, route in ROUTES:
        for path in paths(route, ids):
            for who, client in clients.items():
                with transaction.atomic():
                    for body, kind in islice(tried, IN_ONE_GO):
                        response = client.generic("POST", path, body, kind, HTTP_HX_REQUEST="true")
                        if response.status_code >= 500:
                            broke.append((who, path, kind, body[:60], response.status_code))
                    if (
                        who in ("nobody", "Zoe")
                        and state() != before
                        and name not in ("sit", "new", "play_now")
                    ):
                        moved.append((who, path))
                    transaction.set_rollback(True)
                cache.clear()
                store.forget()
    assert broke == []
    assert moved == []


def test_a_post_without_its_token_is_refused_everywhere() -> None:
    game = running_game(3)
    client = Client(enforce_csrf_checks=True)
    client.force_login(person("Ana"))
    before = state()
    for _name, route in ROUTES:
        for path in paths(route, [game.public_id]):
            # What a machine sends has no token: an empty report makes no sense.
            refused = (400,) if path == "/csp-report/" else (403, 404)
            assert client.post(path).status_code in refused, path
    assert state() == before


INLINE = re.compile(r"<script(?![^>]*\bsrc=)|<style|<[^>]*\s(?:style|on\w+)\s*=", re.IGNORECASE)


def test_no_page_holds_script_or_style_or_what_is_not_for_its_reader() -> None:
    games = tables()
    hidden = [games[name].public_id for name in ("unlisted", "private", "secret")]
    tokens = [game.link_token for game in games.values()]
    ended = [games[name].public_id for name in ("over", "cancelled")]
    for who, client in everybody().items():
        for _name, route in ROUTES:
            for path in paths(route, [game.public_id for game in games.values()]):
                response = client.get(path)
                told = response.content.decode() + str(response.headers)
                assert not INLINE.search(told), path
                assert response.headers["Content-Security-Policy"]
                assert response.headers["Referrer-Policy"] in ("same-origin", "no-referrer")
                if not any(public_id in path for public_id in ended):
                    assert SEED.hex() not in told
                    assert repr(SEED) not in told
                if who in ("nobody", "Zoe"):
                    assert not any(token in told for token in tokens), path
                    assert not any(one in told.replace(path, "") for one in hidden), path


@pytest.mark.parametrize("who", ["nobody", "Zoe"])
def test_a_private_table_answers_strangers_like_none(who: str) -> None:
    games, client = tables(), everybody()[who]
    for name, route in ROUTES:
        if "public_id" not in route or name == "get_up":  # to have left is to have left
            continue
        for table in ("private", "secret"):
            for method in (client.get, client.post):
                there, nowhere = (
                    method(PARAMETER.sub("1", route.replace("<slug:public_id>", public_id)))
                    for public_id in (games[table].public_id, "nowhere")
                )
                assert there.status_code == nowhere.status_code, (name, table, method)
