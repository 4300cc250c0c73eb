"""Taking one's data along, and closing the account."""

import json
from random import Random

import pytest
from allauth.account.models import EmailAddress
from django.apps import apps
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from accounts import closing, export
from accounts.models import User
from games import drive, halts, lobby, play, store
from games.models import Game, Halt, Note, OrderFiring, StandingOrder, Status, TalkRead, Tenure
from games.models.move import Move
from games.timing import Pace
from tests.accounts.cast import PASSWORD, client_of, member
from tests.games.cast import NOON, SEED, person, running_game, say, state_of, stir

pytestmark = pytest.mark.django_db


@pytest.fixture
def ana() -> User:
    return member("Ana")


def close(client: Client, password: str = PASSWORD, sure: str = "on") -> object:
    return client.post("/account/close/", {"password": password, "sure": sure})


def test_it_takes_the_password_and_the_word(ana: User) -> None:
    client = client_of(ana)
    assert (
        "This is not your password."
        in client.post("/account/close/", {"password": "wrong", "sure": "on"}).text
    )
    assert client.post("/account/close/", {"password": PASSWORD}).status_code == 200
    ana.refresh_from_db()
    assert ana.is_active


def test_a_look_at_the_page_closes_nothing(ana: User) -> None:
    client = client_of(ana)
    assert "It cannot be taken back." in client.get("/account/close/").text
    ana.refresh_from_db()
    assert ana.is_active


def test_whoever_played_nothing_is_gone(ana: User) -> None:
    client = client_of(ana)
    close(client)
    assert not User.objects.filter(pk=ana.pk).exists()
    assert not EmailAddress.objects.exists()
    assert "Sign in" in client.get("/").text


def test_a_finished_game_stays_with_a_former_player(ana: User) -> None:
    game = running_game(3)
    list(stir(game, Random(2), 3000))
    tenure = Tenure.objects.get(game=game, user=ana)
    Note.objects.create(tenure=tenure, seat=1, text="He bluffs.")
    close(client_of(ana))
    ana.refresh_from_db()
    assert ana.name == f"A former player {ana.pk}"
    assert ana.email is None
    assert not ana.is_active
    assert not ana.has_usable_password()
    assert not EmailAddress.objects.exists()
    assert not Note.objects.exists()
    page = Client().get(f"/g/{game.public_id}/").text
    assert f"A former player {ana.pk}" in page


def test_a_running_game_goes_on_and_learns_it_when_the_turn_ends(ana: User) -> None:
    game = running_game(3)
    turn = state_of(game).turn
    order = [turn, (turn + 1) % 3, (turn + 2) % 3]
    user = Tenure.objects.get(game=game, seat__index=order[1]).user
    assert user
    say(game, order[0], "tax")
    before = Client().get(f"/g/{game.public_id}/").content
    closing.close(user, now=NOON)
    user.refresh_from_db()
    assert not user.is_active
    # Nobody sees it before: not even by the name.
    assert user.name in before.decode()
    assert strip(Client().get(f"/g/{game.public_id}/").content) == strip(before)
    say(game, order[2], "allow")
    assert order[1] in state_of(game).exiled

    closing.sweep()
    user.refresh_from_db()
    assert not user.name.startswith("A former player")
    play.leave(public_id=game.public_id, user_id=person_in(game, order[0]).pk, now=NOON)
    game.refresh_from_db()
    assert game.status == Status.OVER
    closing.sweep()
    user.refresh_from_db()
    assert user.name == f"A former player {user.pk}"


def strip(page: bytes) -> list[str]:
    """Without what is new in every answer."""
    return [line for line in page.decode().splitlines() if "csrfmiddlewaretoken" not in line]


def person_in(game: Game, seat: int) -> User:
    user = Tenure.objects.get(game=game, seat__index=seat, ended="").user
    assert user
    return user


