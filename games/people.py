"""What happens to games when something happens to a person. Called by the signals of accounts."""

from datetime import datetime
from typing import Any

from django.core.mail import EmailMessage
from django.db.models import Q, QuerySet
from django.dispatch import receiver
from django.utils.translation import gettext as _

from accounts import signals
from accounts.models import User
from accounts.signals import (
    MergeRefused,
    account_closes,
    account_mail,
    guest_merges,
    name_changed,
    others_ended,
    rests_changed,
    session_ended,
    signed_out,
    still_needed,
)
from games import halts, lobby, play, reports, talk
from games.models import (
    Game,
    Invitation,
    Note,
    Prompt,
    PromptState,
    Recusal,
    Status,
    Tenure,
)
from games.notify import in_page, outbox
from games.refusal import Refused
from games.selectors import Unreadable

GOING_ON = (Status.OPEN, Status.RUNNING)


@receiver(name_changed, dispatch_uid="games.people")
def tell_tables(*, user: User, now: datetime, **_signal: Any) -> None:
    """A name that stands at a table is something everybody there sees."""
    tables = Game.objects.filter(status__in=GOING_ON)
    _show(_locked(tables.filter(_of(user))), now)


@receiver(guest_merges, dispatch_uid="games.people")
def hand_over(*, guest: User, user: User, now: datetime, **_signal: Any) -> None:
    """The guest's seats, tables and invitations become the account's.

    Refused where the guest sits at a table at which the account has, or had, a seat, or whose cards
    it has looked at: it would see two hands. A seat that was left, or whose game is over, stays
    with the guest in that case.
    """
    games = _locked(Game.objects.filter(_of(guest)))
    # From here on the guest sits down nowhere; where they just did, it is seen now.
    User.objects.select_for_update().filter(pk=guest.pk).first()
    games += _locked(Game.objects.filter(_of(guest)).exclude(pk__in=[game.pk for game in games]))
    known = {*_seated(user).values_list("game_id", flat=True)}
    known |= {*Recusal.objects.filter(user=user).values_list("game_id", flat=True)}
    both = {game.pk for game in games} & known
    sits = _seated(guest).filter(ended="", game_id__in=both, game__status__in=GOING_ON)
    tables = [str(tenure.game) for tenure in sits.select_related("game")]
    if tables:
        raise MergeRefused(
            _(
                "You are not signed in: the guest %(guest)s has a seat at a table (%(tables)s) at"
                " which your account has one too, or has seen the cards. Leave it as the guest"
                " first, or sign in in another browser. Nothing was changed."
            )
            % {"guest": guest.name, "tables": ", ".join(tables)}
        )
    Tenure.objects.filter(user=guest).exclude(game_id__in=both).update(user=user)
    Game.objects.filter(host=guest).update(host=user, form_token="")
    talk.hand_over(guest=guest, user=user)
    reports.hand_over(guest=guest, user=user)
    asked = Invitation.objects.filter(user=user).values("game_id")
    Invitation.objects.filter(user=guest).exclude(game_id__in=asked).update(user=user)
    Invitation.objects.filter(by=guest).update(by=user)
    # What the guest was to be told goes with the guest.
    waiting = Prompt.objects.filter(tenure__user=user, game__in=games, state=PromptState.OPEN)
    outbox.asked(waiting.select_related("tenure__user", "game", "window"), now)
    _show([game for game in games if game.status in GOING_ON], now)
    in_page.poke(people=[user.pk])


@receiver(signals.blocked, dispatch_uid="games.people")
def part(*, by: User, blocked: User, now: datetime, **_signal: Any) -> None:
    """The two meet at no open table any more; games that run go on. What the one says there is
    folded away for the other, who may unfold it."""
    talk.mute(user=by, whom_id=blocked.pk)
    tables = Game.objects.filter(Q(host=by) | Q(pk__in=_seated(by).values("game_id")))
    theirs = Q(pk__in=_seated(blocked).values("game_id")) | Q(invitations__user=blocked)
    for public_id in (
        tables.filter(theirs, status=Status.OPEN).distinct().values_list("public_id", flat=True)
    ):
        lobby.part(public_id=public_id, by=by, blocked=blocked, now=now)


@receiver([others_ended, signed_out], dispatch_uid="games.people")
def close_pages(*, user: User, **_signal: Any) -> None:
    """What is still open in other browsers hears nothing more of this person's games."""
    user_id = user.pk
    in_page.sign_out(user_id)


@receiver(session_ended, dispatch_uid="games.people")
def close_pages_here(*, session: str, renewed: bool, **_signal: Any) -> None:
    """Nor do other pages of a browser in which somebody has signed out, or in as somebody else."""
    in_page.end_session(session, renewed=renewed)


@receiver(account_closes, dispatch_uid="games.people")
def leave_tables(*, user: User, now: datetime, **_signal: Any) -> None:
    """Open tables lose this person without a trace; running games go on as if they had resigned.

    At a table where nobody can resign just now, for it is frozen or cannot be read, the seat stays
    theirs, and autopilot answers for it from the moment the game goes on.
    """
    Note.objects.filter(tenure__user=user).delete()
    talk.forget(user=user)
    for game in _locked(Game.objects.filter(_of(user), status__in=GOING_ON)):
        if game.status == Status.OPEN:
            lobby.get_up(public_id=game.public_id, user=user, now=now)
        else:
            try:
                play.leave(public_id=game.public_id, user_id=user.pk, now=now)
            except (Refused, Unreadable):
                halts.be_absent(public_id=game.public_id, user_id=user.pk, now=now)


@receiver(rests_changed, dispatch_uid="games.people")
def put_off(*, user: User, now: datetime, **_signal: Any) -> None:
    """Deadlines move with the holidays of whoever is asked; each table's in its own time."""
    asked = Prompt.objects.filter(tenure__user=user, window__closed_at=None)
    for public_id in asked.values_list("game__public_id", flat=True).distinct():
        play.reckon(public_id=public_id, now=now)
    in_page.poke(people=[user.pk])


@receiver(account_mail, dispatch_uid="games.people")
def post(*, message: EmailMessage, now: datetime, **_signal: Any) -> None:
    """Account mail goes out by the outbox, like all other."""
    outbox.forward(to=message.to, subject=str(message.subject), body=str(message.body), now=now)


@receiver(still_needed, dispatch_uid="games.people")
def plays(*, user: User, since: datetime, **_signal: Any) -> bool:
    """Whether this person is part of a game that goes on, or that ended after `since`."""
    recent = Q(status__in=GOING_ON) | Q(ended_at__gte=since)
    return Game.objects.filter(_of(user), recent).exists()


def _of(user: User) -> Q:
    """Games at which this person sits, or which they opened."""
    return Q(pk__in=_seated(user).values("game_id")) | Q(host=user)


def _seated(user: User) -> QuerySet[Tenure]:
    return Tenure.objects.filter(user=user)


def _locked(games: QuerySet[Game]) -> list[Game]:
    """In one order, so that two who lock the same games do not wait for each other."""
    return list(games.select_for_update().order_by("pk"))


def _show(games: list[Game], now: datetime) -> None:
    """The public side of these locked games changed."""
    for game in games:
        game.version, game.changed_at = game.version + 1, now
        game.save(update_fields=["version", "changed_at"])
    tables = [(game.public_id, game.version) for game in games]
    in_page.poke(tables=tables)
