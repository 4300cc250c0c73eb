"""Nothing leaks: what a viewer is sent is the same, to the byte, whatever they may not know.

Each page, fragment and refusal is asked for twice: as it is, and with every card that its viewer
has not seen dealt anew, or with the sealed answers of others taken back. Time is fixed, and the
masked CSRF token taken out; the number of queries must be equal too.
"""

import re
from collections.abc import Iterator
from random import Random

import pytest
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from games import store
from games.engine.view import SPECTATOR
from games.handover import hand_over
from games.models import Game, Prompt, PromptState, Status, Tenure
from games.seats import seated

from .cast import NOON, person, running_game, state_of, stir, tenure_of
from .redeal import redeal, without_sealed
from .rewriting import history, rewrite, take_back

pytestmark = pytest.mark.django_db

VARIANTS = [(inquisitor, factions) for inquisitor in (False, True) for factions in (False, True)]
# These take minutes: three players will do for the other databases.
ON_ALL = pytest.param(3, marks=pytest.mark.services)
TOKEN = re.compile(rb'name="(csrfmiddlewaretoken|form_token)" value="[^"]*"')


@pytest.fixture(autouse=True)
def _fixed_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(timezone, "now", lambda: NOON)


type Answer = tuple[int, bytes, int]


def ask(client: Client, game: Game) -> list[Answer]:
    """Status, bytes and number of queries of each page that tells of a table, folded from nothing:
    its own, and the lists that name it."""
    table = f"/g/{game.public_id}/"
    lists = [reverse(name) for name in ("home", "games:lobby", "games:waiting", "games:next")]
    answers = []
    for page in (table, f"{table}table/", f"{table}?log=all", f"{table}replay/", *lists):
        store.forget()
        connection.queries_log.clear()  # it has room for 9000
        with CaptureQueriesContext(connection) as queries:
            response = client.get(page)
        answers.append((response.status_code, TOKEN.sub(b"", response.content), len(queries)))
    return answers


def refused(client: Client, game: Game, viewer: int) -> list[Answer]:
    """The answers to POSTs that change nothing: stale, against the rules, foreign, malformed."""
    url = reverse("games:answer", args=[game.public_id])
    prompts = Prompt.objects.filter(game=game, seat__index=viewer).order_by("pk")
    stale = prompts.exclude(state=PromptState.OPEN).last()
    mine = prompts.filter(state=PromptState.OPEN).last()
    forms = [
        {"prompt": stale.pk if stale else 1, "answer": "keep duke,duke,duke", "seen": 1},
        {"prompt": mine.pk if mine else 1, "answer": "keep duke,duke,duke"},
        {"prompt": 2**40, "answer": "allow"},
        {"prompt": "x"},
    ]
    return [_post(client, url, form, htmx) for form in forms for htmx in (False, True)]


def allowing(client: Client, game: Game, viewer: int) -> list[Answer]:
    """What a viewer who may is answered to an allow, which is then undone."""
    url = reverse("games:answer", args=[game.public_id])
    mine = Prompt.objects.filter(game=game, seat__index=viewer, state=PromptState.OPEN).first()
    if mine is None or mine.window.kind not in ("respond", "block", "respond_block"):
        return []
    before = transaction.savepoint_create()
    answer = _post(client, url, {"prompt": mine.pk, "answer": "allow"}, htmx=True)
    over = Game.objects.filter(pk=game.pk, status=Status.OVER).exists()
    asked = Prompt.objects.filter(game=game, seat__index=viewer, state=PromptState.OPEN).first()
    transaction.savepoint_rollback(before)
    status, page, queries = answer
    assert status == 200
    if asked:  # a number is not given twice, though the prompt is taken back
        page = re.sub(rb"(?<![0-9a-f])%d(?![0-9a-f])" % asked.pk, b"PROMPT", page)
    return [] if over else [(status, page, queries)]  # after the end all cards are up


def everything(client: Client, game: Game, viewer: int) -> list[Answer]:
    return ask(client, game) + refused(client, game, viewer) + allowing(client, game, viewer)


