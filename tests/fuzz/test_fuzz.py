"""Random people do random, malformed, stale, repeated and simultaneous things to random games.

After every step: no fault of the site's, in answers or in its log. Every few steps: no page tells
its reader what they may not know, and every count is that of its list. At the end: what is stored
is what was played. `make fuzz` goes on for as long as is wanted.
"""

import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from datetime import timedelta
from functools import wraps
from random import Random
from typing import Any

import pytest
from django.core.cache import cache
from django.core.management import call_command
from django.db import connection
from django.urls import get_resolver, reverse
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    rule,
    run_state_machine_as_test,
)
from pytest_django import Settings

from accounts.models import User
from games import lobby
from games.engine.view import SPECTATOR
from games.models import Game, Prompt, PromptState, Report, Status, audit_guard
from games.timing import Pace
from tests.accounts.cast import PASSWORD
from tests.games.cast import say, state_of
from tests.games.test_break_urls import bodies, paths, routes

from .leaks import a_moderator_is_blind, hidden_hands_stay_hidden, sealed_answers_stay_sealed
from .pages import Form, fill, spoil
from .town import (
    ADMINISTRATOR,
    ANSWER,
    GUEST,
    MODERATOR,
    PEOPLE,
    Sent,
    Town,
    Visitor,
    playing,
    town,
)

A_RUN = 200
"""Steps after which the tables are emptied, and all begins anew."""

SHORT = 40
"""How many steps `make test` takes. They are always the same."""

MOST_GAMES = 8
SOME_TIME = (1, 1, 20, 20, 61, 61, 700, 700, 3_600, 30_000, 90_000, 400_000)
LUCK = st.integers(0, 2**32 - 1)
WHO = st.integers(0, PEOPLE - 1)
ROUTES = list(routes(get_resolver().url_patterns))
GOES_AWAY = re.compile(r"/(logout|sign-out-everywhere|close|login|signup|reset|confirm|leave)/")
SUBJECTS: list[tuple[str, Any]] = [
    ("games_game", Game), ("games_game", Game), ("games_report", Report), ("accounts_user", User),
]  # fmt: skip
FOUND: list[tuple[int, Exception]] = []
"""The fault that was found, and after how many steps of its run. Hypothesis asks for the same run
once more; what happens at the same time may not happen again, so it is shown this."""

AT_THE_BEGINNING = 0
AT_THE_END = -1

DONE = Counter[str]()
"""What was done in all runs."""


def told(step: Callable[..., None]) -> Callable[..., None]:
    """One step: this, then ordinary life, and a look at whether all is well."""

    @wraps(step)
    def run(machine: "Anybody", **given: Any) -> None:
        machine.steps += 1
        if FOUND:
            machine.show_again(machine.steps)
            return
        if machine.idle:
            return
        machine.town.note(f"-- {step.__name__} {given}")
        machine.town.told[step.__name__] += 1
        with machine.watched(machine.steps):
            step(machine, **given)
            machine.play(Random(given["luck"] + 1))
            machine.check(Random(given["luck"] + 2))

    return run


