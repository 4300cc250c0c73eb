"""Who lives here, in what browsers, at what time; and what is true after whatever they do."""

import copy
import logging
import re
import secrets
from collections import Counter, deque
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from io import StringIO
from random import Random
from threading import Barrier, Lock
from urllib.parse import urlencode, urljoin, urlsplit

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.core.cache import cache
from django.core.management import call_command
from django.db import connection
from django.http import HttpResponse
from django.test import Client
from django.urls import Resolver404, resolve, reverse
from django.utils import timezone

from accounts.models import User
from games import drive, heartbeat, selectors, store, worker
from games.health import health
from games.models import READY, Game, Prompt, PromptState, Status, WorkerBeat
from games.models.move import Move
from games.models.secret import GameSecret
from games.moderation import games as moderating
from games.notify import outbox
from games.views import home
from games.views.paging import A_PAGE
from tests.accounts.cast import PASSWORD
from tests.accounts.staff import with_second_factor
from tests.games.cast import NOON
from tests.games.moderation.staff import worker as staff_member

from .pages import Page, Values, read

FORM = "application/x-www-form-urlencoded"
STRANGER, GUEST, MODERATOR, ADMINISTRATOR = 0, 1, 8, 9
PEOPLE = 10
"""Numbers 2 to 7 have accounts."""

ANSWER = re.compile(r"/g/[\w-]+/answer/$")
IN_MAIL = re.compile(r"https?://[^/\s]+(/(?:answer|messages/off)/[^\s\"<>]+)")
WAITING = re.compile(r'<li\b[^>]* class="wait[ "]')
IN_TITLE = re.compile(r"<title>(?:\((\d+)\) )?")


@dataclass
class Sent:
    """A request as it went out, so that it can go out again."""

    path: str
    values: Values
    htmx: bool = False


@dataclass
class Visitor:
    """Somebody at a browser."""

    number: int
    client: Client
    shown: tuple[str, str] = ("/", "")
    user: User | None = None

    @property
    def page(self) -> Page:
        """What they have before them."""
        return read(*self.shown)

    def twin(self) -> Client:
        """Another tab of the same browser, for another thread."""
        other = Client(enforce_csrf_checks=True)
        other.cookies = copy.copy(self.client.cookies)
        return other


