"""The outbox: what is written with a move, and what of it is sent when."""

from datetime import UTC, datetime, timedelta

import pytest
from allauth.account.models import EmailAddress
from django.core import mail

from accounts.models import SanctionKind, User
from games import halts, lobby, play, store
from games.models import (
    BotKind,
    Channel,
    Game,
    Halt,
    Kind,
    Outbox,
    OutboxState,
    Prompt,
    PromptState,
    Why,
)
from games.moderation import games as moderating
from games.moderation import people
from games.moderation.desk import Decision
from games.notify import beats, outbox
from games.notify.kinds import KINDS
from games.timing import Pace
from tests.games.cast import NOON, SEED, person, prompt_of, say, state_of, tenure_of
from tests.games.moderation.staff import decide, mod

from .cast import HOUR, MINUTE, deliver, mailed_game, row, verified

pytestmark = [pytest.mark.django_db, pytest.mark.services]


def sitter(game: Game, seat: int) -> User:
    user = tenure_of(game, seat).user
    assert user is not None
    return user


def tell(user: User, number: int, at: datetime, kind: Kind = Kind.EXPIRED) -> None:
    outbox.tell(users=[user], kind=kind, key=f"game.{number}", now=at)


def fate(message: Outbox) -> tuple[str, str]:
    message.refresh_from_db()
    return message.state, message.why


def test_every_kind_is_listed() -> None:
    assert set(KINDS) == set(Kind)


def test_a_question_is_mailed_after_ten_minutes() -> None:
    game = mailed_game()
    turn = state_of(game).turn
    deliver(NOON + 9 * MINUTE)
    assert mail.outbox == []
    deliver(NOON + 10 * MINUTE)
    assert [letter.to for letter in mail.outbox] == [[sitter(game, turn).email]]
    assert fate(row(game, turn))[0] == OutboxState.SENT
    deliver(NOON + 11 * MINUTE)
    assert len(mail.outbox) == 1


def test_the_delay_is_the_persons_own() -> None:
    verified("Ana")
    User.objects.update(mail_delay=60)
    tell(person("Ana"), 1, NOON)
    deliver(NOON + 59 * MINUTE)
    assert mail.outbox == []
    deliver(NOON + HOUR)
    assert len(mail.outbox) == 1


def test_an_answer_recalls_it() -> None:
    game = mailed_game()
    turn = state_of(game).turn
    asked, reminder = row(game, turn), row(game, turn, Kind.REMINDER)
    say(game, turn, "income", NOON + MINUTE)
    deliver(NOON + 100 * HOUR)
    assert fate(asked) == fate(reminder) == (OutboxState.DROPPED, Why.ANSWERED)
    assert sitter(game, turn).email not in [letter.to[0] for letter in mail.outbox]


@pytest.mark.parametrize("pace", [Pace.LIVE, Pace.PRACTICE])
def test_quick_tables_are_not_mailed_about(pace: Pace) -> None:
    mailed_game(pace=pace)
    assert not Outbox.objects.exists()


def test_bots_are_told_nothing() -> None:
    plan = lobby.Plan(size=2, pace=Pace.DAILY, bots=[BotKind.HONEST])
    lobby.open_table(host=person("Ana"), plan=plan, seed=SEED, now=NOON)
    assert {message.user for message in Outbox.objects.all()} == {person("Ana")}


def test_what_is_due_together_is_one_letter() -> None:
    ana, ben = verified("Ana"), verified("Ben")
    tell(ana, 1, NOON)
    tell(ana, 1, NOON)  # told once
    tell(ana, 2, NOON + MINUTE)
    tell(ben, 1, NOON)
    deliver(NOON + 11 * MINUTE)
    assert sorted(letter.to[0] for letter in mail.outbox) == [ana.email, ben.email]
    assert Outbox.objects.filter(state=OutboxState.SENT).count() == 3


def test_who_sits_there_no_more_is_not_told() -> None:
    game = mailed_game()
    turn = state_of(game).turn
    asked = row(game, turn)
    game.tenures.filter(user=sitter(game, turn)).update(ended="removed")
    deliver(NOON + HOUR)
    assert fate(asked) == (OutboxState.DROPPED, Why.LEFT)


def test_a_frozen_game_is_told_of_when_it_goes_on() -> None:
    game = mailed_game()
    turn = state_of(game).turn
    halts.freeze(public_id=game.public_id, now=NOON, source=Halt.MODERATOR)
    deliver(NOON + 10 * MINUTE)
    deliver(NOON + 2 * HOUR)
    assert mail.outbox == []
    halts.thaw(public_id=game.public_id, now=NOON + 2 * HOUR, source=Halt.MODERATOR)
    deliver(NOON + 2 * HOUR + 10 * MINUTE)
    assert [letter.to for letter in mail.outbox] == [[sitter(game, turn).email]]


def test_a_game_that_ends_without_a_result_is_told() -> None:
    game = mailed_game()
    halts.cancel(public_id=game.public_id, now=NOON, source=Halt.CONSENT)
    deliver(NOON + HOUR)
    assert len(mail.outbox) == 3
    assert "ended without a result" in str(mail.outbox[0].body)


