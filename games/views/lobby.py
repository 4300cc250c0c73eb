"""An open table: the waiting room, and all that is done in it."""

from collections.abc import Callable
from contextlib import suppress
from functools import wraps
from secrets import token_bytes
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from accounts.models import User
from games import invitations, lists, lobby, ready, selectors
from games.chance import SEED_BYTES
from games.forms.lobby import BotForm, InviteForm, NameForm, ReadyForm, new_form_token
from games.models import BotKind, Game
from games.refusal import Reason, Refused
from games.views.guests import guest_of_form, sign_in_guest
from games.views.refusals import notice_of, refused
from games.words import are_you_ready
from games.words.clock import time_left
from games.words.notices import notices

type Action = Callable[[HttpRequest, User, str], HttpResponse]


def link_query(request: HttpRequest) -> str:
    """The query that carries the link by which somebody came on to the next address."""
    link_token = request.GET.get("k", "")
    return f"?{urlencode({'k': link_token})}" if link_token else ""


def waiting_room(
    request: HttpRequest,
    game: Game,
    *,
    name_form: NameForm | None = None,
    invite_form: InviteForm | None = None,
    status: int = 200,
) -> HttpResponse:
    """The page of a table that has not started, or never will; or the part of it that changes.

    The forms are those sent before, with what is wrong in them.
    """
    link_token = request.GET.get("k", "")
    user = request.user if request.user.is_authenticated else None
    room = lists.room(game, user=user, link_token=link_token)
    if request.GET.get("seen") == room.tag:
        return HttpResponse(status=204)
    path = reverse("games:table", args=[game.public_id])
    query = link_query(request)
    context = {
        "room": room,
        "game": game,
        "link_query": query,
        "socket": f"/ws/g/{game.public_id}/{query}",
        "link": request.build_absolute_uri(f"{path}?{urlencode({'k': game.link_token})}")
        if room.may_share
        else "",
        "name_form": name_form or NameForm(),
        "invite_form": invite_form or InviteForm(),
        "bot_kinds": BotKind.choices,
        "told": notices(game.notices),
        "form_token": new_form_token(),
    }
    if room.asking:
        context["until"] = time_left(timezone.now(), room.asking.opened_at, room.asking.deadline)
        context["about"] = are_you_ready()
    part = request.method == "GET" and "HX-Request" in request.headers
    template = "games/waiting/room.html" if part else "games/waiting.html"
    return render(request, template, context, status=status)


@require_POST
def sit(request: HttpRequest, public_id: str) -> HttpResponse:
    """Take a seat. A stranger gives a name, and becomes a guest."""
    link_token = request.GET.get("k", "")
    try:
        user = request.user if request.user.is_authenticated else guest_of_form(request)
        if user is None:
            game = selectors.find(public_id)
            _check_room(lists.room(game, user=None, link_token=link_token))
            form = NameForm(request.POST)
            user = sign_in_guest(request, form)
            if user is None:
                return waiting_room(request, game, name_form=form, status=422)
        lobby.sit(public_id=public_id, user=user, link_token=link_token, now=timezone.now())
    except selectors.Hidden:
        return refused(request, notice_of(Reason.NO_GAME))
    except Refused as refusal:
        return _refused(request, public_id, refusal.reason)
    return redirect("games:table", public_id)


def _refused(request: HttpRequest, public_id: str, reason: Reason) -> HttpResponse:
    """What was refused at a table, on a page."""
    return refused(request, notice_of(_told(request, public_id, reason)), public_id)


def _told(request: HttpRequest, public_id: str, reason: Reason) -> Reason:
    """What was refused at a table; or that there is none, where it is a secret that there is."""
    with suppress(selectors.Hidden):
        link_token = request.GET.get("k", "")
        if selectors.is_secret(selectors.find(public_id), request.user.pk, link_token):
            return Reason.NO_GAME
    return reason


def _check_room(room: lists.Room) -> None:
    """Make no guest for a table that has no seat for one."""
    if not room.free:
        raise Refused(Reason.FULL)
    if not room.is_open:
        raise Refused(Reason.NOT_OPEN)
    if not room.is_admitted:
        raise Refused(Reason.NOT_ADMITTED)


