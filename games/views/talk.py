"""Talk at a table: its page, the part of it that is fetched again, and what is said."""

from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_GET, require_POST

from accounts.models import User
from games import hearing, selectors, talk
from games.forms.lobby import new_form_token
from games.forms.talk import EarlierForm, MessageForm, SayForm, TalkReadForm
from games.hearing import Silence
from games.models import Phrase, TalkRoom
from games.models.talk import LONGEST_MESSAGE
from games.refusal import Reason, Refused
from games.views.caching import fresh
from games.views.lobby import link_query
from games.views.refusals import Notice, for_viewers, notice_of, refused

_TITLES = {
    TalkRoom.TABLE: _("At the table"),
    TalkRoom.SPECTATORS: _("Among the spectators"),
}
_ABOUT = {
    TalkRoom.TABLE: _("Everybody who sees the table reads this."),
    TalkRoom.SPECTATORS: _("The players read this only when the game is over."),
}
_WHY = {
    Silence.NOT_SIGNED_IN: _("Sign in to talk."),
    Silence.NOT_SEATED: _("Only those who sit at the table speak here."),
    Silence.SANCTIONED: _("A moderator has decided that you write no messages for now."),
    Silence.SAW_CARDS: _("You have seen the cards of this game, so you do not talk here."),
    Silence.GUEST: _("Sign up to talk: guests speak only where they have a seat."),
    Silence.ENDED: _("The talk at this table has ended."),
}


def person_of(request: HttpRequest) -> User | None:
    return request.user if isinstance(request.user, User) else None


def ear_of(request: HttpRequest, public_id: str) -> hearing.Listener:
    """Whoever asks, at that table; Hidden if they may not see it."""
    link_token = request.GET.get("k", "")
    return hearing.listener(selectors.find(public_id), person_of(request), link_token)


@require_GET
@fresh
def page(request: HttpRequest, public_id: str) -> HttpResponse:
    """The talk as a page of its own; for htmx the part beside the table; 204 if `seen` is all."""
    with for_viewers():
        return _show(request, ear_of(request, public_id))


@require_POST
@fresh
def say(request: HttpRequest, public_id: str) -> HttpResponse:
    """Say something. What was refused comes back with what was typed."""
    form = SayForm(request.POST)
    sent = request.POST.get("text", "")[: 10 * LONGEST_MESSAGE]
    notice = None
    if not form.is_valid():
        if "text" not in form.errors:
            return HttpResponseBadRequest()
        notice = Notice(422, str(_("Nothing was said.")), str(form.errors["text"][0]))
    else:
        try:
            notice = _say(request, public_id, form)
        except Refused as refusal:
            notice = notice_of(refusal.reason)
    # A phrase leaves alone what was being typed.
    kept = sent if notice or form.cleaned_data["phrase"] else ""
    if not notice and not kept and not _is_part(request):
        return redirect(reverse("games:talk", args=[public_id]) + link_query(request))
    try:
        ear = ear_of(request, public_id)
    except selectors.Hidden as hidden:
        reason = Reason.NO_VOICE if hidden.exists else Reason.NO_GAME
        return refused(request, notice_of(reason))
    return _show(request, ear, notice=notice, kept={request.POST.get("room", ""): kept})


def _say(request: HttpRequest, public_id: str, form: SayForm) -> Notice | None:
    user = person_of(request)
    if user is None:
        return notice_of(Reason.NO_VOICE)
    talk.say(
        public_id=public_id,
        user=user,
        room=TalkRoom(form.cleaned_data["room"]),
        text=form.cleaned_data["text"],
        phrase=form.cleaned_data["phrase"],
        form_token=form.cleaned_data["form_token"],
        link_token=request.GET.get("k", ""),
        now=timezone.now(),
    )
    return None


@require_POST
@fresh
def read(request: HttpRequest, public_id: str) -> HttpResponse:
    """The talk has been in view, up to these numbers."""
    form = TalkReadForm(request.POST)
    if not form.is_valid():
        return HttpResponseBadRequest()
    user = person_of(request)
    if user:
        talk.read(
            public_id=public_id,
            user=user,
            table=form.cleaned_data["table"] or 0,
            spectators=form.cleaned_data["spectators"] or 0,
            link_token=request.GET.get("k", ""),
        )
    if _is_part(request):
        return HttpResponse(status=204)
    return redirect(reverse("games:talk", args=[public_id]) + link_query(request))


@require_POST
@fresh
def mute(request: HttpRequest, public_id: str) -> HttpResponse:
    """Fold away whoever said this, or read them again."""
    form = MessageForm(request.POST)
    if not form.is_valid():
        return HttpResponseBadRequest()
    with for_viewers():
        ear = ear_of(request, public_id)
    message = hearing.message(ear, *form.place)
    if ear.user is None or message is None:
        return refused(request, notice_of(Reason.NO_MESSAGE), public_id)
    if form.cleaned_data["mute"]:
        talk.mute(user=ear.user, whom_id=message.user_id)
    else:
        talk.unmute(user=ear.user, whom_id=message.user_id)
    if _is_part(request):
        return _show(request, ear)
    return redirect(reverse("games:talk", args=[public_id]) + link_query(request))


def _is_part(request: HttpRequest) -> bool:
    return "HX-Request" in request.headers


def _show(
    request: HttpRequest,
    ear: hearing.Listener,
    *,
    notice: Notice | None = None,
    kept: dict[str, str] | None = None,
) -> HttpResponse:
    """The talk as this person hears it; `kept` is what was typed, by room."""
    earlier = EarlierForm(request.GET)
    older = earlier.cleaned_data if earlier.is_valid() else {}
    now = timezone.now()
    heard = hearing.talk(ear, now, **older)
    if request.GET.get("seen") == heard.tag and not notice:
        return HttpResponse(status=204)
    context: dict[str, Any] = {
        "game": ear.game,
        "public_id": ear.game.public_id,
        "socket": f"/ws/g/{ear.game.public_id}/talk/{link_query(request)}",
        "talk": heard,
        "rooms": [_room(room, (kept or {}).get(room.room, "")) for room in heard.rooms],
        "older": older,
        "notice": notice,
        "today": timezone.localtime(now).date().isoformat(),
        "phrases": Phrase.choices,
        "longest": LONGEST_MESSAGE,
        "link_query": link_query(request),
        "may_quiet": ear.user is not None,
    }
    template = "games/talk/part.html" if _is_part(request) else "games/talk.html"
    return render(request, template, context, status=notice.status if notice else 200)


def _room(heard: hearing.Heard, kept: str) -> dict[str, Any]:
    return {
        "heard": heard,
        "title": _TITLES[heard.room],
        "about": _ABOUT[heard.room],
        "why": _WHY[heard.silence] if heard.silence else "",
        "kept": kept,
        "form_token": new_form_token(),
    }
