"""What a move and a table's page cost in CPU time, beside a bare view that does the same SQL.

    python -m bench.web        (`make bench-web`)

Four players, move 120 and later, a seat with an open prompt; the move is a sealed answer, posted
by htmx and answered with the table. Requests go through WSGI and the site's whole middleware.

The bare view stands behind the same middleware. It makes the same queries with Django's models,
those of the session, the person and the header included, and answers as many bytes: no rules, no
words, no template. Before anything is timed, its statements are compared with those of the real
request, one by one, and must be equal. For a move it stores a real sealed answer at a second table
just like the first, so that both tables stay in step.

Real and bare requests take turns in one run, each after a garbage collection; medians of process
time.
"""

import argparse
import gc
import io
import os
import shutil
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

FOLDER = Path(tempfile.mkdtemp(prefix="coup-bench-"))
os.environ |= {
    "COUP_DATA_DIR": str(FOLDER),
    "COUP_LOG_LEVEL": "ERROR",
    "COUP_CONNECTION_AGE": "60",  # as wsgi.py has it
    "DJANGO_SETTINGS_MODULE": "coupsite.settings",
}
for name in ("DATABASE_URL", "REDIS_URL"):
    os.environ.pop(name, None)

import django  # noqa: E402
from django.conf import settings  # noqa: E402

settings.ROOT_URLCONF = __name__  # by its full name this module would be loaded twice
django.setup()

from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY  # noqa: E402
from django.contrib.sessions.backends.db import SessionStore  # noqa: E402
from django.core.handlers.wsgi import WSGIHandler  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.db import connection, transaction  # noqa: E402
from django.http import HttpRequest, HttpResponse  # noqa: E402
from django.middleware.csrf import _get_new_csrf_string  # noqa: E402
from django.urls import include, path  # noqa: E402
from django.utils import timezone  # noqa: E402

from accounts.models import User  # noqa: E402
from accounts.views.tracing import DEVICE_COOKIE  # noqa: E402
from games import lobby, play, standing, store  # noqa: E402
from games.engine import codec  # noqa: E402
from games.engine.commands import SEATS, parse  # noqa: E402
from games.models import (  # noqa: E402
    Game,
    Prompt,
    PromptState,
    Source,
    Status,
    Tenure,
    Window,
)
from games.models.move import Move  # noqa: E402
from games.models.secret import GameSecret  # noqa: E402
from games.timing import Pace  # noqa: E402

MOVES = 120
PLAYERS = 4

sizes = {"page": 0, "move": 0}
folded: dict[str, int] = {}
"""The last move of a table that the bare view has read: the site, too, reads each only once."""


# --- the bare views ---------------------------------------------------------------------------


def bare_page(request: HttpRequest, public_id: str) -> HttpResponse:
    read_table(request, public_id)
    return HttpResponse(b"x" * sizes["page"])


def bare_move(request: HttpRequest, public_id: str) -> HttpResponse:
    now = timezone.now()
    with transaction.atomic():
        game = Game.objects.select_for_update().get(public_id=public_id)
        tenures = list(
            Tenure.objects.filter(game=game)
            .order_by("seat__index", "pk")
            .select_related("user", "seat")
        )
        mine = next(tenure for tenure in tenures if tenure.user_id == request.user.pk)
        prompt = Prompt.objects.filter(pk=int(request.POST["prompt"]), game=game).first()
        assert prompt is not None
        read_moves(game)
        GameSecret.objects.values_list("seed", flat=True).get(pk=game.pk)
        game.last_move += 1
        Move.objects.create(
            game=game,
            number=game.last_move,
            tenure=mine,
            seat=mine.seat.index,
            prompt=prompt,
            command="allow",
            source=Source.PERSON,
            events=[["Answered", mine.seat.index, None]],
            schema=codec.SCHEMA,
            version=game.version,
            at=now,
        )
        game.save()
        asked = Prompt.objects.filter(game=game, window__closed_at=None)
        list(asked.exclude(state=PromptState.VOID).select_related("tenure"))
        Prompt.objects.filter(pk__in=[prompt.pk]).update(
            state=PromptState.ANSWERED, answered_by=Source.PERSON, closed_at=now, burnt=0
        )
    read_table(request, public_id)
    return HttpResponse(b"x" * sizes["move"])


