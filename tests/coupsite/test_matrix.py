"""Every address by every kind of person, at every kind of table: what each is answered.

    python -m pytest tests/coupsite/test_matrix.py --write-matrix=PART      then read the diff

writes down what is missing, and anew what has PART in its route; without one, everything.

The folder matrix/ holds the answers, a letter for each kind of person in the order of
`everybody.KINDS`. The addresses come from the URLconf: a new one is a row that is missing.
"""

import re
from collections.abc import Callable, Iterator
from functools import partial
from http.cookies import SimpleCookie
from pathlib import Path
from typing import Any

import pytest
from django.core.cache import cache
from django.db import transaction
from django.http import HttpResponse
from django.utils import timezone
from pytest_django import Settings

from games import reports, store
from games.models import AuditEntry, Game, Report, ReportKind
from games.moderation import games as moderating
from games.moderation.desk import Decision
from tests.coupsite.everybody import KINDS, STATES, World, routes, world
from tests.games.cast import prompt_of
from tests.games.talk_cast import tell

pytestmark = pytest.mark.django_db

FOLDER = Path(__file__).parent / "matrix"
GAME, ADMIN = "/g/<slug:public_id>/", "/admin/"
ROUTES = list(routes())

LETTERS = {
    200: ".", 204: "o", 302: ">", 400: "?", 401: "x", 403: "x", 404: "-", 405: "m", 409: "c",
    410: "g", 413: "b", 422: "e", 429: "l", 503: "d",
}  # fmt: skip
LEGEND = """\
# . shown  o done, nothing to show  > led on  S to sign in  U to sign up  F to the second factor
# P to the password  x forbidden  - not found  m not that method  c too late  g gone
# e said what is wrong  ? nonsense
"""
DOORS = {"/account/login/": "S", "/admin/login/": "F", "/account/signup/": "U",
         "/account/second-factor/again/": "F", "/account/reauthenticate/": "P"}  # fmt: skip

# What is sent where nothing would be nonsense. `prompt` is the one of whoever is on turn.
BODIES: dict[str, dict[str, Any]] = {
    "/new/": {"size": 3, "pace": "daily", "visibility": "public", "admits": "everybody",
              "watch": "anybody", "honest": 0, "bluffer": 0, "counter": 0},
    "/messages/": {"mail_delay": 10, "digest_hour": "", "quiet_from": "", "quiet_to": ""},
    "/reports/unmute/": {"mute": 1},
    "/csp-report/": {},
    "/account/block/": {"name": "Oto"},
    "/account/hours/": {"up": "08:00", "down": "22:00"},
    "/account/close/": {"sure": "on"},
    "/account/push/end/": {"device": 1},
    "/account/profile/": {"name": "Xerxes"},
    GAME + "answer/": {"answer": "income", "sure": "on"},
    GAME + "read/": {"lines": 1},
    GAME + "orders/add/": {"kind": "challenge", "scope": "game"},
    GAME + "orders/change/": {"order": 1, "do": "off"},
    GAME + "talk/say/": {"room": "table", "text": "Hello", "form_token": "t"},
    GAME + "talk/read/": {"table": 1},
    GAME + "talk/mute/": {"mute": "table.1"},
    GAME + "talk/<slug:room>/<int:number>/report/": {"kind": "abuse"},
    GAME + "report/": {"kind": "abuse", "subject": "table"},
    GAME + "notes/": {"about": "0.duke", "text": "Bluffs."},
    GAME + "sit/": {"name": "Zoe"},
    GAME + "ready/": {"prompt": 1},
    GAME + "propose/": {"what": "pause"},
    GAME + "voice/": {"proposal": 1, "do": "agree"},
    GAME + "take/": {"name": "Zoe"},
    GAME + "take/invite/": {"name": "Wes"},
    GAME + "bot/": {"seat": 5, "kind": "honest"},
    GAME + "invite/": {"name": "Wes"},
}  # fmt: skip
ACT = {"form_token": "t", "reason": "Because.", "kind": "warning", "state": "acted"}


