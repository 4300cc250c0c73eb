"""Whoever guesses the number of something of somebody else's has nothing of it: they can neither
change nor read it. Its owner, with the same request, can."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.db.models import QuerySet
from django.test import Client
from django.utils import timezone

from accounts import blocks, sanctions
from accounts.models import Absence, Block, PushSubscription, Sanction, SanctionKind
from games import orderbook, talk
from games.models import (
    Channel,
    Game,
    Invitation,
    Kind,
    Mute,
    Note,
    Outbox,
    Prompt,
    Proposal,
    Report,
    StandingOrder,
    Visibility,
)
from games.models.move import Move
from games.notify.links import answer_url, switch_url
from games.orders import Kind as OrderKind
from games.orders import Order, Scope

from .cast import person, prompt_of, running_game, say, state_of
from .talk_cast import tell
from .views.web import client_of

pytestmark = pytest.mark.django_db

type Given = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Thing:
    """Something of Ana's: what she sends to change it, and the rows in which that shows."""

    path: str
    given: Given
    rows: QuerySet[Any]

    def kept(self) -> list[Given]:
        return list(self.rows.order_by("pk").values())


@pytest.fixture
def game() -> Game:
    """Ana, on turn, Ben and Cyd."""
    game = running_game(3)
    while (turn := state_of(game).turn) != 0:
        say(game, turn, "income")
    return game


def thing(name: str, game: Game) -> Thing:
    ana, now, table = person("Ana"), timezone.now(), f"/g/{game.public_id}/"
    mine = prompt_of(game, 0).tenure
    match name:
        case "question":
            given = {"prompt": prompt_of(game, 0).pk, "answer": "income", "sure": "on"}
            return Thing(f"{table}answer/", given, Prompt.objects.filter(game=game))
        case "order":
            orderbook.add(
                public_id=game.public_id, user_id=ana.pk, what=Order(OrderKind.CHALLENGE),
                scope=Scope.GAME, now=now,
            )  # fmt: skip
            orders = StandingOrder.objects.filter(tenure=mine)
            given = {"order": orders.get().pk, "do": "off"}
            return Thing(f"{table}orders/change/", given, orders)
        case "holiday":
            in_days = [now + timedelta(days=days) for days in (3, 5)]
            absence = Absence.objects.create(
                user=ana, starts=in_days[0], ends=in_days[1], year=now.year, hours=48
            )
            return Thing(f"/account/holiday/{absence.pk}/end/", {}, Absence.objects.all())
        case "block":
            blocks.block(by=ana, blocked=person("Dov"), now=now)
            block = Block.objects.get()
            return Thing(f"/account/unblock/{block.pk}/", {}, Block.objects.all())
        case "warning":
            held = sanctions.impose(
                user=ana, kind=SanctionKind.WARNING, reason="x", until=None, by=ana, now=now
            )
            return Thing(f"/account/warnings/{held.pk}/read/", {}, Sanction.objects.all())
        case "device":
            device = PushSubscription.objects.create(
                user=ana, session="x", endpoint="x", p256dh="x", auth="x", device="x", made_at=now
            )
            return Thing(
                "/account/push/end/", {"device": device.pk}, PushSubscription.objects.all()
            )
        case "mute":
            talk.mute(user=ana, whom_id=person("Ben").pk)
            return Thing("/reports/unmute/", {"mute": Mute.objects.get().pk}, Mute.objects.all())
        case "proposal":
            client_of("Ana").post(f"{table}propose/", {"what": "pause"})
            given = {"proposal": Proposal.objects.get().pk, "do": "withdraw"}
            return Thing(f"{table}voice/", given, Proposal.objects.all())
    raise AssertionError(name)


@pytest.mark.parametrize(
    "name",
    ["question", "order", "holiday", "block", "warning", "device", "mute", "proposal"],
)
def test_what_is_anas_is_nobody_elses_to_change(name: str, game: Game) -> None:
    hers = thing(name, game)
    before = hers.kept()
    for client in (Client(), client_of("Ben"), client_of("Zoe")):
        client.post(hers.path, hers.given)
        assert hers.kept() == before
    client_of("Ana").post(hers.path, hers.given)
    assert hers.kept() != before


def test_a_question_of_one_table_is_not_answered_at_another(game: Game) -> None:
    other = running_game(3, seed=b"o" * 32)
    prompt = prompt_of(game, 0).pk
    before = Move.objects.count()
    given = {"prompt": prompt, "answer": "income", "sure": "on"}
    assert client_of("Ana").post(f"/g/{other.public_id}/answer/", given).status_code == 403
    assert Move.objects.count() == before


