"""Whether a page tells its reader what they may not know: it is asked for once more, with every
card that they have not seen dealt anew, and with the sealed answers of others taken back."""

import re
from collections.abc import Sequence
from random import Random

from django.contrib.auth import SESSION_KEY
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from games import store
from games.engine.view import SPECTATOR
from games.models import Game, Prompt, PromptState
from games.models.move import Move
from games.seats import seated
from tests.games.redeal import redeal, without_sealed
from tests.games.rewriting import history, rewrite, take_back

from .town import MODERATOR, Town, Visitor

NEW_EACH_TIME = re.compile(rb'name="(csrfmiddlewaretoken|form_token)" value="[^"]*"')

type Told = tuple[str, int, bytes, int]


def hidden_hands_stay_hidden(town: Town, game: Game, viewer: int, random: Random) -> bool:
    """Look at a running game from one seat, or as a SPECTATOR, twice. Whether the second deal was
    another."""
    client, since = _eyes(game, viewer)
    if client is None or not _sees(client, game):
        return False
    pages = _pages(game, random)
    with transaction.atomic():
        _drop_what_was_undone(game)
        stored, numbers = history(game), _numbers(game)
        begins = next((n for n, number in enumerate(numbers) if number >= since), len(numbers))
        other = redeal(stored, viewer, random, begins if since else 0)
        before = _look(client, game, viewer, pages)
        rewrite(game, other)
        _same(before, _look(client, game, viewer, pages), f"dealt anew, seen from {viewer}")
        transaction.set_rollback(True)
    store.forget()
    town.told["dealt anew"] += other != stored
    return other != stored


def sealed_answers_stay_sealed(town: Town, game: Game, viewer: int, random: Random) -> bool:
    """The same, with what others answered under seal taken back. Whether there was any."""
    client, since = _eyes(game, viewer)
    if client is None or since or not _sees(client, game):
        return False
    stored = history(game)
    fewer = without_sealed(stored, viewer)
    if fewer == stored or not _can_be_taken_back(game, len(fewer)):
        return False
    pages = _pages(game, random)
    with transaction.atomic():
        store.forget()
        before = _look(client, game, viewer, pages)
        take_back(game, fewer)
        _same(before, _look(client, game, viewer, pages), f"unsealed, seen from {viewer}")
        transaction.set_rollback(True)
    store.forget()
    town.told["unsealed"] += 1
    return True


def a_moderator_is_blind(town: Town, moderator: Visitor, game: Game, random: Random) -> None:
    """The page of a game in the administration, with all hidden cards dealt anew."""
    page = reverse("admin:games_game_change", args=[game.pk])
    moderator.client.get(page)  # it says once what was done last
    with transaction.atomic():
        _drop_what_was_undone(game)
        before = [_ask(moderator.client, "GET", page)]
        rewrite(game, redeal(history(game), SPECTATOR, random))
        store.forget()
        after = [_ask(moderator.client, "GET", page)]
        _same(before, after, f"seen by {MODERATOR}")
        transaction.set_rollback(True)
    store.forget()


def _eyes(game: Game, viewer: int) -> tuple[Client | None, int]:
    """A browser of whoever sits there, and since which move they do; None: nobody."""
    client = Client()
    if viewer == SPECTATOR:
        return client, 0
    tenure = seated(game)[viewer]
    if tenure.user is None or not tenure.user.is_active:
        return None, 0
    client.force_login(tenure.user, backend="django.contrib.auth.backends.ModelBackend")
    client.post(reverse("games:waiting"))  # the first POST leaves traces, whoever it is
    return (client, tenure.from_move) if client.session.get(SESSION_KEY) else (None, 0)


def _sees(client: Client, game: Game) -> bool:
    return client.get(f"/g/{game.public_id}/table/").status_code == 200


def _drop_what_was_undone(game: Game) -> None:
    """Its cards are nobody's any more, and would not fit those that are dealt anew."""
    Move.objects.filter(game=game).exclude(undone_by=None).delete()
    store.forget()


def _numbers(game: Game) -> list[int]:
    moves = Move.objects.filter(game=game).order_by("number")
    return list(moves.values_list("number", flat=True))


def _can_be_taken_back(game: Game, kept: int) -> bool:
    """Whether the answers to take back are all answers to a question, and nothing was undone."""
    moves = Move.objects.filter(game=game)
    if moves.exclude(undone_by=None).exists():
        return False
    return not moves.filter(number__gte=kept, prompt=None).exists()


def _pages(game: Game, random: Random) -> list[str]:
    """The table, and some of the other pages on which it stands or might."""
    table = f"/g/{game.public_id}/"
    parts = ("?log=all", "replay/", "talk/", "notes/", "orders/", "draws/", "report/")
    names = (
        "home", "games:lobby", "games:waiting", "games:next", "games:people", "games:messages",
        "games:reports", "accounts:data", "accounts:profile",
    )  # fmt: skip
    people = [t.user.name for t in seated(game) if t.user and t.user.is_active]
    others = [table + part for part in parts] + [reverse(name) for name in names]
    others += [reverse("games:person", args=[name]) for name in people]
    return [table, f"{table}table/", *random.sample(others, 5)]


def _look(client: Client, game: Game, viewer: int, pages: Sequence[str]) -> list[Told]:
    told = [_ask(client, "GET", page) for page in pages]
    url = reverse("games:answer", args=[game.public_id])
    mine = Prompt.objects.filter(game=game, seat__index=viewer).order_by("pk")
    asked = mine.filter(state=PromptState.OPEN).last()
    stale = mine.exclude(state=PromptState.OPEN).last()
    for prompt in (asked, stale):
        number = prompt.pk if prompt else 2**40
        told.append(_ask(client, "POST", url, prompt=number, answer="keep duke,duke,duke", seen=1))
    return told


def _ask(client: Client, method: str, path: str, **values: object) -> Told:
    store.forget()
    connection.queries_log.clear()  # it has room for 9000
    with CaptureQueriesContext(connection) as queries:
        response = client.post(path, values) if method == "POST" else client.get(path)
    page = b"" if response.streaming else response.content
    seen = NEW_EACH_TIME.sub(b"", page) + response.headers.get("Location", "").encode()
    return path, response.status_code, seen, len(queries)


def _same(before: list[Told], after: list[Told], what: str) -> None:
    for (path, *one), (_path, *two) in zip(before, after, strict=True):
        if one != two:
            at = next(
                (n for n, (a, b) in enumerate(zip(one[1], two[1], strict=False)) if a != b), 0
            )
            around = slice(max(0, at - 200), at + 100)
            raise AssertionError(
                f"{path} differs, {what}: {one[0], one[2]} and {two[0], two[2]},"
                f"\n{one[1][around]!r}\n{two[1][around]!r}"
            )
