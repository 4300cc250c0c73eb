"""Answering from a letter, by HTTP: what the link opens, what it does, and when it ends."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts import sanctions
from accounts.models import SanctionKind, User
from games import halts, play
from games.engine.commands import ALLOW
from games.engine.state import Over
from games.models import Game, Halt, Prompt, PromptState, Source
from games.notify.links import answer_url
from tests.accounts.cast import client_of
from tests.games.cast import NOON, person, prompt_of, running_game, say, state_of, tenure_of

pytestmark = pytest.mark.django_db


def sitter(game: Game, seat: int) -> User:
    user = tenure_of(game, seat).user
    assert user is not None
    return user


def link(game: Game, seat: int, answer: str) -> str:
    url = answer_url(prompt_of(game, seat), sitter(game, seat), answer)
    return url.removeprefix("http://127.0.0.1:8000")


@pytest.fixture
def claimed() -> tuple[Game, int, int]:
    """A claim of tax at a table of three; who makes it, and one of those asked."""
    game = running_game(3)
    turn = state_of(game).turn
    say(game, turn, "tax")
    return game, turn, (turn + 1) % 3


def test_opening_the_link_changes_nothing(claimed: tuple[Game, int, int]) -> None:
    game, _turn, seat = claimed
    path, client = link(game, seat, "challenge"), Client()
    with CaptureQueriesContext(connection) as queries:
        page = client.get(path)
        client.head(path)
    assert page.status_code == 200
    assert not [q for q in queries if not q["sql"].startswith("SELECT")]
    assert prompt_of(game, seat)
    html = page.content.decode()
    assert 'value="challenge" required checked' in html
    assert 'value="allow" required>' in html
    assert "claims to hold" in html
    assert page.headers["Referrer-Policy"] == "same-origin"
    assert "noindex" in page.headers["X-Robots-Tag"]
    assert "no-store" in page.headers["Cache-Control"]


def test_the_page_shows_no_card(claimed: tuple[Game, int, int]) -> None:
    game, _turn, seat = claimed
    html = Client().get(link(game, seat, "allow")).content.decode()
    assert "you hold it" not in html
    assert "a bluff" not in html
    assert 'class="card' not in html


def test_it_says_what_each_answer_risks_as_far_as_everybody_knows() -> None:
    game = running_game(3)
    turn = state_of(game).turn
    seat = (turn + 1) % 3
    say(game, turn, f"steal {seat}")
    html = Client().get(link(game, seat, "allow")).content.decode()
    assert "if it is true, you lose a card, and the coins as well unless you then block." in html
    unless = "challenged, you lose a card and the coins unless you show it."
    assert html.count(unless) == 2


def test_it_answers_without_signing_in(claimed: tuple[Game, int, int]) -> None:
    game, turn, seat = claimed
    client, prompt = Client(), prompt_of(game, seat)
    path = link(game, seat, "allow")
    done = client.post(path, {"answer": "challenge"})
    assert "Your answer is given." in done.content.decode()
    prompt.refresh_from_db()
    assert (prompt.state, prompt.answered_by) == (PromptState.ANSWERED, "person")
    assert prompt_of(game, turn).window.kind == "reveal"
    again = client.post(path, {"answer": "challenge"})
    assert "Your answer is given." in again.content.decode()
    assert "sessionid" not in client.cookies
    assert client.get("/account/profile/").status_code == 302, "it signs in for that alone"


@pytest.mark.parametrize(
    ("answer", "words"),
    [("allow", "Allow"), ("challenge", "Challenge"), ("block captain", "Block as Captain")],
)
def test_it_says_which_answer_was_given_to_whoever_holds_its_link(answer: str, words: str) -> None:
    """The link could have given the answer: it may say it again. Nobody else's link does."""
    game = running_game(3)
    turn = state_of(game).turn
    seat, other = (turn + 1) % 3, (turn + 2) % 3
    say(game, turn, f"steal {seat}")
    path, others = link(game, seat, "allow"), link(game, other, "allow")
    told = f"You have answered: “{words}”."
    done = Client().post(path, {"answer": answer})
    again, later = Client().post(path, {"answer": answer}), Client().get(path)
    assert [told in page.content.decode() for page in (done, again, later)] == [True] * 3
    assert told not in Client().get(others).content.decode()


def test_it_does_not_say_what_somebody_else_answered(claimed: tuple[Game, int, int]) -> None:
    """What a standing order said depends on cards, and a letter may be read by others."""
    game, _turn, seat = claimed
    path, prompt = link(game, seat, "challenge"), prompt_of(game, seat)
    play.answer_for(
        public_id=game.public_id,
        prompt_id=prompt.pk,
        command=ALLOW,
        source=Source.ORDER,
        now=NOON,
    )
    html = Client().get(path).content.decode()
    assert "something answered for you" in html
    assert "You have answered" not in html