def test_a_proposal_of_one_table_is_not_decided_at_another(game: Game) -> None:
    other = running_game(3, seed=b"o" * 32)
    hers = thing("proposal", game)
    before = hers.kept()
    client_of("Ana").post(f"/g/{other.public_id}/voice/", hers.given)
    assert hers.kept() == before


def test_a_message_at_a_table_one_may_not_see_is_neither_read_nor_reported(game: Game) -> None:
    Game.objects.filter(pk=game.pk).update(visibility=Visibility.PRIVATE)
    tell(game, person("Ben"), "A word among us.", now=timezone.now())
    path = f"/g/{game.public_id}/talk/table/1/report/"
    for answer in (client_of("Zoe").get(path), client_of("Zoe").post(path, {"kind": "abuse"})):
        assert answer.status_code == 404
        assert "A word among us." not in answer.text
    assert not Report.objects.exists()
    assert "A word among us." in client_of("Ana").get(path).text
    client_of("Ana").post(path, {"kind": "abuse"})
    report = Report.objects.get()
    for name in ("Ben", "Zoe"):
        assert "A word among us." not in client_of(name).get("/reports/").text
        assert client_of(name).get(f"/admin/games/report/{report.pk}/change/").status_code == 302


def test_notes_are_read_by_their_writer_alone(game: Game) -> None:
    path = f"/g/{game.public_id}/notes/"
    client_of("Ana").post(path, {"about": "1", "text": "Bluffs on Fridays."})
    assert Note.objects.count() == 1
    for name in ("Ben", "Cyd"):
        for page in (path, f"/g/{game.public_id}/", "/account/data/"):
            assert "Bluffs on Fridays." not in client_of(name).get(page).text
    assert "Bluffs on Fridays." in client_of("Ana").get(path).text


def test_a_link_from_a_letter_is_good_for_its_one_thing(game: Game) -> None:
    """Each is signed for what it does: turned round, cut, or made by oneself it does nothing."""
    prompt, ana = prompt_of(game, 0), person("Ana")
    answering = urlsplit(answer_url(prompt, ana, "income")).path
    leaving = urlsplit(switch_url(ana, Kind.ASKED, Channel.EMAIL)).path
    token, switch = answering.split("/")[2], leaving.split("/")[3]
    signed, _, signature = token.rpartition(":")
    other = urlsplit(answer_url(prompt, person("Ben"), "income")).path.split("/")[2]
    before = list(Prompt.objects.values()), list(Move.objects.values())
    for wrong in (
        switch, token[:-1], token[1:], signed, f"{signed}:", f":{signature}", token.swapcase(),
        f"{token}:{token}", other, f"{other.rpartition(':')[0]}:{signature}", "." * 50,
    ):  # fmt: skip
        for answer in (
            Client().get(f"/answer/{wrong}/"),
            Client().post(f"/answer/{wrong}/", {"answer": "allow"}),
        ):
            assert answer.status_code in (404, 410), wrong
    choices = person("Ana").message_choices
    for wrong in (token, switch[:-1], switch.swapcase(), "x:y"):
        assert Client().post(f"/messages/off/{wrong}/").status_code == 404
    assert person("Ana").message_choices == choices
    assert (list(Prompt.objects.values()), list(Move.objects.values())) == before
    assert Client().get(answering).status_code == 200
    Client().post(leaving)
    assert person("Ana").message_choices != choices


def test_an_invitation_is_nobodys_who_does_not_have_its_letter(game: Game) -> None:
    host = client_of("Ana")
    host.post("/new/", {"size": 3, "pace": "daily", "visibility": "private", "watch": "anybody",
                        "invited": "guest@example.net"})  # fmt: skip
    letter = Invitation.objects.get()
    table = f"/g/{letter.game.public_id}/"
    for guess in ("", "x", letter.token[:-1], letter.token.swapcase(), letter.game.link_token):
        for client in (Client(), client_of("Zoe")):
            assert client.get(f"{table}?k={guess}").status_code == 404
            assert client.post(f"{table}sit/?k={guess}", {"name": "Quinn"}).status_code == 404
            client.post(f"{table}decline/?k={guess}")
    letter.refresh_from_db()
    assert letter.state == "open"
    assert Client().get(f"{table}?k={letter.token}").status_code == 200


def test_what_one_is_told_is_ones_own(game: Game) -> None:
    """No page of messages has an address with a number in it: each is its reader's own."""
    assert Outbox.objects.filter(user=person("Ana")).exists()
    pages = {name: client_of(name).get("/messages/").text for name in ("Ana", "Zoe")}
    assert game.public_id in pages["Ana"]
    assert game.public_id not in pages["Zoe"]
