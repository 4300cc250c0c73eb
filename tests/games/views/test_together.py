"""Deciding together over HTTP: who may, what the pages show, and taking a seat that stands open."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone

from accounts import sanctions
from accounts.models import Block, SanctionKind, User
from games import seating, store
from games.models import (
    Admits,
    Game,
    Invitation,
    Kind,
    Outbox,
    Outcome,
    Proposal,
    ProposalKind,
    Recusal,
    Tenure,
    Visibility,
    Watch,
)
from games.notify import letters

from ..cast import NOON, person, running_game, say, state_of, tenure_of
from ..consent_cast import DAY_LATER, PAUSE, absent, exile, offered, others, propose
from .web import WRITES, client_of, main_of, queries, text, url

pytestmark = pytest.mark.django_db

HTMX = {"HX-Request": "true"}


@pytest.fixture(autouse=True)
def _fixed_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(timezone, "now", lambda: DAY_LATER)


@pytest.fixture
def game() -> Game:
    return running_game(3)


def named(game: Game, seat: int) -> str:
    return tenure_of(game, seat).name


def at(game: Game, seat: int) -> Client:
    return client_of(named(game, seat))


def page(client: Client, game: Game) -> str:
    return main_of(client.get(url("table", game)))


def ask(client: Client, game: Game, what: str, **data: Any) -> HttpResponse:
    return client.post(url("propose", game), {"what": what, **data})


def say_it(client: Client, game: Game, do: str, **options: Any) -> HttpResponse:
    number = Proposal.objects.filter(game=game).latest("pk").pk
    return client.post(url("voice", game), {"proposal": number, "do": do}, **options)


def outcome(game: Game) -> str:
    return Proposal.objects.filter(game=game).latest("pk").outcome


def test_a_pause_by_consent_from_button_to_button(game: Game) -> None:
    ana, ben, cyd = (at(game, seat) for seat in range(3))
    assert 'id="propose-pause"' in page(ana, game)
    assert ask(ana, game, "pause").status_code == 302
    mine, his, watched = page(ana, game), page(ben, game), page(Client(), game)
    assert "You propose to pause the game." in mine
    assert 'value="withdraw"' in mine
    assert 'value="agree"' not in mine
    for seen in (his, watched):
        assert "<bdi>Ana</bdi> proposes to pause the game." in seen
        assert "Agreed: <bdi>Ana</bdi>." in seen
        assert "Waits for <bdi>Ben</bdi> and <bdi>Cyd</bdi>." in seen
    assert 'value="agree"' in his
    assert 'value="decline"' in his
    assert 'name="do"' not in watched
    assert "fold-together" not in watched
    for client in (ben, cyd):
        answer = say_it(client, game, "agree", headers=HTMX)
        assert answer.status_code == 200
        assert 'id="table"' in text(answer)
    paused = page(ana, game)
    assert "All agreed to a pause" in paused
    assert "at the latest at" in paused
    assert "The players pause the game." in paused
    assert 'id="propose-go_on"' in paused
    assert 'id="propose-pause"' not in paused
    for client in (ana, ben, cyd):
        assert ask(client, game, "go_on").status_code == 302
    assert "All agreed to a pause" not in page(ana, game)


def test_declined_and_taken_back_is_told_and_not_by_whom(game: Game) -> None:
    ana, ben = at(game, 0), at(game, 1)
    ask(ana, game, "end")
    say_it(ben, game, "decline")
    told = page(Client(), game).split('id="pacts"')[1].split("</div>")[0]
    assert "Declined: <bdi>Ana</bdi> proposes to end the game" in told
    assert "Ben" not in told
    refused = ask(ana, game, "end")
    assert refused.status_code == 429
    assert "a moment ago" in text(refused)
    ask(ben, game, "pause")
    assert say_it(ana, game, "withdraw").status_code == 403
    say_it(ben, game, "withdraw")
    assert "Taken back:" in page(ana, game)


def test_strangers_spectators_and_exiles_are_refused(game: Game) -> None:
    gone = exile(game)
    exiled = client_of(Tenure.objects.get(game=game, seat__index=gone).name)
    propose(game, others(game)[0], PAUSE, now=DAY_LATER)
    before = Game.objects.filter(pk=game.pk).values().get()
    for client in (Client(), client_of("Zoe"), exiled):
        for response in (ask(client, game, "pause"), say_it(client, game, "decline")):
            assert response.status_code == 403
        assert "fold-together" not in page(client, game)
        assert 'name="do"' not in page(client, game)
        assert client.get(url("propose", game)).status_code == 405
    assert Game.objects.filter(pk=game.pk).values().get() == before
    assert outcome(game) == Outcome.OPEN
    checked = Client(enforce_csrf_checks=True)
    checked.force_login(person("Ana"))
    assert ask(checked, game, "pause").status_code == 403
    Game.objects.filter(pk=game.pk).update(visibility=Visibility.PRIVATE)
    for name in ("propose", "voice", "take", "take_invite"):
        data = {"what": "pause", "proposal": "1", "do": "agree", "name": "Yan"}
        assert client_of("Zoe").post(url(name, game), data).status_code == 404


def test_what_makes_no_sense_is_refused_in_words(game: Game) -> None:
    ana = at(game, 0)
    nonsense: list[tuple[str, dict[str, object]]] = [
        ("propose", {}),
        ("propose", {"what": "bot"}),
        ("propose", {"what": "bot.honest"}),
        ("propose", {"what": "pause", "holder": 1}),
        ("propose", {"what": "newcomer", "holder": "x"}),
        ("voice", {"proposal": "1"}),
        ("voice", {"proposal": "9" * 40, "do": "agree"}),
        ("take_invite", {}),
    ]
    for name, data in nonsense:
        assert ana.post(url(name, game), data).status_code == 400
    unknown = ana.post(url("voice", game), {"proposal": 2**62, "do": "agree"})
    assert unknown.status_code == 404
    assert ask(ana, game, "newcomer", holder=2**62).status_code == 409
    assert ask(ana, game, "go_on").status_code == 302  # it goes on already
    assert not Proposal.objects.exists()


def test_a_seat_is_offered_found_in_the_lobby_and_taken() -> None:
    game = running_game(3)
    seat = absent(game)
    one, other = others(game, seat)
    shown = page(at(game, one), game)
    holder = tenure_of(game, seat)
    assert f"<bdi>{holder.name}</bdi> is on autopilot" in shown
    assert ask(at(game, one), game, "newcomer", holder=holder.pk).status_code == 302
    assert "Seats to take over" not in text(Client().get("/lobby/"))
    say_it(at(game, other), game, "agree")
    assert f"The seat of <bdi>{holder.name}</bdi> stands open" in page(Client(), game)
    for client in (Client(), client_of("Zoe")):
        lobby = text(client.get("/lobby/"))
        assert "Seats to take over" in lobby
        assert url("take", game) in lobby
        assert url("take", game) in page(client, game)
        assert f"The seat of <bdi>{holder.name}</bdi>" in text(client.get(url("take", game)))
    for seated in (at(game, one), client_of(holder.name)):
        assert "Seats to take over" not in text(seated.get("/lobby/"))
        assert 'id="take-1"' not in page(seated, game)
        assert seated.get(url("take", game)).status_code == 302
    zoe = client_of("Zoe")
    for _ in range(2):
        assert zoe.post(url("take", game)).status_code == 302
    assert tenure_of(game, seat).name == "Zoe"
    assert 'id="mine"' in page(zoe, game)
    assert "Seats to take over" not in text(Client().get("/lobby/"))
    late = client_of("Yan").post(url("take", game))
    assert late.status_code == 409
    assert "not free any more" in text(late)
    assert client_of("Yan").get(url("take", game)).status_code == 403


def test_a_stranger_takes_a_seat_as_a_guest(game: Game) -> None:
    seat = offered(game)
    stranger = Client()
    door = text(stranger.get(url("take", game)))
    token = door.split('name="form_token" value="')[1].split('"')[0]
    assert stranger.post(url("take", game), {"name": "Ana"}).status_code == 422
    data = {"name": "Newcomer", "form_token": token}
    assert stranger.post(url("take", game), data).status_code == 302
    assert Client().post(url("take", game), data).status_code == 302
    assert tenure_of(game, seat).name == "Newcomer"


def test_the_filters_of_the_lobby_hold_for_seats_too(game: Game) -> None:
    offered(game)
    for query, there in (
        ("pace=daily&size=3", True),
        ("pace=live", False),
        ("size=4", False),
        ("variant=inquisitor", False),
        ("bots=1", False),
        ("bots=0", True),
    ):
        lobby = text(Client().get(f"/lobby/?{query}"))
        assert ("Seats to take over" in lobby) is there, query


def hindered(game: Game, how: str) -> User:
    zoe = person("Zoe")
    match how:
        case "blocks":
            Block.objects.create(by=zoe, blocked=person("Ana"), created_at=NOON)
        case "is blocked":
            Block.objects.create(by=person("Ana"), blocked=zoe, created_at=NOON)
        case "saw cards":
            Recusal.objects.create(game=game, user=zoe, at=NOON)
        case "leaves":
            User.objects.filter(pk=zoe.pk).update(games_left=9)
            Game.objects.filter(pk=game.pk).update(admits=Admits.FINISHERS)
        case "is suspended":
            sanctions.impose(
                user=zoe,
                kind=SanctionKind.SUSPENSION,
                reason="noise",
                until=DAY_LATER + timedelta(days=1),
                by=person("Ana"),
                now=NOON,
            )
    return zoe


@pytest.mark.parametrize(
    ("how", "status", "listed"),
    [
        ("blocks", 404, False),
        ("is blocked", 404, False),
        ("saw cards", 403, False),
        ("leaves", 422, False),
        ("is suspended", 403, True),
    ],
)
def test_who_may_not_sit_there_does_not(game: Game, how: str, status: int, listed: bool) -> None:
    seat = offered(game)
    hindered(game, how)
    client = client_of("Zoe")
    assert ("Seats to take over" in text(client.get("/lobby/"))) is listed
    assert client.post(url("take", game)).status_code == status
    assert tenure_of(game, seat).name != "Zoe"


def test_whoever_keeps_many_tables_waiting_takes_no_seat(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    seat = offered(game)
    mine = running_game(2)
    monkeypatch.setattr(seating, "MOST_WAITING", 1)
    zoe = person("Zoe")
    Tenure.objects.filter(game=mine, seat__index=state_of(mine).turn).update(user=zoe)
    refused = client_of("Zoe").post(url("take", game))
    assert refused.status_code == 422
    assert "Too many tables wait for you" in text(refused)
    assert tenure_of(game, seat).name != "Zoe"


def test_an_unlisted_seat_is_for_whoever_has_the_link(game: Game) -> None:
    seat = offered(game)
    Game.objects.filter(pk=game.pk).update(visibility=Visibility.UNLISTED, watch=Watch.PLAYERS)
    assert "Seats to take over" not in text(client_of("Zoe").get("/lobby/"))
    assert client_of("Zoe").post(url("take", game)).status_code == 404
    link = page(at(game, others(game, seat)[0]), game).split('id="door" value="')[1].split('"')[0]
    zoe = client_of("Zoe")
    table = zoe.get(f"{url('table', game)}?{link.split('?')[1]}")
    assert table.status_code == 302
    assert table["Location"] in link
    assert zoe.get(link).status_code == 200
    assert zoe.post(link).status_code == 302
    assert tenure_of(game, seat).name == "Zoe"


def test_a_private_seat_is_for_those_asked_by_name(game: Game) -> None:
    seat = offered(game)
    Game.objects.filter(pk=game.pk).update(visibility=Visibility.PRIVATE)
    asking = at(game, others(game, seat)[0])
    zoe, yan = client_of("Zoe"), client_of("Yan")
    for client in (zoe, yan):
        assert client.get(url("take", game)).status_code == 404
    assert asking.post(url("take_invite", game), {"name": "Nobody"}).status_code == 422
    gone = asking.post(url("take_invite", game), {"name": named(game, seat)})
    assert gone.status_code == 409
    for _ in range(2):
        assert asking.post(url("take_invite", game), {"name": "zoe"}).status_code == 302
    assert Invitation.objects.get().user == person("Zoe")
    row = Outbox.objects.filter(kind=Kind.SEAT_OFFERED).select_related("game", "user")[0]
    assert "you may take over" in letters.item(row).text
    assert "Seats to take over" in text(zoe.get("/lobby/"))
    door = zoe.get(url("table", game), follow=True)
    assert f"{named(game, others(game, seat)[0])}</bdi> invites you." in text(door)
    assert yan.post(url("take", game)).status_code == 404
    assert yan.post(url("take_invite", game), {"name": "Zoe"}).status_code == 404
    assert zoe.post(url("take", game)).status_code == 302
    assert tenure_of(game, seat).name == "Zoe"


def test_a_seat_is_offered_by_a_letter_too(game: Game) -> None:
    seat = offered(game)
    Game.objects.filter(pk=game.pk).update(visibility=Visibility.PRIVATE)
    asking = at(game, others(game, seat)[0])
    assert asking.post(url("take_invite", game), {"name": "eva@"}).status_code == 400
    for _ in range(2):
        sent = asking.post(url("take_invite", game), {"name": "eva@example.net"})
        assert sent.status_code == 302
    (letter,) = Outbox.objects.filter(user=None, kind=Kind.SEAT_OFFERED)
    assert letter.payload["to"] == ["eva@example.net"]
    path, key = re.findall(r"(/g/\S+/)\?k=(\S+)", letter.payload["body"])[0]
    assert path == url("take", game)
    stranger = Client()
    assert stranger.get(path).status_code == 404
    door = text(stranger.get(f"{path}?k={key}"))
    assert f"{named(game, others(game, seat)[0])}</bdi> invites you." in door
    assert f"{url('decline', game)}?k={key}" in door
    taken = stranger.post(f"{path}?k={key}", {"name": "Quiet Heron"})
    assert taken.status_code == 302
    assert tenure_of(game, seat).name == "Quiet Heron"
    assert Invitation.objects.get().state == "accepted"
    # It was for one.
    assert Client().get(f"{path}?k={key}").status_code == 404


def test_the_letter_of_a_seat_can_be_declined_and_guests_write_none(game: Game) -> None:
    seat = offered(game)
    asking = at(game, others(game, seat)[0])
    asking.post(url("take_invite", game), {"name": "eva@example.net"})
    key = Invitation.objects.get().token
    assert Client().post(f"{url('decline', game)}?k={key}").status_code == 302
    assert Invitation.objects.get().state == "declined"
    asking.post(url("take_invite", game), {"name": "eva@example.net"})
    assert Outbox.objects.filter(user=None).count() == 1
    User.objects.update(is_guest=True)
    refused = asking.post(url("take_invite", game), {"name": "fay@example.net"})
    assert refused.status_code == 422
    assert "needs an account" in text(refused)


def test_what_is_proposed_is_told_in_words(game: Game) -> None:
    propose(game, 0, PAUSE, now=DAY_LATER)
    row = Outbox.objects.filter(kind=Kind.PROPOSED).select_related("game", "user")[0]
    assert row.user
    letter = letters.letter(row.user, [row], DAY_LATER)
    assert "Something is proposed at your table" in letter.subject
    assert "Somebody proposes a pause" in letter.text
    assert url("table", game) in letter.text
    shown = text(client_of("Ben").get("/messages/"))
    assert "Something is proposed at your table" in shown


def test_what_it_costs_does_not_grow(game: Game) -> None:
    ana = client_of("Ana")
    none = queries(ana, url("table", game))
    propose(game, 0, PAUSE, now=DAY_LATER)
    one = queries(ana, url("table", game))
    assert len(one) == len(none) + 1
    propose(game, 1, ProposalKind.END, now=DAY_LATER)
    propose(game, 2, ProposalKind.EXTEND, now=DAY_LATER)
    for seat in (1, 2):
        propose(game, seat, PAUSE, now=DAY_LATER)
    assert len(queries(ana, url("table", game))) == len(one)
    assert not [sql for sql in queries(ana, url("table", game)) if sql.startswith(WRITES)]


def test_what_the_lobby_costs_does_not_grow(game: Game) -> None:
    offered(game)
    zoe = client_of("Zoe")
    zoe.get("/lobby/")
    few = queries(zoe, "/lobby/")
    for _ in range(2):
        offered(running_game(3))
    store.forget()
    assert text(zoe.get("/lobby/")).count("Take over</button>") == 3
    assert len(queries(zoe, "/lobby/")) == len(few)


def test_an_offer_shows_nothing_before_the_mark_does(game: Game) -> None:
    turn = state_of(game).turn
    one = (turn + 1) % 3
    say(game, turn, "tax")
    before = page(at(game, turn), game)
    Tenure.objects.filter(pk=tenure_of(game, one).pk).update(autopilot_since=NOON, timeouts=2)
    token = 'name="csrfmiddlewaretoken" value="'
    strip = lambda html: [part.partition('"')[2] for part in html.split(token)]  # noqa: E731
    assert strip(page(at(game, turn), game)) == strip(before)