class _Errors(logging.Handler):
    """What the site itself takes for a fault."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.found: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        # /health/ may say 503; and Django calls a visitor's nonsense an error.
        nonsense = record.name.startswith("django.security")
        if not nonsense and not record.getMessage().endswith(" /health/"):
            self.found.append(logging.Formatter().format(record))


class Town:
    """The site and all who use it. Time stands still unless it is moved."""

    def __init__(self, luck: Random) -> None:
        self.luck = luck
        self.time = NOON
        self.errors = _Errors()
        self.past: deque[str] = deque(maxlen=40)
        self.posts: deque[tuple[int, Sent]] = deque(maxlen=60)
        self.links: deque[str] = deque(maxlen=60)
        self.told = Counter[str]()
        self.lock = Lock()
        self.visitors = [Visitor(number, self.new_client()) for number in range(PEOPLE)]
        self.made = 0

    def now(self) -> datetime:
        return self.time

    def new_client(self) -> Client:
        client = Client(enforce_csrf_checks=True)
        client.cookies["csrftoken"] = "c" * 32  # as if it had seen a form
        return client

    # --- people -----------------------------------------------------------------------------

    def visitor(self, number: int) -> Visitor:
        """Whoever has this number, signed in if they have an account. Who closed theirs, or was
        shut out of it, makes room for somebody else."""
        found = self.visitors[number]
        if number in (STRANGER, GUEST):
            return found
        if found.user:
            found.user = User.objects.filter(pk=found.user.pk, is_active=True).first()
        if number in (MODERATOR, ADMINISTRATOR):
            self.bring_in_staff(found)
            return found
        if found.user is None:
            found.user = self.newcomer()
            found.client = self.new_client()
        if not found.client.session.get("_auth_user_id"):
            self.sign_in(found, found.user)
        return found

    def sign_in(self, visitor: Visitor, user: User) -> None:
        visitor.client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")

    def newcomer(self) -> User:
        self.made += 1
        user = User.objects.create_user(f"Nr {self.made}", f"nr{self.made}@example.org", PASSWORD)
        EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
        return user

    def bring_in_staff(self, visitor: Visitor) -> None:
        role = "moderator" if visitor.number == MODERATOR else "administrator"
        user = visitor.user
        if user is None or not user.groups.filter(name=role).exists() or not user.is_staff:
            self.made += 1
            user = visitor.user = staff_member(f"{role[:3]} {self.made}", role)
            user.set_password(PASSWORD)
            user.save()
            visitor.client = self.new_client()
        if visitor.client.session.get("_auth_user_id") != str(user.pk):
            self.sign_in(visitor, with_second_factor(user))
        with_second_factor(user)
        session = visitor.client.session
        session["account_authentication_methods_user"] = str(user.pk)
        session["account_authentication_methods"] = [
            {"method": "mfa", "at": self.time.timestamp(), "type": "totp"}
        ]
        session.save()

    # --- requests ---------------------------------------------------------------------------

    def get(self, visitor: Visitor, path: str) -> None:
        """Open a page, and where it leads on to."""
        for _ in range(5):
            response = self.send(visitor, visitor.client, "GET", path)
            if response.status_code not in (301, 302):
                break
            path = urljoin(path, response.headers["Location"])
            if urlsplit(path).netloc:
                break
        self.arrive(visitor, path, response)

    def post(self, visitor: Visitor, sent: Sent) -> None:
        response = self.send(visitor, visitor.client, "POST", sent.path, sent)
        self.posts.append((visitor.number, sent))
        if response.status_code == 302:
            to = urljoin(sent.path, response.headers["Location"])
            # Most of the time the next page is another anyway.
            if not urlsplit(to).netloc and self.luck.random() < 0.3:
                self.get(visitor, to)
        else:
            self.arrive(visitor, sent.path, response)

    def arrive(self, visitor: Visitor, path: str, response: HttpResponse) -> None:
        kind = response.headers.get("Content-Type", "")
        if kind.startswith("text/html") and response.content:
            visitor.shown = (path, response.content.decode())

    def send(
        self,
        visitor: Visitor,
        client: Client,
        method: str,
        path: str,
        sent: Sent | None = None,
        body: bytes = b"",
        kind: str = FORM,
    ) -> HttpResponse:
        """One request; what comes back is no fault of the site's, and tells no seed."""
        if sent:
            body = urlencode(sent.values, errors="surrogatepass").encode()
        headers = {"HX-Request": "true"} if sent and sent.htmx else {}
        if sent is None and "csrftoken" in client.cookies:
            headers["X-CSRFToken"] = client.cookies["csrftoken"].value
        response = client.generic(method, path, body, kind, headers=headers)
        self.note(f"{visitor.number} {method} {path} {body[:300]!r} -> {response.status_code}")
        with self.lock:
            self.told[f"{method} {response.status_code} {_view(path)}"] += 1
        # Without a worker /health/ says 503: that is what it is for.
        assert response.status_code < 500 or path.startswith("/health/"), self.past[-1]
        assert "evil.example" not in urlsplit(response.headers.get("Location", "")).netloc
        self.tells_no_seed(response)
        if sent and ANSWER.search(path) and response.status_code == 302:
            prompts = Prompt.objects.filter(pk=dict(sent.values)["prompt"])
            assert not prompts.filter(state=PromptState.OPEN).exists(), "it was taken, and is lost"
        return response

    def tells_no_seed(self, response: HttpResponse) -> None:
        told = b"" if response.streaming else response.content
        ended = (Status.OVER, Status.CANCELLED)
        for seed in GameSecret.objects.exclude(game__status__in=ended).values_list("seed"):
            assert bytes(seed[0]).hex().encode() not in told

    def note(self, what: str) -> None:
        with self.lock:
            self.past.append(f"{self.time:%d %H:%M:%S} {what}")

    def at_once(self, requests: list[tuple[Visitor, Sent]]) -> None:
        """Send these in threads that start together, beside a worker that looks what is due."""
        barrier = Barrier(len(requests) + 1)

        def run(call: Callable[[], object]) -> None:
            try:
                barrier.wait()
                call()
            finally:
                connection.close()

        def sender(visitor: Visitor, sent: Sent) -> Callable[[], object]:
            tab = visitor.twin()
            return lambda: self.send(visitor, tab, "POST", sent.path, sent)

        calls = [sender(visitor, sent) for visitor, sent in requests]
        with ThreadPoolExecutor(len(calls) + 1) as pool:
            list(pool.map(run, [*calls, lambda: drive.sweep(self.time)]))
        self.told["at once"] += 1

    # --- time and the worker ------------------------------------------------------------------

    def wait(self, so_long: timedelta, *, outage: bool = False) -> None:
        """Let time pass, with a worker there all the time or only again at its end."""
        self.time += so_long
        self.note(f"{so_long} pass{' without a worker' if outage else ''}")
        if not outage:
            WorkerBeat.objects.update(at=self.time)
        self.work()

    def work(self) -> None:
        """Do what is due, as the worker does."""
        heartbeat.beat(self.time)
        for _ in range(30):
            if not drive.sweep(self.time):
                break
            self.time += timedelta(seconds=1)
            WorkerBeat.objects.update(at=self.time)
        for _ in range(30):
            if not outbox.deliver(self.time):
                break
        for letter in mail.outbox:
            self.links.extend(IN_MAIL.findall(str(letter.body)))
        self.told["letters"] += len(mail.outbox)
        mail.outbox.clear()

    def tidy(self) -> None:
        worker._tidy(self.time)

    # --- what is true -------------------------------------------------------------------------

    def no_fault(self) -> None:
        assert not self.errors.found, "\n".join(self.errors.found)

    def counts_agree(self, visitor: Visitor) -> None:
        """The number in the title, that of the list on the first page, and the questions."""
        if visitor.user is None:
            return
        page = self.send(visitor, visitor.client, "GET", reverse("home")).content.decode()
        title = IN_TITLE.search(page)
        assert title
        number = selectors.open_prompts(visitor.user.pk)
        assert int(title[1] or 0) == number
        assert len(WAITING.findall(page)) == min(number, A_PAGE)
        header = self.send(visitor, visitor.client, "GET", reverse("games:waiting"))
        assert f'data-count="{number}"' in header.content.decode()

    def all_is_well(self) -> None:
        """At the end: what is stored is what was played, nothing stands still, nobody tampered."""
        store.forget()
        # Longer than the longest time for an answer, the bank, and all nights between.
        for _ in range(2):
            self.wait(timedelta(days=20))
            self.tidy()
        assert list(moderating.stuck(self.time)) == []
        found = health(self.time)
        assert found.is_well, found
        for command in ("verify_games", "verify_audit"):
            out = StringIO()
            try:
                call_command(command, stdout=out)
            except SystemExit:
                raise AssertionError(out.getvalue()) from None
        # That somebody is ready is no move.
        asked = Prompt.objects.exclude(window__kind=READY)
        answered = asked.filter(state=PromptState.ANSWERED).values_list("pk", flat=True)
        made = Move.objects.exclude(prompt=None).values_list("prompt", flat=True)
        assert sorted(made) == sorted(answered)
        self.no_fault()
        self.told["moves"] += len(made)
        self.told.update(f"game {game.status}" for game in Game.objects.all())


def _view(path: str) -> str:
    with suppress(Resolver404):
        return resolve(urlsplit(path).path).view_name
    return "nowhere"


@contextmanager
def town(seed: int) -> Iterator[Town]:
    """A town whose luck is all in its seed, but for what happens at the same time."""
    luck = Random(seed)
    there = Town(luck)
    loggers = [logging.getLogger(), logging.getLogger("django")]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(timezone, "now", there.now)
        patch.setattr(secrets, "_sysrand", luck)
        patch.setattr(home, "SystemRandom", lambda: luck)
        for logger in loggers:
            logger.addHandler(there.errors)
        cache.clear()
        store.forget()
        mail.outbox = []
        try:
            yield there
        finally:
            for logger in loggers:
                logger.removeHandler(there.errors)
            store.forget()
            connection.close()


def playing(status: Status = Status.RUNNING) -> list[Game]:
    return list(Game.objects.filter(status=status).order_by("pk"))