def test_what_was_switched_off_meanwhile_is_not_sent() -> None:
    game = mailed_game()
    asked = row(game, state_of(game).turn)
    User.objects.update(message_choices={"asked.email": False})
    deliver(NOON + HOUR)
    assert fate(asked) == (OutboxState.DROPPED, Why.OFF)


def test_an_address_must_be_confirmed_and_it_is_said() -> None:
    game = mailed_game()
    turn = state_of(game).turn
    asked = row(game, turn)
    EmailAddress.objects.update(verified=False)
    deliver(NOON + HOUR)
    assert fate(asked) == (OutboxState.DROPPED, Why.UNVERIFIED)
    assert sitter(game, turn).mail_stopped == "unverified"
    EmailAddress.objects.update(verified=True)
    tell(sitter(game, turn), 7, NOON)
    deliver(NOON + HOUR)
    assert sitter(game, turn).mail_stopped == ""
    assert len(mail.outbox) == 1


def test_a_closed_account_is_not_written_to() -> None:
    game = mailed_game()
    asked = row(game, state_of(game).turn)
    User.objects.update(is_active=False)
    deliver(NOON + HOUR)
    assert fate(asked) == (OutboxState.DROPPED, Why.CLOSED)


def test_one_reminder_at_three_quarters() -> None:
    game = mailed_game(pace=Pace.RELAXED)
    turn = state_of(game).turn
    prompt = prompt_of(game, turn)
    late = NOON + (prompt.due - NOON) * 3 / 4
    deliver(NOON + HOUR)
    deliver(late - MINUTE)
    assert len(mail.outbox) == 1
    deliver(late)
    deliver(late + HOUR)
    assert [letter.subject for letter in mail.outbox[1:]] == [
        f"{game.name}: your time is running out"
    ]


def test_a_reminder_moves_with_the_deadline() -> None:
    game = mailed_game(pace=Pace.RELAXED)
    prompt = prompt_of(game, state_of(game).turn)
    late = NOON + (prompt.due - NOON) * 3 / 4
    Prompt.objects.filter(pk=prompt.pk).update(grace=prompt.grace * 2)
    deliver(NOON + HOUR)
    deliver(late)
    assert len(mail.outbox) == 1


def test_a_reminder_and_the_news_it_reminds_of_are_one_letter() -> None:
    User.objects.filter(pk=person("Ana").pk).update(mail_delay=240)
    game = mailed_game(pace=Pace.BRISK)
    deliver(NOON + 35 * MINUTE)
    assert len(mail.outbox) == 1
    deliver(NOON + 5 * HOUR)
    assert not Outbox.objects.filter(
        prompt=prompt_of(game, state_of(game).turn), state=OutboxState.PENDING
    ).exists()


def at(hour: int, minute: int = 0, day: int = 1) -> datetime:
    return datetime(2030, 5, day, hour, minute, tzinfo=UTC)


def test_a_digest_comes_once_a_day_at_the_persons_hour() -> None:
    ana = verified("Ana")
    User.objects.filter(pk=ana.pk).update(digest_hour=8, time_zone="Europe/Belgrade")
    ana.refresh_from_db()
    for number, hour in enumerate((1, 3, 5)):  # eight in Belgrade is six
        tell(ana, number, at(hour))
    deliver(at(5, 59))
    assert mail.outbox == []
    deliver(at(6))
    tell(ana, 9, at(6, 1))
    deliver(at(23))
    assert len(mail.outbox) == 1
    deliver(at(6, day=2))
    assert len(mail.outbox) == 2


def test_a_digest_that_was_missed_is_caught_up() -> None:
    ana = verified("Ana")
    User.objects.filter(pk=ana.pk).update(digest_hour=8)
    ana.refresh_from_db()
    tell(ana, 1, at(7))
    tell(ana, 2, at(9))
    deliver(at(11))
    assert len(mail.outbox) == 1
    assert Outbox.objects.get(key="game.2").state == OutboxState.PENDING


def test_the_reminder_does_not_wait_for_the_digest() -> None:
    ana = verified("Ana")
    User.objects.filter(pk=ana.pk).update(digest_hour=8)
    game = mailed_game()
    turn = state_of(game).turn
    User.objects.update(digest_hour=8)
    due = prompt_of(game, turn).due
    deliver(NOON + (due - NOON) * 3 / 4)
    assert fate(row(game, turn, Kind.REMINDER))[0] == OutboxState.SENT


@pytest.mark.parametrize(("begins", "ends"), [(22, 7), (1, 7)])
def test_quiet_hours_put_everything_off(begins: int, ends: int) -> None:
    ana = verified("Ana")
    User.objects.filter(pk=ana.pk).update(quiet_from=begins, quiet_to=ends)
    ana.refresh_from_db()
    tell(ana, 1, at(3))
    deliver(at(6, 59))
    assert mail.outbox == []
    deliver(at(7))
    assert len(mail.outbox) == 1


