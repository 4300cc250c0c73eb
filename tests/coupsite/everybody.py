"""Every kind of person there is, in a browser of their own, and a table in every state."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from allauth.account.models import EmailAddress
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver
from django.utils import timezone

from accounts import guests, sanctions
from accounts.models import SanctionKind, User
from games import lobby, play
from games.models import Game, Recusal, Visibility
from games.timing import Pace
from tests.accounts.staff import staff_client
from tests.games.cast import person, say, state_of
from tests.games.moderation.staff import worker

SEATED = ("Ana", "Eve", "Mut", "Sue", "Bob", "Pia")
KINDS = {
    "s": "a stranger",
    "g": "Gus, a guest without a seat",
    "p": "Ana, a player, and the host",
    "o": "Oto, who plays elsewhere",
    "x": "Eve, who is exiled (at an open table: not there)",
    "w": "Wes, a spectator, who has the link",
    "m": "Mut, a player who is silenced",
    "u": "Sue, a player who is suspended",
    "b": "Bob, a player who is banned",
    "M": "Moe, a moderator",
    "P": "Pia, a moderator who plays here",
    "L": "Lou, an administrator who has looked at the cards",
    "A": "Adm, an administrator",
    "N": "Nel, an administrator without a second factor",
}
STATES = ("waiting", "running", "ended")


@dataclass
class World:
    """People by the letter of their kind, their browsers, and the tables by state and
    visibility. `people["p"]` is on turn where a game runs."""

    people: dict[str, User]
    browsers: dict[str, Client]
    tables: dict[tuple[str, str], Game]


def routes(patterns: list[Any] | None = None, before: str = "/") -> Iterator[str]:
    """The route of every address of the site."""
    for pattern in get_resolver().url_patterns if patterns is None else patterns:
        route = before + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from routes(pattern.url_patterns, route)
        else:
            assert isinstance(pattern, URLPattern)
            yield route


def world() -> World:
    """All of them. The clock is the real one: what a moderator decides holds now."""
    people = {
        "g": guests.create("Gus"),
        "w": person("Wes"),
        "o": person("Oto"),
        "M": worker("Moe", "moderator"),
        "P": worker("Pia", "moderator"),
        "L": worker("Lou", "administrator"),
        "A": worker("Adm", "administrator"),
        "N": worker("Nel", "administrator"),
        **dict(zip("pxmub", map(person, SEATED), strict=False)),
    }
    for user in people.values():
        if not user.is_guest:
            user.set_password("correct horse")
            user.save()
            EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    tables = {
        (state, visibility.value): table(people, state, visibility)
        for state in STATES
        for visibility in Visibility
    }
    elsewhere = lobby.Plan(2, Pace.DAILY)
    seed = bytes(range(1, 33))
    lobby.open_table(host=people["o"], plan=elsewhere, seed=seed, now=timezone.now())
    browsers = {"s": Client(raise_request_exception=False)}
    for kind, user in people.items():
        browsers[kind] = staff_client(user) if kind in "MPLA" else Client()
        if kind not in "MPLA":
            browsers[kind].force_login(user)
        browsers[kind].raise_request_exception = False
    decide(people)
    return World(people, browsers, tables)


def decide(people: dict[str, User]) -> None:
    """What moderators have decided, once all sit where they sit."""
    now = timezone.now()
    for kind, what in (
        ("m", SanctionKind.MUTE),
        ("u", SanctionKind.SUSPENSION),
        ("b", SanctionKind.BAN),
    ):
        until = None if what == SanctionKind.BAN else now + timedelta(days=7)
        held = {"kind": what, "reason": "Because.", "until": until, "by": people["A"]}
        sanctions.impose(user=people[kind], now=now, **held)  # type: ignore[arg-type]


def table(people: dict[str, User], state: str, visibility: Visibility) -> Game:
    """A table at which all sit who should; Ana, who is on turn, is the host."""
    now = timezone.now()
    seated = [people[kind] for kind in "pxmubP" if kind != "x" or state != "waiting"]
    invited = seated[1:] if visibility == Visibility.PRIVATE else []
    plan = lobby.Plan(6, Pace.DAILY, visibility=visibility, invited=invited)
    game = lobby.open_table(host=seated[0], plan=plan, seed=bytes(range(32)), now=now)
    for user in seated[1:]:
        lobby.sit(public_id=game.public_id, user=user, link_token=game.link_token, now=now)
    if state == "waiting":
        return game
    Recusal.objects.create(game=game, user=people["L"], at=now)
    leaving = [people["x"]] if state == "running" else seated[1:]
    for user in leaving:
        play.leave(public_id=game.public_id, user_id=user.pk, now=now)
    while state == "running" and ((table := state_of(game)).turn != 0 or 1 not in table.exiled):
        say(game, table.turn, "income", now)
    game.refresh_from_db()
    return game
