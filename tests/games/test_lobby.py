"""Tables before the first card: opening, sitting down, leaving, starting, giving up."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.db import transaction

from accounts import closing
from accounts.models import User
from games import drive, invitations, lists, lobby, play, seating, selectors, verify
from games.models import (
    BotKind,
    Game,
    Halt,
    Invitation,
    InvitationState,
    Seat,
    Status,
    Tenure,
    Visibility,
)
from games.refusal import Reason, Refused
from games.selectors import Hidden
from games.timing import Pace

from .cast import NOON, SEED, person, running_game, say, state_of

pytestmark = pytest.mark.django_db


def opened(size: int = 3, **plan: Any) -> Game:
    """A table that Ana has opened."""
    return lobby.open_table(
        host=person("Ana"),
        plan=lobby.Plan(size=size, pace=Pace.DAILY, **plan),
        seed=SEED,
        now=NOON,
    )


def sit(game: Game, name: str, **how: Any) -> Game:
    return lobby.sit(public_id=game.public_id, user=person(name), now=NOON, **how)


def names(game: Game) -> list[str]:
    tenures = Tenure.objects.filter(game=game).order_by("seat__index")
    return [tenure.name for tenure in tenures]


def why_not(act: Callable[..., Game], **call: Any) -> Reason:
    """Why that was refused."""
    with pytest.raises(Refused) as refused:
        act(**({"now": NOON} | call))
    return refused.value.reason


def finished_game(size: int = 3) -> Game:
    """A game that Ana has won, because everybody else has left."""
    game = running_game(size)
    for name in ("Ben", "Cyd", "Dov")[: size - 1]:
        play.leave(public_id=game.public_id, user_id=person(name).pk, now=NOON)
    game.refresh_from_db()
    assert game.status == Status.OVER
    return game


# Opening and sitting down


def test_it_starts_when_the_last_seat_is_taken() -> None:
    game = opened()
    sit(game, "Ben")
    game.refresh_from_db()
    assert game.status == Status.OPEN
    sit(game, "Cyd")
    game.refresh_from_db()
    assert game.status == Status.RUNNING
    assert game.start_names == ["Ana", "Ben", "Cyd"]


def test_sitting_down_twice_is_once() -> None:
    game = opened()
    for _time in range(2):
        sit(game, "Ben")
    assert names(game) == ["Ana", "Ben"]


def test_no_seat_at_a_running_table() -> None:
    game = opened(2)
    sit(game, "Ben")
    late = why_not(lobby.sit, public_id=game.public_id, user=person("Cyd"))
    assert late == Reason.FULL


def test_bots_fill_a_table_and_it_starts_at_once() -> None:
    game = opened(4, bots=list(BotKind))
    assert game.status == Status.RUNNING
    assert not set(BotKind) & {name.lower() for name in names(game)}


def test_a_form_sent_twice_opens_one_table() -> None:
    plan = lobby.Plan(size=3, pace=Pace.DAILY)
    tables = [
        lobby.open_table(host=person(name), plan=plan, seed=SEED, now=NOON, form_token="once")
        for name in ("Ana", "Ana", "Ben")
    ]
    assert tables[0] == tables[1] != tables[2]
    assert Game.objects.count() == 2


def test_the_hash_of_the_seed_is_shown_from_the_first_moment() -> None:
    game = opened()
    room = lists.room(game, user=person("Ben"))
    assert len(room.game.commitment) == 64
    assert room.seed == ""


@pytest.mark.parametrize("visibility", [Visibility.UNLISTED, Visibility.PRIVATE])
def test_a_table_that_is_not_public_does_not_exist_for_strangers(visibility: Visibility) -> None:
    game = opened(visibility=visibility)
    strange = why_not(lobby.sit, public_id=game.public_id, user=person("Ben"), link_token="guess")
    assert strange == Reason.NO_GAME
    with pytest.raises(Hidden) as hidden:
        lists.room(game, user=person("Ben"))
    assert not hidden.value.exists


def test_a_link_leads_to_an_unlisted_table_and_not_to_a_private_one() -> None:
    game = opened(visibility=Visibility.UNLISTED)
    sit(game, "Ben", link_token=game.link_token)
    assert names(game) == ["Ana", "Ben"]
    private = opened(visibility=Visibility.PRIVATE)
    strange = why_not(
        lobby.sit,
        public_id=private.public_id,
        user=person("Ben"),
        link_token=private.link_token,
    )
    assert strange == Reason.NO_GAME


def test_a_renewed_link_makes_the_old_one_void() -> None:
    game = opened(visibility=Visibility.UNLISTED)
    old = game.link_token
    lobby.renew_link(public_id=game.public_id, host=person("Ana"), now=NOON)
    game.refresh_from_db()
    strange = why_not(lobby.sit, public_id=game.public_id, user=person("Ben"), link_token=old)
    assert strange == Reason.NO_GAME
    sit(game, "Ben", link_token=game.link_token)


def test_who_keeps_twenty_tables_waiting_sits_down_at_no_other() -> None:
    ben, plan = person("Ben"), lobby.Plan(2, Pace.DAILY)
    for number in range(200):  # who begins is a matter of luck
        if selectors.open_prompts(ben.pk) == seating.MOST_WAITING:
            break
        host, seed = User.objects.create_guest(f"Host {number}"), bytes([number]) * 32
        game = lobby.open_table(host=host, plan=plan, seed=seed, now=NOON)
        lobby.sit(public_id=game.public_id, user=ben, now=NOON)
    assert why_not(lobby.sit, public_id=opened().public_id, user=ben) == Reason.TOO_BUSY
    assert why_not(lobby.open_table, host=ben, plan=plan, seed=SEED) == Reason.TOO_BUSY


@pytest.mark.parametrize("way", ["sit", "invited", "open", "rematch", "join_rematch"])
def test_no_way_in_leads_round_that_limit(monkeypatch: pytest.MonkeyPatch, way: str) -> None:
    monkeypatch.setattr(seating, "MOST_WAITING", 1)
    old = finished_game(2)
    busy = running_game(2, seed=b"b" * 32)
    ana, turn = person("Ana"), state_of(busy).turn
    if turn != 0:
        say(busy, turn, "tax")
    assert selectors.open_prompts(ana.pk) == 1

    def act() -> Game:
        plan = lobby.Plan(3, Pace.DAILY, visibility=Visibility.PRIVATE)
        if way == "open":
            return lobby.open_table(host=ana, plan=plan, seed=SEED, now=NOON)
        if way == "rematch":
            return lobby.rematch(public_id=old.public_id, user=ana, seed=SEED, now=NOON)
        if way == "join_rematch":
            Tenure.objects.filter(game=old).update(ended="")
            lobby.rematch(public_id=old.public_id, user=person("Ben"), seed=SEED, now=NOON)
            return lobby.rematch(public_id=old.public_id, user=ana, seed=SEED, now=NOON)
        plan = replace(plan, invited=[ana] if way == "invited" else [])
        plan = plan if way == "invited" else replace(plan, visibility=Visibility.PUBLIC)
        table = lobby.open_table(host=person("Zoe"), plan=plan, seed=SEED, now=NOON)
        return lobby.sit(public_id=table.public_id, user=ana, now=NOON)

    with pytest.raises(Refused) as refused, transaction.atomic():
        act()
    assert refused.value.reason == Reason.TOO_BUSY
    # A table that stands still waits for nobody.
    Game.objects.filter(pk=busy.pk).update(frozen_at=NOON, frozen_for=Halt.MODERATOR)
    assert Tenure.objects.filter(game=act(), user=ana).exists()


# Leaving


def test_leaving_before_the_start_leaves_no_trace() -> None:
    game = opened()
    sit(game, "Ben")
    for _time in range(2):
        lobby.get_up(public_id=game.public_id, user=person("Ben"), now=NOON)
    assert names(game) == ["Ana"]
    assert not Tenure.objects.filter(user=person("Ben")).exists()
    sit(game, "Cyd")
    sit(game, "Dov")
    game.refresh_from_db()
    assert game.start_names == ["Ana", "Cyd", "Dov"]


def test_a_table_goes_from_its_host_to_whoever_has_sat_there_longest() -> None:
    game = opened(4)
    sit(game, "Ben")
    sit(game, "Cyd")
    lobby.get_up(public_id=game.public_id, user=person("Ana"), now=NOON)
    game.refresh_from_db()
    assert game.host == person("Ben")
    assert game.status == Status.OPEN


def test_an_heir_who_sent_a_form_with_the_same_token_gets_the_table() -> None:
    """Tokens tell forms of one person apart; what somebody else makes up may be equal."""
    plan = lobby.Plan(size=3, pace=Pace.DAILY)
    left, _other = [
        lobby.open_table(host=person(name), plan=plan, seed=SEED, now=NOON, form_token="same")
        for name in ("Ana", "Ben")
    ]
    sit(left, "Ben")
    lobby.get_up(public_id=left.public_id, user=person("Ana"), now=NOON)
    left.refresh_from_db()
    assert left.host == person("Ben")


def test_a_table_nobody_sits_at_is_cancelled() -> None:
    game = opened(4, bots=[BotKind.HONEST])
    lobby.get_up(public_id=game.public_id, user=person("Ana"), now=NOON)
    game.refresh_from_db()
    assert game.status == Status.CANCELLED


def test_nobody_gets_up_from_a_running_game() -> None:
    game = running_game(2)
    reason = why_not(lobby.get_up, public_id=game.public_id, user=person("Ben"))
    assert reason == Reason.NOT_OPEN


# What the host does


def test_the_host_starts_with_those_who_are_there() -> None:
    game = opened(5)
    sit(game, "Ben")
    sit(game, "Cyd")
    lobby.get_up(public_id=game.public_id, user=person("Ben"), now=NOON)
    sit(game, "Dov")
    lobby.get_up(public_id=game.public_id, user=person("Dov"), now=NOON)
    for _time in range(2):
        lobby.start(public_id=game.public_id, host=person("Ana"), now=NOON)
    game.refresh_from_db()
    assert (game.status, game.size, game.start_names) == (Status.RUNNING, 2, ["Ana", "Cyd"])
    seats = Seat.objects.filter(game=game).order_by("index")
    assert [seat.index for seat in seats] == [0, 1]
    assert len(state_of(game).coins) == 2
    assert list(verify.differences(game)) == []


def test_nobody_plays_alone() -> None:
    game = opened()
    reason = why_not(lobby.start, public_id=game.public_id, host=person("Ana"))
    assert reason == Reason.TOO_FEW


def test_a_bot_takes_the_seat_it_is_given_once() -> None:
    game = opened()
    for _time in range(2):
        lobby.add_bot(
            public_id=game.public_id, host=person("Ana"), seat=2, kind=BotKind.COUNTER, now=NOON
        )
    assert Tenure.objects.filter(game=game).exclude(bot="").count() == 1
    call = {"public_id": game.public_id, "host": person("Ana"), "kind": BotKind.HONEST}
    assert why_not(lobby.add_bot, seat=0, **call) == Reason.FULL
    assert why_not(lobby.add_bot, seat=5, **call) == Reason.FULL
    lobby.add_bot(seat=1, now=NOON, **call)
    game.refresh_from_db()
    assert game.status == Status.RUNNING
    assert len(set(game.start_names)) == 3


def test_a_cancelled_table_shows_its_seed() -> None:
    game = opened()
    sit(game, "Ben")
    for _time in range(2):
        lobby.cancel(public_id=game.public_id, host=person("Ana"), now=NOON)
    game.refresh_from_db()
    assert game.status == Status.CANCELLED
    assert lists.room(game, user=person("Ben")).seed == SEED.hex()
    assert why_not(lobby.sit, public_id=game.public_id, user=person("Cyd")) == Reason.NOT_OPEN
    assert why_not(lobby.start, public_id=game.public_id, host=person("Ana")) == Reason.NOT_OPEN


@pytest.mark.parametrize("act", [lobby.start, lobby.cancel, lobby.renew_link])
def test_only_the_host_does_what_the_host_does(act: Callable[..., Game]) -> None:
    game = opened()
    sit(game, "Ben")
    assert why_not(act, public_id=game.public_id, host=person("Ben")) == Reason.NOT_HOST
    assert why_not(act, public_id="none", host=person("Ben")) == Reason.NO_GAME


def test_whatever_changes_at_the_table_raises_its_version() -> None:
    game = opened(4, visibility=Visibility.UNLISTED)
    person("Cyd")
    ana = {"public_id": game.public_id, "host": person("Ana"), "now": NOON}
    steps: list[Callable[[], object]] = [
        lambda: sit(game, "Ben", link_token=game.link_token),
        lambda: invitations.invite(name="Cyd", **ana),
        lambda: invitations.decline(public_id=game.public_id, user=person("Cyd"), now=NOON),
        lambda: lobby.add_bot(seat=3, kind=BotKind.HONEST, **ana),
        lambda: lobby.renew_link(**ana),
        lambda: lobby.get_up(public_id=game.public_id, user=person("Ben"), now=NOON),
        lambda: lobby.cancel(**ana),
    ]
    for step in steps:
        version = game.version
        step()
        game.refresh_from_db()
        assert game.version == version + 1


# Invitations


def test_the_invited_may_come_to_a_private_table() -> None:
    game = opened(visibility=Visibility.PRIVATE, invited=[person("Ben")])
    assert lists.room(game, user=person("Ben")).invited_by
    assert list(lists.my_invitations(person("Ben").pk)) == [game]
    sit(game, "Ben")
    assert names(game) == ["Ana", "Ben"]
    assert Invitation.objects.get().state == InvitationState.ACCEPTED
    assert list(lists.my_invitations(person("Ben").pk)) == []


def test_an_invitation_by_name_is_made_once() -> None:
    game = opened(visibility=Visibility.PRIVATE)
    person("Ben")
    for spelled in ("ben", "BEN"):
        invitations.invite(public_id=game.public_id, host=person("Ana"), name=spelled, now=NOON)
    assert Invitation.objects.get().user == person("Ben")
    invitations.invite(public_id=game.public_id, host=person("Ana"), name="Ana", now=NOON)
    assert Invitation.objects.count() == 1
    call = {"public_id": game.public_id, "host": person("Ana")}
    assert why_not(invitations.invite, name="Nobody At All", **call) == Reason.NO_PERSON


def test_whoever_declines_is_a_stranger_again() -> None:
    game = opened(visibility=Visibility.PRIVATE, invited=[person("Ben")])
    for _time in range(2):
        invitations.decline(public_id=game.public_id, user=person("Ben"), now=NOON)
    assert Invitation.objects.get().state == InvitationState.DECLINED
    assert why_not(lobby.sit, public_id=game.public_id, user=person("Ben")) == Reason.NO_GAME
    reason = why_not(invitations.decline, public_id=game.public_id, user=person("Cyd"))
    assert reason == Reason.NO_GAME


def test_thirty_invitations_a_day() -> None:
    game = opened()
    Invitation.objects.bulk_create(
        Invitation(game=opened(), user=person("Ben"), by=person("Ana"), created_at=NOON)
        for _number in range(invitations.INVITATIONS_A_DAY)
    )
    call = {"public_id": game.public_id, "host": person("Ana"), "name": person("Cyd").name}
    assert why_not(invitations.invite, **call) == Reason.TOO_MANY_INVITATIONS
    invitations.invite(**call, now=NOON + timedelta(days=1))


# Rematch


def test_a_rematch_has_the_same_options_and_invites_the_others() -> None:
    old = finished_game()
    again = lobby.rematch(public_id=old.public_id, user=person("Ben"), seed=SEED, now=NOON)
    assert (again.rematch_of, again.options, again.host) == (old, old.options, person("Ben"))
    assert names(again) == ["Ben"]
    invited = {invitation.user.name for invitation in Invitation.objects.filter(game=again)}
    assert invited == {"Ana", "Cyd"}


def test_whoever_presses_next_joins_the_same_rematch() -> None:
    old = finished_game()
    first = lobby.rematch(public_id=old.public_id, user=person("Ben"), seed=SEED, now=NOON)
    invitations.decline(public_id=first.public_id, user=person("Ana"), now=NOON)
    for name in ("Ben", "Ana", "Ana", "Cyd", "Cyd"):
        again = lobby.rematch(public_id=old.public_id, user=person(name), seed=SEED, now=NOON)
        assert again == first
    first.refresh_from_db()
    assert first.status == Status.RUNNING
    assert Game.objects.filter(rematch_of=old).count() == 1


def test_nobody_is_invited_to_a_rematch_who_has_closed_the_account() -> None:
    old = finished_game(3)
    closing.close(person("Cyd"), now=NOON)
    again = lobby.rematch(public_id=old.public_id, user=person("Ben"), seed=SEED, now=NOON)
    invited = Invitation.objects.filter(game=again)
    assert list(invited.values_list("user__name", flat=True)) == ["Ana"]


def test_a_rematch_is_for_those_who_played_to_the_end() -> None:
    running = running_game(2)
    call = {"public_id": running.public_id, "seed": SEED}
    assert why_not(lobby.rematch, user=person("Ben"), **call) == Reason.NOT_OVER
    assert why_not(lobby.rematch, user=person("Dov"), **call) == Reason.NOT_SEATED


def test_bots_come_to_the_rematch_too() -> None:
    game = opened(3, bots=[BotKind.HONEST, BotKind.COUNTER])
    play.leave(public_id=game.public_id, user_id=person("Ana").pk, now=NOON)
    now = NOON
    while game.status != Status.OVER:
        now += timedelta(minutes=1)
        drive.sweep(now)
        game.refresh_from_db()
    again = lobby.rematch(public_id=game.public_id, user=person("Ana"), seed=SEED, now=NOON)
    assert again.status == Status.RUNNING
    kinds = Tenure.objects.filter(game=again).exclude(bot="").values_list("bot", flat=True)
    assert sorted(kinds) == [BotKind.COUNTER, BotKind.HONEST]
    twice = lobby.rematch(public_id=game.public_id, user=person("Ana"), seed=SEED, now=NOON)
    assert twice == again


# Expiry


def test_tables_do_not_stay_open_for_ever() -> None:
    table, private = opened(), opened(visibility=Visibility.PRIVATE, invited=[person("Ben")])
    old = finished_game()
    again = lobby.rematch(public_id=old.public_id, user=person("Ana"), seed=SEED, now=NOON)
    running = running_game(2)
    assert lobby.expire(NOON + timedelta(days=6)) == 0
    assert lobby.expire(NOON + timedelta(days=7)) == 1
    again.refresh_from_db()
    assert again.status == Status.CANCELLED
    assert lobby.expire(NOON + timedelta(days=14)) == 2
    assert lobby.expire(NOON + timedelta(days=14)) == 0
    for game in (table, private):
        game.refresh_from_db()
        assert game.status == Status.CANCELLED
        assert lists.room(game, user=person("Ana")).expired
    running.refresh_from_db()
    assert running.status == Status.RUNNING
    assert list(lists.my_invitations(person("Ben").pk)) == []
