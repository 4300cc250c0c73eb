"""Talk: who may speak and read where, what is said once, what is folded away."""

from datetime import timedelta

import pytest
from django.db.models import QuerySet

from accounts import blocks, guests, sanctions, signals
from accounts.models import SanctionKind, User
from games import halts, hearing, lobby, play, selectors, talk
from games.engine.state import Over
from games.models import (
    Game,
    Halt,
    Mute,
    Phrase,
    Status,
    TableMessage,
    TalkRead,
    Tenure,
    TenureEnd,
    Visibility,
    Watch,
)
from games.refusal import Reason, Refused

from .cast import NOON, person, running_game, say, state_of
from .talk_cast import SPECTATORS, TABLE, tell

pytestmark = pytest.mark.django_db


def rooms(game: Game, user: User | None) -> list[str]:
    return [str(room) for room in hearing.listener(game, user).rooms]


def heard(game: Game, user: User | None, room: str = TABLE) -> list[hearing.Said]:
    """What this person reads in a room; nothing if it is closed to them."""
    found = hearing.talk(hearing.listener(game, user), NOON).rooms
    return [said for one in found if one.room == room for said in one.said]


def words(game: Game, user: User | None, room: str = TABLE) -> list[str]:
    return [said.words for said in heard(game, user, room)]


def refusal(game: Game, user: User, room: str = TABLE, **more: object) -> Reason | None:
    try:
        tell(game, user, room=room, **more)  # type: ignore[arg-type]
    except Refused as refused:
        return refused.reason
    return None


def over(game: Game) -> None:
    """Everybody but Ana leaves."""
    for name in ("Ben", "Cyd"):
        play.leave(public_id=game.public_id, user_id=person(name).pk, now=NOON)
    game.refresh_from_db()
    assert game.status == Status.OVER


def exile_somebody(game: Game) -> int:
    """Play coups until a seat has no card; whose it is."""
    while True:
        state = state_of(game)
        assert not isinstance(state.phase, Over)
        if state.exiled:
            return state.exiled[0]
        turn = state.turn
        target = next(s for s in range(3) if s != turn and s not in state.exiled)
        if state.coins[turn] >= 7:
            say(game, turn, f"coup {target}")
            if target not in state_of(game).exiled and state_of(game).turn == turn:
                hand = state_of(game).hands[target]
                say(game, target, f"lose {hand[0]}")
        else:
            say(game, turn, "income")


# Who speaks where


def test_players_talk_at_the_table_and_the_game_stays_as_it_is() -> None:
    game = running_game(3)
    before = Game.objects.values().get(pk=game.pk)
    tell(game, person("Ana"), "I am the Duke.")
    tell(game, person("Ben"), phrase=Phrase.DOUBT, text="")
    assert words(game, None) == ["I am the Duke.", "I do not believe a word of it."]
    assert Game.objects.values().get(pk=game.pk) == before
    assert list(TableMessage.objects.values_list("number", flat=True)) == [1, 2]


def test_spectators_have_a_room_of_their_own() -> None:
    game, zoe = running_game(3), person("Zoe")
    assert refusal(game, zoe) == Reason.NO_VOICE
    tell(game, zoe, "She bluffs.", SPECTATORS)
    assert words(game, zoe, SPECTATORS) == words(game, None, SPECTATORS) == ["She bluffs."]
    for name in ("Ana", "Ben", "Cyd"):
        assert rooms(game, person(name)) == ["table"]
        assert words(game, person(name), SPECTATORS) == []
        assert refusal(game, person(name), SPECTATORS) == Reason.NO_VOICE
    over(game)
    for user in (person("Ana"), person("Ben"), zoe, None):
        assert words(game, user, SPECTATORS) == ["She bluffs."]
    tell(game, person("Ben"), "She did.", SPECTATORS)


def test_an_empty_room_of_spectators_is_not_shown_to_players_after_the_end() -> None:
    game = running_game(3)
    over(game)
    shown = hearing.talk(hearing.listener(game, person("Ana")), NOON).rooms
    assert [room.room for room in shown] == [TABLE]