def read_table(request: HttpRequest, public_id: str) -> None:
    user_id = request.user.pk
    game = Game.objects.filter(public_id=public_id).first()
    assert game is not None
    tenures = list(
        Tenure.objects.filter(game=game)
        .order_by("seat__index", "pk")
        .select_related("user", "seat")
    )
    mine = next(tenure for tenure in tenures if tenure.user_id == user_id)
    Window.objects.filter(game=game, closed_at=None).first()
    last = Prompt.objects.filter(tenure=mine).order_by("-pk").first()
    read_moves(game)
    if last is not None:
        standing.on_table(mine, last.pk)
    Prompt.objects.filter(
        tenure__user_id=user_id,
        tenure__ended="",
        state=PromptState.OPEN,
        game__status__in=[Status.RUNNING, Status.OPEN],
        game__frozen_at=None,
    ).count()


def read_moves(game: Game) -> None:
    rows = Move.objects.filter(game_id=game.pk, number__gte=folded.get(game.public_id, 0))
    fields = ("game_id", "number", "seat", "source", "command", "events", "schema", "version", "at")
    for row in rows.order_by("number").values_list(*fields):
        folded[game.public_id] = row[1]


urlpatterns = [
    path("bare/<str:public_id>/", bare_page),
    path("bare/<str:public_id>/answer/", bare_move),
    path("", include("coupsite.urls")),
]


# --- requests ---------------------------------------------------------------------------------

handler = WSGIHandler()
CSRF = _get_new_csrf_string()
DEVICE = "d" * 22

type Call = tuple[str, str, str, bytes]


def request(method: str, url: str, cookie: str, body: bytes = b"") -> int:
    """The number of bytes of a request's answer, which must be a success."""
    status: list[str] = []
    answer: Any = handler(
        {
            "REQUEST_METHOD": method,
            "PATH_INFO": url,
            "QUERY_STRING": "",
            "SERVER_NAME": "localhost",
            "SERVER_PORT": "80",
            "SERVER_PROTOCOL": "HTTP/1.1",
            "REMOTE_ADDR": "127.0.0.1",
            "HTTP_HOST": "localhost",
            "HTTP_COOKIE": cookie,
            "HTTP_HX_REQUEST": "true",
            "CONTENT_TYPE": "application/x-www-form-urlencoded",
            "CONTENT_LENGTH": str(len(body)),
            "wsgi.input": io.BytesIO(body),
            "wsgi.errors": io.StringIO(),
            "wsgi.url_scheme": "http",
        },
        lambda line, headers, error=None: status.append(line) or (lambda data: None),  # type: ignore[func-returns-value]
    )
    size = sum(map(len, answer))
    answer.close()
    assert status[0][:3] in ("200", "204"), status
    return size


def timed(call: Call) -> float:
    """Milliseconds of CPU time of one request."""
    gc.collect()
    started = time.process_time()
    request(*call)
    return (time.process_time() - started) * 1000


@contextmanager
def recording() -> Iterator[list[str]]:
    statements: list[str] = []

    def keep(execute: Callable[..., Any], sql: str, *rest: Any) -> Any:
        statements.append(sql)
        return execute(sql, *rest)

    with connection.execute_wrapper(keep):
        yield statements


def sign_in(user: User) -> str:
    """A session's cookies."""
    session = SessionStore()
    session[SESSION_KEY] = str(user.pk)
    session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    session.create()
    return f"sessionid={session.session_key}; csrftoken={CSRF}; {DEVICE_COOKIE}={DEVICE}"


# --- the tables -------------------------------------------------------------------------------


def long_game(people: list[User]) -> Game:
    """A game at move 120 or just after, in whose open window nobody has answered."""
    plan = lobby.Plan(size=PLAYERS, pace=Pace.DAILY)
    game = lobby.open_table(host=people[0], plan=plan, seed=bytes(32), now=timezone.now())
    for user in people[1:]:
        lobby.sit(public_id=game.public_id, user=user, now=timezone.now())
    while game.last_move < MOVES or not in_whole_window(game):
        say_next(game)
        game.refresh_from_db()
    return game


