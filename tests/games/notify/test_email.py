"""Mail through a real mail server: what it is handed, and what its answers lead to."""

from datetime import timedelta
from urllib.parse import urlsplit

import pytest
from allauth.account.models import EmailAddress
from django.core import signing
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from accounts.models import User
from coupsite.settings import mailer
from games.models import Kind, Outbox, OutboxState, PromptState, Why
from games.notify import outbox
from games.timing import Pace
from tests.accounts.cast import PASSWORD, client_of
from tests.games.cast import NOON, person, say, state_of, tenure_of

from .cast import HOUR, MINUTE, deliver, mailed_game, row, verified
from .post import Post, html_of, text_of

pytestmark = [pytest.mark.django_db, pytest.mark.services]


def tell(user: User, number: int = 1, kind: Kind = Kind.EXPIRED) -> None:
    outbox.tell(users=[user], kind=kind, key=f"game.{number}", now=NOON)


def test_a_letter_has_two_parts_and_its_headers(post: Post) -> None:
    game = mailed_game()
    deliver(NOON + 10 * MINUTE)
    (letter,) = post.letters
    user = tenure_of(game, state_of(game).turn).user
    assert user is not None
    assert letter["To"] == user.email
    assert letter["Subject"] == f"{game.name}: Choose one action and announce it."
    assert letter["Auto-Submitted"] == "auto-generated"
    assert letter["Message-ID"] == f"<{row(game, state_of(game).turn).batch}@127.0.0.1>"
    assert letter["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    url = letter["List-Unsubscribe"].strip("<>")
    assert url.startswith("http://127.0.0.1:8000/messages/off/")
    for part in (html_of(letter), text_of(letter)):
        assert f"http://127.0.0.1:8000/g/{game.public_id}/" in part
        assert url in part


def test_account_mail_goes_at_once_and_its_code_is_forgotten(post: Post, client: Client) -> None:
    form = {"email": "vuk@example.org", "username": "Vuk", "password1": PASSWORD}
    client.post("/account/signup/", form)
    assert post.letters == [], "a request does not wait for a mail server"
    waiting = Outbox.objects.get()
    code = waiting.payload["subject"].rsplit(" ")[-1]
    deliver(timezone.now())
    (letter,) = post.letters
    assert code in str(letter["Subject"])
    assert code in letter.get_content()
    assert letter["List-Unsubscribe"] is None
    waiting.refresh_from_db()
    assert (waiting.state, waiting.payload) == (OutboxState.SENT, None)


def test_a_code_that_is_of_no_use_any_more_is_not_sent(post: Post, client: Client) -> None:
    form = {"email": "vuk@example.org", "username": "Vuk", "password1": PASSWORD}
    client.post("/account/signup/", form)
    deliver(timezone.now() + timedelta(minutes=16))
    assert post.letters == []
    assert Outbox.objects.get().payload is None


def test_not_now_is_tried_again_with_growing_pauses(post: Post) -> None:
    ana = verified("Ana")
    tell(ana)
    post.to[str(ana.email)] = "451 4.3.0 busy"
    at, tries = NOON + 10 * MINUTE, []
    for _try in range(4):
        deliver(at)
        message = Outbox.objects.get()
        assert (message.state, message.why) == (OutboxState.PENDING, Why.REFUSED)
        assert message.detail == "451 4.3.0 busy"
        tries.append(message.due - at)
        deliver(message.due - timedelta(seconds=1))
        at = message.due
    assert tries == sorted(set(tries))
    post.to.clear()
    deliver(at)
    assert len(post.letters) == 1
    assert Outbox.objects.get().state == OutboxState.SENT


def test_it_is_given_up_in_the_end_and_the_person_sees_it(post: Post) -> None:
    ana = verified("Ana")
    tell(ana)
    post.to[str(ana.email)] = "451 4.3.0 busy"
    at = NOON + 10 * MINUTE
    while Outbox.objects.get().state == OutboxState.PENDING:
        deliver(at)
        at = max(at, Outbox.objects.get().due)
    assert Outbox.objects.get().state == OutboxState.DEAD
    page = client_of(ana).get("/messages/").content.decode()
    assert "Given up" in page
    assert "451 4.3.0 busy" in page


def test_after_failures_what_has_gathered_is_one_letter(post: Post) -> None:
    ana = verified("Ana")
    post.to[str(ana.email)] = "451 busy"
    tell(ana, 1)
    deliver(NOON + 10 * MINUTE)
    outbox.tell(users=[ana], kind=Kind.EXPIRED, key="game.2", now=NOON + MINUTE / 2)
    post.to.clear()
    deliver(NOON + 11 * MINUTE)
    assert len(post.letters) == 1
    assert Outbox.objects.filter(state=OutboxState.SENT).count() == 2


def test_news_that_came_late_is_not_given_up_with_the_old(post: Post) -> None:
    """Somebody whose mailbox is full for two hours is asked every few minutes."""
    ana = verified("Ana")
    post.to[str(ana.email)] = "452 4.2.2 mailbox full"
    for number in range(24):
        at = NOON + 5 * number * MINUTE
        outbox.tell(users=[ana], kind=Kind.EXPIRED, key=f"game.{number}", now=at)
        deliver(at + 10 * MINUTE)
    assert not Outbox.objects.exclude(state=OutboxState.PENDING).exists()
    post.to.clear()
    deliver(NOON + 3 * HOUR)
    assert len(post.letters) == 1
    assert Outbox.objects.filter(state=OutboxState.SENT).count() == 24


def test_after_days_without_a_server_what_is_new_is_kept(settings: Settings, post: Post) -> None:
    ana = verified("Ana")
    up = settings.MAILERS
    settings.MAILERS = {"default": mailer(urlsplit("smtp://127.0.0.1:1"))}
    for days in (0, 2):
        at = NOON + timedelta(days=days)
        outbox.tell(users=[ana], kind=Kind.EXPIRED, key=f"game.{days}", now=at)
        deliver(at + HOUR)
    for minutes in range(0, 180, 16):
        deliver(NOON + timedelta(days=3, minutes=minutes))
    states = dict(Outbox.objects.values_list("key", "state"))
    assert states == {"game.0": OutboxState.DEAD, "game.2": OutboxState.PENDING}
    settings.MAILERS = up
    deliver(NOON + timedelta(days=3, hours=4))
    assert len(post.letters) == 1


def test_a_server_that_is_away_for_a_moment_after_days_loses_nothing(
    settings: Settings, post: Post
) -> None:
    """No worker was there for four days."""
    tell(verified("Ana"))
    up = settings.MAILERS
    settings.MAILERS = {"default": mailer(urlsplit("smtp://127.0.0.1:1"))}
    deliver(NOON + timedelta(days=4))
    settings.MAILERS = up
    deliver(NOON + timedelta(days=4, minutes=2))
    assert len(post.letters) == 1


def test_an_address_that_comes_back_is_written_to_no_more_until_it_changes(post: Post) -> None:
    ana = verified("Ana")
    tell(ana, 1)
    post.to[str(ana.email)] = "550 5.1.1 no such user"
    deliver(NOON + HOUR)
    message = Outbox.objects.get()
    assert (message.state, message.why) == (OutboxState.DEAD, Why.BOUNCED)
    client = client_of(ana)
    for page in ("/", "/lobby/", "/account/profile/"):
        assert "comes back" in client.get(page).content.decode()
    assert "550 5.1.1 no such user" in client.get("/messages/").content.decode()
    post.to.clear()
    tell(ana, 2)
    deliver(NOON + HOUR)
    assert post.letters == []
    assert Outbox.objects.get(key="game.2").why == Why.BOUNCED
    User.objects.filter(pk=ana.pk).update(email="ana@elsewhere.example")
    EmailAddress.objects.update(email="ana@elsewhere.example")
    tell(ana, 3)
    deliver(NOON + HOUR)
    assert post.receivers() == ["ana@elsewhere.example"]
    assert "comes back" not in client.get("/").content.decode()


def test_a_test_tells_whether_a_mended_address_works(post: Post) -> None:
    ana = verified("Ana")
    User.objects.update(mail_trouble="bounced", mail_trouble_of=ana.email)
    client_of(ana).post("/messages/test/")
    deliver(timezone.now())
    assert post.receivers() == [ana.email]
    ana.refresh_from_db()
    assert ana.mail_stopped == ""


def test_a_letter_that_is_refused_is_not_the_address(post: Post) -> None:
    ana = verified("Ana")
    tell(ana)
    post.data = "554 5.7.1 looks like spam"
    deliver(NOON + HOUR)
    message = Outbox.objects.get()
    assert (message.state, message.why) == (OutboxState.DEAD, Why.REFUSED)
    ana.refresh_from_db()
    assert ana.mail_stopped == ""


def test_a_repeat_after_silence_has_the_same_id_and_the_same_rows(post: Post) -> None:
    game = mailed_game()
    user = tenure_of(game, state_of(game).turn).user
    assert user is not None
    tell(user, 1)
    post.stays_mute = True
    deliver(NOON + 10 * MINUTE)
    assert Outbox.objects.filter(user=user, state=OutboxState.SENT).count() == 0
    post.stays_mute = False
    outbox._RESTING.clear()
    tell(user, 2)
    deliver(NOON + 12 * MINUTE)
    ids = [letter["Message-ID"] for letter in post.letters if letter["To"] == user.email]
    texts = [text_of(letter) for letter in post.letters if letter["To"] == user.email]
    assert (len(ids), len(set(ids))) == (3, 2), "the later message has a letter of its own"
    again = [at for at, name in enumerate(ids) if name == ids[0]][1]
    assert texts[0].splitlines()[0] == texts[again].splitlines()[0]
    assert texts[again].count("A table did not fill") == 1


def test_killed_between_the_servers_reply_and_our_commit(
    post: Post, monkeypatch: pytest.MonkeyPatch
) -> None:
    ana = verified("Ana")
    tell(ana, 1)
    tell(ana, 2)

    class Killed(BaseException):
        """As abrupt as a process can be ended from within."""

    send = outbox.email.send

    def send_and_die(*given: object) -> None:
        send(*given)  # type: ignore[arg-type]
        raise Killed

    monkeypatch.setattr(outbox.email, "send", send_and_die)
    with pytest.raises(Killed):
        outbox.deliver(NOON + 10 * MINUTE)
    monkeypatch.undo()
    tell(ana, 3)
    deliver(NOON + 11 * MINUTE)
    deliver(NOON + 10 * MINUTE + outbox.LEASE)
    by_id = [letter["Message-ID"] for letter in post.letters]
    assert len(by_id) == 3
    assert by_id[0] == by_id[2] != by_id[1]
    assert text_of(post.letters[0]) == text_of(post.letters[2])
    assert Outbox.objects.filter(state=OutboxState.SENT).count() == 3


def test_what_is_over_is_not_repeated(post: Post) -> None:
    game = mailed_game()
    turn = state_of(game).turn
    asked = row(game, turn)
    post.stays_mute = True
    deliver(NOON + 10 * MINUTE)
    say(game, turn, "income", NOON + 11 * MINUTE)
    post.stays_mute = False
    outbox._RESTING.clear()
    deliver(NOON + 12 * MINUTE)
    asked.refresh_from_db()
    assert (asked.state, asked.why) == (OutboxState.DROPPED, Why.ANSWERED)
    assert len(post.letters) == 1


def test_a_server_that_is_away_is_not_asked_by_everybody_in_turn(settings: Settings) -> None:
    settings.MAILERS = {"default": mailer(urlsplit("smtp://127.0.0.1:1"))}
    for name in ("Ana", "Ben", "Cyd"):
        tell(verified(name))
    deliver(NOON + HOUR)
    tried = Outbox.objects.filter(attempts__gt=0)
    assert [message.why for message in tried] == [Why.UNREACHABLE]


def test_after_three_hours_without_a_server_each_gets_one_letter(
    settings: Settings, post: Post
) -> None:
    up = settings.MAILERS
    settings.MAILERS = {"default": mailer(urlsplit("smtp://127.0.0.1:1"))}
    people = [verified(name) for name in ("Ana", "Ben")]
    for minute in range(0, 170, 5):
        outbox.tell(
            users=people, kind=Kind.EXPIRED, key=f"game.{minute}", now=NOON + minute * MINUTE
        )
        deliver(NOON + minute * MINUTE)
    settings.MAILERS = up
    for minute in range(175, 210):
        deliver(NOON + minute * MINUTE)
    assert sorted(post.receivers()) == sorted(str(user.email) for user in people)
    assert not Outbox.objects.filter(state=OutboxState.PENDING).exists()


def test_letters_are_in_the_persons_language_and_zone(post: Post, pseudo_languages: None) -> None:
    verified("Ana"), verified("Ben"), verified("Cyd")
    User.objects.update(language="ar-xb", time_zone="Asia/Tokyo")
    mailed_game()
    deliver(NOON + 10 * MINUTE)
    (letter,) = post.letters
    assert '<html lang="ar-xb" dir="rtl">' in html_of(letter)
    assert "Choose one action" not in html_of(letter)


def test_the_deadline_is_on_the_persons_clock(post: Post) -> None:
    game = mailed_game(pace=Pace.BRISK)
    User.objects.update(time_zone="Asia/Tokyo")
    due = game.prompts.get(state=PromptState.OPEN).due
    deliver(NOON + 10 * MINUTE)
    hour = (due + timedelta(hours=9)).strftime("%-I:%M").removesuffix(":00")
    assert f"today, {hour}" in text_of(post.letters[0])


def test_one_click_leaves_the_list(post: Post) -> None:
    game = mailed_game()
    deliver(NOON + 10 * MINUTE)
    (letter,) = post.letters
    path = urlsplit(letter["List-Unsubscribe"].strip("<>")).path
    user = User.objects.get(email=letter["To"])
    machine = Client(enforce_csrf_checks=True)
    assert "Switch it off" in machine.get(path).content.decode()
    machine.head(path)
    user.refresh_from_db()
    assert user.message_choices == {}
    for _again in range(2):
        assert machine.post(path, {"List-Unsubscribe": "One-Click"}).status_code == 200
        user.refresh_from_db()
        assert user.message_choices == {"asked.email": False}
    assert game.prompts.count() == 1


def test_a_forged_switch_does_nothing(client: Client) -> None:
    token = signing.Signer(salt="else").sign_object([person("Ana").pk, "asked", "email"])
    assert client.post(f"/messages/off/{token}/").status_code == 404
    assert person("Ana").message_choices == {}
