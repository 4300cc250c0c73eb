"""Other histories in the place of stored ones: what a viewer may not know, changed."""

from django.db.models import F

from games.engine import codec
from games.engine.commands import SEATS, parse, text
from games.models import Game, Prompt, PromptState, Source, Tenure
from games.models.move import Move

from .redeal import History, said


def history(game: Game) -> History:
    """The events of the moves that count: not of those that were taken back."""
    return [codec.load_events(move.events, move.schema) for move in _counting(game)]


def _counting(game: Game) -> list[Move]:
    return list(Move.objects.filter(game=game, undone_by=None).order_by("number"))


def rewrite(game: Game, other: History) -> None:
    """Put another history of as many moves in the place of the stored one."""
    for move, events in zip(_counting(game), other, strict=True):
        if move.seat is not None:
            command = said(parse(move.command, SEATS), events)
            move.command = text(command, SEATS)
        move.events = codec.dump_events(events)
        move.save()


def take_back(game: Game, other: History) -> int:
    """Undo the sealed answers that `other` leaves out; how many there were.

    The clock's second leads to autopilot: that is undone, too."""
    numbers, left = [], list(other)
    for number, events in enumerate(history(game)):
        if left and left[0] == events:
            left.pop(0)
        else:
            numbers.append(number)
    for move in Move.objects.filter(game=game, number__in=numbers):
        assert move.prompt_id is not None
        prompt = Prompt.objects.filter(pk=move.prompt_id)
        if move.source == Source.CLOCK:
            Tenure.objects.filter(pk=move.tenure_id).update(
                timeouts=F("timeouts") - 1, autopilot_since=None
            )
        move.delete()
        prompt.update(state=PromptState.OPEN, answered_by="", closed_at=None, burnt=0)
    for number, move in enumerate(Move.objects.filter(game=game).order_by("number")):
        Move.objects.filter(pk=move.pk).update(number=number)
    Game.objects.filter(pk=game.pk).update(last_move=len(other) - 1)
    return len(numbers)
