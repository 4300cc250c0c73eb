"""What a player writes down about the others, for themselves alone."""

from dataclasses import dataclass

from django.db import transaction

from accounts.models import User
from games import selectors
from games.engine.cards import Role
from games.engine.cards import roles as roles_in_play
from games.models import Game, Note, Status, Tenure
from games.refusal import Reason, Refused
from games.words import role_name


@dataclass(frozen=True, slots=True)
class About:
    """A seat, or its claim to a `role`, and what is noted about it; `name` is who sits there."""

    seat: int
    name: str
    role: Role | None
    text: str

    @property
    def role_name(self) -> str:
        return role_name(self.role) if self.role else ""

    @property
    def key(self) -> str:
        return f"{self.seat}.{self.role}" if self.role else str(self.seat)


def notes(game: Game, user: User) -> tuple[About, ...]:
    """A place for a note on every other seat and every claim of theirs, with what stands there.

    Hidden for whoever has no seat: notes are a player's.
    """
    mine = _tenure(game, user)
    if mine is None or game.status not in (Status.RUNNING, Status.OVER):
        raise selectors.Hidden(exists=False)
    table = selectors.table(game, user_id=user.pk)
    written = {(note.seat, note.role): note.text for note in mine.notes.all()}
    claimed = set(table.ledger) | {(seat, Role(role)) for seat, role in written if role}
    places = []
    for seat, name in enumerate(table.names):
        if seat == mine.seat.index:
            continue
        places.append(About(seat, name, None, written.get((seat, ""), "")))
        places += [
            About(seat, name, role, written.get((seat, role), ""))
            for role in roles_in_play(game.options)
            if (seat, role) in claimed
        ]
    return tuple(places)


@transaction.atomic
def write(*, game: Game, user: User, seat: int, role: Role | None, text: str) -> None:
    """Note this about a seat, or about its claim to a role; nothing takes the note away."""
    mine = _tenure(game, user)
    known = seat < game.size and (role is None or role in roles_in_play(game.options))
    if mine is None or not known or seat == mine.seat.index:
        raise Refused(Reason.NO_NOTE)
    Tenure.objects.select_for_update().get(pk=mine.pk)  # two tabs at once: one after the other
    here = Note.objects.filter(tenure=mine, seat=seat, role=role or "")
    if not text:
        here.delete()
    elif not here.update(text=text):
        Note.objects.create(tenure=mine, seat=seat, role=role or "", text=text)


def _tenure(game: Game, user: User) -> Tenure | None:
    """This person's own, also where somebody else sits there by now: they alone read its notes."""
    mine = Tenure.objects.filter(game=game, user=user).select_related("seat")
    return mine.order_by("pk").last()
