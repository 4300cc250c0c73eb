"""Invitations: who is told, how long they last, how many there may be; tables that do not fill."""

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.core import mail
from django.test import Client

from accounts import blocks
from accounts.models import User
from games import invitations, lists, lobby, play
from games.models import (
    Game,
    Invitation,
    InvitationState,
    Kind,
    Outbox,
    OutboxState,
    Status,
    Visibility,
)
from games.notify import outbox
from games.refusal import Reason
from games.timing import INVITATION_LASTS, STAYS_OPEN

from .cast import NOON, person, running_game
from .test_lobby import opened, sit, why_not
from .views.web import client_of, main_of, text

pytestmark = pytest.mark.django_db


def invite(game: Game, name: str, now: datetime = NOON) -> Game:
    person(name)
    return invitations.invite(public_id=game.public_id, host=person("Ana"), name=name, now=now)


def told(kind: Kind, state: OutboxState = OutboxState.PENDING) -> list[str]:
    """Who is to be told, by mail, of this."""
    rows = Outbox.objects.filter(kind=kind, state=state, channel="email")
    return sorted(rows.values_list("user__name", flat=True))


def private(**plan: Any) -> Game:
    return opened(visibility=Visibility.PRIVATE, **plan)


def test_the_invited_are_told_once_on_their_page_and_by_the_outbox() -> None:
    game = private(invited=[person("Cyd")])
    for _time in range(2):
        invite(game, "Ben")
    assert told(Kind.INVITED) == ["Ben", "Cyd"]
    page = main_of(client_of("Ben").get("/"))
    assert "Ana</bdi> invites you" in page
    assert f"/g/{game.public_id}/decline/" in page


@pytest.mark.parametrize("answer", ["sit", "decline", "blocked"])
def test_whoever_has_answered_is_told_no_more(answer: str) -> None:
    game = private()
    invite(game, "Ben")
    if answer == "blocked":
        blocks.block(by=person("Ana"), blocked=person("Ben"), now=NOON)
    else:
        client_of("Ben").post(f"/g/{game.public_id}/{answer}/")
    assert told(Kind.INVITED) == []
    assert told(Kind.INVITED, OutboxState.DROPPED) == ["Ben"]


def test_the_table_names_who_invites_and_only_to_the_invited() -> None:
    game = opened(4)
    invite(game, "Ben")
    link = write_to(game, "eva@example.net")
    says = "Ana</bdi> invites you."
    asked = [client_of("Ben").get(f"/g/{game.public_id}/"), Client().get(f"/g/{link}")]
    assert [says in main_of(page) for page in asked] == [True, True]
    others = [client_of("Ana"), client_of("Cyd"), Client()]
    told = [says in main_of(other.get(f"/g/{game.public_id}/")) for other in others]
    assert told == [False, False, False]
    sit(game, "Ben")
    assert says not in main_of(client_of("Ben").get(f"/g/{game.public_id}/"))


def test_whom_the_invited_blocks_does_not_reach_them() -> None:
    game = private()
    blocks.block(by=person("Ben"), blocked=person("Ana"), now=NOON)
    invite(game, "Ben")
    assert told(Kind.INVITED) == []
    assert "invites you" not in text(client_of("Ben").get("/"))


def test_an_invitation_lasts_a_week() -> None:
    game = private(size=4)
    invite(game, "Ben")
    invitations.expire(NOON + INVITATION_LASTS - timedelta(minutes=1))
    assert list(lists.my_invitations(person("Ben").pk)) == [game]
    before = Game.objects.get().version
    for _time in range(2):
        invitations.expire(NOON + INVITATION_LASTS)
    assert list(lists.my_invitations(person("Ben").pk)) == []
    assert Game.objects.get().version == before + 1
    assert why_not(lobby.sit, public_id=game.public_id, user=person("Ben")) == Reason.NO_GAME
    page = main_of(client_of("Ana").get(f"/g/{game.public_id}/"))
    assert "has not answered within a week" in page
    # They may be asked once more, which whoever declined may not.
    invite(game, "Ben", NOON + INVITATION_LASTS)
    assert list(lists.my_invitations(person("Ben").pk)) == [game]
    invitations.decline(public_id=game.public_id, user=person("Ben"), now=NOON)
    invite(game, "Ben", NOON + INVITATION_LASTS)
    assert Invitation.objects.get().state == InvitationState.DECLINED