def test_an_exile_stays_with_the_table() -> None:
    game = running_game(3)
    name = ("Ana", "Ben", "Cyd")[exile_somebody(game)]
    assert refusal(game, person(name)) is None
    assert rooms(game, person(name)) == ["table"]


def test_who_has_left_is_silent_until_the_end_and_reads_no_other_room() -> None:
    game = running_game(3)
    tell(game, person("Zoe"), "Watch this.", SPECTATORS)
    Tenure.objects.filter(game=game, user=person("Cyd")).update(ended=TenureEnd.RESIGNED)
    assert refusal(game, person("Cyd")) == Reason.NO_VOICE
    assert refusal(game, person("Cyd"), SPECTATORS) == Reason.NO_VOICE
    assert rooms(game, person("Cyd")) == ["table"]
    play.leave(public_id=game.public_id, user_id=person("Ben").pk, now=NOON)
    Game.objects.filter(pk=game.pk).update(status=Status.OVER, ended_at=NOON)
    assert refusal(game, person("Cyd")) is None
    Tenure.objects.filter(game=game, user=person("Cyd")).update(ended=TenureEnd.REMOVED)
    assert refusal(game, person("Cyd")) == Reason.NO_VOICE


def test_a_newcomer_reads_the_table_and_loses_the_spectators() -> None:
    game, zoe = running_game(3), person("Zoe")
    tell(game, person("Ana"), "Before.")
    tell(game, zoe, "From beside.", SPECTATORS)
    old = Tenure.objects.get(game=game, user=person("Cyd"))
    Tenure.objects.filter(pk=old.pk).update(ended=TenureEnd.RESIGNED)
    Tenure.objects.create(game=game, seat=old.seat, user=zoe)
    assert words(game, zoe) == ["Before."]
    assert rooms(game, zoe) == ["table"]
    assert refusal(game, zoe) is None


def test_guests_speak_where_they_sit_and_not_beside() -> None:
    guest = guests.create("Quiet Heron")
    plan = lobby.Plan(size=2, pace=running_game(2).pace)  # type: ignore[arg-type]
    game = lobby.open_table(host=person("Ana"), plan=plan, seed=bytes(32), now=NOON)
    assert refusal(game, guest) == Reason.NO_VOICE
    lobby.sit(public_id=game.public_id, user=guest, now=NOON)
    assert refusal(game, guest) is None
    assert refusal(running_game(3), guest, SPECTATORS) == Reason.NO_VOICE


def test_an_open_table_is_talked_at_too() -> None:
    plan = lobby.Plan(size=3, pace=running_game(2).pace)  # type: ignore[arg-type]
    game = lobby.open_table(host=person("Ana"), plan=plan, seed=bytes(32), now=NOON)
    tell(game, person("Ana"), "Shall we wait?")
    assert words(game, person("Zoe")) == ["Shall we wait?"]
    assert rooms(game, person("Zoe")) == ["table"]
    assert refusal(game, person("Zoe"), SPECTATORS) == Reason.NO_VOICE


def test_a_private_table_has_no_talk_for_strangers() -> None:
    game = running_game(3)
    Game.objects.filter(pk=game.pk).update(visibility=Visibility.PRIVATE, watch=Watch.PLAYERS)
    game.refresh_from_db()
    with pytest.raises(selectors.Hidden) as hidden:
        hearing.listener(game, person("Zoe"))
    assert not hidden.value.exists
    assert refusal(game, person("Zoe"), SPECTATORS) == Reason.NO_GAME


def test_a_week_after_the_end_nobody_talks_any_more() -> None:
    game = running_game(3)
    over(game)
    week = timedelta(days=7)
    assert refusal(game, person("Ana"), now=NOON + week) is None
    assert refusal(game, person("Ana"), now=NOON + week + timedelta(seconds=1)) == Reason.NO_VOICE


