"""What happens at the tables when something happens to a person."""

from datetime import timedelta

import pytest
from django.test import Client

from accounts import guests, signals
from accounts.models import User
from games import lobby, selectors
from games.models import Game, Invitation, Prompt, PromptState, Recusal, Status, Tenure
from games.seats import seated
from games.timing import Pace
from tests.accounts.cast import PASSWORD, client_of, mailed_code, member
from tests.games.cast import NOON, SEED, person, prompt_of, running_game, say

pytestmark = pytest.mark.django_db

LATER = NOON + timedelta(hours=1)


@pytest.fixture
def guest() -> User:
    return guests.create("Quiet Heron")


def table(host: User, *people: User, size: int = 3) -> Game:
    """A table at which these sit; it runs once it is full."""
    plan = lobby.Plan(size=size, pace=Pace.DAILY)
    game = lobby.open_table(host=host, plan=plan, seed=SEED, now=NOON)
    for user in people:
        lobby.sit(public_id=game.public_id, user=user, now=NOON)
    game.refresh_from_db()
    return game


def user_of(game: Game, seat: int) -> User | None:
    return Tenure.objects.get(game=game, seat__index=seat, ended="").user


def rose(game: Game) -> bool:
    """Whether spectators are told of a change."""
    before, changed = game.version, game.changed_at
    game.refresh_from_db()
    assert (game.version > before) == (game.changed_at != changed)
    return game.version > before


def test_a_guest_who_signs_up_keeps_the_seat(guest: User) -> None:
    game = table(guest, person("Ben"), person("Cyd"))
    tenures, prompt = list(Tenure.objects.order_by("pk")), prompt_of(game, 0)
    guests.upgrade(guest, name="Miriam", password="!", now=LATER)
    assert list(Tenure.objects.order_by("pk")) == tenures
    assert user_of(game, 0) == guest
    assert seated(game)[0].name == "Miriam"
    assert prompt_of(game, 0) == prompt
    assert rose(game)
    say(game, 0, "income", LATER)


def test_a_guest_who_keeps_the_name_disturbs_nobody(guest: User) -> None:
    game = table(guest, person("Ben"))
    guests.upgrade(guest, name="Quiet Heron", password="!", now=LATER)
    assert not rose(game)


def test_a_guest_signs_up_in_mid_game_by_http(guest: User) -> None:
    game = table(guest, person("Ben"), size=2)
    client = client_of(guest)
    data = {"email": "m@example.org", "username": "Miriam", "password1": PASSWORD}
    client.post("/account/signup/", data)
    client.post("/account/confirm/", {"code": mailed_code()})
    page = client.get(f"/g/{game.public_id}/")
    assert page.status_code == 200
    assert "Miriam" in page.content.decode()
    assert user_of(game, 0) == guest
    assert rose(game)


def test_a_new_name_shows_where_the_game_goes_on(guest: User) -> None:
    opened, running = table(guest, size=2), table(guest, person("Ben"), size=2)
    hosted = table(guest, person("Ben"))
    lobby.get_up(public_id=hosted.public_id, user=guest, now=NOON)
    hosted.refresh_from_db()
    over, elsewhere = table(guest, person("Ben"), size=2), running_game(2)
    finish(over)
    client_of(guest).post("/account/profile/", {"name": "Miriam"})
    assert [rose(game) for game in (opened, running, over, elsewhere, hosted)] == [
        True, True, False, False, False
    ]  # fmt: skip


def finish(game: Game) -> None:
    Prompt.objects.filter(game=game).update(state=PromptState.VOID, closed_at=NOON)
    game.windows.update(closed_at=NOON)
    game.status, game.ended_at = Status.OVER, NOON
    game.save()


