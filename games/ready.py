"""Whether everybody is there: asked before the first card where the clock runs in minutes.

An open table whose time has come is asked by a window like any other, with one prompt for each
person but the one who has just sat down, or said that it may start: that says enough. Who is asked
and has not said so has an open prompt, and everybody else is ready; all may see that. Callers hold
the lock on the game's row.
"""

from collections.abc import Sequence
from datetime import datetime

from django.db import transaction
from django.db.models import QuerySet

from accounts.models import User
from games import clocks, play
from games.consequences import show
from games.models import (
    READY,
    Game,
    Invitation,
    InvitationState,
    Kind,
    Prompt,
    PromptState,
    Seat,
    Source,
    Status,
    Tenure,
    Window,
)
from games.notify import in_page, outbox
from games.open_tables import without_host
from games.refusal import Reason, Refused
from games.seats import seated
from games.timing import ALLOWANCES, Pace


def start(game: Game, by: User, now: datetime) -> None:
    """The time of this table has come, by what this person has done: ask everybody else whether
    they are ready, where that is asked, or deal. Free seats go when the cards are dealt."""
    tenures = seated(game)
    absent = [tenure for tenure in tenures if tenure.user_id not in (None, by.pk)]
    if absent and ALLOWANCES[Pace(game.pace)].ready:
        _ask(game, absent, now)
    else:
        _begin(game, tenures, now)


def say(*, public_id: str, user_id: int, prompt_id: int, now: datetime) -> Game:
    """A person is ready. Saying so twice is once; whoever is the last to do so has the cards dealt.

    If the time is over, the clock was before them, whoever finds out.
    """
    game = _say(public_id, user_id, prompt_id, now)
    if game is None:
        raise Refused(Reason.TOO_LATE)
    return game


@transaction.atomic
def _say(public_id: str, user_id: int, prompt_id: int, now: datetime) -> Game | None:
    """The same; None if it was too late, and the seat is free."""
    game = play.lock(public_id)
    missed = Invitation.objects.filter(game=game, user=user_id, state=InvitationState.MISSED)
    prompt = Prompt.objects.filter(pk=prompt_id, game=game, window__kind=READY).first()
    if prompt is None and missed.exists():
        return None
    if prompt is None or prompt.tenure.user_id != user_id:
        raise Refused(Reason.NOT_YOURS)
    if prompt.state == PromptState.ANSWERED:
        return game
    if prompt.state != PromptState.OPEN:
        raise Refused(Reason.CALLED_OFF)
    if prompt.due <= now and clocks.run(now):
        _time_out(game, now)
        return None
    _answer(game, prompt, now)
    return game


def _answer(game: Game, prompt: Prompt, now: datetime) -> None:
    prompt.state, prompt.closed_at, prompt.answered_by = PromptState.ANSWERED, now, Source.PERSON
    prompt.save()
    _poke([prompt])
    if _open(game).exists():
        show(game, now)
    else:
        Window.objects.filter(game=game, closed_at=None).update(closed_at=now)
        _begin(game, seated(game), now)


def is_asking(game: Game) -> bool:
    """Whether everybody is asked just now."""
    return Window.objects.filter(game=game, closed_at=None).exists()


def call_off(game: Game, now: datetime) -> None:
    """Somebody has come or gone: nobody is asked any more."""
    waiting = list(_open(game))
    _open(game).update(state=PromptState.VOID, closed_at=now)
    Window.objects.filter(game=game, closed_at=None).update(closed_at=now)
    _poke(waiting)


@transaction.atomic
def time_out(*, public_id: str, now: datetime) -> int:
    """Take the seats of those who did not say in time that they are ready; how many they were.

    Anybody who finds the deadline over may call it: it is applied once.
    """
    return _time_out(play.lock(public_id), now)


def _time_out(game: Game, now: datetime) -> int:
    window = Window.objects.filter(game=game, kind=READY, closed_at=None).first()
    late = clocks.late(window, now) if window and game.status == Status.OPEN else []
    if window is None or not late:
        return 0
    users = [prompt.tenure.user for prompt in late if prompt.tenure.user]
    call_off(game, now)
    Tenure.objects.filter(pk__in=[prompt.tenure_id for prompt in late]).delete()
    for user in users:
        # Also where only a link leads, or an invitation that somebody else has: they come back.
        Invitation.objects.update_or_create(
            game=game,
            user=user,
            defaults={"state": InvitationState.MISSED},
            create_defaults={"state": InvitationState.MISSED, "by": user, "created_at": now},
        )
    outbox.tell(users=users, kind=Kind.MISSED, key=f"window.{window.pk}", now=now, game=game)
    if game.host_id in [user.pk for user in users]:
        without_host(game, now)
    show(game, now)
    return len(late)


def _ask(game: Game, tenures: Sequence[Tenure], now: datetime) -> None:
    prompts = [Prompt(game=game, seat=tenure.seat, tenure=tenure) for tenure in tenures]
    deadline = clocks.call(game, prompts, now)
    window = Window.objects.create(game=game, kind=READY, opened_at=now, deadline=deadline)
    for prompt in prompts:
        prompt.window = window
    outbox.asked(Prompt.objects.bulk_create(prompts), now)
    _poke(prompts)
    show(game, now)


def _begin(game: Game, tenures: Sequence[Tenure], now: datetime) -> None:
    Seat.objects.filter(game=game).exclude(pk__in=[t.seat_id for t in tenures]).delete()
    # Upwards, so that no two seats ever have one number.
    for index, tenure in enumerate(tenures):
        if tenure.seat.index != index:
            tenure.seat.index = index
            tenure.seat.save()
    game.size = len(tenures)
    play.start(game=game, tenures=tenures, now=now)


def _open(game: Game) -> QuerySet[Prompt]:
    prompts = Prompt.objects.filter(game=game, state=PromptState.OPEN)
    return prompts.select_related("tenure")


def _poke(prompts: Sequence[Prompt]) -> None:
    people = {prompt.tenure.user_id for prompt in prompts} - {None}
    if people:
        in_page.poke(people=[user for user in people if user])