def test_whoever_is_asked_once_more_is_told_once_more() -> None:
    game = private(size=4)
    invite(game, "Ben")
    assert told(Kind.INVITED) == ["Ben"]
    Outbox.objects.update(state=OutboxState.SENT, done_at=NOON)
    later = NOON + INVITATION_LASTS
    invitations.expire(later)
    for _time in range(2):
        invite(game, "Ben", later)
    assert told(Kind.INVITED) == ["Ben"]
    sit(game, "Ben")
    assert told(Kind.INVITED) == []
    assert told(Kind.INVITED, OutboxState.DROPPED) == ["Ben"]


@pytest.mark.parametrize("way", ["decline", "expire"])
def test_what_becomes_of_an_invitation_to_a_game_that_runs_is_nothing_for_its_table(
    way: str,
) -> None:
    game = running_game(2)
    Invitation.objects.create(game=game, user=person("Zoe"), by=person("Ana"), created_at=NOON)
    before = Game.objects.values("version", "changed_at").get()
    if way == "decline":
        invitations.decline(public_id=game.public_id, user=person("Zoe"), now=NOON)
    else:
        invitations.expire(NOON + INVITATION_LASTS)
    assert Invitation.objects.get().state == {"decline": "declined", "expire": "expired"}[way]
    assert Game.objects.values("version", "changed_at").get() == before


def test_whoever_accepted_stays_invited() -> None:
    game = private(size=4)
    invite(game, "Ben")
    sit(game, "Ben")
    invitations.expire(NOON + INVITATION_LASTS)
    assert Invitation.objects.get().state == InvitationState.ACCEPTED


def test_those_who_sat_at_a_table_that_did_not_fill_are_told() -> None:
    game = opened(4)
    sit(game, "Ben")
    late = NOON + STAYS_OPEN
    for _time in range(2):
        lobby.expire(late)
    assert Game.objects.get().status == Status.CANCELLED
    assert told(Kind.EXPIRED) == ["Ana", "Ben"]
    for name in ("Ana", "Ben"):
        assert "Too few came in time" in main_of(client_of(name).get("/"))


def test_a_game_that_took_long_did_not_fail_to_fill() -> None:
    game = running_game(2)
    play.leave(public_id=game.public_id, user_id=person("Ben").pk, now=NOON + 2 * STAYS_OPEN)
    page = main_of(client_of("Ana").get("/"))
    assert "You won" in page
    assert "Too few" not in page


def test_a_host_who_gives_up_tells_the_others() -> None:
    game = opened(4)
    sit(game, "Ben")
    lobby.cancel(public_id=game.public_id, host=person("Ana"), now=NOON)
    assert told(Kind.EXPIRED) == ["Ben"]
    page = main_of(client_of("Ben").get("/"))
    assert "given up before the start" in page
    assert "Too few" not in page


def test_a_closed_account_is_told_nothing() -> None:
    game = opened(4)
    sit(game, "Ben")
    User.objects.filter(name="Ben").update(is_active=False)
    lobby.expire(NOON + STAYS_OPEN)
    assert told(Kind.EXPIRED) == ["Ana"]
    assert game


def test_what_is_not_public_is_not_for_search_engines() -> None:
    open_table = client_of("Ana").get(f"/g/{opened().public_id}/")
    assert '<meta name="robots" content="noindex">' in text(open_table)
    game = opened(2, visibility=Visibility.UNLISTED)
    sit(game, "Ben", link_token=game.link_token)
    for path in ("", "table/"):
        page = text(client_of("Ana").get(f"/g/{game.public_id}/{path}"))
        assert ("noindex" in page) == (path == "")


# By e-mail


def write_to(game: Game, address: str, by: str = "Ana", now: datetime = NOON) -> str:
    """The link of the letter; empty if there is none that is not yet sent."""
    invitations.invite_by_mail(public_id=game.public_id, host=person(by), address=address, now=now)
    letter = Outbox.objects.filter(user=None, payload__to=[address]).last()
    return letter.payload["body"].split("http", 1)[1].split()[0].split("/g/")[1] if letter else ""


def test_a_letter_leads_one_person_to_a_private_table() -> None:
    game = private(size=4)
    link = write_to(game, "eva@example.net")
    assert write_to(game, "EVA@example.net".lower()) == link
    assert Invitation.objects.count() == Outbox.objects.filter(user=None).count() == 1
    stranger = Client()
    assert stranger.get(f"/g/{game.public_id}/").status_code == 404
    page = main_of(stranger.get(f"/g/{link}"))
    assert 'id="sit"' in page
    assert 'id="decline"' in page
    token = link.split("?k=")[1]
    sat = stranger.post(f"/g/{game.public_id}/sit/?k={token}", {"name": "Quiet Heron"})
    assert sat.status_code == 302
    assert Invitation.objects.get().user == User.objects.get(name="Quiet Heron")
    # It was for one.
    assert Client().get(f"/g/{link}").status_code == 404


