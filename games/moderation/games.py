"""What moderators do to games: each act once, with a reason, told to the table, in the audit log.

Nothing here shows a hidden card, or what was answered under seal; see `looking`.
"""

from collections.abc import Callable
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Q, QuerySet

from accounts.models import User
from games import consequences, halts, handover, lobby, play, seating, talk
from games.engine.commands import TIMEOUT
from games.models import (
    Act,
    BotKind,
    Game,
    Halt,
    Kind,
    Prompt,
    PromptState,
    Source,
    Status,
    TableMessage,
    Tenure,
)
from games.moderation import desk
from games.moderation.audit import Details
from games.moderation.desk import Decision
from games.notify import outbox
from games.refusal import Reason, Refused
from games.seats import seated

HIDE = "games.hide_message"
NOTICES_KEPT = 5

# What the table is told of at once. Who was answered for, or taken out, it learns from the log,
# when the question is closed or the turn ends, as it does of everybody else (rules.md §7).
TOLD = frozenset(
    {
        Act.FREEZE,
        Act.THAW,
        Act.EXTEND,
        Act.HAND_OVER,
        Act.CANCEL,
        Act.TAKE_BACK,
        Act.RETITLE,
        Act.ANNOUNCE,
    }
)

STUCK = timedelta(minutes=5)
"""A deadline that is over for so long was not applied: something is wrong."""

type Change = Callable[[Game], Details | None]
"""Does it to a locked game. None if nothing was to do: then nothing is logged or told."""


def freeze(decision: Decision, *, public_id: str) -> None:
    """Stop the game. One that the players stopped stays so until a moderator lets it go on."""

    def change(game: Game) -> Details | None:
        if game.frozen_at and game.frozen_for == Halt.MODERATOR:
            return None
        halts.freeze(public_id=public_id, now=decision.now, source=Halt.MODERATOR)
        return {"was": game.frozen_for}

    _do(decision, public_id, Act.FREEZE, change)


def thaw(decision: Decision, *, public_id: str) -> None:
    """Let the game go on, with fresh windows."""

    def change(game: Game) -> Details | None:
        if game.status == Status.RUNNING and not game.frozen_at:
            return None
        halts.thaw(public_id=public_id, now=decision.now, source=Halt.MODERATOR)
        return {"was": game.frozen_for}

    _do(decision, public_id, Act.THAW, change)


def extend(decision: Decision, *, public_id: str) -> None:
    """Grant the time for the open question once more."""

    def change(_game: Game) -> Details:
        halts.extend(public_id=public_id, now=decision.now)
        return {}

    _do(decision, public_id, Act.EXTEND, change)


def answer_by_default(decision: Decision, *, public_id: str, prompt_id: int) -> None:
    """Answer for somebody who is stuck as the clock would, whatever their cards: rules.md §7."""

    def change(game: Game) -> Details:
        if game.frozen_at:
            raise Refused(Reason.FROZEN)
        given = play.answer_for(
            public_id=public_id,
            prompt_id=prompt_id,
            command=TIMEOUT,
            source=Source.MODERATOR,
            now=decision.now,
        )
        if not given:
            raise Refused(Reason.MOVED_ON)
        return {"prompt": prompt_id}

    prompt = Prompt.objects.select_related("tenure__user").filter(pk=prompt_id).first()
    _do(decision, public_id, Act.ANSWER, change, person=prompt.tenure.user if prompt else None)


def remove(decision: Decision, *, public_id: str, tenure_id: int) -> None:
    """Take a player out of the game, as if they had resigned: rules.md §7."""
    tenure = Tenure.objects.select_related("user", "seat").filter(pk=tenure_id).first()

    def change(_game: Game) -> Details | None:
        assert tenure
        gone = play.remove(public_id=public_id, tenure_id=tenure_id, now=decision.now)
        return {"seat": tenure.seat.index} if gone else None

    if tenure is None:
        raise Refused(Reason.MOVED_ON)
    _do(decision, public_id, Act.REMOVE, change, person=tenure.user)


def hand_over(decision: Decision, *, public_id: str, tenure_id: int, to: User | BotKind) -> None:
    """Give a seat to a bot, or to somebody who has agreed to take it and never sat there."""
    tenure = Tenure.objects.select_related("user", "seat").filter(pk=tenure_id).first()

    def change(game: Game) -> Details:
        assert tenure
        if not any(now.pk == tenure_id and not now.ended for now in seated(game)):
            raise Refused(Reason.MOVED_ON)
        if isinstance(to, User):
            seating.check(to, decision.now, game)
        seat = tenure.seat.index
        handover.hand_over(public_id=public_id, seat=seat, to=to, now=decision.now)
        return {"seat": seat, "to": to.pk if isinstance(to, User) else "bot"}

    if tenure is None:
        raise Refused(Reason.MOVED_ON)
    _do(decision, public_id, Act.HAND_OVER, change, person=tenure.user)


