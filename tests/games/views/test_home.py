"""The first page, the dashboard, and the count of what waits, over HTTP."""

import re
from datetime import timedelta
from random import Random

import pytest
from django.test import Client

from accounts.models import User
from games import lobby, play, store
from games.models import Game, Halt, Prompt, PromptState, Status, Tenure, Visibility
from games.models.move import Move
from games.timing import Pace

from ..cast import NOON, SEED, person, prompt_of, running_game, say, state_of, stir, tenure_of
from .web import WRITES, client_of, main_of, queries, text

pytestmark = pytest.mark.django_db


def asked_and_not(game: Game) -> tuple[str, str]:
    """The names of somebody who is asked, and of somebody who is not."""
    names, turn = game.start_names, state_of(game).turn
    return names[turn], names[(turn + 1) % len(names)]


# Play now


def test_one_click_leads_a_stranger_to_a_first_decision() -> None:
    stranger = Client()
    home = text(stranger.get("/"))
    assert 'action="/play/"' in home
    answer = stranger.post("/play/", follow=True)
    assert answer.status_code == 200
    game = Game.objects.get()
    assert (game.status, game.size, game.pace) == (Status.RUNNING, 4, Pace.PRACTICE)
    guest = User.objects.get()
    assert guest.is_guest
    assert Tenure.objects.filter(game=game, user=guest).exists()
    assert stranger.session["_auth_user_id"] == str(guest.pk)
    bots = Tenure.objects.filter(game=game).exclude(bot="")
    assert sorted(bots.values_list("bot", flat=True)) == ["bluffer", "counter", "honest"]


def test_play_now_is_a_post_with_a_token() -> None:
    assert Client().get("/play/").status_code == 405
    strict = Client(enforce_csrf_checks=True)
    assert strict.post("/play/").status_code == 403
    assert not User.objects.exists()


def test_play_now_by_a_double_click_is_one_game() -> None:
    ana = client_of("Ana")
    for _time in range(2):
        assert ana.post("/play/", {"form_token": "once"}).status_code == 302
    assert Game.objects.count() == 1
    ana.post("/play/", {"form_token": "another"})
    assert Game.objects.count() == 2
    assert ana.post("/play/", {"form_token": "x" * 33}).status_code == 400


def test_play_now_is_limited_and_says_so() -> None:
    ana = client_of("Ana")
    answers = [ana.post("/play/") for _time in range(21)]
    assert {answer.status_code for answer in answers[:20]} <= {302, 422}
    assert answers[20].status_code == 429
    assert "Too many tries" in text(answers[20])


def test_the_first_page_explains_and_asks_the_database_nothing() -> None:
    stranger = Client()
    assert queries(stranger, "/") == []
    page = main_of(stranger.get("/"))
    for words in ("Assassin", "Challenge", "Block as", "How a lie is told"):
        assert words in page


# The dashboard


def test_what_waits_for_me_comes_first_with_what_is_asked_and_until_when() -> None:
    game = running_game(3)
    asked, other = asked_and_not(game)
    mine = main_of(client_of(asked).get("/"))
    assert "1 table waits for you" in mine
    assert game.name in mine
    assert "<b>your</b> turn" in mine
    assert "Choose one action" in mine
    assert prompt_of(game, state_of(game).turn).due.isoformat() in mine
    assert mine.index("Choose one action") < mine.index("Waiting for others")
    theirs = main_of(client_of(other).get("/"))
    assert "Nothing waits for you" in theirs
    assert f"turn of <bdi>{asked}</bdi>" in theirs


def test_a_sealed_answer_is_no_longer_asked_for() -> None:
    game = running_game(3)
    turn = state_of(game).turn
    say(game, turn, "tax")
    other = (turn + 1) % 3
    name = game.start_names[other]
    assert "1 table waits" in main_of(client_of(name).get("/"))
    say(game, other, "allow")
    page = main_of(client_of(name).get("/"))
    assert "Nothing waits for you" in page
    assert "You allow." in page


