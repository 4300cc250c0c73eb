"""What a move and a table's page cost in CPU time, beside a bare view that does the same SQL.

Four players, move 120, a seat with an open prompt, through WSGI and the site's whole middleware.
The bare view sits behind the same middleware, runs the very statements that the real request ran
(recorded beforehand, parameters included, the session's and the user's among them) on a copy of
the same database, fetches their rows, and answers as many bytes. Real and bare requests take
turns in one run; medians of process time.
"""

import io
import os
import shutil
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

FOLDER = Path(tempfile.mkdtemp(prefix="coup-bench-"))
os.environ |= {
    "COUP_DATA_DIR": str(FOLDER),
    "COUP_LOG_LEVEL": "ERROR",
    "DJANGO_SETTINGS_MODULE": "coupsite.settings",
}
os.environ.pop("DATABASE_URL", None)
os.environ.pop("REDIS_URL", None)

import django  # noqa: E402
from django.conf import settings  # noqa: E402

settings.DATABASES["bare"] = settings.DATABASES["default"] | {"NAME": FOLDER / "bare.sqlite3"}
settings.ROOT_URLCONF = "bench.web"
django.setup()

from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY  # noqa: E402
from django.contrib.sessions.backends.db import SessionStore  # noqa: E402
from django.core.handlers.wsgi import WSGIHandler  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.db import connections, transaction  # noqa: E402
from django.http import HttpRequest, HttpResponse  # noqa: E402
from django.middleware.csrf import _get_new_csrf_string  # noqa: E402
from django.urls import include, path  # noqa: E402
from django.utils import timezone  # noqa: E402

from accounts.models import User  # noqa: E402
from games import lobby, play, store  # noqa: E402
from games.engine.commands import parse  # noqa: E402
from games.models import Game, Prompt, PromptState  # noqa: E402
from games.timing import Pace  # noqa: E402

ROUNDS = 120
MOVES = 120
PLAYERS = 4


@dataclass
class Recorded:
    """A request's statements, and how many bytes it answered. `writes`: in a transaction."""

    statements: list[tuple[str, Any]] = field(default_factory=list)
    size: int = 0
    writes: bool = False


now_bare = Recorded()


def bare(request: HttpRequest) -> HttpResponse:
    if now_bare.writes:
        with transaction.atomic(using="bare"):
            run_statements()
    else:
        run_statements()
    return HttpResponse(b"x" * now_bare.size)


def run_statements() -> None:
    with connections["bare"].cursor() as cursor:
        for sql, params in now_bare.statements:
            cursor.execute(sql, params)
            if cursor.description:
                cursor.fetchall()


urlpatterns = [path("bare/", bare), path("", include("coupsite.urls"))]


