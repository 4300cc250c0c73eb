"""The administration's pages about people, and what the person sees of what was decided there."""

import re
from secrets import token_hex

import pytest
from django.contrib import admin
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import Sanction, SanctionKind, User
from games.models import AuditEntry
from tests.accounts.cast import PASSWORD, client_of, member
from tests.accounts.staff import staff_client
from tests.games.cast import person
from tests.games.moderation.staff import adm, mod

pytestmark = pytest.mark.django_db


def page_of(client: Client, user: User) -> str:
    response = client.get(f"/admin/accounts/user/{user.pk}/change/")
    assert response.status_code == 200
    return str(response.content.decode())


def send(client: Client, user: User, act: str, **given: object) -> int:
    fields = {"reason": "You insulted Ben.", "form_token": token_hex(8)} | given
    return client.post(f"/admin/accounts/user/{user.pk}/act/{act}/", fields).status_code


def test_nothing_else_is_in_the_administration() -> None:
    assert {model.__name__ for model in admin.site._registry} >= {"User", "AuditEntry"}
    assert {model.__name__ for model in admin.site._registry} <= {
        "User",
        "AuditEntry",
        "Game",
        "Report",
    }


def test_a_moderator_finds_somebody_and_sees_no_address() -> None:
    ana, client = member("Ana"), staff_client(mod())
    found = client.get("/admin/accounts/user/?q=an").content.decode()
    assert "Ana" in found
    assert "@example.org" not in found + page_of(client, ana)
    assert "Ana" not in client.get("/admin/accounts/user/?q=ana@example").content.decode()
    assert "password" not in page_of(client, ana).lower()


@pytest.mark.parametrize(
    "query",
    [
        "email__startswith=ana",
        "email=ana@example.org",
        "password__startswith=!",
        "password__regex=.",
        "sleep_zone=",
        "emailaddress__email__startswith=ana",
        "authenticator__data__startswith=a",
        "traces__hash__startswith=a",
        "is_guest__email__startswith=a",
    ],
)
def test_nothing_that_is_not_shown_is_found_out_by_asking_for_it(query: str) -> None:
    member("Ana")
    client = staff_client(adm())
    assert client.get(f"/admin/accounts/user/?{query}").status_code in (302, 400)
    for known in ("is_guest__exact=0", "is_active__exact=1", "sanctioned=1", "is_staff__exact=0"):
        assert client.get(f"/admin/accounts/user/?{known}").status_code == 200


def test_an_administrator_sees_the_address() -> None:
    ana, client = member("Ana"), staff_client(adm())
    assert "ana@example.org" in page_of(client, ana)
    assert "Ana" in client.get("/admin/accounts/user/?q=ana@example").content.decode()


def test_what_is_offered_follows_from_the_role() -> None:
    ana, moe = member("Ana"), mod()

    def acts(client: Client, user: User) -> set[str]:
        return set(re.findall(r'id="act-(\w+)"', page_of(client, user)))

    assert acts(staff_client(moe), ana) == {"sanction", "rename"}
    assert acts(staff_client(moe), moe) == set()
    assert acts(staff_client(moe), adm()) == set()
    assert acts(staff_client(adm()), ana) == {"sanction", "rename", "role"}
    Sanction.objects.create(user=ana, kind="ban", reason="x", since="2030-01-01T00:00Z", by=moe)
    assert acts(staff_client(moe), ana) == {"sanction", "rename", "lift"}


def test_what_is_not_offered_is_refused() -> None:
    moe, chief = mod(), adm()
    client = staff_client(moe)
    for user, act in ((chief, "sanction"), (member("Ana"), "role"), (moe, "rename")):
        assert send(client, user, act, kind="ban", role="administrator", name="Xerxes") == 302
    assert not AuditEntry.objects.exists()
    assert not Sanction.objects.exists()


def test_a_form_that_is_not_complete_comes_back_with_what_was_typed() -> None:
    ana, client = member("Ana"), staff_client(mod())
    url = f"/admin/accounts/user/{ana.pk}/act/sanction/"
    response = client.post(url, {"kind": "mute", "reason": "Typed.", "form_token": "t"})
    assert response.status_code == 422
    assert "This one needs an end." in response.content.decode()
    assert "Typed." in response.content.decode()
    response = client.post(url, {"kind": "ban", "reason": "", "form_token": "t"})
    assert response.status_code == 422
    assert not Sanction.objects.exists()


def test_a_get_of_an_act_does_nothing() -> None:
    ana, client = member("Ana"), staff_client(mod())
    assert client.get(f"/admin/accounts/user/{ana.pk}/act/sanction/").status_code == 302
    assert client.post(f"/admin/accounts/user/{ana.pk}/change/", {"name": "X"}).status_code == 403