def test_others_see_nothing_of_a_sealed_answer() -> None:
    game = running_game(3)
    turn = state_of(game).turn
    say(game, turn, "tax")
    watcher = client_of(game.start_names[turn])
    before = main_of(watcher.get("/"))
    say(game, (turn + 1) % 3, "allow")
    hidden = ("form_token", "csrfmiddlewaretoken")
    after = main_of(watcher.get("/"))
    lines = [
        [line for line in page.splitlines() if not any(name in line for name in hidden)]
        for page in (before, after)
    ]
    assert lines[0] == lines[1]


def test_a_frozen_game_waits_for_nobody() -> None:
    game = running_game(3)
    asked, _other = asked_and_not(game)
    Game.objects.update(frozen_at=NOON, frozen_for=Halt.MODERATOR)
    page = main_of(client_of(asked).get("/"))
    assert "Nothing waits for you" in page
    assert "A moderator has stopped this game" in page


def test_open_tables_invitations_and_ends_stand_there_too() -> None:
    plan = lobby.Plan(3, Pace.DAILY, title="Mine", visibility=Visibility.UNLISTED)
    lobby.open_table(host=person("Ana"), plan=plan, seed=SEED, now=NOON)
    plan = lobby.Plan(
        3, Pace.DAILY, title="Theirs", visibility=Visibility.PRIVATE, invited=[person("Ana")]
    )
    theirs = lobby.open_table(host=person("Ben"), plan=plan, seed=SEED, now=NOON)
    lost = running_game(2)
    play.leave(public_id=lost.public_id, user_id=person("Ana").pk, now=NOON)
    plan = lobby.Plan(3, Pace.DAILY, title="Given up")
    gone = lobby.open_table(host=person("Ana"), plan=plan, seed=SEED, now=NOON)
    lobby.cancel(public_id=gone.public_id, host=person("Ana"), now=NOON)
    ana = client_of("Ana")
    page = main_of(ana.get("/"))
    order = ["Theirs", "<bdi>Ben</bdi> invites you", "Mine", "Finished"]
    assert [page.index(words) for words in order] == sorted(page.index(words) for words in order)
    assert "You left; <bdi>Ben</bdi> won." in page
    assert "given up before the start" in page
    assert "You won" in main_of(client_of("Ben").get("/"))
    ana.post(f"/g/{theirs.public_id}/decline/")
    assert "Theirs" not in main_of(ana.get("/"))


def test_an_empty_dashboard_says_what_to_do_next() -> None:
    page = main_of(client_of("Ana").get("/"))
    for way in ('action="/play/"', 'href="/lobby/"', 'href="/new/"'):
        assert way in page


def test_finished_games_are_paged() -> None:
    for _number in range(21):
        game = running_game(2)
        play.leave(public_id=game.public_id, user_id=person("Ben").pk, now=NOON)
    ana = client_of("Ana")
    assert main_of(ana.get("/")).count("You won") == 20
    assert 'href="?ended=2"' in text(ana.get("/"))
    assert main_of(ana.get("/?ended=2")).count("You won") == 1


def test_the_dashboard_costs_the_same_however_many_games_and_writes_nothing() -> None:
    costs = []
    for number in (1, 6):
        for seed in range(number):
            for size in (2, 3):
                game = running_game(size, seed=bytes([seed + 10 * number + size]) * 32)
                list(stir(game, Random(seed), 6))
            over = running_game(2)
            play.leave(public_id=over.public_id, user_id=person("Ben").pk, now=NOON)
            plan = lobby.Plan(3, Pace.DAILY, invited=[person("Ben")])
            lobby.open_table(host=person("Ana"), plan=plan, seed=SEED, now=NOON)
        seen = {name: queries(client_of(name), "/") for name in ("Ana", "Ben")}
        assert not [q for sql in seen.values() for q in sql if q.startswith(WRITES)]
        costs.append([len(sql) for sql in seen.values()])
    assert costs[0] == costs[1]


# The count, and the way to the next


