"""Warning, silencing, suspending and banning people; `accounts.sanctions` says what that means."""

from contextlib import suppress
from datetime import datetime, timedelta

from django.contrib.auth.models import Group
from django.db import IntegrityError, transaction

from accounts import sanctions, signals
from accounts.models import Sanction, SanctionKind, User
from games import halts, lobby
from games.models import Act, Game, Kind, Status, Tenure
from games.moderation import desk
from games.moderation.audit import Details
from games.moderation.desk import Decision
from games.notify import in_page, outbox
from games.refusal import Reason, Refused

ACTS = {
    SanctionKind.WARNING: Act.WARN,
    SanctionKind.MUTE: Act.MUTE,
    SanctionKind.SUSPENSION: Act.SUSPEND,
    SanctionKind.BAN: Act.BAN,
}
SANCTION = "accounts.sanction_person"
GIVE_ROLE = "accounts.change_user"


@transaction.atomic
def impose(
    decision: Decision, *, user_id: int, kind: SanctionKind, lasts: timedelta | None
) -> None:
    """Decide it, for a `reason` that the person reads. The same form again is nothing new."""
    now, until = decision.now, decision.now + lasts if lasts else None
    if kind == SanctionKind.BAN:
        _refuse_opponents(decision.actor, user_id)
        _stand_in(user_id, now)
    user = _locked(decision.actor, user_id)
    if decision.is_done:
        return
    if kind == SanctionKind.BAN:
        # Those where they sat down before their row was locked.
        _stand_in(user_id, now)
    held = sanctions.impose(
        user=user, kind=kind, reason=decision.reason, until=until, by=decision.actor, now=now
    )
    details: Details = {"sanction": held.pk, "until": until.isoformat() if until else None}
    key = decision.log(ACTS[kind], person=user, details=details)
    _tell(user, key, now, ACTS[kind], decision.reason)
    _show(user.pk, kind)


@transaction.atomic
def lift(decision: Decision, *, sanction_id: int) -> None:
    """Take a sanction back. Doing so twice is once."""
    actor, now = decision.actor, decision.now
    sanction = Sanction.objects.get(pk=sanction_id)
    user = _locked(actor, sanction.user_id)
    if decision.is_done or not sanctions.lift(sanction=sanction, by=actor, now=now):
        return
    details: Details = {"sanction": sanction.pk, "kind": sanction.kind}
    key = decision.log(Act.LIFT, person=user, details=details)
    _tell(user, key, now, Act.LIFT)
    in_page.poke(people=[user.pk])


@transaction.atomic
def rename(decision: Decision, *, user_id: int, name: str) -> None:
    """Give somebody a name that can stay. Refused if it is taken."""
    user = _locked(decision.actor, user_id)
    old, now = user.name, decision.now
    if decision.is_done or old == name:
        return
    user.name = name
    try:
        with transaction.atomic():
            user.save()
    except IntegrityError:
        raise Refused(Reason.NAME_TAKEN) from None
    signals.name_changed.send(User, user=user, now=now)
    key = decision.log(Act.RENAME, person=user, details={"old": old, "new": user.name})
    _tell(user, key, now, Act.RENAME)


@transaction.atomic
def give_role(decision: Decision, *, user_id: int, role: str) -> None:
    """Make somebody a moderator or an administrator; with no `role`, nothing of the kind."""
    user = _locked(decision.actor, user_id, GIVE_ROLE)
    old = role_of(user)
    if decision.is_done or old == role:
        return
    if user.is_guest and role:
        raise Refused(Reason.NOT_MODERATOR)
    user.groups.set(Group.objects.filter(name=role))
    user.is_staff = bool(role)
    user.save(update_fields=["is_staff"])
    decision.log(Act.GIVE_ROLE, person=user, details={"old": old, "new": role})


def role_of(user: User) -> str:
    """The name of the person's role, or nothing."""
    return user.groups.values_list("name", flat=True).first() or ""


def may_judge(actor: User, user: User, permission: str = SANCTION) -> bool:
    """Nobody judges themselves; whoever works here is judged by administrators alone, and those
    who were made by `make_admin` by one another."""
    if user.pk == actor.pk or not actor.has_perm(permission):
        return False
    if user.is_superuser and not actor.is_superuser:
        return False
    return not user.is_staff or actor.has_perm(GIVE_ROLE)


def _locked(actor: User, user_id: int, permission: str = SANCTION) -> User:
    """The person, locked, for somebody who may judge them."""
    user = User.objects.select_for_update().filter(pk=user_id).first()
    if user is None:
        raise Refused(Reason.NO_PERSON)
    if not may_judge(desk.moderator(actor, permission), user, permission):
        raise Refused(Reason.NOT_MODERATOR)
    return user


def _refuse_opponents(actor: User, user_id: int) -> None:
    """A ban has autopilot answer at every table of somebody's: not by those who play against it."""
    seats = Tenure.objects.filter(user_id=user_id, ended="", game__status=Status.RUNNING)
    if seats.filter(game__in=desk.own_games(actor.pk)).exists():
        raise Refused(Reason.PLAYED_HERE)


def _stand_in(user_id: int, now: datetime) -> None:
    """Give up the open tables of somebody banned; at running ones autopilot answers for them."""
    user = User.objects.filter(pk=user_id).first()
    seats = Game.objects.filter(tenures__user_id=user_id, tenures__ended="")
    for game in seats.filter(status__in=[Status.OPEN, Status.RUNNING]).order_by("pk"):
        if game.status == Status.RUNNING:
            halts.be_absent(public_id=game.public_id, user_id=user_id, now=now)
        elif user:
            with suppress(Refused):  # it has begun meanwhile
                lobby.get_up(public_id=game.public_id, user=user, now=now)


def _tell(user: User, key: str, now: datetime, act: Act, words: str = "") -> None:
    outbox.tell(users=[user], kind=Kind.NOTICE, key=key, now=now, act=act, words=words)


def _show(user_id: int, kind: SanctionKind) -> None:
    """On the pages that are open: the banner, or that nobody is signed in any more."""
    if kind == SanctionKind.BAN:
        in_page.sign_out(user_id)
    else:
        in_page.poke(people=[user_id])