def by_person(action: Action) -> Callable[..., HttpResponse]:
    """A POST by somebody signed in; what is refused gets a page in words."""

    @require_POST
    @wraps(action)
    def view(request: HttpRequest, public_id: str) -> HttpResponse:
        if not request.user.is_authenticated:
            return refused(request, notice_of(Reason.NOT_SEATED))
        try:
            return action(request, request.user, public_id)
        except Refused as refusal:
            return _refused(request, public_id, refusal.reason)

    return view


@by_person
def get_up(request: HttpRequest, user: User, public_id: str) -> HttpResponse:
    try:
        lobby.get_up(public_id=public_id, user=user, now=timezone.now())
    except Refused as refusal:
        # To have left is to have left: also where one does not know any more that there is a table.
        if _told(request, public_id, refusal.reason) is not Reason.NO_GAME:
            raise
    messages.success(request, _("You have left the table."))
    return redirect("games:lobby")


@by_person
def start(request: HttpRequest, user: User, public_id: str) -> HttpResponse:
    lobby.start(public_id=public_id, host=user, now=timezone.now())
    return redirect("games:table", public_id)


@by_person
def say_ready(request: HttpRequest, user: User, public_id: str) -> HttpResponse:
    form = ReadyForm(request.POST)
    if not form.is_valid():
        return render(request, "400.html", status=400)
    prompt = form.cleaned_data["prompt"]
    ready.say(public_id=public_id, user_id=user.pk, prompt_id=prompt, now=timezone.now())
    return redirect("games:table", public_id)


@by_person
def cancel(request: HttpRequest, user: User, public_id: str) -> HttpResponse:
    lobby.cancel(public_id=public_id, host=user, now=timezone.now())
    return redirect("games:table", public_id)


@by_person
def add_bot(request: HttpRequest, user: User, public_id: str) -> HttpResponse:
    form = BotForm(request.POST)
    if not form.is_valid():
        return render(request, "400.html", status=400)
    lobby.add_bot(
        public_id=public_id,
        host=user,
        seat=form.cleaned_data["seat"],
        kind=BotKind(form.cleaned_data["kind"]),
        now=timezone.now(),
    )
    return redirect("games:table", public_id)


@by_person
def renew_link(request: HttpRequest, user: User, public_id: str) -> HttpResponse:
    lobby.renew_link(public_id=public_id, host=user, now=timezone.now())
    messages.success(request, _("This is the new link. The old one leads nowhere."))
    return redirect("games:table", public_id)


@by_person
def invite(request: HttpRequest, user: User, public_id: str) -> HttpResponse:
    form = InviteForm(request.POST)
    now = timezone.now()
    try:
        if form.is_valid():
            whom = form.cleaned_data["name"]
            if "@" in whom:
                invitations.invite_by_mail(public_id=public_id, host=user, address=whom, now=now)
                messages.success(request, _("The invitation is on its way to that address."))
            else:
                invitations.invite(public_id=public_id, host=user, name=whom, now=now)
            return redirect("games:table", public_id)
    except Refused as refusal:
        if refusal.reason not in (Reason.NO_PERSON, Reason.BLOCKED, Reason.NEEDS_ACCOUNT):
            raise
        notice = notice_of(refusal.reason)
        form.add_error("name", f"{notice.title} {notice.text}")
    try:
        return waiting_room(request, selectors.find(public_id), invite_form=form, status=422)
    except selectors.Hidden:
        raise Refused(Reason.NO_GAME) from None


@require_POST
def decline(request: HttpRequest, public_id: str) -> HttpResponse:
    """Say no; a stranger may, who has a letter."""
    user = request.user if request.user.is_authenticated else None
    link_token = request.GET.get("k", "")
    if user is None and not link_token:
        return refused(request, notice_of(Reason.NOT_SEATED))
    try:
        invitations.decline(
            public_id=public_id, user=user, link_token=link_token, now=timezone.now()
        )
    except Refused as refusal:
        return refused(request, notice_of(refusal.reason))
    messages.success(request, _("You have declined the invitation."))
    return redirect("home")


@by_person
def rematch(request: HttpRequest, user: User, public_id: str) -> HttpResponse:
    game = lobby.rematch(
        public_id=public_id, user=user, seed=token_bytes(SEED_BYTES), now=timezone.now()
    )
    return redirect("games:table", game.public_id)
