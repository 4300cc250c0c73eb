"""Whoever guesses the id of a waiting table that is not theirs to see is answered, at every address
and byte for byte, as if there were none of that id."""

import re
from http.cookies import SimpleCookie
from itertools import product
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client

from accounts import blocks
from games import invitations, lobby
from games.models import READY, Game, Prompt, Visibility
from games.timing import Pace
from tests.coupsite.everybody import routes
from tests.coupsite.test_matrix import BODIES, fill
from tests.games.cast import NOON, SEED, person
from tests.games.views.web import client_of

pytestmark = pytest.mark.django_db

ADDRESSES = [route for route in routes() if "<slug:public_id>" in route]
NOBODYS = "zzzzzzzzzzzz"


def waiting(visibility: Visibility, *, size: int = 4) -> Game:
    """A table of Ana's that waits for players; Bea sits there too."""
    plan = lobby.Plan(size, Pace.LIVE, visibility=visibility)
    game = lobby.open_table(host=person("Ana"), plan=plan, seed=SEED, now=NOON)
    if visibility == Visibility.PRIVATE:
        invitations.invite(public_id=game.public_id, host=person("Ana"), name="Bea", now=NOON)
    key = game.link_token
    lobby.sit(public_id=game.public_id, user=person("Bea"), link_token=key, now=NOON)
    return game


def secret(kind: str) -> Game:
    """A table of which Zoe is to know nothing."""
    person("Bea")
    match kind:
        case "asking":
            game = waiting(Visibility.UNLISTED, size=2)
            assert Prompt.objects.filter(game=game, window__kind=READY).exists()
        case "given up":
            game = waiting(Visibility.UNLISTED)
            lobby.cancel(public_id=game.public_id, host=person("Ana"), now=NOON)
        case "apart":
            game = waiting(Visibility.PUBLIC)
            blocks.block(by=person("Bea"), blocked=person("Zoe"), now=NOON)
        case _:
            game = waiting(Visibility(kind))
    game.refresh_from_db()
    return game


def told(client: Client, method: str, path: str, public_id: str, **body: Any) -> tuple[Any, ...]:
    """All that somebody is answered; what is drawn anew for each page left out."""
    jar = {name: cookie.value for name, cookie in client.cookies.items()}
    answer = client.get(path) if method == "GET" else client.post(path, body)
    client.cookies = SimpleCookie(jar)
    cache.clear()  # limits
    page = re.sub(r'(csrfmiddlewaretoken|form_token)" value="[^"]*"', r"\1", answer.text)
    headers = str(sorted(answer.headers.items()))
    set_too = sorted(answer.cookies.keys())
    return answer.status_code, set_too, *(x.replace(public_id, "ID") for x in (headers, page))


@pytest.mark.parametrize("kind", ["unlisted", "private", "apart", "given up", "asking"])
def test_a_guessed_id_tells_nothing(kind: str) -> None:
    game = secret(kind)
    assert len(game.public_id) == len(NOBODYS)
    none = Game(public_id=NOBODYS)
    prompt = Prompt.objects.filter(game=game).first()
    askers = [("Zoe", client_of("Zoe"), "")]
    if kind != "apart":
        askers.append(("nobody", Client(), "?k=guess"))
    for route, (name, client, query) in product(ADDRESSES, askers):
        full = BODIES.get(route, {}) | {"prompt": prompt.pk if prompt else 1}
        there, nowhere = (fill(route, one) + query for one in (game, none))
        for method, body in (("GET", {}), ("POST", {}), ("POST", full)):
            answer = told(client, method, there, game.public_id, **body)
            what = (route, name, method, body)
            assert answer == told(client, method, nowhere, NOBODYS, **body), what


def test_the_link_a_seat_and_an_invitation_open_it() -> None:
    game = waiting(Visibility.UNLISTED)
    invitations.invite(public_id=game.public_id, host=person("Ana"), name="Bea", now=NOON)
    person("Cyd")
    invitations.invite(public_id=game.public_id, host=person("Ana"), name="Cyd", now=NOON)
    path = f"/g/{game.public_id}/"
    for client in (client_of("Ana"), client_of("Cyd")):
        assert client.get(path).status_code == 200
        assert client.post(f"{path}start/").status_code in (302, 403)
    for client in (client_of("Zoe"), Client()):
        assert client.get(f"{path}?k={game.link_token}").status_code == 200
    start = client_of("Zoe").post(f"{path}start/?k={game.link_token}")
    assert start.status_code == 403