def test_a_letter_can_be_declined_without_an_account() -> None:
    game = private(size=4)
    link = write_to(game, "eva@example.net")
    token = link.split("?k=")[1]
    assert Client().post(f"/g/{game.public_id}/decline/?k=guess").status_code == 404
    for _time in range(2):
        assert Client().post(f"/g/{game.public_id}/decline/?k={token}").status_code == 302
    assert Client().get(f"/g/{link}").status_code == 404
    page = main_of(client_of("Ana").get(f"/g/{game.public_id}/"))
    assert "Somebody by e-mail" in page
    assert "has declined" in page
    assert "eva@" not in page


def test_the_address_is_gone_when_the_letter_has_left() -> None:
    game = private(size=4)
    write_to(game, "eva@example.net")
    while outbox.deliver(NOON):
        pass
    (letter,) = mail.outbox
    assert letter.to == ["eva@example.net"]
    assert "Ana invites you" in letter.subject
    kept = [str(row) for model in (Invitation, Outbox) for row in model.objects.values()]
    assert not any("eva@" in row for row in kept)


def test_a_letter_to_a_table_that_is_no_more_stays_here() -> None:
    game = private(size=4)
    write_to(game, "eva@example.net")
    lobby.cancel(public_id=game.public_id, host=person("Ana"), now=NOON)
    while outbox.deliver(NOON):
        pass
    assert mail.outbox == []
    assert Outbox.objects.get(user=None).payload is None


def test_who_has_an_account_cannot_be_found_out() -> None:
    person("Ben")
    ana = client_of("Ana")
    game = private(size=4)
    answers = [
        ana.post(f"/g/{game.public_id}/invite/", {"name": address}, follow=True)
        for address in ("ben@example.org", "nobody@example.org")
    ]
    texts = [text(answer).count("on its way to that address") for answer in answers]
    assert texts == [1, 1]
    states = Invitation.objects.values_list("user", "state")
    assert list(states) == [(None, "open"), (None, "open")]


def test_letters_are_limited_for_whoever_writes_and_whoever_reads() -> None:
    tables = [private(size=4) for _ in range(4)]
    for game in tables[: invitations.LETTERS_A_DAY]:
        write_to(game, "eva@example.net")
    refused = why_not(
        invitations.invite_by_mail,
        public_id=tables[3].public_id,
        host=person("Ana"),
        address="Eva@Example.net",
    )
    assert refused == Reason.TOO_MANY_INVITATIONS
    number = 0
    while Invitation.objects.count() < invitations.INVITATIONS_A_DAY:
        number += 1
        write_to(tables[3], f"a{number}@example.net")
    refused = why_not(
        invitations.invite_by_mail,
        public_id=tables[3].public_id,
        host=person("Ana"),
        address="last@example.net",
    )
    assert refused == Reason.TOO_MANY_INVITATIONS


def test_guests_write_to_nobody() -> None:
    User.objects.filter(pk=person("Ana").pk).update(is_guest=True)
    game = opened(4)
    answer = client_of("Ana").post(f"/g/{game.public_id}/invite/", {"name": "eva@example.net"})
    assert answer.status_code == 422
    assert "needs an account" in text(answer)
    assert 'value="eva@example.net"' in text(answer)
    assert not Outbox.objects.filter(user=None).exists()


def test_a_table_is_opened_for_names_and_addresses() -> None:
    person("Ben")
    form = {"size": 4, "pace": "daily", "visibility": "private", "watch": "players"}
    ana = client_of("Ana")
    wrong = ana.post("/new/", form | {"invited": "Ben\neva@"})
    assert wrong.status_code == 422
    assert "eva@</textarea>" in text(wrong)
    assert ana.post("/new/", form | {"invited": "eva@example.net\nBen"}).status_code == 302
    assert Invitation.objects.filter(user=person("Ben")).count() == 1
    assert Outbox.objects.get(user=None).payload["to"] == ["eva@example.net"]
    assert ana.post("/new/", form | {"invited": "eva@example.net"}).status_code == 302