def test_nobody_else_comes_near() -> None:
    ana = member("Ana")
    for client in (Client(), client_of(ana), staff_client(member("Vuk"))):
        assert client.get(f"/admin/accounts/user/{ana.pk}/change/").status_code in (302, 403)
        assert send(client, ana, "sanction", kind="ban") in (302, 403)
    assert not Sanction.objects.exists()


def test_pages_ask_the_same_however_many_there_are() -> None:
    client, ana = staff_client(mod()), member("Ana")
    counts = []
    for names in (["Ben"], ["Cyd", "Dov", "Eva", "Fay"]):
        for name in names:
            person(name)
            send(client, ana, "sanction", kind="warning")
        for url in ("/admin/accounts/user/", f"/admin/accounts/user/{ana.pk}/change/"):
            with CaptureQueriesContext(connection) as asked:
                client.get(url)
            counts.append(len(asked))
    assert counts[:2] == counts[2:]


def test_the_person_reads_what_was_decided_until_it_is_over() -> None:
    ana, client = member("Ana"), staff_client(mod())
    hers = client_of(ana)
    assert "From the moderators" not in hers.get("/").content.decode()
    send(client, ana, "sanction", kind="mute", days=7)
    shown = hers.get("/").content.decode()
    assert "A moderator has silenced you." in shown
    assert "You insulted Ben." in shown
    assert "You cannot write messages" in shown
    assert "Until " in shown
    assert 'href="/contact/"' in shown
    Sanction.objects.update(since="2020-01-01T00:00Z", until="2020-01-02T00:00Z")
    assert "A moderator has silenced you." not in hers.get("/").content.decode()


def test_a_warning_is_put_away_by_its_reader() -> None:
    ana, client = member("Ana"), staff_client(mod())
    send(client, ana, "sanction", kind="warning")
    hers = client_of(ana)
    sanction = Sanction.objects.get()
    assert "A moderator has warned you." in hers.get("/lobby/").content.decode()
    client_of(member("Ben")).post(f"/account/warnings/{sanction.pk}/read/")
    assert "A moderator has warned you." in hers.get("/lobby/").content.decode()
    back = hers.post(
        f"/account/warnings/{sanction.pk}/read/", headers={"Referer": "http://testserver/lobby/"}
    )
    assert back["Location"] == "/lobby/"
    assert "A moderator has warned you." not in hers.get("/lobby/").content.decode()
    elsewhere = hers.post(
        f"/account/warnings/{sanction.pk}/read/", headers={"Referer": "http://x.example//evil.com"}
    )
    assert elsewhere["Location"] == "/"


def test_whoever_is_banned_is_signed_out_and_told_why_at_the_door() -> None:
    ana, client = member("Ana"), staff_client(mod())
    hers = client_of(ana)
    send(client, ana, "sanction", kind=SanctionKind.BAN)
    assert hers.get("/account/profile/").status_code == 302
    given = {"login": "ana@example.org", "password": PASSWORD}
    told = hers.post("/account/login/", given).content.decode()
    assert told.count("A moderator has closed this account.") == 1
    assert "You insulted Ben." in told
    wrong = Client().post("/account/login/", given | {"password": "wrong"}).content.decode()
    assert "A moderator has closed" not in wrong


def test_a_guest_who_is_banned_reads_so_where_they_played() -> None:
    guest, client = User.objects.create_guest("Quiet Heron"), staff_client(mod())
    theirs = client_of(guest)
    send(client, guest, "sanction", kind=SanctionKind.BAN)
    for page in ("/", "/lobby/"):
        told = theirs.get(page)
        assert not told.context["user"].is_authenticated
        assert "A moderator has closed this account." in told.content.decode()
        assert "You insulted Ben." in told.content.decode()
        assert 'href="/contact/"' in told.content.decode()
    assert "A moderator has closed" not in Client().get("/").content.decode()
    Sanction.objects.update(lifted_at="2030-01-02T00:00Z", lifted_by=mod())
    assert "A moderator has closed" not in theirs.get("/").content.decode()


def test_strangers_are_asked_for_no_sanction() -> None:
    stranger = Client()
    with CaptureQueriesContext(connection) as asked:
        stranger.get("/contact/")
    assert len(asked) == 0


def test_the_log_is_read_only() -> None:
    ana, client = member("Ana"), staff_client(adm())
    send(client, ana, "sanction", kind="warning")
    entry = AuditEntry.objects.get()
    assert "You insulted Ben." in client.get("/admin/games/auditentry/").content.decode()
    page = f"/admin/games/auditentry/{entry.pk}/"
    assert client.get(f"{page}change/").status_code == 200
    for url in (f"{page}change/", f"{page}delete/", "/admin/games/auditentry/add/"):
        assert client.post(url, {"reason": "changed"}).status_code == 403
    assert AuditEntry.objects.get().reason == "You insulted Ben."
