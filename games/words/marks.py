"""Cards and counters as markup, built once and kept."""

from functools import cache

from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language, gettext, ngettext

from games.engine.cards import Faction, Hand, Role
from games.engine.view import Claims

from .terms import EMBLEM, faction_name, icon, joined, role_name, sprite


def card(role: Role, *, lost: bool = False) -> SafeString:
    """A card face up, large; a span, so that it may lie in a button or a label."""
    return _card(role, lost, get_language())


def cards(hand: Hand) -> SafeString:
    return joined(card(role) for role in hand)


@cache
def _card(role: Role, lost: bool, language: str | None) -> SafeString:
    return format_html(
        '<span class="card{4}" data-role="{0}">'
        '<svg class="card__frame" viewBox="0 0 60 84" aria-hidden="true">'
        '<use href="{1}#cardface"/><use class="fine" href="{1}#cardface-fine"/></svg>'
        '<svg class="card__emblem" viewBox="0 0 48 48" aria-hidden="true">'
        '<use href="{1}#{2}"/><use class="fine" href="{1}#{2}-fine"/></svg>'
        '<span class="card__name">{3}</span></span>',
        role,
        sprite(),
        EMBLEM[role],
        role_name(role),
        " card--lost" if lost else "",
    )


def mini(role: Role | None, *, lost: bool = False) -> SafeString:
    """An influence in a seat: face down, or a role; `lost` is turned up for good."""
    return _mini(role, lost, get_language())


@cache
def _mini(role: Role | None, lost: bool, language: str | None) -> SafeString:
    if role is None:
        return format_html(
            '<li class="mini mini--down"><span class="vh">{}</span></li>', gettext("face-down card")
        )
    says = gettext("{role}, lost") if lost else "{role}"
    return format_html(
        '<li class="mini{}" data-role="{}">{}<span class="vh">{}</span></li>',
        " mini--lost" if lost else "",
        role,
        icon(EMBLEM[role], "ico ico--role"),
        says.format(role=role_name(role)),
    )


def coins(amount: int) -> SafeString:
    return _coins(amount, get_language())


@cache
def _coins(amount: int, language: str | None) -> SafeString:
    return format_html(
        '{}<span class="num">{}</span><span class="vh"> {}</span>',
        icon("coin", "ico ico--coin"),
        amount,
        ngettext("coin", "coins", amount),
    )


def flag(faction: Faction | None) -> SafeString:
    return _flag(faction, get_language()) if faction else SafeString()


@cache
def _flag(faction: Faction, language: str | None) -> SafeString:
    return format_html(
        '<span class="seat__flag" title="{0}">{1}<span class="vh">{0}</span></span>',
        faction_name(faction),
        icon(str(faction)),
    )


def claimed(role: Role) -> SafeString:
    """A role in the row of those a seat has claimed."""
    return _claimed(role, get_language())


@cache
def _claimed(role: Role, language: str | None) -> SafeString:
    return format_html(
        '<span data-role="{}" title="{}">{}<span class="vh">{}</span></span>',
        role,
        role_name(role),
        icon(EMBLEM[role], "ico ico--role"),
        role_name(role),
    )


def pip(claims: Claims) -> SafeString:
    """A counter of the ledger: how often claimed, and how the last test went."""
    return _pip(claims, get_language())


@cache
def _pip(claims: Claims, language: str | None) -> SafeString:
    if claims.caught:
        return format_html(
            '<span class="pip pip--false">{}<span class="vh">{}</span></span>',
            icon("close"),
            gettext("caught"),
        )
    if claims.proved:
        return format_html(
            '<span class="pip pip--proved">{}<span class="vh"> {}</span></span>',
            claims.count,
            gettext("shown"),
        )
    return format_html('<span class="pip">{}</span>', claims.count)


def log_item(
    text: SafeString,
    *,
    number: int,
    turn: str,
    mark: SafeString,
    by_clock: bool,
    by_order: bool,
    read_to_here: bool,
) -> SafeString:
    """A line of the log as an item of its list. There are many: markup is joined, not parsed."""
    above = late = ""
    if read_to_here:
        above = f'<li class="log__since">{gettext("you had read up to here")}</li>'
    if by_clock:
        late = f' <span class="muted">{gettext("by the clock")}</span>'
    elif by_order:
        by = gettext("by your standing order")  # not within the f-string: it would not be extracted
        late = f' <span class="muted">{by}</span>'
    return mark_safe(  # noqa: S308 -- every part is markup already, but for the numbers
        f'{above}<li data-number="{number}"><span class="log__turn num">{turn}</span>{mark}'
        f"<p>{text}{late}</p></li>"
    )
