"""Talk as one person hears it: what they may read, where they may speak. Writes nothing.

Whoever has ever held a seat reads the spectators' room only after the end: a person in exile stays
with the table, where they may speak, and hears nothing that the others there do not.
"""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from accounts import sanctions
from accounts.models import User
from games.models import (
    Game,
    Mute,
    Recusal,
    Status,
    TableMessage,
    TalkRead,
    TalkRoom,
    Tenure,
    TenureEnd,
    Visibility,
)
from games.selectors import Hidden, may_see

SHOWN = 50
STAYS_OPEN = timedelta(days=7)
"""How long people may talk on after the end: as long as a rematch waits for them."""

ENDED = (Status.OVER, Status.CANCELLED)


class Silence(StrEnum):
    """Why somebody may not speak in a room."""

    NOT_SIGNED_IN = "not_signed_in"
    NOT_SEATED = "not_seated"
    SANCTIONED = "sanctioned"
    SAW_CARDS = "saw_cards"
    GUEST = "guest"
    ENDED = "ended"


@dataclass(frozen=True, slots=True)
class Listener:
    """Somebody at a table or beside it: a stranger has no `user`.

    `sits` gives a voice at the table; `has_sat` closes the spectators' room until the end.
    `seats` are the seats by the people who hold them or held them last.
    """

    game: Game
    user: User | None
    sits: bool
    has_sat: bool
    seats: dict[int, int]

    @property
    def rooms(self) -> tuple[TalkRoom, ...]:
        """Where this person may read."""
        ended = self.game.status in ENDED
        if self.game.started_at is not None and (ended or not self.has_sat):
            return TalkRoom.TABLE, TalkRoom.SPECTATORS
        return (TalkRoom.TABLE,)


@dataclass(frozen=True, slots=True)
class Said:
    """One message. `words` are empty where a moderator has removed it; `seat` is its author's."""

    number: int
    name: str
    seat: int | None
    words: str
    at: datetime
    is_mine: bool
    is_muted: bool
    is_hidden: bool
    is_new: bool


@dataclass(frozen=True, slots=True)
class Heard:
    """A room: its last messages, oldest first. `earlier` is where those before them end, or 0."""

    room: TalkRoom
    said: tuple[Said, ...]
    last: int
    earlier: int
    silence: Silence | None

    @property
    def new(self) -> int:
        return sum(said.is_new for said in self.said)


@dataclass(frozen=True, slots=True)
class Talk:
    """The rooms that somebody may read."""

    rooms: tuple[Heard, ...]

    @property
    def new(self) -> int:
        """How much was said that this person has not read."""
        return sum(heard.new for heard in self.rooms)

    @property
    def tag(self) -> str:
        """Changes whenever what this person hears, or may say, does."""
        return "-".join(
            f"{heard.last}.{sum(said.is_hidden for said in heard.said)}"
            f".{sum(said.is_muted for said in heard.said)}.{heard.silence or ''}"
            for heard in self.rooms
        )


def listener(game: Game, user: User | None, link_token: str = "") -> Listener:
    """This person at this table; Hidden if they may not see it."""
    user_id = user.pk if user else None
    if not may_see(game, user_id, link_token):
        open_to_see = game.started_at is not None and game.visibility != Visibility.PRIVATE
        raise Hidden(exists=open_to_see)
    tenures = list(Tenure.objects.filter(game=game).select_related("seat").order_by("pk"))
    mine = [tenure for tenure in tenures if user_id is not None and tenure.user_id == user_id]
    if game.status in ENDED:
        sits = any(tenure.ended != TenureEnd.REMOVED for tenure in mine)
    else:
        sits = any(not tenure.ended for tenure in mine)
    seats = {tenure.user_id: tenure.seat.index for tenure in tenures if tenure.user_id}
    return Listener(game, user, sits=sits, has_sat=bool(mine), seats=seats)


def silence(ear: Listener, room: TalkRoom, now: datetime) -> Silence | None:
    """Why this person may not speak in a room, or None if they may: the one place to ask."""
    if ear.user is None:
        # At the table signing in would not do.
        return Silence.NOT_SEATED if room is TalkRoom.TABLE else Silence.NOT_SIGNED_IN
    if sanctions.hindrance(ear.user, sanctions.What.TALK, now):
        return Silence.SANCTIONED
    # Nobody else can have; whoever could once is asked about when they speak.
    if ear.user.is_staff and has_seen_cards(ear.game, ear.user):
        return Silence.SAW_CARDS
    if ear.game.ended_at and now > ear.game.ended_at + STAYS_OPEN:
        return Silence.ENDED
    if room is TalkRoom.TABLE and not ear.sits:
        return Silence.NOT_SEATED
    if room is TalkRoom.SPECTATORS and ear.user.is_guest and not ear.has_sat:
        # A guest costs nothing to make, and nobody at this table vouches for this one.
        return Silence.GUEST
    return None


def has_seen_cards(game: Game, user: User) -> bool:
    """Whether a moderator has looked at the hidden cards of this game."""
    return Recusal.objects.filter(game=game, user=user).exists()


def talk(ear: Listener, now: datetime, *, room: str = "", before: int | None = None) -> Talk:
    """What this person hears now; of one `room`, if one is named, what came `before` a number."""
    muted, read = _of_reader(ear)
    rooms = []
    for one in ear.rooms:
        messages = TableMessage.objects.filter(game=ear.game, room=one)
        if before is not None and room == one:
            messages = messages.filter(number__lt=before)
        latest = list(messages.select_related("user").order_by("-number")[: SHOWN + 1])
        shown = latest[:SHOWN]
        if one is TalkRoom.SPECTATORS and ear.has_sat and not shown:
            continue  # Nobody watched, or nobody spoke: those who played talk at the table.
        rooms.append(
            Heard(
                room=one,
                said=tuple(_said(m, ear, muted, read.get(one)) for m in reversed(shown)),
                last=shown[0].number if shown else 0,
                earlier=shown[-1].number if len(latest) > SHOWN else 0,
                silence=silence(ear, one, now),
            )
        )
    return Talk(tuple(rooms))


def _of_reader(ear: Listener) -> tuple[Collection[int], dict[TalkRoom, int]]:
    """Whom this person has muted, and how far they have read; nobody counts for a stranger."""
    if ear.user is None:
        return (), {}
    muted = set(Mute.objects.filter(by=ear.user).values_list("whom_id", flat=True))
    read = TalkRead.objects.filter(game=ear.game, user=ear.user).first() or TalkRead()
    return muted, {TalkRoom.TABLE: read.table, TalkRoom.SPECTATORS: read.spectators}


def _said(message: TableMessage, ear: Listener, muted: Collection[int], read: int | None) -> Said:
    is_mine = ear.user is not None and message.user_id == ear.user.pk
    is_muted = message.user_id in muted
    is_hidden = message.hidden_at is not None
    return Said(
        number=message.number,
        name=message.user.name,
        seat=ear.seats.get(message.user_id),
        words="" if is_hidden else message.words,
        at=message.at,
        is_mine=is_mine,
        is_muted=is_muted,
        is_hidden=is_hidden,
        is_new=read is not None
        and message.number > read
        and not (is_mine or is_muted or is_hidden),
    )


def message(ear: Listener, room: str, number: int) -> TableMessage | None:
    """A message that this person may read and that still says something, with its author."""
    found = TableMessage.objects.filter(
        game=ear.game, room=room, number=number, room__in=ear.rooms, hidden_at=None
    )
    return found.select_related("user").first()