def test_open_tables_lose_them_without_a_trace(ana: User) -> None:
    plan = lobby.Plan(size=3, pace=Pace.DAILY)
    mine = lobby.open_table(host=ana, plan=plan, seed=SEED, now=NOON)
    theirs = lobby.open_table(host=person("Ben"), plan=plan, seed=SEED, now=NOON)
    lobby.sit(public_id=theirs.public_id, user=ana, now=NOON)
    closing.close(ana, now=NOON)
    mine.refresh_from_db()
    assert mine.status == Status.CANCELLED
    assert [t.name for t in Tenure.objects.filter(game=theirs)] == ["Ben"]


@pytest.mark.parametrize("trouble", ["frozen", "unreadable"])
def test_where_nobody_can_resign_autopilot_answers(ana: User, trouble: str) -> None:
    game = running_game(3)
    if trouble == "frozen":
        halts.freeze(public_id=game.public_id, now=NOON, source=Halt.MODERATOR)
    else:
        moves = list(Move.objects.values_list("pk", "events"))
        Move.objects.update(events=["nonsense"])
        store.forget()
    assert close(client_of(ana)).status_code == 302  # type: ignore[attr-defined]
    ana.refresh_from_db()
    assert not ana.is_active
    if trouble == "frozen":
        halts.thaw(public_id=game.public_id, now=NOON, source=Halt.MODERATOR)
    else:
        for pk, events in moves:
            Move.objects.filter(pk=pk).update(events=events)
    while (turn := state_of(game).turn) != 0:
        say(game, turn, "income")
    drive.sweep(NOON)
    assert state_of(game).turn != 0
    game.tenures.get(user=ana, ended="")


def test_a_seat_that_is_held_again_by_nobody_is_answered_for(ana: User) -> None:
    game = running_game(3)
    while (turn := state_of(game).turn) == 0:
        say(game, turn, "income")
    game.refresh_from_db()
    version = game.version
    closing.close(ana, now=NOON)
    while 0 not in state_of(game).exiled:
        say(game, state_of(game).turn, "income")
    halts.take_back(public_id=game.public_id, version=version, now=NOON)
    assert 0 not in state_of(game).exiled
    while (turn := state_of(game).turn) != 0:
        say(game, turn, "income")
    drive.sweep(NOON)
    assert state_of(game).turn != 0


def test_closing_twice_is_once(ana: User) -> None:
    running_game(3)
    closing.close(ana, now=NOON)
    closed_at = User.objects.get(pk=ana.pk).closed_at
    closing.close(ana, now=timezone.now())
    assert User.objects.get(pk=ana.pk).closed_at == closed_at


def test_nobody_gets_in_as_them(ana: User) -> None:
    running_game(3)
    elsewhere = client_of(ana)
    close(client_of(ana))
    assert "Sign in" in elsewhere.get("/").text
    answer = Client().post("/account/login/", {"login": "ana@example.org", "password": PASSWORD})
    assert "do not belong together" in answer.text


# The data


def test_the_data_are_all_there_and_nobody_elses(ana: User) -> None:
    game = running_game(3)
    list(stir(game, Random(4), 30))
    response = client_of(ana).get("/account/data/")
    assert response.status_code == 200
    assert "attachment" in response.headers["Content-Disposition"]
    data = json.loads(response.content)
    assert data["person"]["email"] == "ana@example.org"
    assert data["addresses"] == [{"email": "ana@example.org", "verified": True, "primary": True}]
    (seat,) = data["seats"]
    assert seat["game"] == game.public_id
    mine = store.said_by(ana.pk)
    assert [move["said"] for move in seat["moves"]] == [
        move["said"] for moves in mine.values() for move in moves
    ]
    assert "ben@example.org" not in response.text
    assert ana.password not in response.text
    assert "deck" not in response.text


def test_the_data_do_not_tell_how_many_answered_before_one(ana: User) -> None:
    """A number that counts sealed answers is told after the end."""
    game = running_game(4)
    if state_of(game).turn == 0:
        say(game, 0, "income")
    turn = state_of(game).turn
    say(game, turn, "tax")
    for seat in {1, 2, 3} - {turn}:
        say(game, seat, "allow")
    say(game, 0, "challenge")

    def numbers() -> list[int | None]:
        (seat,) = client_of(ana).get("/account/data/").json()["seats"]
        return [move["number"] for move in seat["moves"]]

    assert set(numbers()) == {None}
    halts.cancel(public_id=game.public_id, now=NOON, source=Halt.CONSENT)
    game.refresh_from_db()
    assert numbers()[-1] == game.last_move


