"""Everything a person does about their account, by HTTP."""

import re

import pytest
from allauth.account.models import EmailAddress
from django.test import Client

from accounts import guests
from accounts.models import User
from tests.accounts.cast import PASSWORD, client_of, letters, mailed_code, member

pytestmark = pytest.mark.django_db

SIGN_UP = {"email": "Vuk@Example.org", "username": "Vuk", "password1": PASSWORD}


def signed_in(client: Client) -> bool:
    """As somebody with an account."""
    return client.get("/account/password/").status_code == 200


def sign_in(client: Client, email: str, password: str = PASSWORD, **more: str) -> str:
    data = {"login": email, "password": password, **more}
    response = client.post("/account/login/", data, follow=True)
    return response.content.decode()


def test_sign_up_confirm_sign_out_sign_in(client: Client) -> None:
    response = client.post("/account/signup/", {**SIGN_UP, "time_zone": "Europe/Belgrade"})
    assert response.headers["Location"] == "/account/confirm/"
    assert not signed_in(client)
    assert letters()[-1].to == ["vuk@example.org"]
    client.post("/account/confirm/", {"code": mailed_code()})
    assert signed_in(client)
    vuk = User.objects.get()
    assert (vuk.name, vuk.email, vuk.time_zone) == ("Vuk", "vuk@example.org", "Europe/Belgrade")
    client.post("/account/logout/")
    assert not signed_in(client)
    assert "signed in as Vuk" in sign_in(client, "vuk@example.org")


def test_bad_input_is_named_and_nothing_typed_is_lost(client: Client) -> None:
    member("Miriam")
    given = {"email": "vuk@example", "username": "мiriam", "password1": "uncommon words"}
    html = client.post("/account/signup/", given).content.decode()
    assert "Enter a valid email address" in html
    assert "one alphabet" in html
    for value in given.values():
        assert f'value="{value}"' in html
    assert 'aria-invalid="true"' in html
    assert 'aria-describedby="id_email_helptext id_email_error"' in html
    assert User.objects.count() == 1


@pytest.mark.parametrize("name", ["Miriam", "MIRIAM", "MirIam", " Miriam "])
def test_two_people_for_one_name(client: Client, name: str) -> None:
    member("Miriam")
    html = client.post("/account/signup/", {**SIGN_UP, "username": name}).content.decode()
    assert "Somebody has this name, or one that looks like it." in html
    assert User.objects.count() == 1


@pytest.mark.parametrize("password", ["short", "12345678901", "password"])
def test_weak_passwords_are_refused(client: Client, password: str) -> None:
    client.post("/account/signup/", {**SIGN_UP, "password1": password})
    assert not User.objects.exists()


def test_a_known_address_is_told_by_mail_alone(client: Client) -> None:
    member("Miriam")
    known = client.post("/account/signup/", {**SIGN_UP, "email": "miriam@example.org"}, follow=True)
    page = known.content.decode().replace("miriam@", "vuk@")
    assert letters()[0].subject == "You have an account at Coup already"
    assert "/account/reset/" in letters()[0].body
    User.objects.filter(name="Vuk").delete()
    new = Client().post("/account/signup/", SIGN_UP, follow=True)
    assert without_tokens(new.content.decode()) == without_tokens(page)
    assert new.redirect_chain == known.redirect_chain


def without_tokens(html: str) -> str:
    return re.sub(r'name="csrfmiddlewaretoken" value="\w+"', "", html)


def test_a_wrong_code_three_times_starts_over(client: Client) -> None:
    client.post("/account/signup/", SIGN_UP)
    html = client.post("/account/confirm/", {"code": "WRONG"}).content.decode()
    assert "This is not the code from the mail." in html
    client.post("/account/confirm/", {"code": "WRONG"})
    response = client.post("/account/confirm/", {"code": "WRONG"}, follow=True)
    assert "Too many tries" in response.content.decode()
    client.post("/account/confirm/", {"code": mailed_code()})
    assert not signed_in(client)


def test_a_code_runs_out(client: Client) -> None:
    client.post("/account/signup/", SIGN_UP)
    code, session = mailed_code(), client.session
    session["account_email_verification_code"]["at"] -= 16 * 60
    session.save()
    client.post("/account/confirm/", {"code": code})
    assert not EmailAddress.objects.filter(verified=True).exists()
    assert not signed_in(client)


