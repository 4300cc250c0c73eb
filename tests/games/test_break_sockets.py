"""An open page that may no longer see its table hears that, and nothing more."""

import pytest
from asgiref.sync import sync_to_async
from django.contrib.auth.models import AnonymousUser

from games import lobby, play
from games.consumers import NOT_FOR_YOU
from games.engine.commands import INCOME
from games.models import Game, Visibility, Watch
from games.timing import Pace

from .cast import NOON, SEED, person, prompt_of, state_of, tenure_of
from .test_sockets import table_page

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.services]


@sync_to_async
def opened(watch: Watch, visibility: Visibility = Visibility.PUBLIC) -> Game:
    plan = lobby.Plan(2, Pace.DAILY, watch=watch, visibility=visibility)
    return lobby.open_table(host=person("Ana"), plan=plan, seed=SEED, now=NOON)


@sync_to_async
def begin(game: Game) -> None:
    lobby.sit(public_id=game.public_id, user=person("Ben"), link_token=game.link_token, now=NOON)


@sync_to_async
def one_turn(game: Game) -> None:
    turn = state_of(game).turn
    play.answer(
        public_id=game.public_id,
        user_id=tenure_of(game, turn).user_id or 0,
        prompt_id=prompt_of(game, turn).pk,
        command=INCOME,
        now=NOON,
    )


async def test_whoever_saw_the_waiting_room_hears_nothing_of_a_game_for_players_alone() -> None:
    game = await opened(Watch.PLAYERS)
    page = await table_page(game, AnonymousUser())
    await begin(game)
    assert "poke-table" in await page.socket.receive_from()
    assert await page.socket.receive_output() == {"type": "websocket.close", "code": NOT_FOR_YOU}
    await one_turn(game)
    assert await page.socket.receive_nothing()


async def test_whoever_may_watch_goes_on_hearing() -> None:
    game = await opened(Watch.ANYBODY)
    page = await table_page(game, AnonymousUser())
    await begin(game)
    assert await page.frames()
    await one_turn(game)
    assert await page.frames()