def letter(response: HttpResponse) -> str:
    """What somebody was answered. Nobody is led out of the site."""
    found = LETTERS.get(response.status_code, "!")
    if found != ">":
        return found
    where = response.headers["Location"]
    assert re.match(r"/(?!/)", where), where
    return next((sign for door, sign in DOORS.items() if where.startswith(door)), ">")


def fill(route: str, game: Game | None = None) -> str:
    """The address of this game, or of what there is of the other things."""
    public = Game.objects.filter(visibility="public", status="running").first()
    subject = {
        "game": public,
        "report": Report.objects.first(),
        "auditentry": AuditEntry.objects.first(),
        "user": None,
    }
    pk = 1
    for name, row in subject.items():
        if f"/{name}/" in route and row is not None:
            pk = row.pk
    values = {
        "public_id": game.public_id if game else "",
        "object_id": str(pk),
        "pk": str(pk),
        "room": "table",
        "uuid": "",
        "name": "Oto",
        "act": {"game": "extend", "report": "take"}.get(
            route.split("/")[3] if route.startswith("/admin/games/") else "", "sanction"
        ),
    }
    if "<uuid:name>" in route:
        values["name"] = "00000000-0000-0000-0000-000000000000"
    path = route.replace("^(?P<app_label>games|accounts)/$", "games/")
    path = path.replace("(?P<url>.*)$", "nowhere/")
    return re.sub(r"<(?:\w+:)?(\w+)>", lambda found: values.get(found[1], "1"), path)


def ask(people: World, kind: str, method: str, path: str, route: str, game: Game | None) -> Any:
    """What somebody is answered, and all as it was before."""
    client = people.browsers[kind]
    if kind == "w" and game:
        path += f"?k={game.link_token}"
    jar = {name: cookie.value for name, cookie in client.cookies.items()}
    if method == "GET":
        return client.get(path)
    body = ACT if "/act/" in route else BODIES.get(route, {})
    if game and game.status == "running" and "answer" in body:
        body = body | {"prompt": prompt_of(game, 0).pk}
    with transaction.atomic():
        response = client.post(path, body)
        transaction.set_rollback(True)
    client.cookies = SimpleCookie(jar)
    cache.clear()
    store.forget()
    return response


def rows(people: World, route: str, games: dict[str, Game | None]) -> list[str]:
    """What all are answered at an address; tables at which it is the same are one row."""
    lines = []
    for method in ("GET", "POST"):
        cells: dict[str, list[str]] = {}
        for name, game in games.items():
            path = fill(route, game)
            answers = "".join(
                letter(ask(people, kind, method, path, route, game)) for kind in KINDS
            )
            cells.setdefault(answers, []).append(name)
        for answers, names in cells.items():
            lines.append(f"{method:5} {route:50} {' '.join(names):24} {answers}")
    return lines


@pytest.fixture
def people(settings: Settings) -> World:
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    made = world()
    now = timezone.now()
    reports.report(
        reporter=made.people["w"],
        subject=made.people["p"],
        kind=ReportKind.ABUSE,
        words="",
        now=now,
    )
    public = made.tables["waiting", "public"].public_id
    moderating.announce(Decision(made.people["M"], "x", "x", now), public_id=public, words="Hello")
    for game in made.tables.values():
        if game.status != "over":
            tell(game, made.people["p"], now=now)
    return made


def compare(name: str, ask_at: dict[str, Callable[[], list[str]]], anew: str | None) -> None:
    """The rows of a file, by route, are what is answered now; `anew`: see --write-matrix."""
    head = LEGEND + "".join(f"# {sign}: {what}\n" for sign, what in KINDS.items())
    columns = f"{'':81}{''.join(KINDS)}"
    path = FOLDER / f"{name}.txt"
    if anew is not None:
        old: dict[str, list[str]] = {}
        for line in path.read_text().splitlines():
            if line.startswith(("GET", "POST")) and anew not in line.split()[1]:
                old.setdefault(line.split()[1], []).append(line)
        lines = [line for route in ask_at for line in old.get(route) or ask_at[route]()]
        path.write_text("\n".join([head, columns, *lines]) + "\n")
        return
    lines = [line for rows_at in ask_at.values() for line in rows_at()]
    assert [head, columns, *lines] == [head, *path.read_text().removeprefix(head).splitlines()[1:]]