def cancel(decision: Decision, *, public_id: str) -> None:
    """End the game without a result, or give an open table up."""

    def change(game: Game) -> Details | None:
        if game.status == Status.CANCELLED:
            return None
        if game.status == Status.OPEN:
            lobby.cancel(public_id=public_id, host=game.host, now=decision.now)
        else:
            halts.cancel(public_id=public_id, now=decision.now, source=Halt.MODERATOR)
        return {"was": game.status}

    _do(decision, public_id, Act.CANCEL, change)


def take_back(decision: Decision, *, public_id: str, version: int) -> None:
    """Undo all that happened after the table had this version."""

    def change(_game: Game) -> Details:
        undone = halts.take_back(public_id=public_id, version=version, now=decision.now)
        return {"to_version": version, "moves_undone": undone}

    _do(decision, public_id, Act.TAKE_BACK, change)


def announce(decision: Decision, *, public_id: str, words: str) -> None:
    """Say something to all at the table, on it and by mail."""
    said = talk.plain(words)

    def change(_game: Game) -> Details:
        if not said:
            raise Refused(Reason.NOTHING_SAID)
        return {"words": said}

    _do(decision, public_id, Act.ANNOUNCE, change, words=said)


def take_title_away(decision: Decision, *, public_id: str) -> None:
    """Leave the table with the name of a room."""

    def change(game: Game) -> Details | None:
        if not game.title:
            return None
        was, game.title = game.title, ""
        game.save(update_fields=["title"])
        return {"was": was}

    _do(decision, public_id, Act.RETITLE, change)


def hide(decision: Decision, *, message_id: int) -> None:
    """Remove a message from the talk of a table; that there was one stays to be seen."""
    _of_message(decision, message_id, Act.HIDE)


def unhide(decision: Decision, *, message_id: int) -> None:
    """Show a message again that was removed."""
    _of_message(decision, message_id, Act.UNHIDE)


@transaction.atomic
def _of_message(decision: Decision, message_id: int, act: Act) -> None:
    message = TableMessage.objects.select_related("game", "user").get(pk=message_id)
    game = desk.at_table(decision.actor, message.game.public_id, HIDE)
    message.refresh_from_db(fields=["hidden_at"])
    if decision.is_done or (message.hidden_at is not None) == (act == Act.HIDE):
        return
    if act == Act.HIDE:
        talk.hide(message_id=message.pk, by=decision.actor, now=decision.now)
    else:
        talk.unhide(message_id=message.pk)
    key = decision.log(act, game=game, person=message.user, message_number=message.pk)
    _tell([message.user], key, decision.now, game, act)


def stuck(now: datetime) -> QuerySet[Game]:
    """Games that do not go on by themselves: a deadline was not applied, or a bot has failed."""
    asked = Prompt.objects.filter(
        Q(due__lt=now - STUCK) | Q(jobs__dead=True, jobs__done_at=None), state=PromptState.OPEN
    )
    running = Game.objects.filter(status=Status.RUNNING, frozen_at=None)
    return running.filter(pk__in=asked.values("game_id"))


@transaction.atomic
def _do(
    decision: Decision,
    public_id: str,
    act: Act,
    change: Change,
    *,
    person: User | None = None,
    words: str = "",
) -> None:
    game = desk.at_table(decision.actor, public_id)
    if decision.is_done:
        return
    details = change(game)
    if details is None:
        return
    if act in TOLD:
        _put_up(game, act, words, decision.now)
    key = decision.log(act, game=game, person=person, details=details)
    if act in TOLD:
        sitting = [tenure for tenure in seated(game) if not tenure.ended]
        people = [tenure.user for tenure in sitting if tenure.user]
        _tell(people, key, decision.now, game, act, words)
    elif act == Act.REMOVE and person:
        _tell([person], key, decision.now, game, act)


def _put_up(game: Game, act: Act, words: str, now: datetime) -> None:
    """Let the table read it."""
    game.refresh_from_db()
    notice = {"act": str(act), "at": now.isoformat()} | ({"words": words} if words else {})
    game.notices = [*game.notices, notice][-NOTICES_KEPT:]
    consequences.show(game, now)


def _tell(
    people: list[User], key: str, now: datetime, game: Game, act: Act, words: str = ""
) -> None:
    outbox.tell(users=people, kind=Kind.NOTICE, key=key, now=now, game=game, act=act, words=words)
