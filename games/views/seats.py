"""Who answers for a seat of a running game, who sits there, and whether it goes on: what players
may do about it."""

from collections.abc import Callable
from contextlib import suppress

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from accounts.models import User
from games import consent, halts, selectors
from games.forms.lobby import InviteForm, NameForm, new_form_token
from games.forms.together import ProposeForm, VoiceForm
from games.refusal import Reason, Refused
from games.views.caching import fresh
from games.views.guests import guest_of_form, sign_in_guest
from games.views.lobby import by_person, link_query
from games.views.refusals import Notice, for_viewers, notice_of, refused
from games.views.table import again


@by_person
def come_back(request: HttpRequest, user: User, public_id: str) -> HttpResponse:
    """One click takes over from autopilot."""
    halts.come_back(public_id=public_id, user_id=user.pk, now=timezone.now())
    return redirect("games:table", public_id)


@require_POST
@fresh
def propose(request: HttpRequest, public_id: str) -> HttpResponse:
    """Propose something to those who play."""
    form = ProposeForm(request.POST)
    if not form.is_valid():
        return _malformed(request, public_id)

    def change(user_id: int) -> None:
        consent.propose(
            public_id=public_id, user_id=user_id, what=form.proposal, now=timezone.now()
        )

    return _decide(request, public_id, change)


@require_POST
@fresh
def voice(request: HttpRequest, public_id: str) -> HttpResponse:
    """Agree to a proposal, decline it, or take one's own back."""
    form = VoiceForm(request.POST)
    if not form.is_valid():
        return _malformed(request, public_id)
    proposal_id, do, now = form.cleaned_data["proposal"], form.cleaned_data["do"], timezone.now()

    def change(user_id: int) -> None:
        if do == "withdraw":
            consent.withdraw(public_id=public_id, user_id=user_id, proposal_id=proposal_id, now=now)
        else:
            consent.say(
                public_id=public_id,
                user_id=user_id,
                proposal_id=proposal_id,
                agrees=do == "agree",
                now=now,
            )

    return _decide(request, public_id, change)


@require_POST
@fresh
def invite(request: HttpRequest, public_id: str) -> HttpResponse:
    """Offer an open seat to somebody by name or address."""
    form = InviteForm(request.POST)
    if not form.is_valid():
        return again(request, public_id, Notice(400, _("That is no name and no address."), ""))
    whom, now = form.cleaned_data["name"], timezone.now()

    def change(user_id: int) -> None:
        if "@" in whom:
            consent.invite_by_mail(public_id=public_id, user_id=user_id, address=whom, now=now)
        else:
            consent.invite(public_id=public_id, user_id=user_id, name=whom, now=now)

    return _decide(request, public_id, change)


@require_http_methods(["GET", "POST"])
@fresh
def take(request: HttpRequest, public_id: str) -> HttpResponse:
    """The door to a seat that stands open, and sitting down there. A stranger gives a name, and
    becomes a guest."""
    link_token = request.GET.get("k", "")
    if request.method == "GET":
        with for_viewers():
            game = selectors.find(public_id)
            if selectors.sits(game, request.user.pk):
                return redirect("games:table", public_id)
            return _door(request, selectors.vacant(
                game, user_id=request.user.pk, link_token=link_token
            ))  # fmt: skip
    try:
        user = request.user if request.user.is_authenticated else guest_of_form(request)
        if user is None:
            vacancy = selectors.vacant(
                selectors.find(public_id), user_id=None, link_token=link_token
            )
            form = NameForm(request.POST)
            user = sign_in_guest(request, form)
            if user is None:
                return _door(request, vacancy, form, status=422)
        consent.take_seat(public_id=public_id, user=user, now=timezone.now(), link_token=link_token)
    except selectors.Hidden as hidden:
        return refused(request, notice_of(Reason.SEAT_GONE if hidden.exists else Reason.NO_GAME))
    except Refused as refusal:
        return _not_taken(request, public_id, refusal.reason)
    messages.success(request, _("The seat is yours."))
    return redirect("games:table", public_id)


def _door(
    request: HttpRequest,
    vacancy: selectors.Vacancy,
    name_form: NameForm | None = None,
    status: int = 200,
) -> HttpResponse:
    context = {
        "vacancy": vacancy,
        "game": vacancy.game,
        "link_query": link_query(request),
        "name_form": name_form or NameForm(),
        "form_token": new_form_token(),
    }
    return render(request, "games/seat.html", context, status=status)


def _not_taken(request: HttpRequest, public_id: str, reason: Reason) -> HttpResponse:
    """Why somebody does not sit there now; where that there is such a table is a secret, no more
    than that there is none."""
    with suppress(selectors.Hidden):
        link_token = request.GET.get("k", "")
        if selectors.is_secret(selectors.find(public_id), request.user.pk, link_token):
            reason = Reason.NO_GAME
    return refused(request, notice_of(reason), public_id)


def _decide(request: HttpRequest, public_id: str, change: Callable[[int], None]) -> HttpResponse:
    """Do it for whoever is signed in: the table as it is then, with what was refused."""
    try:
        if request.user.pk is None:
            raise Refused(Reason.NOT_SEATED)
        change(request.user.pk)
    except Refused as refusal:
        return again(request, public_id, notice_of(refusal.reason))
    return again(request, public_id, None)


def _malformed(request: HttpRequest, public_id: str) -> HttpResponse:
    return again(request, public_id, Notice(400, _("That cannot be proposed."), ""))