@pytest.mark.parametrize("state", STATES)
def test_a_table(people: World, state: str, write_matrix: str | None) -> None:
    games: dict[str, Game | None] = {
        visibility: game for (at, visibility), game in people.tables.items() if at == state
    }
    mine = [route for route in ROUTES if route.startswith(GAME)]
    compare(state, {route: partial(rows, people, route, games) for route in mine}, write_matrix)


@pytest.mark.parametrize("part", ["site", "admin"])
def test_the_rest(people: World, part: str, write_matrix: str | None) -> None:
    mine = [
        route
        for route in ROUTES
        if not route.startswith(GAME) and route.startswith(ADMIN) == (part == "admin")
    ]
    no_game: dict[str, Game | None] = {"": None}
    compare(part, {route: partial(rows, people, route, no_game) for route in mine}, write_matrix)


# --- what follows for whom the refusals are ------------------------------------------------------

OUTSIDE = "soM"
"""A stranger, somebody who plays elsewhere, and a moderator: no private table is theirs to know."""


def said(response: HttpResponse, public_id: str) -> tuple[object, ...]:
    """All that came back, but for what is new each time."""
    body = response.content.decode().replace(public_id, "ID")
    body = re.sub(r'name="(csrfmiddlewaretoken|form_token)" value="[^"]*"', r'name="\1"', body)
    headers = str(sorted(response.headers.items())).replace(public_id, "ID")
    cookies = sorted(response.cookies)
    return response.status_code, body, headers, cookies


@pytest.mark.parametrize("state", STATES)
def test_a_private_table_is_to_strangers_as_if_it_were_not_there(people: World, state: str) -> None:
    private = people.tables[state, "private"]
    nowhere = Game(public_id="x" * len(private.public_id), status=private.status)
    differ = []
    for route in (route for route in ROUTES if route.startswith(GAME)):
        for method in ("GET", "POST"):
            for kind in OUTSIDE:
                there, not_there = (
                    said(
                        ask(people, kind, method, fill(route, game), route, private),
                        game.public_id,
                    )
                    for game in (private, nowhere)
                )
                if there != not_there:
                    differ.append((kind, method, route, there[0], not_there[0]))
    assert differ == []


def written(name: str) -> Iterator[tuple[str, str, str, dict[str, str]]]:
    """The rows of a file: method, route, tables, and the answer by kind."""
    for line in (FOLDER / f"{name}.txt").read_text().splitlines():
        if line.startswith(("GET", "POST")):
            method, route, *tables, cells = line.split()
            yield method, route, " ".join(tables), dict(zip(KINDS, cells, strict=True))


def test_every_address_is_written_down() -> None:
    names = (*STATES, "site", "admin")
    assert {route for name in names for _, route, _, _ in written(name)} == set(ROUTES)


def test_nothing_breaks_and_whoever_is_banned_is_a_stranger() -> None:
    for name in (*STATES, "site", "admin"):
        for row in written(name):
            cells = row[-1]
            assert "!" not in cells.values(), row
            assert cells["b"] == cells["s"], row


def test_the_administration_is_for_staff_with_a_second_factor() -> None:
    for method, route, _tables, cells in written("admin"):
        for kind in set(KINDS) - set("MPLA"):
            door = route in ("/admin/login/", "/admin/logout/")
            assert cells[kind] == "F" or door, (method, route, kind)


def test_who_works_here_is_at_a_table_what_everybody_is() -> None:
    """No role opens a table's own page, or does anything there."""
    for state in STATES:
        for row in written(state):
            cells = row[-1]
            assert cells["M"] == cells["L"] == cells["A"] == cells["N"] == cells["o"], row
            assert cells["P"] == cells["m"] or "talk/say" in row[1], row
