"""What moderators do to games: who may, that each act is one, is told, is logged, and does what it
says; and that whoever plays there does none of it."""

import re
from collections.abc import Callable
from datetime import timedelta
from functools import partial

import pytest
from django.utils import timezone

from accounts.models import User
from games import halts, hearing, lobby, play, selectors, store, talk, verify
from games.engine.commands import INCOME
from games.engine.events import Resigned
from games.models import (
    Act,
    AuditEntry,
    BotKind,
    Game,
    Halt,
    Job,
    Kind,
    Outbox,
    Prompt,
    PromptState,
    Recusal,
    Status,
    TableMessage,
    TalkRoom,
    TenureEnd,
)
from games.moderation import audit, looking
from games.moderation import games as moderating
from games.moderation.desk import Decision
from games.refusal import Reason, Refused
from games.timing import Pace
from tests.games.cast import NAMES, NOON, person, prompt_of, running_game, say, state_of, tenure_of

from ..at_once import at_once, refusal
from ..views.web import client_of
from .staff import adm, decide, mod, worker

pytestmark = [pytest.mark.django_db, pytest.mark.services]

type Aimed = Callable[[Decision], object]


def not_in_turn(game: Game) -> int:
    return next(seat for seat in range(3) if seat != state_of(game).turn)


def version_of_the_deal(game: Game) -> int:
    return store.moments(store.load(game))[0].version


def answer_for(game: Game, prompt_id: int | None = None) -> Aimed:
    asked = prompt_id or prompt_of(game, state_of(game).turn).pk
    return lambda decision: moderating.answer_by_default(
        decision, public_id=game.public_id, prompt_id=asked
    )


def remove(game: Game, seat: int | None = None) -> Aimed:
    tenure = tenure_of(game, not_in_turn(game) if seat is None else seat).pk
    return lambda decision: moderating.remove(decision, public_id=game.public_id, tenure_id=tenure)


def take_back(game: Game) -> Aimed:
    version = version_of_the_deal(game)
    return lambda decision: moderating.take_back(
        decision, public_id=game.public_id, version=version
    )


def announce(game: Game) -> Aimed:
    return lambda decision: moderating.announce(
        decision, public_id=game.public_id, words="Be kind to each other."
    )


def at(do: Callable[..., object]) -> Callable[[Game], Aimed]:
    return lambda game: lambda decision: do(decision, public_id=game.public_id)


# Each act, aimed at a running game in which the first turn is over.
ACTS: dict[Act, Callable[[Game], Aimed]] = {
    Act.FREEZE: at(moderating.freeze),
    Act.EXTEND: at(moderating.extend),
    Act.ANSWER: answer_for,
    Act.REMOVE: remove,
    Act.CANCEL: at(moderating.cancel),
    Act.TAKE_BACK: take_back,
    Act.ANNOUNCE: announce,
    Act.RETITLE: at(moderating.take_title_away),
}
TOLD = moderating.TOLD


@pytest.fixture
def game() -> Game:
    game = running_game(3)
    game.title = "A bad word"
    game.save()
    say(game, state_of(game).turn, "income")
    game.refresh_from_db()
    return game


def page_of(game: Game, name: str = "Ana") -> str:
    client = client_of(name)
    page = client.get(f"/g/{game.public_id}/").content.decode()
    return re.sub(r'name="(csrfmiddlewaretoken|form_token)" value="[^"]*"', "", page)


@pytest.mark.parametrize("act", ACTS)
def test_each_act_is_one_however_often_its_form_is_sent(game: Game, act: Act) -> None:
    decision, do = decide(mod(), "Because."), ACTS[act](game)
    do(decision)
    game.refresh_from_db()
    version, last = game.version, game.last_move
    do(decision)
    game.refresh_from_db()
    assert (game.version, game.last_move) == (version, last)
    entry = AuditEntry.objects.get()
    assert (entry.act, entry.game, entry.actor, entry.reason) == (
        act,
        game,
        person("Mod"),
        "Because.",
    )
    store.forget()
    assert list(verify.differences(game)) == []


@pytest.mark.parametrize("act", ACTS)
def test_nobody_without_the_permission_does_any(game: Game, act: Act) -> None:
    do, retired = ACTS[act](game), mod()
    User.objects.filter(pk=retired.pk).update(is_staff=False)
    for actor in (person("Zoe"), person("Ana"), retired):
        assert refusal(partial(do, decide(actor))) is Reason.NOT_MODERATOR
    assert not AuditEntry.objects.exists()