SECTIONS = {
    "account.EmailAddress.user": "addresses",
    "accounts.Absence.user": "absences",
    "accounts.Block.by": "blocked",
    "accounts.PushSubscription.user": "devices",
    "accounts.Sanction.user": "sanctions",
    "accounts.Trace.user": "traces",
    "games.Game.host": "tables_opened",
    "games.Invitation.by": "invitations_sent",
    "games.Invitation.user": "invitations",
    "games.Mute.by": "muted",
    "games.Note.tenure": "notes",
    "games.OrderFiring.order": "orders_given",
    "games.Outbox.user": "messages_to_you",
    "games.Proposal.by": "proposals",
    "games.Recusal.user": "cards_looked_at",
    "games.Report.reporter": "reports",
    "games.StandingOrder.tenure": "orders",
    "games.TableMessage.user": "messages_at_tables",
    "games.TalkRead.user": "talk_read",
    "games.Tenure.user": "seats",
    "games.Move.tenure": "seats",
    "games.Voice.tenure": "said_to_proposals",
    "mfa.Authenticator.user": "second_factors",
}
"""Where in the data is what leads to a person, or to a seat of theirs."""

NOT_THEIRS = {
    # What others have decided about them, or wrote, is those others'; what was decided as somebody
    # who works here is the site's.
    "accounts.Block.blocked",
    "accounts.Sanction.by",
    "accounts.Sanction.lifted_by",
    "admin.LogEntry.user",
    "games.AuditEntry.actor",
    "games.AuditEntry.person",
    "games.Mute.whom",
    "games.Proposal.holder",
    "games.Report.closed_by",
    "games.Report.person",
    "games.Report.taken_by",
    "games.TableMessage.hidden_by",
    # How a game keeps time.
    "games.ClockEntry.tenure",
    "games.Prompt.tenure",
}


def test_whatever_leads_to_a_person_is_in_the_data_or_left_out_for_a_reason(ana: User) -> None:
    leads = {
        f"{model._meta.label}.{field.name}"
        for model in apps.get_models()
        for field in model._meta.concrete_fields
        if field.is_relation and field.related_model in (User, Tenure, StandingOrder)
    }
    assert leads == SECTIONS.keys() | NOT_THEIRS
    assert export.of(ana).keys() == {"person", *SECTIONS.values()}


def test_what_one_has_set_and_read_is_in_the_data_and_nobody_elses(ana: User) -> None:
    game = running_game(3)
    asked = game.prompts.get(state="open")
    for tenure, role in zip(
        game.tenures.order_by("pk"), ("duke", "captain", "contessa"), strict=True
    ):
        order = StandingOrder.objects.create(
            tenure=tenure, position=1, kind="block", role=role, scope="game", from_move=0,
            created_at=NOON,
        )  # fmt: skip
        OrderFiring.objects.create(order=order, prompt=asked, turn=1, said=f"block {role}", at=NOON)
        assert tenure.user
        TalkRead.objects.create(game=game, user=tenure.user, table=7 + tenure.seat.index)
    mine = game.tenures.get(user=ana)
    data = client_of(ana).get("/account/data/").json()
    (order,), (given,), (read,) = data["orders"], data["orders_given"], data["talk_read"]
    assert order["role"] == mine.orders.get().role
    assert given["said"] == f"block {order['role']}"
    assert read["table"] == 7 + mine.seat.index


def test_a_stranger_has_no_data(client: Client) -> None:
    assert client.get("/account/data/").status_code == 302


def test_many_games_cost_no_more_queries(
    ana: User, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    client = client_of(ana)
    running_game(3)
    with django_assert_num_queries(25):
        client.get("/account/data/")
    running_game(2, seed=b"y" * 32)
    running_game(4, seed=b"x" * 32)
    with django_assert_num_queries(25):
        client.get("/account/data/")