@pytest.mark.parametrize("mistake", ["vuck@example.org", "miriam@example.org"])
def test_the_address_can_be_corrected_before_it_is_confirmed(client: Client, mistake: str) -> None:
    member("Miriam")
    client.post("/account/signup/", {**SIGN_UP, "email": mistake})
    assert 'value="Vuk"' in client.get("/account/signup/").content.decode()
    client.post("/account/signup/", SIGN_UP)
    client.post("/account/confirm/", {"code": mailed_code()})
    assert signed_in(client)
    assert User.objects.get(name="Vuk").email == "vuk@example.org"
    assert User.objects.count() == 2


def test_who_does_not_confirm_stays_a_guest(client: Client) -> None:
    client.post("/account/signup/", SIGN_UP)
    vuk = User.objects.get()
    assert (vuk.name, vuk.is_guest, vuk.email) == ("Vuk", True, None)
    assert "do not belong together" in sign_in(Client(), "vuk@example.org")


def test_a_new_code_can_be_asked_for_but_not_at_once(client: Client) -> None:
    client.post("/account/signup/", SIGN_UP)
    response = client.post("/account/confirm/", {"action": "resend"})
    assert response.status_code == 429
    assert "Too many tries" in response.content.decode()
    assert len(letters()) == 1


def test_sign_in_says_no_more_than_it_must(client: Client) -> None:
    member("Miriam")
    for email in ("miriam@example.org", "nobody@example.org"):
        html = sign_in(client, email, "wrong")
        assert "The address and the password do not belong together." in html
        assert f'value="{email}"' in html
        assert 'value="wrong"' not in html


def test_guessing_passwords_is_stopped(client: Client) -> None:
    member("Miriam")
    for _ in range(5):
        sign_in(client, "miriam@example.org", "wrong")
    assert "Too many tries" in sign_in(client, "miriam@example.org")
    assert not signed_in(client)


def test_too_many_requests_are_answered_in_words(client: Client) -> None:
    for _ in range(20):
        client.post("/account/signup/", {})
    response = client.post("/account/signup/", SIGN_UP)
    assert response.status_code == 429
    assert "Too many tries" in response.content.decode()
    assert not User.objects.exists()


def test_a_new_password_by_code(client: Client) -> None:
    elsewhere = client_of(member("Miriam"))
    client.post("/account/reset/", {"email": "miriam@example.org"})
    client.post("/account/reset/confirm/", {"code": mailed_code()})
    response = client.post("/account/reset/password/", {"password1": "battery staple"})
    assert response.headers["Location"] == "/account/reset/done/"
    assert not signed_in(elsewhere)
    assert "do not belong together" in sign_in(client, "miriam@example.org")
    assert "signed in as Miriam" in sign_in(client, "miriam@example.org", "battery staple")
    assert letters()[-1].subject == "Your password at Coup was changed"


def test_a_reset_without_the_code_changes_nothing(client: Client) -> None:
    member("Miriam")
    client.post("/account/reset/", {"email": "miriam@example.org"})
    client.post("/account/reset/password/", {"password1": "battery staple"})
    for _ in range(3):
        response = client.post("/account/reset/confirm/", {"code": "WRONG"}, follow=True)
    assert "Too many tries" in response.content.decode()
    assert User.objects.get().check_password(PASSWORD)


def test_a_reset_for_nobody_looks_the_same(client: Client) -> None:
    response = client.post("/account/reset/", {"email": "nobody@example.org"}, follow=True)
    assert response.redirect_chain == [("/account/reset/confirm/", 302)]
    assert "Enter the code" in response.content.decode()
    assert letters()[-1].subject == "There is no account with this address"


def test_change_of_password(client: Client) -> None:
    user = member("Miriam")
    here, elsewhere = client_of(user), client_of(user)
    data = {"oldpassword": "wrong", "password1": "battery staple"}
    assert "This is not your password." in here.post("/account/password/", data).content.decode()
    here.post("/account/password/", {**data, "oldpassword": PASSWORD})
    assert signed_in(here)
    assert not signed_in(elsewhere)