@contextmanager
def recording() -> Iterator[Recorded]:
    recorded = Recorded()

    def keep(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        recorded.statements.append((sql, params))
        return execute(sql, params, many, context)

    with connections["default"].execute_wrapper(keep):
        yield recorded


handler = WSGIHandler()


def request(method: str, url: str, cookie: str, body: bytes = b"") -> tuple[int, int]:
    """Status and number of bytes of a request through WSGI."""
    status: list[int] = []

    def start(line: str, headers: list[tuple[str, str]], error: Any = None) -> Callable[..., Any]:
        status.append(int(line.split()[0]))
        return lambda data: None

    location, _, query = url.partition("?")
    answer = handler(
        {
            "REQUEST_METHOD": method,
            "PATH_INFO": location,
            "QUERY_STRING": query,
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
        start,
    )
    size = sum(map(len, answer))
    answer.close()
    return status[0], size


def timed(*arguments: Any) -> float:
    """Milliseconds of CPU time of one request, which must succeed."""
    started = time.process_time()
    status, _ = request(*arguments)
    spent = time.process_time() - started
    assert status in (200, 204), status
    return spent * 1000


def sign_in(user: User) -> str:
    """A session's cookie."""
    session = SessionStore()
    session[SESSION_KEY] = str(user.pk)
    session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    session.create()
    return f"sessionid={session.session_key}; csrftoken={CSRF}"


CSRF = _get_new_csrf_string()


def long_game(people: list[User]) -> Game:
    """A game at move 120 or just after, in a window with open prompts."""
    plan = lobby.Plan(size=PLAYERS, pace=Pace.DAILY)
    game = lobby.open_table(host=people[0], plan=plan, seed=bytes(32), now=timezone.now())
    for user in people[1:]:
        lobby.sit(public_id=game.public_id, user=user, now=timezone.now())
    while True:
        game.refresh_from_db()
        if (
            game.last_move >= MOVES
            and Prompt.objects.filter(game=game, state=PromptState.OPEN).count() > 1
        ):
            return game
        prompt, command = next_move(game)
        assert prompt.tenure.user_id is not None
        play.answer(
            public_id=game.public_id,
            user_id=prompt.tenure.user_id,
            prompt_id=prompt.pk,
            command=parse(command, store.SEATS),
            now=timezone.now(),
        )


def next_move(game: Game) -> tuple[Prompt, str]:
    """Everybody exchanges and everybody allows: a game that never ends."""
    prompt = (
        Prompt.objects.filter(game=game, state=PromptState.OPEN)
        .select_related("tenure__user", "window", "seat")
        .order_by("pk")
        .first()
    )
    assert prompt is not None
    if prompt.window.kind == "action":
        return prompt, "exchange"
    if prompt.window.kind == "exchange":
        hand = store.load(game).state.hands[prompt.seat.index]
        return prompt, f"keep {','.join(sorted(hand))}"
    return prompt, "allow"


def bench_page(game: Game, cookies: dict[int, str]) -> None:
    prompt, _ = next_move(game)
    cookie = cookies[prompt.tenure.user_id or 0]
    url = f"/g/{game.public_id}/"
    request("GET", url, cookie)
    with recording() as recorded:
        _, recorded.size = request("GET", url, cookie)
    compare("page", recorded, lambda: timed("GET", url, cookie))


def bench_move(game: Game, cookies: dict[int, str]) -> None:
    """Moves from 120 on, each recorded on a copy first, so that the bare view can do the same."""
    start = FOLDER / "start.sqlite3"
    copy(FOLDER / "db.sqlite3", start)
    recorded = [post(game, cookies) for _ in range(ROUNDS)]
    real, plain = [], []
    for name in ("db.sqlite3", "bare.sqlite3"):
        copy(start, FOLDER / name)
    store.forget()
    store.load(game)
    for record in recorded:
        real.append(timed(*arguments(game, cookies)))
        use(record, writes=True)
        plain.append(timed("GET", "/bare/", ""))
    report("move", recorded[0], real, plain)


def arguments(game: Game, cookies: dict[int, str]) -> tuple[str, str, str, bytes]:
    prompt, command = next_move(game)
    body = f"csrfmiddlewaretoken={CSRF}&prompt={prompt.pk}&answer={command.replace(' ', '+')}"
    url = f"/g/{game.public_id}/answer/"
    return "POST", url, cookies[prompt.tenure.user_id or 0], body.encode()


def post(game: Game, cookies: dict[int, str]) -> Recorded:
    call = arguments(game, cookies)
    with recording() as recorded:
        status, recorded.size = request(*call)
    assert status == 200, status
    return recorded


def compare(name: str, recorded: Recorded, real_request: Callable[[], float]) -> None:
    copy(FOLDER / "db.sqlite3", FOLDER / "bare.sqlite3")
    use(recorded, writes=False)
    real, plain = [], []
    for _ in range(ROUNDS):
        real.append(real_request())
        plain.append(timed("GET", "/bare/", ""))
    report(name, recorded, real, plain)


def use(recorded: Recorded, *, writes: bool) -> None:
    now_bare.statements = [
        (sql, params)
        for sql, params in recorded.statements
        if not sql.startswith(("BEGIN", "COMMIT", "SAVEPOINT", "RELEASE"))
    ]
    now_bare.size, now_bare.writes = recorded.size, writes


def copy(source: Path, target: Path) -> None:
    for connection in connections.all():
        connection.close()
    for name in (source, target):
        for suffix in ("-wal", "-shm"):
            left = Path(f"{name}{suffix}")
            if name == target and left.exists():
                left.unlink()
    shutil.copyfile(source, target)


def report(name: str, recorded: Recorded, real: list[float], plain: list[float]) -> None:
    mine, bare_view = statistics.median(real), statistics.median(plain)
    print(
        f"web {name}: {mine:.2f} ms, bare view {bare_view:.2f} ms, ratio {mine / bare_view:.2f}"
        f" ({len(recorded.statements)} statements, {recorded.size} bytes)"
    )


def main() -> None:
    call_command("migrate", verbosity=0)
    people = [User.objects.create_user(f"Player {number}") for number in range(PLAYERS)]
    cookies = {user.pk: sign_in(user) for user in people}
    game = long_game(people)
    bench_page(game, cookies)
    bench_move(game, cookies)
    shutil.rmtree(FOLDER)


if __name__ == "__main__":
    main()
