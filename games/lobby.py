"""Tables before the first card: opening, sitting down, starting, giving up."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import IntegrityError, transaction

from accounts.models import User
from games import invitations, play, ready, seating, store
from games.admission import is_admitted, may_join, rematches
from games.consequences import show
from games.engine.cards import MIN_PLAYERS
from games.models import (
    BOT_NAMES,
    Admits,
    BotKind,
    Game,
    Invitation,
    InvitationState,
    Seat,
    Status,
    Tenure,
    Visibility,
    Watch,
)
from games.models.game import new_link_token
from games.notify import in_page
from games.open_tables import give_up, hosted, without_host
from games.refusal import Reason, Refused
from games.seats import seated
from games.timing import REMATCH_STAYS_OPEN, STAYS_OPEN, Pace


@dataclass(frozen=True, slots=True)
class Plan:
    """What a table is opened with. `bots` sit down at once; the rest of the seats stay open.

    `letters` are addresses that are invited by e-mail.
    """

    size: int
    pace: Pace
    bots: Sequence[BotKind] = ()
    inquisitor: bool = False
    factions: bool = False
    both_one: bool = False
    title: str = ""
    visibility: Visibility = Visibility.PUBLIC
    watch: Watch = Watch.ANYBODY
    admits: Admits = Admits.EVERYBODY
    invited: Collection[User] = ()
    letters: Collection[str] = ()


def open_table(*, host: User, plan: Plan, seed: bytes, now: datetime, form_token: str = "") -> Game:
    """Open a table at which the host sits; it starts at once if the bots fill it.

    The same host and `form_token` again lead to the same table.
    """
    try:
        with transaction.atomic():
            return _known(host, form_token) or _open(
                host=host, plan=plan, seed=seed, now=now, form_token=form_token
            )
    except IntegrityError:
        # Two at once: the other was faster.
        known = _known(host, form_token)
        if known is None:
            raise
        return known


@transaction.atomic
def sit(*, public_id: str, user: User, now: datetime, link_token: str = "") -> Game:
    """Take the first free seat; sitting down twice is once. Refused if there is none."""
    game = play.lock(public_id)
    tenures = seated(game)
    if any(tenure.user_id == user.pk for tenure in tenures):
        return game
    if not may_join(game, user.pk, link_token):
        raise Refused(Reason.NO_GAME)
    if not is_admitted(game, user, link_token):
        raise Refused(Reason.NOT_ADMITTED)
    _take_seat(game, tenures, user, now)
    if link_token:
        invitations.accept_letter(game, user, link_token)
    return game


@transaction.atomic
def get_up(*, public_id: str, user: User, now: datetime) -> Game:
    """Leave before the start, without a trace. Done twice, or by somebody else, it is nothing.

    A table that loses its host goes to whoever has sat there longest, or is cancelled.
    """
    game = play.lock(public_id)
    if game.status == Status.CANCELLED:
        return game
    if game.status != Status.OPEN:
        raise Refused(Reason.NOT_OPEN)
    tenures = Tenure.objects.filter(game=game, user=user)
    if not tenures.exists():
        return game
    ready.call_off(game, now)
    tenures.delete()
    Invitation.objects.filter(game=game, user=user).delete()
    if game.host_id == user.pk:
        without_host(game, now)
    show(game, now)
    return game


@transaction.atomic
def part(*, public_id: str, by: User, blocked: User, now: datetime) -> None:
    """Somebody has blocked somebody: at an open table a host sends them away, others leave."""
    game = play.lock(public_id)
    if game.status != Status.OPEN:
        return
    hosts = game.host_id == by.pk
    if hosts:
        Invitation.objects.filter(game=game, user=blocked).delete()
        invitations.recall(game, blocked, now)
    both = Tenure.objects.filter(game=game, user__in=[by, blocked])
    if len(both) == 2:
        get_up(public_id=public_id, user=blocked if hosts else by, now=now)
    elif hosts:
        show(game, now)


@transaction.atomic
def start(*, public_id: str, host: User, now: datetime) -> Game:
    """Start with those who sit there, once they are ready; the free seats go. Starting twice is
    once, also while they are asked."""
    game = hosted(public_id, host, unless=Status.RUNNING)
    if game.status == Status.RUNNING or ready.is_asking(game):
        return game
    if len(seated(game)) < MIN_PLAYERS:
        raise Refused(Reason.TOO_FEW)
    ready.start(game, host, now)
    return game


@transaction.atomic
def cancel(*, public_id: str, host: User, now: datetime) -> Game:
    """Give an open table up. Doing so twice is once."""
    game = hosted(public_id, host, unless=Status.CANCELLED)
    if game.status == Status.OPEN:
        ready.call_off(game, now)
        give_up(game, now, told_by=host)
        show(game, now)
    return game


@transaction.atomic
def add_bot(*, public_id: str, host: User, seat: int, kind: BotKind, now: datetime) -> Game:
    """Put a bot on this seat. The same again is once; refused if somebody sits there."""
    game = hosted(public_id, host)
    tenures = seated(game)
    there = next((tenure for tenure in tenures if tenure.seat.index == seat), None)
    if there and there.bot == kind:
        return game
    place = Seat.objects.filter(game=game, index=seat).first()
    if there or place is None:
        raise Refused(Reason.FULL)
    taken = {tenure.bot_name for tenure in tenures}
    name = next(name for name in BOT_NAMES if name not in taken)
    Tenure.objects.create(game=game, seat=place, bot=kind, bot_name=name)
    _somebody_came(game, host, now)
    return game


@transaction.atomic
def renew_link(*, public_id: str, host: User, now: datetime) -> Game:
    """Make the link that was shared lead nowhere, and a new one."""
    game = hosted(public_id, host)
    game.link_token = new_link_token()
    show(game, now)
    return game


@transaction.atomic
def rematch(*, public_id: str, user: User, seed: bytes, now: datetime) -> Game:
    """The table for playing again: a new one, or the one that somebody else has opened already."""
    old = play.lock(public_id)
    tenures = seated(old)
    if not any(tenure.user_id == user.pk for tenure in tenures):
        raise Refused(Reason.NOT_SEATED)
    if not old.has_ended:
        raise Refused(Reason.NOT_OVER)
    theirs, open_to_them = rematches(old, user.pk)
    mine = theirs.first()
    if mine:
        return mine
    waiting = open_to_them.select_for_update().first()
    if waiting:
        # Whoever played is welcome, also after having declined.
        _take_seat(waiting, seated(waiting), user, now)
        return waiting
    avoided = set(user.blocks.values_list("blocked_id", flat=True))
    plan = Plan(
        size=len(tenures),
        pace=Pace(old.pace),
        bots=[BotKind(tenure.bot) for tenure in tenures if tenure.bot],
        inquisitor=old.inquisitor,
        factions=old.factions,
        both_one=old.both_one,
        title=old.title,
        # The seats are for those who played.
        visibility=Visibility.PRIVATE,
        watch=Watch(old.watch),
        invited=[
            t.user
            for t in tenures
            if t.user and t.user.is_active and t.user.pk != user.pk and t.user_id not in avoided
        ],
    )
    return _open(host=user, plan=plan, seed=seed, now=now, rematch_of=old)


def expire(now: datetime) -> int:
    """Cancel the open tables that nobody filled in time; how many there were."""
    old = Game.objects.filter(status=Status.OPEN, created_at__lte=now - STAYS_OPEN)
    rematches = Game.objects.filter(
        status=Status.OPEN, rematch_of__isnull=False, created_at__lte=now - REMATCH_STAYS_OPEN
    )
    ids = (old | rematches).values_list("public_id", flat=True)
    return sum(_expire(public_id, now) for public_id in list(ids))


@transaction.atomic
def _expire(public_id: str, now: datetime) -> bool:
    game = play.lock(public_id)
    if game.status != Status.OPEN:
        return False
    ready.call_off(game, now)
    give_up(game, now)
    show(game, now)
    return True


def _known(host: User, form_token: str) -> Game | None:
    if not form_token:
        return None
    return Game.objects.filter(host=host, form_token=form_token).first()


def _open(
    *,
    host: User,
    plan: Plan,
    seed: bytes,
    now: datetime,
    form_token: str = "",
    rematch_of: Game | None = None,
) -> Game:
    game = Game(
        size=plan.size,
        pace=plan.pace,
        inquisitor=plan.inquisitor,
        factions=plan.factions,
        both_one=plan.both_one,
        title=plan.title,
        visibility=plan.visibility,
        watch=plan.watch,
        admits=plan.admits,
        host=host,
        form_token=form_token,
        rematch_of=rematch_of,
        created_at=now,
        changed_at=now,
    )
    seating.check(host, now)
    store.new_secret(game, seed)
    seats = Seat.objects.bulk_create(Seat(game=game, index=index) for index in range(plan.size))
    Tenure.objects.create(game=game, seat=seats[0], user=host)
    Tenure.objects.bulk_create(
        Tenure(game=game, seat=seat, bot=kind, bot_name=name)
        for seat, kind, name in zip(seats[1:], plan.bots, BOT_NAMES, strict=False)
    )
    invitations.ask(game, host, plan.invited, now)
    invitations.write_to(game, host, plan.letters, now)
    in_page.poke(lobby=game.visibility == Visibility.PUBLIC)
    _start_if_full(game, host, now)
    return game


def _take_seat(game: Game, tenures: Sequence[Tenure], user: User, now: datetime) -> None:
    if game.status != Status.OPEN:
        raise Refused(Reason.FULL if game.status == Status.RUNNING else Reason.NOT_OPEN)
    taken = {tenure.seat_id for tenure in tenures}
    free = Seat.objects.filter(game=game).exclude(pk__in=taken).order_by("index").first()
    if free is None:
        raise Refused(Reason.FULL)
    seating.check(user, now, game)
    Tenure.objects.create(game=game, seat=free, user=user)
    Invitation.objects.filter(game=game, user=user).update(state=InvitationState.ACCEPTED)
    invitations.recall(game, user, now)
    _somebody_came(game, user, now)


def _somebody_came(game: Game, by: User, now: datetime) -> None:
    """A seat was taken, or given to a bot: whoever was asked agreed to another table than this."""
    ready.call_off(game, now)
    show(game, now)
    _start_if_full(game, by, now)


def _start_if_full(game: Game, by: User, now: datetime) -> None:
    if Tenure.objects.filter(game=game).count() == game.size:
        ready.start(game, by, now)