def test_who_is_silenced_or_suspended_reads_and_does_not_speak() -> None:
    game, stale = running_game(3), person("Ana")
    ana, mod = person("Ana"), person("Mod")
    for kind in (SanctionKind.MUTE, SanctionKind.SUSPENSION):
        sanction = sanctions.impose(
            user=ana, kind=kind, reason="", until=NOON + timedelta(days=1), by=mod, now=NOON
        )
        assert refusal(game, stale) == Reason.NO_VOICE
        ear = hearing.listener(game, person("Ana"))
        assert hearing.silence(ear, TABLE, NOON) == hearing.Silence.SANCTIONED
        assert refusal(game, stale, now=NOON + timedelta(days=2)) is None
        sanctions.lift(sanction=sanction, by=mod, now=NOON)
    sanctions.impose(user=ana, kind=SanctionKind.WARNING, reason="", until=None, by=mod, now=NOON)
    assert refusal(game, stale) is None


def test_a_frozen_game_is_talked_at() -> None:
    game = running_game(3)
    halts.freeze(public_id=game.public_id, now=NOON, source=Halt.MODERATOR)
    assert refusal(game, person("Ana")) is None


# What is said


def test_the_same_form_says_it_once() -> None:
    game = running_game(3)
    for _ in range(2):
        tell(game, person("Ana"), "Once.", form_token="same")
    tell(game, person("Ben"), "Once.", form_token="same")
    assert words(game, None) == ["Once.", "Once."]


def test_who_talks_too_fast_waits_here_and_speaks_elsewhere() -> None:
    game, other, ana = running_game(3), running_game(2), person("Ana")
    for _ in range(talk.MOST_AT_A_TABLE):
        tell(game, ana)
    assert refusal(game, ana) == Reason.TOO_FAST
    assert refusal(game, person("Ben")) is None
    assert refusal(other, ana) is None
    assert refusal(game, ana, now=NOON + talk.A_MINUTE) is None


def test_all_tables_together_have_a_limit_too() -> None:
    ana, said = person("Ana"), 0
    while said < talk.MOST_ANYWHERE:
        game = running_game(2)
        for _ in range(min(talk.MOST_AT_A_TABLE, talk.MOST_ANYWHERE - said)):
            tell(game, ana)
            said += 1
    assert refusal(running_game(2), ana) == Reason.TOO_FAST


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("  two\n words\t\x00here ", "two words here"),
        ("a\u202eb\u2066c\u200bd\U000e0041", "abcd"),
        ("می\u200cخواهم \U0001f469\u200d\U0001f373", "می\u200cخواهم \U0001f469\u200d\U0001f373"),
        ("a" + "\u0301" * 40, "a" + "\u0301" * talk.STACK),
        ("<b>x</b> https://example.org", "<b>x</b> https://example.org"),
        ("\u2800\u3164 \u200d\u0301", ""),
        ("...", "..."),
    ],
)
def test_text_is_one_line_of_what_is_seen(typed: str, kept: str) -> None:
    assert talk.plain(typed) == kept
    assert talk.plain(kept) == kept


def test_nothing_to_read_is_refused() -> None:
    assert refusal(running_game(3), person("Ana"), text="\u2800\n") == Reason.NOTHING_SAID
    assert refusal(running_game(3), person("Ana"), text="", phrase="no") == Reason.NOTHING_SAID


# What is heard


def test_a_muted_person_is_folded_away_for_one_and_learns_nothing() -> None:
    game, ana, ben = running_game(3), person("Ana"), person("Ben")
    message = tell(game, ben, "You fool.")
    before = {name: hearing.talk(hearing.listener(game, person(name)), NOON) for name in NAMES}
    talk.mute(user=ana, whom_id=message.user_id)
    talk.mute(user=ana, whom_id=message.user_id)
    assert [said.is_muted for said in heard(game, ana)] == [True]
    assert hearing.talk(hearing.listener(game, ana), NOON).new == 0
    for name in ("Ben", "Cyd"):
        assert hearing.talk(hearing.listener(game, person(name)), NOON) == before[name]
    talk.unmute(user=ana, whom_id=ben.pk)
    assert hearing.talk(hearing.listener(game, ana), NOON) == before["Ana"]
    talk.mute(user=ben, whom_id=message.user_id)
    assert not Mute.objects.exists()


NAMES = ("Ana", "Ben", "Cyd")