def test_signing_in_takes_the_guests_tables_along(guest: User) -> None:
    miriam = member("Miriam")
    running, opened = table(guest, person("Ben"), size=2), table(guest)
    over = table(guest, person("Ben"), size=2)
    finish(over)
    left = table(person("Cyd"), guest)
    lobby.get_up(public_id=left.public_id, user=guest, now=NOON)
    left.refresh_from_db()
    asked = lobby.open_table(
        host=person("Ben"), plan=lobby.Plan(size=3, pace=Pace.DAILY), seed=SEED, now=NOON
    )
    Invitation.objects.create(game=asked, user=guest, by=person("Ben"), created_at=NOON)
    waiting = selectors.open_prompts(guest.pk)
    assert waiting
    client = client_of(guest)
    client.post("/account/login/", {"login": miriam.email, "password": PASSWORD})
    assert not User.objects.filter(pk=guest.pk).exists()
    for game in (running, opened, over):
        assert user_of(game, 0) == miriam
        assert Game.objects.get(pk=game.pk).host == miriam
    assert selectors.open_prompts(miriam.pk) == waiting
    assert Invitation.objects.get(game=asked).user == miriam
    assert [rose(game) for game in (running, opened, over)] == [True, True, False]
    say(running, 0, "income", LATER)


def test_signing_in_after_sending_one_form_as_both_takes_the_table_along(guest: User) -> None:
    miriam, plan = member("Miriam"), lobby.Plan(size=3, pace=Pace.DAILY)
    for host in (guest, miriam):
        lobby.open_table(host=host, plan=plan, seed=SEED, now=NOON, form_token="same")
    client_of(guest).post("/account/login/", {"login": miriam.email, "password": PASSWORD})
    assert Game.objects.filter(host=miriam).count() == 2


def test_who_sits_twice_at_one_table_is_not_signed_in(guest: User) -> None:
    miriam = member("Miriam")
    both, other = table(guest, miriam, person("Ben")), table(guest, size=2)
    client = client_of(guest)
    data = {"login": miriam.email, "password": PASSWORD}
    html = client.post("/account/login/", data, follow=True).content.decode()
    assert "at which your account has one too" in html
    assert str(both) in html
    assert client.get("/account/profile/").context["user"] == guest
    assert user_of(both, 0) == guest
    assert user_of(other, 0) == guest
    assert not rose(both)
    assert not rose(other)


def test_a_seat_the_account_left_still_counts(guest: User) -> None:
    miriam = member("Miriam")
    game = table(guest, miriam, person("Ben"))
    Tenure.objects.filter(user=miriam).update(ended="resigned")
    with pytest.raises(signals.MergeRefused):
        guests.merge(guest, miriam, now=LATER)
    assert user_of(game, 0) == guest


def test_whoever_has_seen_the_cards_does_not_come_by_a_seat_as_a_guest(guest: User) -> None:
    miriam, game = member("Miriam"), table(guest, person("Ben"), size=2)
    Recusal.objects.create(game=game, user=miriam, at=NOON)
    given = {"login": miriam.email, "password": PASSWORD}
    html = client_of(guest).post("/account/login/", given, follow=True).content.decode()
    assert "or has seen the cards" in html
    assert user_of(game, 0) == guest


def test_where_both_played_to_the_end_the_guests_seat_stays_behind(guest: User) -> None:
    miriam = member("Miriam")
    both, other = table(guest, miriam, person("Ben")), table(guest, size=2)
    finish(both)
    guests.merge(guest, miriam, now=LATER)
    assert user_of(other, 0) == miriam
    former = user_of(both, 0)
    assert former == guest
    assert former is not None
    assert former.name == f"A former player {guest.pk}"
    assert not former.is_active


def test_a_table_both_left_before_the_start_is_no_hindrance(guest: User) -> None:
    miriam = member("Miriam")
    game = table(person("Ben"), guest, miriam, size=4)
    lobby.get_up(public_id=game.public_id, user=miriam, now=NOON)
    guests.merge(guest, miriam, now=LATER)
    assert user_of(game, 1) == miriam


def test_guests_with_games_that_go_on_stay(guest: User) -> None:
    table(guest, size=2)
    assert guests.sweep(NOON + guests.IDLE * 100) == 0


def test_guests_whose_games_ended_long_ago_become_former_players(guest: User) -> None:
    game = table(guest, person("Ben"), size=2)
    finish(game)
    User.objects.filter(pk=guest.pk).update(date_joined=NOON)
    assert guests.sweep(NOON + guests.IDLE) == 0
    assert guests.sweep(NOON + guests.IDLE + timedelta(minutes=1)) == 1
    guest.refresh_from_db()
    assert guest.name.startswith("A former player")
    assert user_of(game, 0) == guest
    assert guests.sweep(NOON + guests.IDLE * 9) == 0, "once is enough"
    assert Client().get(f"/g/{game.public_id}/").status_code == 200
