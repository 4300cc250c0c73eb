"""A player's own notes: beside the claims, and as a page."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from accounts.models import User
from games import notes, selectors
from games.forms.talk import NoteForm
from games.models import Game
from games.models.note import LONGEST_NOTE
from games.refusal import Refused
from games.views.caching import fresh
from games.views.refusals import for_viewers, notice_of, refused


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@fresh
def page(request: HttpRequest, public_id: str) -> HttpResponse:
    """All notes with a form for each; a POST writes one. For htmx the part beside the claims."""
    assert isinstance(request.user, User)
    with for_viewers():
        game = selectors.find(public_id)
        shown = notes.notes(game, request.user)
        if request.method != "POST":
            return _show(request, game, shown)
    form = NoteForm(request.POST)
    if "about" in request.POST and "text" in form.errors:
        return _show(request, game, shown, wrong=form)
    if not form.is_valid():
        return HttpResponseBadRequest()
    seat, role = form.cleaned_data["about"]
    try:
        notes.write(
            game=game, user=request.user, seat=seat, role=role, text=form.cleaned_data["text"]
        )
    except Refused as refusal:
        return refused(request, notice_of(refusal.reason), public_id)
    if "HX-Request" in request.headers:
        return _show(request, game, notes.notes(game, request.user))
    return redirect("games:notes", public_id)


def _show(
    request: HttpRequest,
    game: Game,
    shown: tuple[notes.About, ...],
    *,
    wrong: NoteForm | None = None,
) -> HttpResponse:
    part = "HX-Request" in request.headers
    context = {
        "game": game,
        "public_id": game.public_id,
        "notes": shown,
        "written": [about for about in shown if about.text],
        "longest": LONGEST_NOTE,
        "wrong": wrong,
        "part": part,
    }
    template = "games/notes/part.html" if part else "games/notes.html"
    return render(request, template, context, status=422 if wrong else 200)