def _post(client: Client, url: str, form: dict[str, object], htmx: bool) -> Answer:
    store.forget()
    headers = {"HX-Request": "true"} if htmx else {}
    connection.queries_log.clear()
    with CaptureQueriesContext(connection) as queries:
        response = client.post(url, form, headers=headers)
    store.forget()
    return response.status_code, TOKEN.sub(b"", response.content), len(queries)


def client_of(game: Game, seat: int) -> Client:
    """The browser of a seat's person, or of a stranger for SPECTATOR."""
    client = Client()
    if seat != SPECTATOR:
        user = seated(game)[seat].user
        assert user is not None
        client.force_login(user)
        client.post(reverse("games:waiting"))  # the first POST leaves traces, whoever it is
    return client


def viewers(game: Game) -> Iterator[int]:
    yield SPECTATOR
    yield from range(game.size)


@pytest.mark.parametrize(("inquisitor", "factions"), VARIANTS)
@pytest.mark.parametrize("size", [2, ON_ALL, 4, 6])
def test_cards_dealt_anew_change_no_byte(size: int, inquisitor: bool, factions: bool) -> None:
    random = Random(f"{size} {inquisitor} {factions}")
    changed = 0
    for length in (3, 11, 24):
        game = running_game(
            size, seed=random.randbytes(32), inquisitor=inquisitor, factions=factions
        )
        for _ in stir(game, random, length):
            pass
        game.refresh_from_db()
        if game.status == Status.OVER:
            continue
        stored = history(game)
        for viewer in viewers(game):
            client = client_of(game, viewer)
            other = redeal(stored, viewer, random)
            changed += other != stored
            before = everything(client, game, viewer)
            rewrite(game, other)
            assert everything(client, game, viewer) == before, f"{viewer} after {length}"
            rewrite(game, stored)
    assert changed


@pytest.mark.parametrize("inquisitor", [False, pytest.param(True, marks=pytest.mark.services)])
def test_a_newcomer_learns_nothing_that_only_its_predecessor_saw(inquisitor: bool) -> None:
    """Every hidden card that did not lie in the seat when it changed hands is dealt anew."""
    random = Random(f"newcomer {inquisitor}")
    changed = compared = 0
    while compared < 8:
        game = running_game(3, seed=random.randbytes(32), inquisitor=inquisitor)
        for _ in stir(game, random, random.randint(3, 20)):
            pass
        state = state_of(game)
        seat = random.choice([n for n in range(3) if n not in state.exiled])
        if game.status == Status.OVER:
            continue
        name = f"Newcomer {compared}"
        hand_over(public_id=game.public_id, seat=seat, to=person(name), now=NOON)
        for _ in stir(game, random, random.choice([0, 0, 1, 5])):
            pass
        game.refresh_from_db()
        if game.status == Status.OVER:
            continue
        since = tenure_of(game, seat).from_move
        assert since
        stored, client = history(game), client_of(game, seat)
        other = redeal(stored, seat, random, since)
        changed += other != stored
        before = everything(client, game, seat)
        rewrite(game, other)
        assert everything(client, game, seat) == before
        rewrite(game, stored)
        compared += 1
    assert changed > 4


def test_a_newcomer_from_the_lobby_learns_nothing_that_only_its_predecessor_saw() -> None:
    """Nor at the door, from which they see what everybody does."""
    random = Random("from the lobby")
    compared = changed = 0
    while compared < 4:
        game = running_game(3, seed=random.randbytes(32))
        for _ in stir(game, random, random.randint(3, 20), late=0):
            pass
        seat = random.choice([n for n in range(3) if n not in state_of(game).exiled])
        if game.status == Status.OVER:
            continue
        Tenure.objects.filter(pk=tenure_of(game, seat).pk).update(
            autopilot_since=NOON, absent_since=NOON, offered_at=NOON
        )
        client = Client()
        client.force_login(person(f"From the lobby {compared}"))
        client.post(reverse("games:waiting"))
        stored, door = history(game), reverse("games:take", args=[game.public_id])

        def look(client: Client = client, door: str = door) -> tuple[int, bytes]:
            store.forget()
            response = client.get(door)
            return response.status_code, TOKEN.sub(b"", response.content)

        outside = look()
        assert outside[0] == 200
        rewrite(game, redeal(stored, SPECTATOR, random))
        assert look() == outside
        rewrite(game, stored)
        assert client.post(door).status_code == 302
        client.get(f"/g/{game.public_id}/")  # it is welcomed once
        since = tenure_of(game, seat).from_move
        other = redeal(stored, seat, random, since)
        changed += other != stored
        before = everything(client, game, seat)
        rewrite(game, other)
        assert everything(client, game, seat) == before
        rewrite(game, stored)
        compared += 1
    assert changed


