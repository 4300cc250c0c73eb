"""What sockets send is the same with other cards dealt: how many frames, to whom, which bytes."""

from random import Random

import pytest
from asgiref.sync import sync_to_async
from django.contrib.auth.models import AnonymousUser

from accounts.models import User
from games import store
from games.engine.commands import SEATS, text
from games.engine.rules import default, legal
from games.engine.state import waiting
from games.engine.view import SPECTATOR
from games.models import Game, Status

from .cast import running_game, say, state_of, stir, tenure_of
from .redeal import redeal
from .rewriting import history, rewrite
from .test_sockets import Page

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.services]

VARIANTS = [(inquisitor, factions) for inquisitor in (False, True) for factions in (False, True)]


def twin_games(seed: str, inquisitor: bool, factions: bool) -> tuple[Game, Game] | None:
    """Two tables at which the same has happened, or None if it came to an end."""
    games = []
    for _ in range(2):
        random = Random(seed)
        game = running_game(3, seed=random.randbytes(32), inquisitor=inquisitor, factions=factions)
        for _ in stir(game, random, 9):
            pass
        game.refresh_from_db()
        games.append(game)
    return (games[0], games[1]) if games[0].status == Status.RUNNING else None


def next_words(game: Game) -> tuple[int, str]:
    """What is said next, which must not hang on a card that is not seen: the mildest answer."""
    state = state_of(game)
    (seat, *_) = waiting(state)
    command = default(state, seat)
    assert command in legal(state, seat)
    return seat, text(command, SEATS)


def user_at(game: Game, seat: int) -> User | AnonymousUser:
    return tenure_of(game, seat).user or AnonymousUser() if seat >= 0 else AnonymousUser()


async def frames_of(game: Game, viewers: list[int], seat: int, words: str) -> list[list[str]]:
    """All frames of each viewer's page, from its opening through one answer."""
    pages = []
    for viewer in viewers:
        user = await sync_to_async(user_at)(game, viewer)
        pages.append(await Page(f"/ws/g/{game.public_id}/", user).open())
    await sync_to_async(say)(game, seat, words)
    sent = [page.greeting + await page.frames() for page in pages]
    for page in pages:
        await page.socket.disconnect()
    return [[frame.replace(game.public_id, "GAME") for frame in frames] for frames in sent]


@pytest.mark.parametrize(("inquisitor", "factions"), VARIANTS)
async def test_frames_are_the_same_with_other_cards(inquisitor: bool, factions: bool) -> None:
    compared = 0
    for number in range(3):
        seed = f"frames {number} {inquisitor} {factions}"
        twins = await sync_to_async(twin_games)(seed, inquisitor, factions)
        if twins is None:
            continue
        one, other = twins
        seat, words = await sync_to_async(next_words)(one)
        if words.split()[0] in ("reveal", "lose", "show", "keep"):
            continue  # names a card that others may not have
        # Everybody but the mover looks on; what none of them has seen is dealt anew.
        viewers = [SPECTATOR, *(n for n in range(3) if n != seat)]
        stored = await sync_to_async(history)(other)
        dealt = redeal(stored, SPECTATOR, Random(seed))
        await sync_to_async(rewrite)(other, dealt)
        store.forget()
        sent = [await frames_of(game, viewers, seat, words) for game in (one, other)]
        assert sent[0] == sent[1]
        assert all(sent[0])
        compared += dealt != stored
    assert compared