def test_quiet_hours_keep_no_test_waiting() -> None:
    ana = verified("Ana")
    User.objects.filter(pk=ana.pk).update(quiet_from=22, quiet_to=7)
    ana.refresh_from_db()
    tell(ana, 1, at(3), Kind.TEST)
    deliver(at(3))
    assert len(mail.outbox) == 1


def test_a_glance_at_the_table_puts_it_off_once() -> None:
    game = mailed_game()
    turn = state_of(game).turn
    user = sitter(game, turn)
    asked = row(game, turn)
    for minute in (0, 10, 20):
        now = NOON + minute * MINUTE
        beats.beat(user_id=user.pk, public_id=game.public_id, now=now - timedelta(seconds=20))
        deliver(now)
        assert len(mail.outbox) == (1 if minute == 20 else 0)
    assert fate(asked)[0] == OutboxState.SENT


def test_down_for_a_day_and_back_there_is_one_letter_about_what_still_is() -> None:
    game = mailed_game()
    turn = state_of(game).turn
    say(game, turn, "tax", NOON + MINUTE)
    waiting = [seat for seat in range(3) if seat != turn]
    say(game, waiting[0], "allow", NOON + 2 * MINUTE)
    deliver(NOON + 30 * HOUR)
    assert [letter.to for letter in mail.outbox] == [[sitter(game, waiting[1]).email]]


def test_a_game_that_begins_and_ends_is_told() -> None:
    mailed_game()
    game = Game.objects.get()
    for seat in (0, 1):
        user_id = sitter(game, seat).pk
        play.leave(public_id=game.public_id, user_id=user_id, now=NOON + HOUR)
    told = Outbox.objects.filter(kind=Kind.OVER)
    assert told.exists()
    deliver(NOON + 2 * HOUR)
    assert any("A game is over" in letter.subject for letter in mail.outbox)


def test_recall_takes_back_what_was_not_sent() -> None:
    game, others = mailed_game(2), mailed_game(2)
    ana, ben = verified("Ana"), verified("Ben")
    for about in (game, others):
        key = f"game.{about.pk}"
        outbox.tell(users=[ana, ben], kind=Kind.SEAT_OFFERED, key=key, now=NOON, game=about)
    outbox.recall(kind=Kind.SEAT_OFFERED, game=game, user=ana, now=NOON)
    offered = Outbox.objects.filter(kind=Kind.SEAT_OFFERED, channel=Channel.EMAIL)
    waiting = offered.filter(state=OutboxState.PENDING)
    assert sorted(waiting.values_list("user__name", "game")) == [
        ("Ana", others.pk),
        ("Ben", game.pk),
        ("Ben", others.pk),
    ]


def test_what_was_sent_long_ago_goes() -> None:
    tell(verified("Ana"), 1, NOON)
    deliver(NOON + HOUR)
    assert outbox.tidy(NOON + timedelta(days=59)) == 0
    assert outbox.tidy(NOON + timedelta(days=61)) == 1


def test_no_prompt_open_is_never_told_twice_by_a_second_asking() -> None:
    game = mailed_game()
    prompts = Prompt.objects.filter(state=PromptState.OPEN).select_related("tenure__user", "game")
    before = Outbox.objects.count()
    outbox.asked(prompts, NOON)
    assert Outbox.objects.count() == before
    assert game.prompts.count() == 1


def test_whoever_is_banned_is_written_why_and_nothing_else() -> None:
    game = mailed_game()
    turn = state_of(game).turn
    user = sitter(game, turn)
    ban = decide(mod(), "You insulted everybody.")
    people.impose(ban, user_id=user.pk, kind=SanctionKind.BAN, lasts=None)
    deliver(NOON + 100 * HOUR)
    (letter,) = [letter for letter in mail.outbox if letter.to == [user.email]]
    assert "A moderator has closed your account." in letter.body
    assert "You insulted everybody." in letter.body
    assert fate(row(game, turn))[0] == OutboxState.DROPPED


def test_what_a_game_asks_that_is_taken_back_meanwhile_is_written_to_nobody() -> None:
    game = mailed_game()
    turn = state_of(game).turn
    (dealt,) = store.moments(store.load(game)) or [store.load(game).steps[0]]
    say(game, turn, "tax", NOON + MINUTE)
    game.refresh_from_db()
    asked = [row(game, seat) for seat in range(3) if seat != turn]
    back = Decision(mod(), "A fault.", "t", NOON + 2 * MINUTE)
    moderating.take_back(back, public_id=game.public_id, version=dealt.version)
    deliver(NOON + 11 * MINUTE)
    assert {fate(message) for message in asked} == {(OutboxState.DROPPED, Why.ANSWERED)}
    told = {message.to[0]: message.body for message in mail.outbox}
    assert set(told) == {sitter(game, seat).email for seat in range(3)}
    assert all("taken this game back" in words for words in told.values())
    deliver(NOON + 13 * MINUTE)
    assert fate(row(game, turn))[0] == OutboxState.SENT
    assert [letter.to for letter in mail.outbox[3:]] == [[sitter(game, turn).email]]
