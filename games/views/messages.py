"""What somebody is told: choices, a test, why a message came or did not, leaving a list."""

from secrets import token_hex

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST

from accounts.models import User
from games.forms.messages import MessagesForm
from games.models import Channel, Kind
from games.notify import history, links, outbox, preferences
from games.views.caching import fresh
from games.views.guests import limit
from games.views.paging import part_of


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@fresh
def page(request: HttpRequest) -> HttpResponse:
    """Choices about messages, and what was sent lately."""
    user = request.user
    assert isinstance(user, User)
    form = MessagesForm(user, request.POST if request.method == "POST" else None)
    if form.is_valid():
        preferences.save(user_id=user.pk, wishes=form.wishes)
        messages.success(request, _("Saved."))
        return redirect("games:messages")
    tag = history.tag(user)  # before the lists: what changes meanwhile is fetched again
    asked = part_of(request, history.questions_of(user), "asked")
    others = part_of(request, history.others_of(user), "others")
    context = {
        "tag": tag,
        "form": form,
        "channels": Channel,
        "asked_part": asked,
        "asked": history.of_questions(user, asked.rows),
        "others_part": others,
        "others": history.of_others(others.rows),
        "now": timezone.now(),
    }
    return render(request, "games/messages.html", context, status=400 if form.errors else 200)


@require_POST
@login_required
def test(request: HttpRequest) -> HttpResponse:
    """Send a message to whoever asks for one, by each of their channels."""
    limit(request, "test_message")
    user = request.user
    assert isinstance(user, User)
    outbox.tell(users=[user], kind=Kind.TEST, key=f"test.{token_hex(8)}", now=timezone.now())
    messages.success(request, _("It is on its way. Below you see what becomes of it."))
    return redirect("games:messages")


@csrf_exempt  # a mail program sends it: the signed token in the address stands for the person
@require_http_methods(["GET", "HEAD", "POST"])
@fresh
def unsubscribe(request: HttpRequest, token: str) -> HttpResponse:
    """No more of one kind of message. A page for people, and, by RFC 8058, for mail programs, which
    know no CSRF token: the signature stands for the person."""
    switch = links.read_switch(token)
    if switch is None:
        return render(request, "games/unsubscribe.html", {"switch": None}, status=404)
    if request.method == "POST":
        preferences.switch_off(switch)
    context = {"switch": switch, "done": request.method == "POST"}
    response = render(request, "games/unsubscribe.html", context)
    response.headers["Referrer-Policy"] = "no-referrer"
    response.headers["X-Robots-Tag"] = "noindex, nofollow"
    return response
