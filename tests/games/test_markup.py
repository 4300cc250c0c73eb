"""What people type stays text: on every page, in every letter, in headers too."""

import re
from email import message_from_bytes

import pytest
from django.test import Client
from django.utils import timezone

from games import reports
from games.models import Game, Report, ReportKind
from games.moderation import games as moderating
from games.moderation.desk import Decision
from tests.accounts.cast import letters, member
from tests.accounts.staff import staff_client
from tests.coupsite.everybody import routes
from tests.coupsite.test_bodies import fill
from tests.games.moderation.staff import adm, mod

from .cast import person, running_game
from .talk_cast import tell
from .views.web import client_of

pytestmark = pytest.mark.django_db

EVIL = "<img src=x onerror=alert(1)>\"'&"
RAW = re.compile(r"<img src=x|onerror=alert\(1\)>", re.IGNORECASE)


def test_markup_is_shown_as_it_was_typed_on_every_page() -> None:
    for name in ("Ana", "Ben", "Cyd"):
        member(name)
    game, now = running_game(3), timezone.now()
    Game.objects.filter(pk=game.pk).update(title=EVIL)
    ana = client_of("Ana")
    said = tell(game, person("Ben"), EVIL, now=now)
    ana.post(f"/g/{game.public_id}/notes/", {"about": "1", "text": EVIL})
    reports.report(reporter=person("Ana"), subject=said, kind=ReportKind.ABUSE, words=EVIL, now=now)
    decision = Decision(mod(), EVIL, "t", now)
    moderating.announce(decision, public_id=game.public_id, words=EVIL)
    staff = staff_client(adm())
    staff.post(f"/admin/accounts/user/{person('Ana').pk}/act/sanction/",
               {"kind": "warning", "reason": EVIL, "form_token": "w"})  # fmt: skip
    seen = 0
    for client in (Client(), ana, client_of("Ben"), staff):
        client.raise_request_exception = False
        for route in routes():
            path = route.replace("<slug:public_id>", game.public_id)
            path = path.replace("/game/<path:object_id>", f"/game/{game.pk}")
            path = path.replace("/report/<path:object_id>", f"/report/{Report.objects.get().pk}")
            path = path.replace("/user/<path:object_id>", f"/user/{person('Ana').pk}")
            page = client.get(fill(path.replace("<str:name>", "Ana")))
            if page.headers.get("Content-Type", "").startswith("text/html"):
                assert not RAW.search(page.text), path
                seen += page.text.count("&lt;img src=x onerror=alert(1)&gt;")
    assert seen > 10


def test_a_letter_has_no_header_of_its_writers() -> None:
    member("Ana")
    title = "Evil\r\nBcc: all@evil.example\r\n\r\n<b>You won</b>"
    given = {"size": 3, "pace": "daily", "visibility": "private", "watch": "anybody"}
    given |= {"title": title, "invited": "somebody@example.net"}
    assert client_of("Ana").post("/new/", given).status_code == 302
    (letter,) = letters()
    assert letter.recipients() == ["somebody@example.net"]
    sent = message_from_bytes(letter.message().as_bytes())
    assert not sent["Bcc"]
    assert [sent.get_content_type()] == ["text/plain"]
    assert "\n" not in Game.objects.get().title


@pytest.mark.parametrize("sign", ["\u202e", "\u2066", "\u200b", "\ufeff", "\x07", "\u00ad"])
def test_signs_that_turn_or_hide_others_name_nothing(sign: str) -> None:
    member("Ana")
    given = {"size": 3, "pace": "daily", "visibility": "public", "watch": "anybody"}
    answer = client_of("Ana").post("/new/", given | {"title": f"gnp.{sign}exe"})
    assert answer.status_code == 422
    assert not Game.objects.exists()
    named = client_of("Ana").post("/account/profile/", {"name": f"Ana{sign}s"})
    assert named.status_code == 200
    sitting = {"name": f"Zo{sign}e"}
    client_of("Ana").post("/new/", given)
    table = f"/g/{Game.objects.get().public_id}/"
    assert Client().post(f"{table}sit/", sitting).status_code == 422
    assert person("Ana").name == "Ana"