def test_whoever_has_no_password_chooses_one_by_a_letter() -> None:
    user = member("Miriam")
    user.set_unusable_password()
    user.save()
    here = client_of(user)
    for answer in (here.get("/account/password/"), here.post("/account/password/", {})):
        assert answer.status_code == 200
        assert "You have no password" in answer.content.decode()
    form = here.get("/account/password/").content.decode().split('action="/account/reset/"')[1]
    email = form.split('name="email" value="')[1].split('"')[0]
    here.post("/account/reset/", {"email": email})
    here.post("/account/reset/confirm/", {"code": mailed_code()})
    here.post("/account/reset/password/", {"password1": "battery staple"})
    assert "signed in as Miriam" in sign_in(Client(), "miriam@example.org", "battery staple")


def test_whoever_has_neither_password_nor_address_is_told_whom_to_ask() -> None:
    user = User.objects.create_user("Miriam")
    page = client_of(user).get("/account/password/")
    assert page.status_code == 200
    assert 'href="/contact/"' in page.content.decode().split("<main", 1)[1].split("</main", 1)[0]


def test_change_of_address() -> None:
    user = member("Miriam")
    client = client_of(user)
    asked = client.post("/account/e-mail/", {"action_add": "", "email": "new@example.org"})
    assert asked.headers["Location"] == "/account/reauthenticate/?next=%2Faccount%2Fe-mail%2F"
    html = client.post("/account/reauthenticate/", {"password": "wrong"}).content.decode()
    assert "This is not your password." in html
    data = {"password": PASSWORD, "next": "/account/e-mail/"}
    assert client.post("/account/reauthenticate/", data).headers["Location"] == "/account/confirm/"
    user.refresh_from_db()
    assert user.email == "miriam@example.org"
    assert letters()[-1].to == ["new@example.org"]
    client.post("/account/confirm/", {"code": mailed_code()})
    user.refresh_from_db()
    assert user.email == "new@example.org"
    assert EmailAddress.objects.get().email == "new@example.org"
    assert letters()[-1].to == ["miriam@example.org"], "the old address is told"
    assert "signed in as Miriam" in sign_in(Client(), "new@example.org")


def test_an_address_of_somebody_else_is_not_taken_over() -> None:
    member("Vuk")
    client = client_of(member("Miriam"))
    client.post("/account/e-mail/", {"action_add": "", "email": "vuk@example.org"})
    client.post("/account/reauthenticate/", {"password": PASSWORD, "next": "/account/e-mail/"})
    html = client.post("/account/confirm/", {"code": mailed_code()}).content.decode()
    assert "belongs to an account already" in html
    assert User.objects.get(name="Miriam").email == "miriam@example.org"


def test_sign_out_everywhere() -> None:
    user = member("Miriam")
    here, elsewhere, other = client_of(user), client_of(user), client_of(member("Vuk"))
    here.post("/account/sign-out-everywhere/")
    assert not signed_in(here)
    assert not signed_in(elsewhere)
    assert signed_in(other)
    assert here.get("/account/sign-out-everywhere/").status_code in {302, 405}


def test_who_is_signed_in_needs_no_door(client: Client) -> None:
    client = client_of(member("Miriam"))
    assert client.get("/account/login/?next=/account/profile/").headers["Location"] == (
        "/account/profile/"
    )
    assert client.get("/account/signup/").headers["Location"] == "/"
    assert client.get("/account/login/?next=//evil.example/").headers["Location"] == "/"
    # An address, if an odd one: neither no view at all, nor the view of that name.
    for odd in ("nowhere", "9999", "home"):
        assert client.get(f"/account/login/?next={odd}").headers["Location"] == odd


def test_pages_for_members_ask_strangers_to_sign_in(client: Client) -> None:
    for page in ("profile", "e-mail", "password"):
        response = client.get(f"/account/{page}/")
        assert response.headers["Location"] == f"/account/login/?next=/account/{page}/"


def test_pages_for_members_ask_guests_to_sign_up(guest_client: tuple[Client, User]) -> None:
    client, _guest = guest_client
    for page in ("e-mail", "password", "reauthenticate"):
        assert client.get(f"/account/{page}/").headers["Location"] == "/account/signup/"