class Anybody(RuleBasedStateMachine):
    """One run, from an empty site."""

    def __init__(self) -> None:
        super().__init__()
        self.stack = ExitStack()
        call_command("flush", verbosity=0, interactive=False)
        audit_guard.put_up(connection)
        self.stack.callback(audit_guard.take_down, connection)
        self.idle = False
        self.steps = 0

    @initialize(luck=LUCK)
    def begin(self, luck: int) -> None:
        self.idle = luck == 0
        self.town: Town = self.stack.enter_context(town(luck))
        self.town.work()
        if FOUND:
            self.show_again(AT_THE_BEGINNING)
        elif not self.idle:
            with self.watched(AT_THE_BEGINNING):
                self.begin_a_game(Random(luck))

    def teardown(self) -> None:
        try:
            if FOUND:
                self.show_again(AT_THE_END)
            elif not self.idle:
                with self.watched(AT_THE_END):
                    self.town.all_is_well()
                DONE.update(self.town.told)
        finally:
            self.stack.close()

    @contextmanager
    def watched(self, step: int) -> Iterator[None]:
        """With what is found go the last requests before it."""
        try:
            yield
        except Exception as error:
            error.add_note("\n".join(self.town.past))
            FOUND.append((step, error))
            raise

    def show_again(self, step: int) -> None:
        if step == FOUND[0][0]:
            raise FOUND[0][1]

    def begin_a_game(self, random: Random) -> None:
        """Four at a table, one of whom has answered under seal: what happens at the same moment is
        no run's to say, so that some leave no such table to look at."""
        now = self.town.time
        users = [user for number in range(2, 6) if (user := self.town.visitor(number).user)]
        plan = lobby.Plan(size=len(users), pace=Pace.DAILY)
        game = lobby.open_table(host=users[0], plan=plan, seed=random.randbytes(32), now=now)
        for user in users[1:]:
            lobby.sit(public_id=game.public_id, user=user, now=now)
        game.refresh_from_db()
        turn = state_of(game).turn
        say(game, turn, "tax", now)
        say(game, (turn + 1) % game.size, "allow", now)
        looks = [hidden_hands_stay_hidden, sealed_answers_stay_sealed]
        for look in looks:
            seen = [look(self.town, game, viewer, random) for viewer in range(SPECTATOR, game.size)]
            assert any(seen), look.__name__

    # --- what goes on whatever else is done ---------------------------------------------------

    def play(self, random: Random) -> None:
        """Tables are opened, people sit down, who is asked answers, time passes."""
        if random.random() < 0.5 and len(playing() + playing(Status.OPEN)) < MOST_GAMES:
            visitor = self.town.visitor(random.randrange(PEOPLE))
            self.town.get(visitor, reverse("games:new"))
            self.press(visitor, random, "/new/")
        if random.random() < 0.3 and (games := playing(Status.OPEN)):
            game = random.choice(games)
            for number in random.sample(range(PEOPLE), 4):
                visitor = self.town.visitor(number)
                self.town.get(visitor, f"/g/{game.public_id}/?k={game.link_token}")
                self.press(visitor, random, "/sit/", "/start/")
        for _ in range(random.randrange(10)):
            if asked := self.asked(random):
                self.press(asked, random, "/answer/", "/back/")
        if random.random() < 0.1:
            self.meet(random, 2)
        if random.random() < 0.1:
            self.act(random)
        if random.random() < 0.3:
            self.give_orders(random)
        if random.random() < 0.3:
            self.read(self.town.visitor(random.randrange(PEOPLE)), random)
        if random.random() < 0.4:
            self.town.wait(timedelta(seconds=random.choice(SOME_TIME)))

    # --- all over the site --------------------------------------------------------------------

    @rule(who=WHO, luck=LUCK)
    @told
    def wander(self, who: int, luck: int) -> None:
        """Go somewhere and press something there."""
        visitor, random = self.town.visitor(who), Random(luck)
        self.go(visitor, random)
        self.press(visitor, random, "")

    @rule(who=WHO, luck=LUCK)
    @told
    def talk_nonsense(self, who: int, luck: int) -> None:
        """Go somewhere and send something that its form would not."""
        visitor, random = self.town.visitor(who), Random(luck)
        asked = self.asked(random) if random.random() < 0.4 else None
        if asked is None:
            self.go(visitor, random)
        visitor = asked or visitor
        sent = self.filled(visitor, random, "")
        if sent:
            sent.values = spoil(sent.values, random, self.foreign(random))
            self.town.post(visitor, sent)

    @rule(who=WHO, luck=LUCK)
    @told
    def send_anything_anywhere(self, who: int, luck: int) -> None:
        visitor, random = self.town.visitor(who), Random(luck)
        ids = [game.public_id for game in playing()] or ["nowhere"]
        _name, route = random.choice(ROUTES)
        path = random.choice(paths(route, [random.choice(ids), "nowhere"]))
        body, kind = random.choice(list(bodies(self.a_prompt(random))))
        method = random.choice(("GET", "POST", "POST", "POST", "HEAD", "PUT", "DELETE", "OPTIONS"))
        self.town.send(visitor, visitor.client, method, path, body=body, kind=kind)

    @rule(luck=LUCK, by_another=st.booleans())
    @told
    def send_it_once_more(self, luck: int, by_another: bool) -> None:
        """What was sent a while ago goes out again, from the same browser or another."""
        random = Random(luck)
        if not self.town.posts:
            return
        number, sent = random.choice(list(self.town.posts))
        visitor = self.town.visitor(random.randrange(PEOPLE) if by_another else number)
        self.town.post(visitor, self.stamped(visitor, sent))

    @rule(luck=LUCK)
    @told
    def click_twice(self, luck: int) -> None:
        """An answer that was taken is taken once; it is the same answer both times."""
        random = Random(luck)
        asked = self.asked(random)
        sent = self.filled(asked, random, "/answer/") if asked else None
        if asked and sent:
            self.town.post(asked, sent)
            self.town.post(asked, sent)

    @rule(luck=LUCK, crowd=st.integers(2, 4))
    @told
    def at_once(self, luck: int, crowd: int) -> None:
        self.meet(Random(luck), crowd)

    def meet(self, random: Random, crowd: int) -> None:
        """Several send something at the same moment, one of them twice."""
        requests: list[tuple[Visitor, Sent]] = []
        for _ in range(crowd):
            visitor = self.asked(random) if random.random() < 0.7 else None
            if visitor is None:
                visitor = self.town.visitor(random.randrange(PEOPLE))
                self.go(visitor, random)
            sent = self.filled(visitor, random, "")
            if sent:
                requests.append((visitor, sent))
        if requests:
            self.town.at_once([*requests, requests[0]])

    @rule(luck=LUCK)
    @told
    def moderate(self, luck: int) -> None:
        self.act(Random(luck))

    def act(self, random: Random) -> None:
        """Somebody who works here does something to a game, a person, or a report."""
        visitor = self.town.visitor(random.choice((MODERATOR, ADMINISTRATOR)))
        name, model = random.choice(SUBJECTS)
        pks = list(model.objects.order_by("-pk").values_list("pk", flat=True)[:20])
        if pks:
            self.town.get(visitor, reverse(f"admin:{name}_change", args=[random.choice(pks)]))
            self.press(visitor, random, "/act/")

    @rule(who=WHO, luck=LUCK)
    @told
    def open_a_letter(self, who: int, luck: int) -> None:
        self.read(self.town.visitor(who), Random(luck))

    def read(self, visitor: Visitor, random: Random) -> None:
        """Whoever has a link from a letter uses it, whoever's browser that is."""
        links = [link for link in self.town.links if "/answer/" in link] or list(self.town.links)
        if not links or random.random() < 0.3:
            links = list(self.town.links)
        if not links:
            return
        link = random.choice(links[random.choice((-6, -60)) :])  # the last are of open questions
        if random.random() < 0.1:
            link = link[:-4] + random.choice(("", "AAAA", "/"))
        self.town.get(visitor, link)
        if random.random() < 0.8:
            self.press(visitor, random, "/answer/", "/off/")
        elif "/off/" in link:
            one_click = Sent(link, [("List-Unsubscribe", "One-Click")])
            self.town.send(visitor, self.town.new_client(), "POST", link, one_click)

    def give_orders(self, random: Random) -> None:
        """Somebody has something answered for them, or thinks better of it."""
        games = playing()
        if games:
            visitor, game = self.town.visitor(random.randrange(PEOPLE)), random.choice(games)
            self.town.get(visitor, reverse("games:orders", args=[game.public_id]))
            self.press(visitor, random, "/orders/")

    # --- time ---------------------------------------------------------------------------------

    @rule(luck=LUCK, seconds=st.sampled_from((31, 1_000, 100_000)))
    @told
    def be_without_a_worker(self, luck: int, seconds: int) -> None:
        self.town.wait(timedelta(seconds=seconds), outage=True)

    @rule(luck=LUCK)
    @told
    def tidy(self, luck: int) -> None:
        self.town.tidy()
        cache.clear()  # and nobody is held back any more

    # --- what is true -------------------------------------------------------------------------

    def check(self, random: Random) -> None:
        """What is true after every step; some of it looked at now and then."""
        self.town.no_fault()
        if random.random() < 0.3:
            self.town.counts_agree(self.town.visitor(random.randrange(PEOPLE)))
        games = playing()
        if games and random.random() < 0.3:
            game = random.choice(games)
            viewers = random.sample(range(SPECTATOR, game.size), game.size + 1)
            any(hidden_hands_stay_hidden(self.town, game, viewer, random) for viewer in viewers)
            any(sealed_answers_stay_sealed(self.town, game, viewer, random) for viewer in viewers)
            if random.random() < 0.2:
                a_moderator_is_blind(self.town, self.town.visitor(MODERATOR), game, random)

    # --- how ----------------------------------------------------------------------------------

    def asked(self, random: Random) -> Visitor | None:
        """Somebody who is asked, at their table."""
        waiting = Prompt.objects.filter(state=PromptState.OPEN).exclude(tenure__user=None)
        mine = [
            visitor for visitor in self.town.visitors if visitor.user or visitor.number == GUEST
        ]
        by_user = {self.user_id(visitor): visitor for visitor in mine}
        prompts = [
            prompt
            for prompt in waiting.select_related("game", "tenure").order_by("pk")
            if prompt.tenure.user_id in by_user
        ]
        if not prompts:
            return None
        prompt = random.choice(prompts)
        visitor = self.town.visitor(by_user[prompt.tenure.user_id].number)
        self.town.get(visitor, reverse("games:table", args=[prompt.game.public_id]))
        return visitor

    def user_id(self, visitor: Visitor) -> int:
        if visitor.user:
            return visitor.user.pk
        return int(visitor.client.session.get("_auth_user_id") or 0)

    def go(self, visitor: Visitor, random: Random) -> None:
        """Follow a link, or go to a table, or to any page."""
        links, games = visitor.page.links, list(Game.objects.order_by("-pk")[:MOST_GAMES])
        match random.randrange(6):
            case 0 | 1 if links:
                path = random.choice(links)
            case 2 | 3 | 4 if games:
                game = random.choice(games)
                path = f"/g/{game.public_id}/" + random.choice(
                    (
                        "",
                        "talk/",
                        "notes/",
                        "orders/",
                        "report/",
                        "replay/",
                        f"?k={game.link_token}",
                    )
                )
            case _:
                _name, route = random.choice(ROUTES)
                ids = [game.public_id for game in games] or ["nowhere"]
                path = random.choice(paths(route, [random.choice(ids)]))
        self.town.get(visitor, path)

    def press(self, visitor: Visitor, random: Random, *where: str) -> None:
        """Send a form of their page that goes there, filled in as it is meant to be."""
        sent = self.filled(visitor, random, *where)
        if sent:
            self.town.post(visitor, sent)

    def filled(self, visitor: Visitor, random: Random, *where: str) -> Sent | None:
        forms = [form for form in visitor.page.forms if self.goes(form, where)]
        if random.random() < 0.9:  # who goes away does nothing else
            forms = [form for form in forms if not GOES_AWAY.search(form.action)]
        if not forms:
            return None
        form = random.choice(forms)
        values = fill(form, random, self.words(random))
        if ANSWER.search(form.action) and random.random() < 0.7:
            values.append(("sure", "on"))
        return Sent(form.action, values, form.htmx and random.random() < 0.5)

    def goes(self, form: Form, where: tuple[str, ...]) -> bool:
        return form.method == "POST" and any(part in form.action for part in where)

    def stamped(self, visitor: Visitor, sent: Sent) -> Sent:
        """As it was, with the token of this browser."""
        token = visitor.client.cookies.get("csrftoken")
        values = [(n, v) for n, v in sent.values if n != "csrfmiddlewaretoken"]
        return Sent(
            sent.path, [*values, ("csrfmiddlewaretoken", token.value if token else "")], sent.htmx
        )

    def words(self, random: Random) -> list[str]:
        names = [visitor.user.name for visitor in self.town.visitors if visitor.user]
        new = f"Newcomer {random.randrange(1000)}"
        address = f"{new.replace(' ', '').lower()}@example.org"
        return ["", "Well played.", new, address, PASSWORD, "secret 8", "123456", *names]

    def a_prompt(self, random: Random) -> int:
        return random.choice(list(Prompt.objects.values_list("pk", flat=True)) or [1])

    def foreign(self, random: Random) -> list[str]:
        """What makes sense somewhere else."""
        games = list(Game.objects.order_by("-pk")[:3])
        return [
            str(self.a_prompt(random)),
            str(random.randrange(20)),
            *(game.public_id for game in games),
            random.choice(
                ("allow", "challenge", "resign", "timeout", "keep duke,duke", "lose duke")
            ),
            random.choice(("block captain", "show contessa", "coup 1", "take_back 1", "exchange")),
            *self.words(random),
        ]


def go_on(steps: int, *, always_the_same: bool) -> None:
    """So many steps, in runs of A_RUN."""
    count = min(steps, A_RUN)
    how = settings(
        max_examples=1 - (-steps // count),  # Hypothesis begins with one that does nothing
        stateful_step_count=count,
        derandomize=always_the_same,
        phases=[Phase.generate],
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
        print_blob=False,
    )
    run_state_machine_as_test(Anybody, settings=how)


@pytest.mark.django_db(transaction=True)
@pytest.mark.services
def test_whatever_anybody_does(
    request: pytest.FixtureRequest, settings: Settings, capsys: pytest.CaptureFixture[str]
) -> None:
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    steps: int = request.config.getoption("fuzz_steps")
    DONE.clear()
    FOUND.clear()
    try:
        go_on(steps or SHORT, always_the_same=not steps)
    finally:
        if steps:
            with capsys.disabled():
                told = [f"{times:7} {what}" for what, times in sorted(DONE.items())]
                sys.stdout.write("\n".join(["", *told, ""]))
    # A run in which nothing happens finds nothing.
    for what in ("dealt anew", "unsealed", "at once", "letters", "moves"):
        assert DONE[what], what