@pytest.mark.parametrize("act", ACTS)
def test_nobody_who_plays_or_has_played_there_does_any(game: Game, act: Act) -> None:
    do, left = ACTS[act](game), worker(NAMES[not_in_turn(game)], "administrator")
    assert refusal(partial(do, decide(left))) is Reason.PLAYED_HERE
    play.leave(public_id=game.public_id, user_id=left.pk, now=NOON)
    assert refusal(partial(do, decide(left))) is Reason.PLAYED_HERE
    assert not AuditEntry.objects.exists()


@pytest.mark.parametrize("act", ACTS)
def test_what_all_are_told_stands_on_the_table_and_in_the_outbox(game: Game, act: Act) -> None:
    before = game.version
    ACTS[act](game)(decide(mod(), "A secret reason."))
    game.refresh_from_db()
    told = Outbox.objects.filter(kind=Kind.NOTICE).values_list("user__name", flat=True)
    if act in TOLD:
        assert game.version > before
        assert "From the moderators" in page_of(game)
        assert set(told) == {"Ana", "Ben", "Cyd"}
    else:
        assert game.notices == []
    assert "A secret reason." not in page_of(game)


def test_freezing_stops_and_unfreezing_gives_a_fresh_window(game: Game) -> None:
    turn = state_of(game).turn
    moderating.freeze(decide(mod()), public_id=game.public_id)
    with pytest.raises(Refused):
        say(game, turn, "income")
    again = decide(mod())
    moderating.freeze(again, public_id=game.public_id)
    assert AuditEntry.objects.count() == 1
    later = Decision(mod(), "Go on.", "t", NOON + timedelta(days=5))
    moderating.thaw(later, public_id=game.public_id)
    assert prompt_of(game, turn).due > later.now
    moderating.thaw(decide(mod()), public_id=game.public_id)
    assert list(AuditEntry.objects.values_list("act", flat=True)) == [Act.FREEZE, Act.THAW]
    say(game, turn, "income", later.now)


