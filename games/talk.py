"""Talking at a table: kept apart from the moves, of which nothing changes."""

from datetime import datetime, timedelta
from unicodedata import category

from django.db import transaction
from django.db.models import Count, Max, Q

from accounts.models import User
from accounts.names import BLANKS, JOINERS
from games import hearing, play, selectors
from games.models import Game, Mute, Phrase, TableMessage, TalkRead, TalkRoom
from games.notify import in_page
from games.refusal import Reason, Refused

A_MINUTE = timedelta(minutes=1)
MOST_AT_A_TABLE = 8
"""Messages a minute of one person at one table; and at all together:"""
MOST_ANYWHERE = 20

KEPT = JOINERS + "\u200e\u200f\u061c"
"""Signs that show nothing and yet belong into text: joiners, marks of direction, no overrides."""

STACK = 4
"""Marks that may stand on one letter: Hebrew may need three; a tower of them hides other lines."""


def plain(text: str) -> str:
    """Text as it may be shown: one line, without control signs, overrides of direction and other
    signs that show nothing; empty if nothing would be seen."""
    kept, marks = "", 0
    for char in text:
        kind = category(char)
        marks = marks + 1 if kind in ("Mn", "Me") else 0
        if kind in ("Cc", "Zl", "Zp"):
            kept += " "
        elif marks <= STACK and (kind not in ("Cf", "Cs", "Co") or char in KEPT):
            kept += char
    seen = any(category(char)[0] not in "CMZ" and char not in BLANKS for char in kept)
    return " ".join(kept.split()) if seen else ""


@transaction.atomic
def say(
    *,
    public_id: str,
    user: User,
    room: TalkRoom,
    text: str = "",
    phrase: str = "",
    form_token: str,
    now: datetime,
    link_token: str = "",
) -> None:
    """Say `text`, or a `phrase` if one is given. The same `form_token` again is said once."""
    game = play.lock(public_id)
    user = User.objects.get(pk=user.pk)  # what a moderator has decided meanwhile counts
    try:
        ear = hearing.listener(game, user, link_token)
    except selectors.Hidden:
        raise Refused(Reason.NO_GAME) from None
    barred = hearing.silence(ear, room, now) or hearing.has_seen_cards(game, user)
    if room not in ear.rooms or barred:
        raise Refused(Reason.NO_VOICE)
    said = TableMessage.objects.filter(user=user)
    if form_token and said.filter(game=game, form_token=form_token).exists():
        return
    text = "" if phrase else plain(text)
    if not text and phrase not in Phrase:
        raise Refused(Reason.NOTHING_SAID)
    lately = said.filter(at__gt=now - A_MINUTE).aggregate(
        anywhere=Count("pk"), here=Count("pk", filter=Q(game=game))
    )
    if lately["here"] >= MOST_AT_A_TABLE or lately["anywhere"] >= MOST_ANYWHERE:
        raise Refused(Reason.TOO_FAST)
    before = TableMessage.objects.filter(game=game, room=room).aggregate(last=Max("number"))
    TableMessage.objects.create(
        game=game,
        room=room,
        number=(before["last"] or 0) + 1,
        user=user,
        text=text,
        phrase=phrase,
        form_token=form_token,
        at=now,
    )
    _poke(game, room)


@transaction.atomic
def hide(*, message_id: int, by: User, now: datetime) -> None:
    """A moderator removes a message: everybody reads that, and nobody its words. Once is enough."""
    message = TableMessage.objects.select_for_update().get(pk=message_id)
    if message.hidden_at is None:
        message.hidden_at, message.hidden_by = now, by
        message.save(update_fields=["hidden_at", "hidden_by"])
        _poke(message.game, TalkRoom(message.room))


@transaction.atomic
def unhide(*, message_id: int) -> None:
    """A moderator takes that back: everybody reads the message again."""
    message = TableMessage.objects.select_for_update().get(pk=message_id)
    if message.hidden_at is not None:
        message.hidden_at = message.hidden_by = None
        message.save(update_fields=["hidden_at", "hidden_by"])
        _poke(message.game, TalkRoom(message.room))


def read(*, public_id: str, user: User, table: int, spectators: int, link_token: str = "") -> None:
    """The person has read so far. It never goes back, and concerns nobody else."""
    try:
        game = selectors.find(public_id)
        hearing.listener(game, user, link_token)
    except selectors.Hidden:
        return
    mark, _made = TalkRead.objects.get_or_create(game=game, user=user)
    for room, number in ((TalkRoom.TABLE, table), (TalkRoom.SPECTATORS, spectators)):
        TalkRead.objects.filter(pk=mark.pk, **{f"{room}__lt": number}).update(**{room: number})


def mute(*, user: User, whom_id: int) -> None:
    """Fold away what somebody else says, at every table, for this person alone."""
    if whom_id != user.pk:
        Mute.objects.get_or_create(by=user, whom_id=whom_id)


def unmute(*, user: User, whom_id: int) -> None:
    """Read somebody again."""
    Mute.objects.filter(by=user, whom_id=whom_id).delete()


def forget(*, user: User) -> None:
    """Whoever closes the account keeps no list of people, nor how far they have read."""
    Mute.objects.filter(by=user).delete()
    TalkRead.objects.filter(user=user).delete()


def hand_over(*, guest: User, user: User) -> None:
    """What a guest said, and whom they muted, becomes the account's. The caller's transaction."""
    TableMessage.objects.filter(user=guest).update(user=user, form_token="")
    known = Mute.objects.filter(by=user).values("whom_id")
    Mute.objects.filter(by=guest).exclude(whom_id__in=known).exclude(whom=user).update(by=user)
    knowing = Mute.objects.filter(whom=user).values("by_id")
    Mute.objects.filter(whom=guest).exclude(by_id__in=knowing).exclude(by=user).update(whom=user)


def _poke(game: Game, room: TalkRoom) -> None:
    """Tell those who may read the room; after the end, that is everybody at the table."""
    rooms = [TalkRoom.TABLE, room] if game.status in hearing.ENDED else [room]
    talks = [(game.public_id, one) for one in dict.fromkeys(rooms)]
    in_page.poke(talks=talks)
