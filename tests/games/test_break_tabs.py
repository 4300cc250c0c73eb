"""What a person did in one tab is fetched by their others, though nobody else sees a change."""

import pytest
from django.test import Client

from games import play, selectors

from .cast import NOON, running_game, say, state_of, tenure_of

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("asked", [True, False])
def test_leaving_is_seen_in_every_tab_of_whoever_leaves(client: Client, asked: bool) -> None:
    game = running_game(4)
    turn = state_of(game).turn
    say(game, turn, "tax")
    leaver, stays = ((turn + 1) % 4, turn) if asked else (turn, (turn + 1) % 4)
    users = [tenure_of(game, seat).user for seat in (leaver, stays)]
    game.refresh_from_db()
    tags = [selectors.table(game, user_id=user and user.pk).tag for user in users]
    play.leave(public_id=game.public_id, user_id=users[0].pk if users[0] else 0, now=NOON)
    for user, tag, status in zip(users, tags, (200, 204), strict=True):
        assert user
        client.force_login(user)
        assert client.get(f"/g/{game.public_id}/table/?seen={tag}").status_code == status
