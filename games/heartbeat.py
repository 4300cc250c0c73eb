"""Signs of life of the workers. While none comes no clock runs, and the time is given back."""

from datetime import datetime

from django.db import transaction
from django.db.models import Exists, F, OuterRef

from games import clocks
from games.models import Game, Pause, Status, Window, WorkerBeat
from games.notify import in_page


@transaction.atomic
def beat(now: datetime) -> bool:
    """A worker is there: call it before applying deadlines. Whether none was for too long.

    Then that time is stored as a pause of all tables, by whichever worker comes first, and what is
    open is put off by it. A table that is frozen begins afresh anyway.
    """
    WorkerBeat.objects.get_or_create(defaults={"at": now})
    last = WorkerBeat.objects.select_for_update().get()
    gap = clocks.outage(now)
    if last.at < now:
        last.at = now
        last.save()
    if gap is None:
        return False
    starts, ends = gap
    Pause.objects.create(starts=starts, ends=ends)
    # Open tables too, where people are asked whether they are ready.
    asking = Exists(Window.objects.filter(game=OuterRef("pk"), closed_at=None))
    running = Game.objects.filter(asking, status__in=[Status.RUNNING, Status.OPEN], frozen_at=None)
    games = {game.pk: game for game in running.select_for_update().order_by("pk")}
    windows = Window.objects.filter(closed_at=None, game__in=games)
    changed = [games[window.game_id] for window in clocks.reckon(list(windows), now)]
    running.filter(pk__in=[game.pk for game in changed]).update(version=F("version") + 1)
    tables = [(game.public_id, game.version + 1) for game in changed]
    in_page.poke(tables=tables)
    return True