def test_what_a_moderator_hides_says_so_and_keeps_its_place() -> None:
    game = running_game(3)
    message = tell(game, person("Ben"), "Vile.")
    tag = hearing.talk(hearing.listener(game, person("Ben")), NOON).tag
    for _ in range(2):
        talk.hide(message_id=message.pk, by=person("Mod"), now=NOON)
    for user in (person("Ana"), person("Ben"), None):
        (said,) = heard(game, user)
        assert said.is_hidden
        assert "Vile" not in repr(said)
    ear = hearing.listener(game, person("Ben"))
    assert hearing.talk(ear, NOON).tag != tag
    assert hearing.message(ear, "table", message.number) is None


def test_what_is_new_is_what_others_said_since() -> None:
    game, ana, ben = running_game(3), person("Ana"), person("Ben")
    tell(game, ben, "One.")
    tell(game, ana, "Two.")

    def new(user: User) -> int:
        return hearing.talk(hearing.listener(game, user), NOON).new

    assert (new(ana), new(ben)) == (1, 1)
    talk.read(public_id=game.public_id, user=ana, table=2, spectators=0)
    talk.read(public_id=game.public_id, user=ana, table=1, spectators=0)
    assert (new(ana), new(ben)) == (0, 1)
    tell(game, ben, "Three.")
    assert new(ana) == 1
    talk.read(public_id="nowhere", user=ana, table=2, spectators=0)
    assert TalkRead.objects.count() == 1


def test_long_talk_comes_in_parts() -> None:
    game, ana = running_game(3), person("Ana")
    total = hearing.SHOWN + 5
    for number in range(total):
        tell(game, ana, f"Line {number + 1}", now=NOON + number * timedelta(minutes=1))
    ear = hearing.listener(game, ana)
    (latest,) = hearing.talk(ear, NOON).rooms
    assert (latest.said[0].number, latest.last, latest.earlier) == (6, total, 6)
    (first,) = hearing.talk(ear, NOON, room="table", before=latest.earlier).rooms
    assert [said.number for said in first.said] == [1, 2, 3, 4, 5]
    assert first.earlier == 0


# People


def test_what_a_guest_said_and_muted_goes_to_the_account() -> None:
    guest, ana = guests.create("Quiet Heron"), person("Ana")
    game = running_game(3)
    Tenure.objects.filter(game=game, user=person("Cyd")).update(user=guest)
    message = tell(game, person("Ben"))
    talk.mute(user=guest, whom_id=message.user_id)
    talk.mute(user=ana, whom_id=message.user_id)
    mine = tell(game, guest, "From a guest.")
    talk.mute(user=person("Ben"), whom_id=guest.pk)
    user = person("Zoe")
    talk.mute(user=user, whom_id=guest.pk)
    guests.merge(guest, user, now=NOON)
    assert TableMessage.objects.get(pk=mine.pk).user == user
    pairs = set(_names(Mute.objects.all()))
    assert pairs == {("Zoe", "Ben"), ("Ana", "Ben"), ("Ben", "Zoe")}


def _names(mutes: QuerySet[Mute]) -> list[tuple[str, str]]:
    return list(mutes.values_list("by__name", "whom__name"))


def test_words_outlive_the_account_of_their_author() -> None:
    game, zoe = running_game(3), person("Zoe")
    tell(game, zoe, "Beside.", SPECTATORS)
    guests.discard(zoe)
    (said,) = heard(game, None, SPECTATORS)
    assert (said.name.startswith("A former player"), said.words) == (True, "Beside.")


def test_whom_one_blocks_one_reads_no_more() -> None:
    game, ana, ben = running_game(3), person("Ana"), person("Ben")
    tell(game, ben, "Hello, Ana.")
    blocks.block(by=ana, blocked=ben, now=NOON)
    assert [said.is_muted for said in heard(game, ana)] == [True]
    assert [said.is_muted for said in heard(game, person("Cyd"))] == [False]


def test_a_closed_account_keeps_no_list_of_people() -> None:
    game, zoe = running_game(3), person("Zoe")
    talk.mute(user=zoe, whom_id=person("Ben").pk)
    talk.read(public_id=game.public_id, user=zoe, table=1, spectators=0)
    signals.account_closes.send(User, user=zoe, now=NOON)
    assert not Mute.objects.exists()
    assert not TalkRead.objects.exists()
