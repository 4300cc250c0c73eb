"""Answering from a letter: a page with one question, opened by a signed link, without signing in.

To open it changes nothing, for programs that scan letters open every link. The link is good for
that one question, as long as it is open and its seat, its person and their address are the same.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from accounts import zones
from accounts.models import User
from games import play, selectors
from games.forms.table import AnswerForm
from games.models import Prompt, PromptState, Source
from games.notify import links
from games.notify.letters import time_of
from games.refusal import Refused
from games.seats import seated
from games.views.caching import fresh
from games.views.guests import limit
from games.views.refusals import Notice, notice_of
from games.words import Answer, answers, asked_publicly, bare, claim_publicly, since_last_move
from games.words.answers import said


@require_http_methods(["GET", "HEAD", "POST"])
@fresh
def one_tap(request: HttpRequest, token: str) -> HttpResponse:
    """The question as it is now; a POST answers it."""
    limit(request, "one_tap")
    response = _respond(request, token)
    # The address is the permission, and no other site learns it. Not "no-referrer": then a browser
    # does not tell us either where the form comes from, and the answer is refused as forged.
    response.headers["Referrer-Policy"] = "same-origin"
    response.headers["X-Robots-Tag"] = "noindex, nofollow"
    return response


def _respond(request: HttpRequest, token: str) -> HttpResponse:
    found = links.read_answer(token, timezone.now())
    if found is None:
        words = _("It was for a question to a seat, a person or an address that has changed since.")
        return _show(request, Notice(410, _("This link is no longer good."), words))
    prompt, proposed = found
    user = prompt.tenure.user
    assert user is not None
    with _in_terms_of(user):
        if request.method == "POST":
            return _answer(request, prompt, user)
        if prompt.state != PromptState.OPEN:
            return _show(request, _closed(prompt), prompt)
        return _question(request, prompt, proposed)


def _answer(request: HttpRequest, prompt: Prompt, user: User) -> HttpResponse:
    form = AnswerForm({"prompt": prompt.pk, "answer": request.POST.get("answer", "")})
    if not form.is_valid() or form.command.verb not in selectors.PUBLIC_ANSWERS:
        if prompt.state != PromptState.OPEN:
            return _show(request, _closed(prompt), prompt)
        words = _("Choose one of the answers.")
        return _question(request, prompt, "", Notice(400, _("That is not an answer."), words))
    try:
        play.answer(
            public_id=prompt.game.public_id,
            user_id=user.pk,
            prompt_id=prompt.pk,
            command=form.command,
            now=timezone.now(),
        )
    except Refused as refusal:
        prompt.refresh_from_db(fields=["state", "answered_by"])
        notice = notice_of(refusal.reason)
        if prompt.state == PromptState.OPEN:
            return _question(request, prompt, "", notice)
        return _show(request, notice, prompt)
    prompt.refresh_from_db(fields=["state", "answered_by"])
    return _show(request, _closed(prompt), prompt)


def _question(
    request: HttpRequest, prompt: Prompt, proposed: str, notice: Notice | None = None
) -> HttpResponse:
    user = prompt.tenure.user
    assert user is not None
    view, entries = selectors.as_asked(prompt.game, prompt.tenure.seat.index)
    names = tuple(tenure.name for tenure in seated(prompt.game))
    choices: list[Answer] = answers(view, names)
    context = {
        "game": prompt.game,
        "notice": notice,
        "happened": since_last_move(view, entries),
        "sentence": asked_publicly(view, names),
        "until": time_of(user, prompt, timezone.now()),
        "utc": not user.time_zone,
        "choices": choices,
        "proposed": proposed,
        "frozen": prompt.game.frozen_at is not None,
    }
    return render(request, "games/one_tap.html", context, status=notice.status if notice else 200)


def _show(request: HttpRequest, notice: Notice, prompt: Prompt | None = None) -> HttpResponse:
    """A link that does nothing any more: why, and what has happened at the table meanwhile."""
    context: dict[str, object] = {"notice": notice}
    if prompt is not None:
        game = prompt.game
        game.refresh_from_db()
        view, entries = selectors.as_asked(game, prompt.tenure.seat.index)
        names = tuple(tenure.name for tenure in seated(game))
        context |= {
            "game": game,
            "happened": since_last_move(view, entries),
            "claim": claim_publicly(view, names),
        }
    return render(request, "games/one_tap_closed.html", context, status=notice.status)


def _closed(prompt: Prompt) -> Notice:
    """What became of a question that is open no more."""
    if prompt.state == PromptState.ANSWERED and prompt.answered_by == Source.PERSON:
        return Notice(200, _("Your answer is given."), _given(prompt))
    words = {
        PromptState.ANSWERED: _("The time was up, or something answered for you."),
        PromptState.SUPERSEDED: _("Somebody challenged, or left: the question fell away."),
        PromptState.VOID: _("The question was taken back, or the game has ended."),
    }
    return Notice(410, _("This question is settled."), words[PromptState(prompt.state)])


def _given(prompt: Prompt) -> str:
    """Which answer it was: whoever holds this link could have given it, and may read it here."""
    answer = selectors.answered(prompt)
    if answer is None:
        return _("An answer is final.")
    return _("You have answered: “{answer}”. An answer is final.").format(answer=bare(said(answer)))


@contextmanager
def _in_terms_of(user: User) -> Iterator[None]:
    """In the person's language and time zone, whoever's browser this is."""
    known = user.language and translation.check_for_language(user.language)
    with (
        translation.override(user.language if known else translation.get_language()),
        timezone.override(zones.zone(user.time_zone)),
    ):
        yield