def test_the_count_costs_one_query_and_agrees_with_the_prompts() -> None:
    game = running_game(3)
    asked, other = asked_and_not(game)
    for name, count in ((asked, 1), (other, 0)):
        client = client_of(name)
        part = client.get("/waiting/")
        assert f'data-count="{count}"' in text(part)
        assert "<html" not in text(part)
        title = text(client.get("/lobby/")).split("<title>")[1].split("</title>")[0]
        assert title.startswith("(1) ") is bool(count)
        counting = [q for q in queries(client, "/waiting/") if "games_prompt" in q]
        assert len(counting) == 1
        assert not [q for q in queries(client, "/waiting/") if q.startswith(WRITES)]
    say(game, state_of(game).turn, "income")
    assert 'data-count="0"' in text(client_of(asked).get("/waiting/"))


def test_a_page_of_lists_is_told_when_they_have_changed() -> None:
    game = running_game(3)
    asked, other = asked_and_not(game)
    third = ({*game.start_names} - {asked, other}).pop()

    def shown(client: Client) -> str:
        found = re.search(r'name="shown" value="([^"]+)"', text(client.get("/")))
        assert found
        return found[1]

    def is_told(client: Client, tag: str) -> bool:
        return client.get(f"/waiting/?shown={tag}").headers.get("HX-Trigger") == "lists"

    client, tag = client_of(other), shown(client_of(other))
    assert not is_told(client, tag)
    say(game, state_of(game).turn, "tax")
    assert is_told(client, tag)
    tag = shown(client)
    say(game, game.start_names.index(third), "allow")  # sealed: nobody else can tell
    assert not is_told(client, tag)
    say(game, game.start_names.index(other), "allow")
    assert is_told(client, tag)
    tag = shown(client)
    plan = lobby.Plan(3, Pace.DAILY, invited=[person(other)])
    lobby.open_table(host=person("Host"), plan=plan, seed=SEED, now=NOON)
    assert is_told(client, tag)
    assert not is_told(client, "")  # another page asks
    assert not is_told(Client(), tag)


def test_a_page_of_a_stranger_counts_nothing() -> None:
    assert [q for q in queries(Client(), "/lobby/") if "games_prompt" in q] == []


def test_next_walks_round_the_tables_that_wait_the_most_urgent_first() -> None:
    ids = []
    for hour in range(3):
        game = running_game(2, seed=bytes([hour]) * 32)
        prompt = Prompt.objects.get(game=game, state=PromptState.OPEN)
        prompt.due = NOON + timedelta(hours=9 - hour)
        prompt.tenure = tenure_of(game, 0)
        prompt.save()
        ids.insert(0, game.public_id)
    ana = client_of("Ana")
    places = [ana.get("/next/").headers["Location"]]
    places += [ana.get(f"/next/?after={public_id}").headers["Location"] for public_id in ids]
    assert places == [f"/g/{ids[n]}/" for n in (0, 1, 2, 0)]


def test_next_leads_home_when_nothing_waits() -> None:
    for client in (client_of("Ana"), Client()):
        for query in ("", "?after=none"):
            assert client.get(f"/next/{query}").headers["Location"] == "/"


def test_the_count_on_a_tables_page_leads_on_from_there() -> None:
    game = running_game(2)
    ana = client_of("Ana")
    assert f"/next/?after={game.public_id}" in text(ana.get(f"/g/{game.public_id}/"))
    from_there = {"Referer": f"http://testserver/g/{game.public_id}/"}
    assert f"/next/?after={game.public_id}" in text(ana.get("/waiting/", headers=from_there))
    for strange in ("", "http://[", "http://testserver/lobby/", "nonsense"):
        part = ana.get("/waiting/", headers={"Referer": strange})
        assert 'href="/next/"' in text(part)


def test_a_game_that_cannot_be_read_hides_no_other(caplog: pytest.LogCaptureFixture) -> None:
    games = [running_game(2, seed=bytes([number]) * 32) for number in range(3)]
    broken = games[1]
    Move.objects.filter(game=broken).update(events=["nonsense"])
    store.forget()
    for name in ("Ana", "Ben"):
        page = client_of(name).get("/")
        assert page.status_code == 200
        assert all(f"/g/{game.public_id}/" in text(page) for game in games)
        assert text(page).count("cannot be shown just now") == 1
    assert broken.public_id in caplog.text