def test_a_post_needs_its_token(claimed: tuple[Game, int, int]) -> None:
    game, _turn, seat = claimed
    client = Client(enforce_csrf_checks=True)
    assert client.post(link(game, seat, "allow"), {"answer": "allow"}).status_code == 403
    assert prompt_of(game, seat)


@pytest.mark.parametrize("answer", ["", "income", "nonsense", "timeout", "resign", "reveal duke"])
def test_it_says_nothing_else_for_the_person(claimed: tuple[Game, int, int], answer: str) -> None:
    game, _turn, seat = claimed
    page = Client().post(link(game, seat, "allow"), {"answer": answer})
    assert page.status_code == 400
    assert "That is not an answer." in page.content.decode()
    assert prompt_of(game, seat)


def test_what_the_rules_do_not_allow_is_refused(claimed: tuple[Game, int, int]) -> None:
    game, _turn, seat = claimed
    page = Client().post(link(game, seat, "allow"), {"answer": "block duke"})
    assert page.status_code == 422
    assert prompt_of(game, seat)


def test_it_dies_with_the_question(claimed: tuple[Game, int, int]) -> None:
    game, turn, seat = claimed
    path, other = link(game, seat, "allow"), next(s for s in range(3) if s not in (turn, seat))
    say(game, other, "challenge")
    opened = Client().get(path)
    assert opened.status_code == 410
    html = opened.content.decode()
    assert "Somebody challenged" in html
    assert f"{sitter(game, other).name}</bdi> challenges" in html
    assert f'href="/g/{game.public_id}/"' in html
    late = Client().post(path, {"answer": "allow"})
    assert late.status_code == 409
    assert "moved on" in late.content.decode()
    assert Prompt.objects.filter(game=game, seat__index=seat).get().state == PromptState.SUPERSEDED


@pytest.mark.parametrize("change", ["tenure", "address", "closed", "suspended", "forged"])
def test_it_dies_with_what_it_was_given_to(claimed: tuple[Game, int, int], change: str) -> None:
    game, _turn, seat = claimed
    path, user = link(game, seat, "allow"), User.objects.filter(pk=sitter(game, seat).pk)
    match change:
        case "tenure":
            tenure_of(game, seat).__class__.objects.filter(user=user.get()).update(ended="removed")
        case "address":
            user.update(email="new@example.org")
        case "closed":
            user.update(is_active=False)
        case "suspended":
            sanctions.impose(
                user=user.get(),
                kind=SanctionKind.SUSPENSION,
                reason="Enough.",
                until=timezone.now() + timedelta(days=1),
                by=person("Mod"),
                now=timezone.now(),
            )
        case _:
            path = path[:-3] + "xx/"
    for response in (Client().get(path), Client().post(path, {"answer": "allow"})):
        assert response.status_code == 410
        assert game.public_id not in response.content.decode()
    assert Prompt.objects.filter(game=game, state=PromptState.OPEN).count() == 2


def test_a_frozen_game_takes_no_answer(claimed: tuple[Game, int, int]) -> None:
    game, _turn, seat = claimed
    halts.freeze(public_id=game.public_id, now=NOON, source=Halt.MODERATOR)
    path = link(game, seat, "allow")
    assert "This table is frozen" in Client().get(path).content.decode()
    assert Client().post(path, {"answer": "allow"}).status_code == 409
    assert prompt_of(game, seat)


def test_somebody_else_who_is_signed_in_answers_for_the_person(
    claimed: tuple[Game, int, int],
) -> None:
    """A borrowed phone: the link says whose answer it is."""
    game, turn, seat = claimed
    prompt = prompt_of(game, seat)
    client_of(sitter(game, turn)).post(link(game, seat, "allow"), {"answer": "allow"})
    prompt.refresh_from_db()
    assert prompt.state == PromptState.ANSWERED


def test_too_many_tries_are_stopped(claimed: tuple[Game, int, int]) -> None:
    game, _turn, seat = claimed
    path = link(game, seat, "allow")
    codes = [Client().post(path, {"answer": "x"}).status_code for _ in range(61)]
    assert (codes[0], codes[-1]) == (400, 429)


def test_nonsense_to_a_question_that_is_settled_is_told_so(claimed: tuple[Game, int, int]) -> None:
    game, _turn, seat = claimed
    path = link(game, seat, "allow")
    say(game, seat, "allow")
    for leaver in {0, 1, 2} - {seat}:
        play.leave(public_id=game.public_id, user_id=sitter(game, leaver).pk, now=NOON)
    assert isinstance(state_of(game).phase, Over)
    for words in ({"answer": "x"}, {"answer": "income"}, {}):
        response = Client().post(path, words)
        assert response.status_code == 200
        assert "Your answer is given." in response.content.decode()