def test_what_is_answered_for_somebody_is_told_when_the_question_is_closed(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    turn = state_of(game).turn
    say(game, turn, "tax")
    one, other = (seat for seat in range(3) if seat != turn)
    version = Game.objects.get(pk=game.pk).version
    monkeypatch.setattr(timezone, "now", lambda: NOON)
    before = page_of(game, NAMES[other])
    answer_for(game, prompt_of(game, one).pk)(decide(mod()))
    game.refresh_from_db()
    assert game.version == version
    assert page_of(game, NAMES[other]) == before
    say(game, other, "allow")
    assert tenure_of(game, one).timeouts == 0


def test_a_question_that_is_closed_already_is_not_answered(game: Game) -> None:
    turn = state_of(game).turn
    old = prompt_of(game, turn).pk
    say(game, turn, "income")
    assert refusal(partial(answer_for(game, old), decide(mod()))) is Reason.MOVED_ON
    assert not AuditEntry.objects.exists()


def test_whose_game_a_moderator_ends_are_told_so_once(game: Game) -> None:
    before = set(Outbox.objects.values_list("pk", flat=True))
    ACTS[Act.CANCEL](game)(decide(mod()))
    told = Outbox.objects.exclude(pk__in=before).filter(channel="email")
    kinds = sorted(told.values_list("user__name", "kind"))
    assert kinds == [(name, Kind.NOTICE) for name in ("Ana", "Ben", "Cyd")]


def test_whoever_is_removed_has_left_and_is_told_alone(game: Game) -> None:
    seat = not_in_turn(game)
    tenure = tenure_of(game, seat)
    do = remove(game, seat)
    for _twice in range(2):
        do(decide(mod()))
    tenure.refresh_from_db()
    assert tenure.ended == TenureEnd.REMOVED
    assert seat in state_of(game).exiled
    assert AuditEntry.objects.count() == 1
    assert [row.user_id for row in Outbox.objects.filter(kind=Kind.NOTICE)] == [tenure.user_id]
    assert list(verify.differences(game)) == []


def test_in_the_middle_of_a_turn_a_removal_is_sealed_until_it_ends(game: Game) -> None:
    turn = state_of(game).turn
    say(game, turn, "tax")
    one, other = (seat for seat in range(3) if seat != turn)
    version = Game.objects.get(pk=game.pk).version
    remove(game, one)(decide(mod()))
    game.refresh_from_db()
    assert game.version == version
    assert any(isinstance(e, Resigned) for e in store.load(game).steps[-1].events)
    say(game, other, "allow")
    assert game.tenures.get(seat__index=one).ended == TenureEnd.REMOVED
    game.refresh_from_db()
    assert list(verify.differences(game)) == []


def test_a_bot_that_has_failed_is_found_and_answered_for() -> None:
    plan = lobby.Plan(size=2, pace=Pace.DAILY, bots=[BotKind.HONEST])
    game = lobby.open_table(host=person("Ana"), plan=plan, seed=bytes(32), now=NOON)
    if state_of(game).turn == 0:
        say(game, 0, "income")
    assert list(moderating.stuck(NOON)) == []
    Job.objects.update(dead=True)
    assert list(moderating.stuck(NOON)) == [game]
    answer_for(game, prompt_of(game, 1).pk)(decide(mod()))
    assert list(moderating.stuck(NOON)) == []
    assert state_of(game).turn == 0
    assert AuditEntry.objects.get().person is None


def test_a_deadline_that_nobody_applies_is_found(game: Game) -> None:
    due = prompt_of(game, state_of(game).turn).due
    assert list(moderating.stuck(due + timedelta(minutes=4))) == []
    assert list(moderating.stuck(due + timedelta(minutes=6))) == [game]
    moderating.freeze(decide(mod()), public_id=game.public_id)
    assert list(moderating.stuck(due + timedelta(minutes=6))) == []


def test_a_game_that_the_players_paused_stays_with_the_moderator(game: Game) -> None:
    halts.freeze(public_id=game.public_id, now=NOON, source=Halt.CONSENT)
    moderating.freeze(decide(mod()), public_id=game.public_id)
    with pytest.raises(Refused):
        halts.thaw(public_id=game.public_id, now=NOON, source=Halt.CONSENT)
    assert AuditEntry.objects.get().details == {"was": "consent"}


def test_an_open_table_can_be_given_up_for_its_host() -> None:
    plan = lobby.Plan(size=3, pace=Pace.DAILY, title="A bad word")
    game = lobby.open_table(host=person("Ana"), plan=plan, seed=bytes(32), now=NOON)
    moderating.take_title_away(decide(mod()), public_id=game.public_id)
    moderating.announce(decide(mod()), public_id=game.public_id, words="No such titles.")
    assert "No such titles." in page_of(game)
    assert "A bad word" not in page_of(game)
    moderating.cancel(decide(mod()), public_id=game.public_id)
    game.refresh_from_db()
    assert game.status == Status.CANCELLED
    assert AuditEntry.objects.get(act=Act.RETITLE).details == {"was": "A bad word"}


def test_a_message_is_removed_once_and_its_author_told(game: Game) -> None:
    talk.say(
        public_id=game.public_id,
        user=person("Ana"),
        room=TalkRoom.TABLE,
        text="an insult",
        form_token="t",
        now=NOON,
    )
    message = TableMessage.objects.get()
    for _twice in range(2):
        moderating.hide(decide(mod()), message_id=message.pk)
    entry = AuditEntry.objects.get()
    assert (entry.act, entry.message_number) == (Act.HIDE, message.pk)
    assert "an insult" not in page_of(game)
    assert Outbox.objects.filter(kind=Kind.NOTICE).count() == 1
    for _twice in range(2):
        moderating.unhide(decide(mod()), message_id=message.pk)
    back = AuditEntry.objects.get(act=Act.UNHIDE)
    assert (back.message_number, back.person) == (message.pk, person("Ana"))
    (said,) = hearing.talk(hearing.listener(game, person("Ben")), NOON).rooms[0].said
    assert (said.words, said.is_hidden) == ("an insult", False)
    assert Outbox.objects.filter(kind=Kind.NOTICE).count() == 2
    player = worker("Cyd", "moderator")
    for do in (moderating.hide, moderating.unhide):
        assert refusal(lambda do=do: do(decide(player), message_id=message.pk)) is (
            Reason.PLAYED_HERE
        )


# --- looking at cards -----------------------------------------------------------------------------


def look(game: Game, actor: User) -> object:
    return looking.look(decide(actor, "A fault is reported."), public_id=game.public_id)


def test_a_look_takes_a_permission_and_a_part_in_nothing(game: Game) -> None:
    assert refusal(lambda: look(game, mod())) is Reason.NOT_MODERATOR
    player = worker("Ana", "administrator")
    assert refusal(lambda: look(game, player)) is Reason.PLAYED_HERE
    assert not AuditEntry.objects.exists()
    assert look(game, adm()) == state_of(game).hands
    entry = AuditEntry.objects.get()
    assert (entry.act, entry.reason, entry.details) == (
        Act.LOOK,
        "A fault is reported.",
        {"version": game.version},
    )


def test_one_look_is_at_one_moment(game: Game) -> None:
    """A page that is loaded again as the game goes on shows no cards that nobody asked for."""
    chief = adm()
    once = decide(chief, "A fault is reported.", "once")
    assert looking.look(once, public_id=game.public_id) == state_of(game).hands
    assert looking.look(once, public_id=game.public_id) == state_of(game).hands
    other = running_game(2, seed=b"x" * 32)
    assert refusal(lambda: looking.look(once, public_id=other.public_id)) is Reason.MOVED_ON
    say(game, state_of(game).turn, "income")
    assert refusal(lambda: looking.look(once, public_id=game.public_id)) is Reason.MOVED_ON
    assert AuditEntry.objects.filter(act=Act.LOOK).count() == 1
    assert not Recusal.objects.filter(game=other).exists()
    look(game, chief)
    assert AuditEntry.objects.filter(act=Act.LOOK).count() == 2


def test_whoever_has_looked_neither_sits_nor_talks_there(game: Game) -> None:
    chief = adm()
    look(game, chief)
    assert Recusal.objects.get().user == chief

    def speak() -> None:
        talk.say(
            public_id=game.public_id,
            user=chief,
            room=TalkRoom.SPECTATORS,
            text="I know what Ben holds.",
            form_token="t",
            now=NOON,
        )

    assert refusal(speak) is Reason.NO_VOICE
    ear = hearing.listener(game, chief)
    assert hearing.silence(ear, TalkRoom.SPECTATORS, NOON)
    chief.is_staff = False
    chief.save()
    assert refusal(speak) is Reason.NO_VOICE


def test_the_log_holds_no_card(game: Game) -> None:
    look(game, adm())
    for act in (Act.TAKE_BACK, Act.ANSWER, Act.REMOVE, Act.FREEZE):
        ACTS[act](game)(decide(adm()))
    told = "".join(str(entry.details) for entry in AuditEntry.objects.all())
    assert not [role for role in ("duke", "assassin", "captain", "contessa") if role in told]


# --- at the same time -----------------------------------------------------------------------------


@pytest.mark.django_db(transaction=True)
def test_moderators_and_players_at_once_leave_a_sound_game_and_one_chain() -> None:
    for round_ in range(3):
        game, actor = running_game(3, seed=bytes([round_]) * 32), mod()
        turn = state_of(game).turn
        answer = partial(
            play.answer,
            public_id=game.public_id,
            user_id=tenure_of(game, turn).user_id or 0,
            prompt_id=prompt_of(game, turn).pk,
            command=INCOME,
            now=NOON,
        )
        freeze = partial(at(moderating.freeze)(game), decide(actor))
        others = [remove, answer_for, announce, at(moderating.extend)]
        at_once(answer, freeze, freeze, *(partial(do(game), decide(actor)) for do in others))
        store.forget()
        game.refresh_from_db()
        assert list(verify.differences(game)) == []
        assert AuditEntry.objects.filter(act=Act.FREEZE, game=game).count() == 1
    assert [fault for fault in audit.faults() if "trigger" not in fault] == []


@pytest.mark.django_db(transaction=True)
def test_two_who_take_the_same_thing_back_undo_it_once() -> None:
    game = running_game(2)
    say(game, state_of(game).turn, "income")
    say(game, state_of(game).turn, "income")
    do, one, other = take_back(game), mod(), worker("Moe", "moderator")
    at_once(partial(do, decide(one)), partial(do, decide(other)))
    store.forget()
    game.refresh_from_db()
    assert list(verify.differences(game)) == []
    assert Prompt.objects.filter(game=game, state=PromptState.OPEN).count() == 1
    assert selectors.open_prompts(tenure_of(game, state_of(game).turn).user_id or 0) == 1
