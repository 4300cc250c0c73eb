"""What a change of a game brings: who is to answer, who is told, and whose pages fetch again.

Called by whatever changes a running game, under the lock on its row, in the same transaction.
Nothing here answers for anybody: that is left to jobs, which the worker does later.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

from games import autopilot, proposals, reliability, standing, store
from games.bots.answer import pause
from games.chance import Draws
from games.engine.view import TableView
from games.models import Game, Halt, Job, JobKind, Kind, Prompt, Status, Tenure, Visibility
from games.notify import in_page, outbox


def show(game: Game, now: datetime) -> None:
    """Save what everybody at the table sees, spectators too, and poke their pages; the lobby's too
    if everybody may know of the table."""
    store.show(game, now)
    game.save()
    table = (game.public_id, game.version)
    in_page.poke(tables=[table], lobby=game.visibility == Visibility.PUBLIC)


def follow(
    game: Game, tenures: Sequence[Tenure], change: store.Change, luck: Draws, now: datetime
) -> None:
    """What a change brings: jobs for whoever it asks that does not answer by hand, messages, pokes
    for the pages; a standstill, if all persons it could wait for are on autopilot."""
    by_pk = {tenure.pk: tenure for tenure in tenures}
    if change.settled:
        autopilot.show(tenures, now)
        proposals.look_again(game, now)
        gone = change.state.exiled + change.state.leaving
        if change.asked and not game.frozen_at and autopilot.everybody(tenures, gone):
            game.frozen_at, game.frozen_for = now, Halt.AUTOPILOT
            game.save()
    if not game.frozen_at:
        _ask(game, by_pk, change, luck, now)
    if game.status == Status.OVER:
        reliability.count(game)
        tell(game, [tenure for tenure in tenures if not tenure.ended], Kind.OVER, now)
    people = [by_pk[pk].user_id for pk in change.touched]
    tables = [(game.public_id, game.version)] if change.public else []
    listed = change.public and _is_listed(game)
    in_page.poke(tables=tables, people=[user for user in people if user], lobby=listed)


def _is_listed(game: Game) -> bool:
    """Whether the lobby shows a change of this game: it begins, or has a seat for newcomers."""
    if game.visibility != Visibility.PUBLIC:
        return False
    return game.last_move == 0 or bool(game.proposals)


def _ask(
    game: Game, by_pk: Mapping[int, Tenure], change: store.Change, luck: Draws, now: datetime
) -> None:
    """Give each question to whoever answers it."""
    if not change.asked:
        return
    public = change.view
    # Who has answered already counts too, or the haste of a bot would tell that all have.
    person_asked = any(t.user_id for t in by_pk.values() if t.seat.index in public.asked)
    jobs: list[Job] = []
    present: list[Prompt] = []
    away: list[Prompt] = []
    for prompt in change.asked:
        tenure = by_pk[prompt.tenure_id]
        if tenure.bot:
            thinks = timedelta(milliseconds=pause(game.pace, person_asked, luck.below))
            jobs.append(Job(kind=JobKind.BOT, prompt=prompt, due=now + thinks))
        else:
            (away if tenure.autopilot_since else present).append(prompt)
    ordered = _wake_orders(game, [*present, *away], public, luck, now)
    # At once, whatever is asked: that it is answered for, not what, is all to be seen. Where a list
    # of orders is about the question, that comes first, and has autopilot answer what it does not.
    by_list = {job.prompt.pk: job.due for job in ordered}
    jobs += [
        Job(kind=JobKind.AUTOPILOT, prompt=prompt, due=now)
        for prompt in away
        if prompt.pk not in by_list
    ]
    # Of answers that come at the same moment that of the seat next after the speaker is the first.
    speaker = public.claim.seat if public.claim else public.turn
    turns = {pk: (tenure.seat.index - speaker) % len(by_pk) for pk, tenure in by_pk.items()}
    Job.objects.bulk_create(sorted(jobs + ordered, key=lambda job: turns[job.prompt.tenure_id]))
    outbox.asked(present, now, tried=by_list)


def _wake_orders(
    game: Game, prompts: Sequence[Prompt], public: TableView, luck: Draws, now: datetime
) -> list[Job]:
    """Jobs for the standing orders that are about these questions to persons. When, hangs on no
    card."""
    books = standing.books(prompts) if prompts else {}
    if not books:
        return []
    return standing.jobs(prompts, books, public, game.pace, luck, now)


def tell(game: Game, tenures: Sequence[Tenure], kind: Kind, now: datetime) -> None:
    """Tell the people on these seats something about the game, once."""
    users = [tenure.user for tenure in tenures if tenure.user]
    outbox.tell(users=users, kind=kind, key=f"game.{game.pk}", now=now, game=game)
