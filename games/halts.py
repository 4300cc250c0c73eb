"""What may be done to a running game other than a move: stop it, let it go on, give more time, end
it. Who may do so is for the caller to know: players by consent, moderators, the worker."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from django.db import transaction

from games import autopilot, clocks, consequences, play, store, timing
from games.models import (
    Game,
    Halt,
    Job,
    JobKind,
    Kind,
    Prompt,
    PromptState,
    Status,
    Tenure,
)
from games.notify import in_page, outbox
from games.refusal import Reason, Refused
from games.seats import seated


@transaction.atomic
def freeze(*, public_id: str, now: datetime, source: Halt) -> None:
    """Stop a game: nobody may answer, and nobody runs out of time. A moderator's word is above
    that of the players; the same again changes nothing."""
    game = _running(public_id)
    if game.frozen_at and (source != Halt.MODERATOR or game.frozen_for == source):
        return
    game.frozen_at, game.frozen_for = game.frozen_at or now, source
    asked = Prompt.objects.filter(game=game, state=PromptState.OPEN)
    _save(game, seated(game), frozenset(asked.values_list("tenure_id", flat=True)), now)


@transaction.atomic
def thaw(*, public_id: str, now: datetime, source: Halt) -> None:
    """Let a game go on, with the full time for the open question. Doing so twice is once.

    What a moderator stopped, nobody else lets go on.
    """
    game = _running(public_id)
    if game.frozen_for == Halt.MODERATOR != source:
        raise Refused(Reason.FROZEN)
    if game.frozen_at:
        _go_on(game, seated(game), now)


@transaction.atomic
def extend(*, public_id: str, now: datetime) -> None:
    """Grant the time for an answer once more, to all to whom the open question was put."""
    game = _running(public_id)
    if game.frozen_at:
        raise Refused(Reason.FROZEN)
    _save(game, seated(game), clocks.extend(game, now), now)


@transaction.atomic
def cancel(*, public_id: str, now: datetime, source: Halt) -> None:
    """End a running game without a result. Doing so twice is once."""
    game = play.lock(public_id)
    if game.status == Status.CANCELLED:
        return
    if game.status != Status.RUNNING:
        raise Refused(Reason.NOT_RUNNING)
    _cancel(game, now, source)


@transaction.atomic
def take_back(*, public_id: str, version: int, now: datetime) -> int:
    """Undo all that happened after the table had this `version`, one of `store.moments`; how many
    moves that were. Only while the game runs: after its end all have seen all cards."""
    game = _running(public_id)
    tenures = seated(game)
    record = store.load(game)
    last = next((step for step in store.moments(record) if step.version == version), None)
    if last is None:
        raise Refused(Reason.NO_MOMENT)
    undone = game.last_move - last.number
    luck = store.draws(game, game.last_move + 1)
    change = store.take_back(game=game, tenures=tenures, last=last, luck=luck, now=now)
    for tenure in tenures:
        # Whoever had left, and closed the account, holds the seat again and cannot answer.
        gone = tenure.ended or tenure.seat.index in change.state.exiled
        if tenure.user and not tenure.user.is_active and not gone:
            autopilot.begin(tenure, now)
    consequences.follow(game, tenures, change, luck, now)
    return undone


@transaction.atomic
def come_back(*, public_id: str, user_id: int, now: datetime) -> None:
    """A person takes over from autopilot, and a game that waited for somebody to do so goes on."""
    game = _running(public_id)
    tenures = seated(game)
    tenure = play.of_user(tenures, user_id)
    if tenure.ended:
        raise Refused(Reason.NOT_RUNNING)
    if tenure.autopilot_since is None:
        return
    autopilot.end(tenure)
    play.hold_seat(game, tenure, now)
    # What autopilot has not answered yet is theirs again, and told like any question.
    asked = Prompt.objects.filter(tenure=tenure, state=PromptState.OPEN, game__frozen_at=None)
    outbox.asked(asked.select_related("tenure__user", "game"), now)
    in_page.poke(people=[user_id])
    state = store.load(game).state
    still = autopilot.persons(tenures, state.exiled + state.leaving)
    if game.frozen_for == Halt.AUTOPILOT and tenure in still:
        _go_on(game, tenures, now)


@transaction.atomic
def be_absent(*, public_id: str, user_id: int, now: datetime) -> None:
    """Let autopilot answer for a person from now on, the open question too, until they come back.
    Nothing where they do not sit, or the game does not run."""
    game = play.lock(public_id)
    tenures = [tenure for tenure in seated(game) if tenure.user_id == user_id]
    if game.status != Status.RUNNING or not tenures or tenures[0].ended:
        return
    if autopilot.begin(tenures[0], now):
        asked = Prompt.objects.filter(tenure=tenures[0], state=PromptState.OPEN).first()
        if asked:
            Job.objects.get_or_create(kind=JobKind.AUTOPILOT, prompt=asked, defaults={"due": now})


def end_abandoned(now: datetime) -> int:
    """End the games that nobody has come back to for long; how many there were."""
    games = Game.objects.filter(
        frozen_for=Halt.AUTOPILOT, frozen_at__lte=now - timing.ABANDONED, status=Status.RUNNING
    )
    return sum(_abandon(public_id, now) for public_id in games.values_list("public_id", flat=True))


@transaction.atomic
def _abandon(public_id: str, now: datetime) -> bool:
    game = play.lock(public_id)  # whoever comes back at the same time is before it, or after it
    if game.frozen_for != Halt.AUTOPILOT or game.status != Status.RUNNING:
        return False
    _cancel(game, now, Halt.AUTOPILOT)
    return True


def _running(public_id: str) -> Game:
    game = play.lock(public_id)
    if game.status != Status.RUNNING:
        raise Refused(Reason.NOT_RUNNING)
    return game


def _go_on(game: Game, tenures: Sequence[Tenure], now: datetime) -> None:
    untouched = game.frozen_for == Halt.AUTOPILOT  # from the moment at which it was asked
    game.frozen_at, game.frozen_for = None, ""
    change = store.reopen(game=game, tenures=tenures, now=now)
    game.save()
    luck = store.pause_draws(game)
    consequences.follow(game, tenures, replace(change, settled=untouched), luck, now)


def _cancel(game: Game, now: datetime, source: Halt) -> None:
    touched = store.void(game, now)
    game.status, game.ended_at = Status.CANCELLED, now
    game.frozen_at, game.frozen_for = None, source
    tenures = seated(game)
    if source != Halt.MODERATOR:  # who says so to each of them, and that once is enough
        consequences.tell(game, [tenure for tenure in tenures if not tenure.ended], Kind.OVER, now)
    _save(game, tenures, touched, now)


def _save(game: Game, tenures: Sequence[Tenure], touched: frozenset[int], now: datetime) -> None:
    """Save what everybody at the table sees, and poke their pages; `touched` had their own."""
    store.show(game, now)
    game.save()
    table = (game.public_id, game.version)
    people = [tenure.user_id for tenure in tenures if tenure.pk in touched and tenure.user_id]
    in_page.poke(tables=[table], people=people)
