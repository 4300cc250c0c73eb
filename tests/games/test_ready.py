"""Whether everybody is there: asked before the first card of live and brisk games."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from accounts import guests
from accounts.models import User
from games import drive, heartbeat, invitations, lists, lobby, play, ready, selectors, verify
from games.models import (
    READY,
    BotKind,
    Channel,
    Game,
    Invitation,
    InvitationState,
    Kind,
    Outbox,
    OutboxState,
    Prompt,
    PromptState,
    Status,
    Tenure,
    Visibility,
    Window,
)
from games.notify import outbox
from games.refusal import Reason, Refused
from games.timing import ALLOWANCES, Pace

from .cast import NAMES, NOON, SEED, all_ready, person, running_game

pytestmark = pytest.mark.django_db

SECOND = timedelta(seconds=1)
LATE = NOON + 90 * SECOND


def opened(size: int = 3, pace: Pace = Pace.LIVE, **plan: Any) -> Game:
    return lobby.open_table(
        host=person("Ana"), plan=lobby.Plan(size, pace, **plan), seed=SEED, now=NOON
    )


def sit(game: Game, *names: str, **how: Any) -> Game:
    for name in names:
        lobby.sit(**{"public_id": game.public_id, "user": person(name), "now": NOON} | how)
    game.refresh_from_db()
    return game


def full(size: int = 3, **plan: Any) -> Game:
    """A table whose last seat was just taken, so that the others are asked."""
    return sit(opened(size, **plan), *NAMES[1:size])


def question(game: Game, name: str) -> Prompt:
    """What this person was asked last."""
    prompts = Prompt.objects.filter(game=game, tenure__user__name=name, window__kind=READY)
    return prompts.order_by("-pk")[0]


def say(game: Game, name: str, now: Any = NOON, prompt: Prompt | None = None) -> None:
    ready.say(
        public_id=game.public_id,
        user_id=person(name).pk,
        prompt_id=(prompt or question(game, name)).pk,
        now=now,
    )
    game.refresh_from_db()


def why_not(act: Callable[..., object], *args: Any, **call: Any) -> Reason:
    with pytest.raises(Refused) as refused:
        act(*args, **call)
    return refused.value.reason


def waiting(game: Game) -> list[str]:
    """Who is asked and has not said so."""
    found = Prompt.objects.filter(game=game, window__kind=READY, state=PromptState.OPEN)
    return list(found.order_by("pk").values_list("tenure__user__name", flat=True))


def sitters(game: Game) -> list[str]:
    seated = Tenure.objects.filter(game=game).order_by("seat__index")
    return [tenure.name for tenure in seated]


def is_asking(game: Game) -> bool:
    return Window.objects.filter(game=game, kind=READY, closed_at=None).exists()


# Asking


def test_who_takes_the_last_seat_is_ready_and_the_others_are_asked() -> None:
    game = full()
    assert (game.status, waiting(game)) == (Status.OPEN, ["Ana", "Ben"])
    window = Window.objects.get(game=game)
    assert (window.kind, window.deadline) == (READY, LATE)
    say(game, "Ben")
    assert (game.status, waiting(game)) == (Status.OPEN, ["Ana"])
    say(game, "Ana")
    assert (game.status, waiting(game)) == (Status.RUNNING, [])
    assert game.start_names == ["Ana", "Ben", "Cyd"]
    assert list(verify.differences(game)) == []


def test_who_starts_is_ready_and_free_seats_go_with_the_deal() -> None:
    game = sit(opened(5), "Ben", "Cyd")
    lobby.get_up(public_id=game.public_id, user=person("Ben"), now=NOON)
    for _time in range(2):
        lobby.start(public_id=game.public_id, host=person("Ana"), now=NOON)
    assert waiting(game) == ["Cyd"]
    assert len(lists.room(game, user=person("Ana")).free) == 3
    say(game, "Cyd")
    assert (game.status, game.size, game.start_names) == (Status.RUNNING, 2, ["Ana", "Cyd"])
    assert list(verify.differences(game)) == []


@pytest.mark.parametrize("pace", Pace)
def test_the_pace_says_whether_and_for_how_long(pace: Pace) -> None:
    game = full(2, pace=pace)
    assert is_asking(game) == (pace in (Pace.LIVE, Pace.BRISK))
    assert (game.status == Status.RUNNING) == (pace not in (Pace.LIVE, Pace.BRISK))
    if is_asking(game):
        left = Window.objects.get(game=game).deadline - NOON
        assert left == timedelta(milliseconds=ALLOWANCES[pace].ready)
        assert left == {Pace.LIVE: 90 * SECOND, Pace.BRISK: 600 * SECOND}[pace]


def test_bots_are_always_ready() -> None:
    alone = opened(3, bots=[BotKind.HONEST, BotKind.BLUFFER])
    assert alone.status == Status.RUNNING
    game = sit(opened(3), "Ben")
    lobby.add_bot(
        public_id=game.public_id, host=person("Ana"), seat=2, kind=BotKind.HONEST, now=NOON
    )
    assert waiting(game) == ["Ben"]
    say(game, "Ben")
    assert game.status == Status.RUNNING


def test_everybody_sees_who_is_ready() -> None:
    game = full()
    say(game, "Ben")
    room = lists.room(game, user=person("Cyd"))
    assert [sitter.is_ready for sitter in room.seats] == [False, True, True]
    assert (room.ready, room.asked, room.may_start) == (2, None, False)
    assert lists.room(game, user=person("Ana")).asked == question(game, "Ana")
    assert not any(sitter.is_ready for sitter in lists.room(opened(2), user=person("Ana")).seats)


def test_a_full_table_is_no_longer_in_the_list_of_open_ones() -> None:
    game = full()
    wish = lists.Wish()
    assert not lists.open_tables(wish, person("Dov")).exists()
    ready.time_out(public_id=game.public_id, now=LATE)
    assert lists.open_tables(wish, person("Dov")).get() == game


# Saying so


def test_saying_so_twice_is_once() -> None:
    game = full(2)
    for _time in range(2):
        say(game, "Ana")
    assert game.status == Status.RUNNING
    assert Window.objects.filter(game=game, closed_at=None).count() == 1


def test_nobody_says_it_for_somebody_else() -> None:
    game, other = full(), full(2)
    assert why_not(say, game, "Ben", prompt=question(game, "Ana")) == Reason.NOT_YOURS
    assert why_not(say, game, "Dov", prompt=question(game, "Ana")) == Reason.NOT_YOURS
    assert why_not(say, game, "Ana", prompt=question(other, "Ana")) == Reason.NOT_YOURS
    assert waiting(game) == ["Ana", "Ben"]


def test_a_game_does_not_take_the_word_for_a_move() -> None:
    """Nor does the question before the first card take a move."""
    from games.engine.commands import ALLOW

    game = full(2)
    call = {"public_id": game.public_id, "user_id": person("Ana").pk, "now": NOON}
    early = question(game, "Ana")
    assert why_not(play.answer, prompt_id=early.pk, command=ALLOW, **call) == Reason.NOT_RUNNING
    say(game, "Ana")
    assert why_not(play.answer, prompt_id=early.pk, command=ALLOW, **call) == Reason.MOVED_ON
    move = Prompt.objects.exclude(window__kind=READY).get(game=game)
    assert why_not(say, game, move.tenure.name, prompt=move) == Reason.NOT_YOURS


# Coming and going


def test_who_leaves_puts_it_back_to_waiting() -> None:
    game = full()
    old = question(game, "Ana")
    say(game, "Ben")
    lobby.get_up(public_id=game.public_id, user=person("Ben"), now=NOON)
    game.refresh_from_db()
    assert (game.status, is_asking(game), waiting(game)) == (Status.OPEN, False, [])
    assert why_not(say, game, "Ana", prompt=old) == Reason.CALLED_OFF
    sit(game, "Dov")
    assert waiting(game) == ["Ana", "Cyd"]
    assert question(game, "Ana") != old


def test_who_joins_puts_it_back_to_waiting_until_it_is_full() -> None:
    game = sit(opened(4), "Ben")
    lobby.start(public_id=game.public_id, host=person("Ana"), now=NOON)
    old = question(game, "Ben")
    sit(game, "Cyd")
    assert not is_asking(game)
    assert why_not(say, game, "Ben", prompt=old) == Reason.CALLED_OFF
    lobby.start(public_id=game.public_id, host=person("Ana"), now=NOON)
    sit(game, "Dov")
    assert waiting(game) == ["Ana", "Ben", "Cyd"]


@pytest.mark.parametrize("act", ["cancel", "expire", "block"])
def test_a_table_that_is_given_up_asks_nobody(act: str) -> None:
    game = full(2)
    if act == "cancel":
        lobby.cancel(public_id=game.public_id, host=person("Ana"), now=NOON)
    elif act == "expire":
        lobby.expire(NOON + timedelta(days=15))
    else:
        lobby.part(public_id=game.public_id, by=person("Ana"), blocked=person("Ben"), now=NOON)
    game.refresh_from_db()
    assert not is_asking(game)
    assert waiting(game) == []
    assert selectors.open_prompts(person("Ana").pk) == 0
    assert (game.status == Status.OPEN) == (act == "block")


def test_a_guest_who_signs_in_meanwhile_is_the_one_who_is_asked() -> None:
    guest = User.objects.create_guest("Quick Fox")
    game = opened(3)
    lobby.sit(public_id=game.public_id, user=guest, now=NOON)
    sit(game, "Ben")
    guests.merge(guest, person("Zoe"), now=NOON)
    assert waiting(game) == ["Ana", "Zoe"]
    say(game, "Ana")
    say(game, "Zoe")
    assert game.status == Status.RUNNING


# The deadline


def test_who_does_not_answer_loses_the_seat_and_the_table_waits() -> None:
    game = full()
    say(game, "Ana")
    assert ready.time_out(public_id=game.public_id, now=LATE - SECOND) == 0
    assert ready.time_out(public_id=game.public_id, now=LATE) == 1
    version = Game.objects.get(pk=game.pk).version
    assert ready.time_out(public_id=game.public_id, now=LATE) == 0
    game.refresh_from_db()
    assert (game.version, game.status) == (version, Status.OPEN)
    assert (sitters(game), is_asking(game), game.host) == (["Ana", "Cyd"], False, person("Ana"))
    assert Prompt.objects.filter(game=game, state=PromptState.OPEN).count() == 0
    sit(game, "Dov", now=LATE)
    assert waiting(game) == ["Ana", "Cyd"]


def test_the_worker_applies_it_once() -> None:
    game = full()
    heartbeat.beat(NOON)
    assert drive.sweep(LATE - SECOND) == 0
    assert drive.sweep(LATE) == 2
    assert drive.sweep(LATE) == 0
    assert sitters(game) == ["Cyd"]


def test_the_host_who_was_not_there_hands_the_table_to_somebody_who_was() -> None:
    game = full()
    say(game, "Ben")
    ready.time_out(public_id=game.public_id, now=LATE)
    game.refresh_from_db()
    assert (sitters(game), game.host) == (["Ben", "Cyd"], person("Ben"))
    sit(game, "Ana", now=LATE)
    assert (sitters(game), waiting(game)) == (["Ana", "Ben", "Cyd"], ["Ben", "Cyd"])


def test_an_outage_gives_the_time_back() -> None:
    game = full(2)
    heartbeat.beat(NOON + 10 * SECOND)
    back = NOON + timedelta(hours=3)
    assert heartbeat.beat(back)
    before, game = game.version, Game.objects.get(pk=game.pk)
    assert game.version == before + 1
    gap = back - (NOON + 10 * SECOND)
    assert Window.objects.get(game=game).deadline == LATE + gap
    assert drive.sweep(LATE + gap - SECOND) == 0
    assert drive.sweep(LATE + gap) == 1


def test_who_says_it_too_late_has_lost_the_seat_if_clocks_run() -> None:
    game = full()
    say(game, "Ana", LATE)  # no worker is there
    assert waiting(game) == ["Ben"]
    heartbeat.beat(LATE)
    prompt = question(game, "Ben")
    assert why_not(say, game, "Ben", LATE, prompt) == Reason.TOO_LATE
    assert sitters(game) == ["Ana", "Cyd"]
    assert why_not(say, game, "Ben", LATE, prompt) == Reason.TOO_LATE


@pytest.mark.parametrize("visibility", Visibility)
def test_who_has_lost_the_seat_may_come_back(visibility: Visibility) -> None:
    game = opened(3, visibility=visibility, invited=[person("Ben"), person("Cyd")])
    guest = User.objects.create_guest("Quick Fox")
    if visibility == Visibility.UNLISTED:
        lobby.sit(public_id=game.public_id, user=guest, link_token=game.link_token, now=NOON)
        gone = guest
    else:
        gone = person("Ben")
        sit(game, "Ben")
    sit(game, "Cyd")
    say(game, "Ana")
    ready.time_out(public_id=game.public_id, now=LATE)
    room = lists.room(game, user=gone)
    assert (room.missed, room.is_admitted, room.sits) == (True, True, False)
    assert (gone.name, InvitationState.MISSED) in lists.room(game, user=person("Ana")).invited
    invitations.invite(public_id=game.public_id, host=person("Ana"), name=gone.name, now=LATE)
    assert lists.room(game, user=gone).invited_by
    lobby.sit(public_id=game.public_id, user=gone, now=LATE)
    assert not lists.room(game, user=gone).missed
    assert Invitation.objects.get(game=game, user=gone).state == InvitationState.ACCEPTED


def test_a_rematch_asks_too() -> None:
    old = running_game(2, pace=Pace.LIVE)
    play.leave(public_id=old.public_id, user_id=person("Ben").pk, now=NOON)
    game = lobby.rematch(public_id=old.public_id, user=person("Ana"), seed=SEED, now=NOON)
    lobby.rematch(public_id=old.public_id, user=person("Ben"), seed=SEED, now=NOON)
    assert waiting(game) == ["Ana"]
    ready.time_out(public_id=game.public_id, now=LATE)
    game.refresh_from_db()
    assert (sitters(game), game.host) == (["Ben"], person("Ben"))
    lobby.rematch(public_id=old.public_id, user=person("Ana"), seed=SEED, now=LATE)
    all_ready(game, LATE)
    game.refresh_from_db()
    assert (game.status, game.start_names) == (Status.RUNNING, ["Ana", "Ben"])


# Being told


def test_being_asked_waits_for_me_as_long_as_it_is_open() -> None:
    game, ana = full(), person("Ana")
    assert selectors.open_prompts(ana.pk) == 1
    assert selectors.next_waiting(ana.pk) == game.public_id
    assert selectors.open_prompts(person("Cyd").pk) == 0
    say(game, "Ana")
    assert selectors.open_prompts(ana.pk) == 0
    ready.time_out(public_id=game.public_id, now=LATE)
    assert selectors.open_prompts(person("Ben").pk) == 0


def told(kind: Kind) -> list[tuple[str, str]]:
    rows = Outbox.objects.filter(kind=kind).order_by("pk")
    return list(rows.values_list("user__name", "channel"))


@pytest.mark.parametrize("pace", [Pace.LIVE, Pace.BRISK])
def test_it_is_told_by_push_alone_and_the_lost_seat_by_both_where_there_is_time(pace: Pace) -> None:
    for name in NAMES:
        User.objects.filter(pk=person(name).pk).update(has_push=True)
    game = full(pace=pace)
    assert told(Kind.READY) == [("Ana", Channel.PUSH), ("Ben", Channel.PUSH)]
    assert not Outbox.objects.filter(kind__in=[Kind.ASKED, Kind.REMINDER]).exists()
    assert {row.due for row in Outbox.objects.all()} == {NOON}
    say(game, "Ana")
    ready.time_out(public_id=game.public_id, now=NOON + timedelta(minutes=10))
    mail = [("Ben", Channel.EMAIL)] if pace == Pace.BRISK else []
    assert told(Kind.MISSED) == [*mail, ("Ben", Channel.PUSH)]


def test_who_is_back_needs_no_telling_that_they_were_away() -> None:
    game = full(pace=Pace.BRISK)
    over = NOON + timedelta(minutes=10)
    ready.time_out(public_id=game.public_id, now=over)
    sit(game, "Ben", now=over)
    while outbox.deliver(over + timedelta(hours=1)):
        pass
    rows = Outbox.objects.filter(kind=Kind.MISSED)
    states = {row.user.name: row.state for row in rows.select_related("user") if row.user}
    assert states["Ben"] == OutboxState.DROPPED
    assert set(rows.filter(user__name="Ben").values_list("why", flat=True)) == {"past"}