@pytest.mark.parametrize(("inquisitor", "factions"), VARIANTS)
@pytest.mark.parametrize("size", [ON_ALL, 4, 6])
def test_sealed_answers_change_no_byte(size: int, inquisitor: bool, factions: bool) -> None:
    random = Random(f"sealed {size} {inquisitor} {factions}")
    taken_back = 0
    while not taken_back:
        game = running_game(
            size, seed=random.randbytes(32), inquisitor=inquisitor, factions=factions
        )
        for _ in stir(game, random, random.randint(2, 20)):
            pass
        game.refresh_from_db()
        if game.status == Status.OVER:
            continue
        for viewer in viewers(game):
            stored, client = history(game), client_of(game, viewer)
            before = ask(client, game) + refused(client, game, viewer)
            taken_back += take_back(game, without_sealed(stored, viewer))
            assert ask(client, game) + refused(client, game, viewer) == before, f"viewer {viewer}"


def test_a_time_out_that_leads_to_autopilot_changes_no_byte() -> None:
    """Often the clock answers; at a window in which somebody came to be on autopilot, we look."""
    found = 0
    for seed in range(200):
        random = Random(f"autopilot {seed}")
        game = running_game(4, seed=random.randbytes(32))
        for _ in stir(game, random, random.randint(6, 30), late=0.5):
            pass
        game.refresh_from_db()
        secret = Tenure.objects.filter(game=game, autopilot_since__isnull=False, absent_since=None)
        if game.status == Status.OVER or not secret:
            continue
        absent = secret[0].seat.index
        for viewer in viewers(game):
            if viewer == absent:
                continue
            stored, client = history(game), client_of(game, viewer)
            before = ask(client, game) + refused(client, game, viewer)
            point = transaction.savepoint_create()
            assert take_back(game, without_sealed(stored, viewer))
            assert ask(client, game) + refused(client, game, viewer) == before, f"viewer {viewer}"
            transaction.savepoint_rollback(point)
            store.forget()
        found += 1
        if found == 2:
            return
    raise AssertionError("nobody came to be on autopilot under seal")


@pytest.mark.services
def test_the_lists_of_others_do_not_move_with_a_sealed_answer() -> None:
    random = Random(7)
    game = running_game(4)
    while True:
        next(stir(game, random, 1, late=0))
        open_prompts = Prompt.objects.filter(game=game, state=PromptState.OPEN)
        if open_prompts.count() == 3:
            break
    answering, *rest = open_prompts.select_related("tenure__user")
    clients = [Client() for _ in rest]
    for client, prompt in zip(clients, rest, strict=True):
        assert prompt.tenure.user is not None
        client.force_login(prompt.tenure.user)
    stranger = Client()
    stranger.force_login(person("Zoe"))
    pages = [reverse("home"), reverse("games:lobby"), reverse("games:waiting")]

    def look() -> list[bytes]:
        return [
            TOKEN.sub(b"", client.get(page).content)
            for client in (*clients, stranger)
            for page in pages
        ]

    before = look()
    assert look() == before
    answering_client = Client()
    assert answering.tenure.user is not None
    answering_client.force_login(answering.tenure.user)
    response = answering_client.post(
        f"/g/{game.public_id}/answer/", {"prompt": answering.pk, "answer": "allow"}
    )
    assert response.status_code == 302
    assert not open_prompts.filter(pk=answering.pk).exists()
    assert look() == before