def open_prompts(game: Game) -> list[Prompt]:
    prompts = Prompt.objects.filter(game=game, state=PromptState.OPEN)
    return list(prompts.select_related("tenure__user", "window", "seat").order_by("pk"))


def in_whole_window(game: Game) -> bool:
    return len(open_prompts(game)) == PLAYERS - 1


def say_next(game: Game) -> None:
    """Everybody exchanges and everybody allows: a game that never ends."""
    prompt = open_prompts(game)[0]
    said = {"action": "exchange", "respond": "allow"}.get(prompt.window.kind)
    if said is None:
        hand = store.load(game).state.hands[prompt.seat.index]
        said = f"keep {','.join(sorted(hand))}"
    assert prompt.tenure.user_id is not None
    play.answer(
        public_id=game.public_id,
        user_id=prompt.tenure.user_id,
        prompt_id=prompt.pk,
        command=parse(said, SEATS),
        now=timezone.now(),
    )


def to_next_window(game: Game) -> None:
    say_next(game)
    while not in_whole_window(game):
        say_next(game)
    store.load(game)


# --- the benchmark ----------------------------------------------------------------------------


def page_call(game: Game, cookies: dict[int, str], root: str) -> Call:
    (prompt, *_) = open_prompts(game)
    return "GET", f"/{root}/{game.public_id}/", cookies[prompt.tenure.user_id or 0], b""


def move_call(game: Game, cookies: dict[int, str], root: str) -> Call:
    (prompt, *_) = open_prompts(game)
    body = f"csrfmiddlewaretoken={CSRF}&prompt={prompt.pk}&answer=allow".encode()
    url = f"/{root}/{game.public_id}/answer/"
    return "POST", url, cookies[prompt.tenure.user_id or 0], body


def differing(done: list[str], wanted: list[str]) -> str:
    """What the bare view asks otherwise: it must follow the site's own queries."""
    lines = [f"  site: {sql}" for sql in wanted if sql not in done]
    lines += [f"  bare: {sql}" for sql in done if sql not in wanted]
    return "\n".join(["the bare view does other SQL, or in another order", *lines])


def bench(
    name: str,
    make: Callable[[Game, dict[int, str], str], Call],
    games: tuple[Game, Game],
    cookies: dict[int, str],
    onwards: Callable[[Game], None],
    rounds: int,
) -> None:
    real, bare = games
    spent: tuple[list[float], list[float]] = ([], [])
    for number in range(rounds + 1):
        calls = make(real, cookies, "g"), make(bare, cookies, "bare")
        if number == 0:
            with recording() as wanted:
                sizes[name] = request(*calls[0])
            with recording() as done:
                request(*calls[1])
            assert done == wanted, differing(done, wanted)
        else:
            for call, times in zip(calls, spent, strict=True):
                times.append(timed(call))
        for game in games:
            onwards(game)
            read_moves(game)
    ours, plain = map(statistics.median, spent)
    print(
        f"web {name}: {ours:.2f} ms, bare view {plain:.2f} ms, ratio {ours / plain:.2f}"
        f" ({len(wanted)} statements, {sizes[name]} bytes)"
    )


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=150)
    rounds = parser.parse_args().rounds
    call_command("migrate", verbosity=0)
    people = [User.objects.create_user(f"Player {letter}") for letter in "ABCD"]
    cookies = {user.pk: sign_in(user) for user in people}
    games = long_game(people), long_game(people)
    for game in games:
        read_moves(game)
    token = f"csrfmiddlewaretoken={CSRF}".encode()
    for cookie in cookies.values():  # what somebody first sends on a day leaves a trace
        request("POST", f"/g/{games[0].public_id}/beat/", cookie, token)
    bench("page", page_call, games, cookies, lambda game: None, rounds)
    bench("move", move_call, games, cookies, to_next_window, rounds)
    shutil.rmtree(FOLDER)


if __name__ == "__main__":
    main()