def test_a_guest_signs_up_and_stays_the_same(guest_client: tuple[Client, User]) -> None:
    client, guest = guest_client
    elsewhere = client_of(guest)
    client.post("/account/signup/?next=/play/", {**SIGN_UP, "next": "/play/"})
    guest.refresh_from_db()
    assert guest.is_guest, "nothing changes before the address is proved"
    assert guest.name == "Quiet Heron"
    assert guest.email is None
    done = client.post("/account/confirm/", {"code": mailed_code(), "next": "/play/"})
    assert done.headers["Location"] == "/play/"
    assert signed_in(client)
    assert not signed_in(elsewhere), "a new password ends other sessions"
    guest.refresh_from_db()
    assert User.objects.get() == guest
    assert (guest.is_guest, guest.name, guest.email) == (False, "Vuk", "vuk@example.org")
    assert guest.check_password(PASSWORD)
    assert "signed in as Vuk" in sign_in(Client(), "vuk@example.org")


def test_a_guest_may_keep_the_name(guest_client: tuple[Client, User]) -> None:
    client, guest = guest_client
    client.post("/account/signup/", {**SIGN_UP, "username": "Quiet Heron"})
    client.post("/account/confirm/", {"code": mailed_code()})
    guest.refresh_from_db()
    assert (guest.is_guest, guest.name) == (False, "Quiet Heron")


def test_a_guest_with_a_known_address_learns_it_by_mail(guest_client: tuple[Client, User]) -> None:
    client, guest = guest_client
    member("Vuk")
    response = client.post("/account/signup/", {**SIGN_UP, "username": "Vuko"}, follow=True)
    assert "Confirm your address" in response.content.decode()
    assert letters()[-1].subject == "You have an account at Coup already"
    guest.refresh_from_db()
    assert guest.is_guest


def test_a_name_taken_while_a_guest_confirms(guest_client: tuple[Client, User]) -> None:
    client, guest = guest_client
    client.post("/account/signup/", SIGN_UP)
    code = mailed_code()
    guests.create("Vuk")
    response = client.post("/account/confirm/", {"code": code}, follow=True)
    assert "Somebody took that name meanwhile" in response.content.decode()
    guest.refresh_from_db()
    assert (guest.is_guest, guest.name) == (False, "Quiet Heron")


def test_a_guest_signs_in_to_an_old_account(guest_client: tuple[Client, User]) -> None:
    client, guest = guest_client
    member("Miriam")
    assert "signed in as Miriam" in sign_in(client, "miriam@example.org")
    assert not User.objects.filter(pk=guest.pk).exists()


def test_a_guest_signs_in_to_an_account_that_was_never_confirmed(
    guest_client: tuple[Client, User],
) -> None:
    client, guest = guest_client
    vuk = User.objects.create_user("Vuk", "vuk@example.org", PASSWORD)
    assert "Confirm your address" in sign_in(client, "vuk@example.org")
    assert User.objects.filter(pk=guest.pk).exists()
    client.post("/account/confirm/", {"code": mailed_code()})
    assert list(User.objects.all()) == [vuk]
    assert client.get("/account/profile/").context["user"] == vuk


def test_a_guest_is_warned_before_signing_out(guest_client: tuple[Client, User]) -> None:
    client, _guest = guest_client
    assert "nobody can come back" in client.get("/account/logout/").content.decode()
    client.post("/account/logout/")
    assert not signed_in(client)


def test_the_door_of_the_admin_is_the_sites_own(client: Client) -> None:
    response = client.get("/admin/", follow=True)
    assert response.redirect_chain[-1][0].startswith("/account/login/?next=")
    assert client_of(member("Miriam")).get("/admin/", follow=True).status_code == 403


def test_a_closed_account(client: Client) -> None:
    user = member("Miriam")
    user.is_active = False
    user.save()
    assert "This account is closed" in sign_in(client, "miriam@example.org")
    assert not signed_in(client)


def test_mails_are_plain_and_name_the_site(client: Client) -> None:
    client.post("/account/signup/", SIGN_UP)
    (message,) = letters()
    assert "127.0.0.1" in message.body
    assert "&" not in message.body
    assert not getattr(message, "alternatives", [])
