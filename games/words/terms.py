"""Names of things, and the small pieces of markup that sentences are made of.

Languages differ in how a role's name bends: so each role has its bare name, its name as the object
of a sentence, article included, and its name after "as". A sentence is one message with
placeholders; its parts are filled in by `fill`, which escapes whatever is not markup already.
"""

from collections.abc import Iterable, Sequence
from functools import cache
from typing import TYPE_CHECKING

from django.templatetags.static import static
from django.utils.html import conditional_escape, format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext, pgettext_lazy

from games.engine.cards import Faction, Role
from games.engine.commands import Verb

if TYPE_CHECKING:
    from django_stubs_ext import StrPromise

NOTHING = SafeString()

type Message = str | StrPromise

# The parts a viewer can have in what is told: none, the one who does it, the one it is done to.
THEY, YOU, AT_YOU = range(3)

EMBLEM = {
    Role.DUKE: "crown",
    Role.ASSASSIN: "dagger",
    Role.CAPTAIN: "wheel",
    Role.AMBASSADOR: "scroll",
    Role.CONTESSA: "fan",
    Role.INQUISITOR: "eye",
}

# Drawings filled with metal.
COINS = ("coin", "coins")

_NAME = {
    Role.DUKE: _("Duke"),
    Role.ASSASSIN: _("Assassin"),
    Role.CAPTAIN: _("Captain"),
    Role.AMBASSADOR: _("Ambassador"),
    Role.CONTESSA: _("Contessa"),
    Role.INQUISITOR: _("Inquisitor"),
}
_OBJECT = {
    Role.DUKE: pgettext_lazy("somebody claims, shows, loses …", "the <b>Duke</b>"),
    Role.ASSASSIN: pgettext_lazy("somebody claims, shows, loses …", "the <b>Assassin</b>"),
    Role.CAPTAIN: pgettext_lazy("somebody claims, shows, loses …", "the <b>Captain</b>"),
    Role.AMBASSADOR: pgettext_lazy("somebody claims, shows, loses …", "the <b>Ambassador</b>"),
    Role.CONTESSA: pgettext_lazy("somebody claims, shows, loses …", "the <b>Contessa</b>"),
    Role.INQUISITOR: pgettext_lazy("somebody claims, shows, loses …", "the <b>Inquisitor</b>"),
}
_AS = {
    Role.DUKE: pgettext_lazy("somebody acts or blocks …", "as <b>Duke</b>"),
    Role.ASSASSIN: pgettext_lazy("somebody acts or blocks …", "as <b>Assassin</b>"),
    Role.CAPTAIN: pgettext_lazy("somebody acts or blocks …", "as <b>Captain</b>"),
    Role.AMBASSADOR: pgettext_lazy("somebody acts or blocks …", "as <b>Ambassador</b>"),
    Role.CONTESSA: pgettext_lazy("somebody acts or blocks …", "as <b>Contessa</b>"),
    Role.INQUISITOR: pgettext_lazy("somebody acts or blocks …", "as <b>Inquisitor</b>"),
}
_FACTION = {Faction.LOYALIST: _("loyalist"), Faction.REFORMIST: _("reformist")}
_SIDE = {
    Faction.LOYALIST: pgettext_lazy("somebody goes over to …", "the <b>loyalists</b>"),
    Faction.REFORMIST: pgettext_lazy("somebody goes over to …", "the <b>reformists</b>"),
}
_VERB = {
    Verb.INCOME: _("Income"),
    Verb.FOREIGN_AID: _("Foreign aid"),
    Verb.COUP: pgettext_lazy("the action", "Coup"),
    Verb.TAX: _("Tax"),
    Verb.ASSASSINATE: _("Assassinate"),
    Verb.STEAL: _("Steal"),
    Verb.EXCHANGE: _("Exchange"),
    Verb.EXAMINE: _("Examine"),
    Verb.CONVERT: _("Convert"),
    Verb.EMBEZZLE: _("Embezzle"),
    Verb.ALLOW: _("Allow"),
    Verb.CHALLENGE: _("Challenge"),
    Verb.BLOCK: _("Block"),
    Verb.REVEAL: _("Turn up"),
    Verb.LOSE: _("Give up"),
    Verb.SHOW: _("Show"),
    Verb.KEEP: _("Keep"),
    Verb.RETURN: _("Give it back"),
    Verb.SWAP: _("Have it swapped"),
    Verb.RESIGN: _("Leave the game"),
    Verb.TIMEOUT: _("Out of time"),
}


def role_name(role: Role) -> str:
    return str(_NAME[role])


def faction_name(faction: Faction) -> str:
    return str(_FACTION[faction])


def verb_name(verb: Verb) -> str:
    return str(_VERB[verb])


def fill(message: Message, **parts: str | int) -> SafeString:
    """`message`, which may hold markup, with its parts; numbers choose its plural."""
    ready = {
        name: part if isinstance(part, int) else conditional_escape(part)
        for name, part in parts.items()
    }
    return mark_safe(message.format(**ready))  # noqa: S308 -- every part is escaped above


def player(names: Sequence[str], seat: int | None) -> SafeString:
    """A player's name, in its own direction whatever stands around it."""
    return format_html("<bdi>{}</bdi>", "" if seat is None else names[seat])


def sprite() -> str:
    """Where the drawings are."""
    return static("img/emblems.svg")


@cache
def icon(name: str, classes: str = "ico") -> SafeString:
    """A drawing of the sprite, silent to a screen reader."""
    return format_html(
        '<svg class="{}" viewBox="0 0 48 48" aria-hidden="true"><use href="{}#{}"/></svg>',
        classes,
        sprite(),
        name,
    )


@cache
def role_icon(role: Role, classes: str = "ico ico--role") -> SafeString:
    """A role's emblem in its colour, silent: its name stands beside it."""
    return format_html('<span data-role="{}">{}</span>', role, icon(EMBLEM[role], classes))


def the(role: Role | None, *, drawn: bool = False) -> SafeString:
    """A role as the object of a sentence; `drawn` with its emblem."""
    return _marked(_OBJECT, role, drawn=drawn)


def as_role(role: Role | None) -> SafeString:
    return _marked(_AS, role, drawn=False)


def side(faction: Faction | None) -> SafeString:
    """A faction as where somebody goes over to."""
    return mark_safe(str(_SIDE[faction])) if faction else NOTHING  # noqa: S308 -- our text


def joined(items: Iterable[SafeString]) -> SafeString:
    """Pieces of markup, one after the other."""
    return mark_safe("".join(items))  # noqa: S308 -- they are markup already


def listed(items: Sequence[SafeString]) -> SafeString:
    """One, two and three."""
    *most, last = items or (NOTHING,)
    if not most:
        return last
    first = format_html_join(
        pgettext("between the items of a list", ", "), "{}", ((item,) for item in most)
    )
    return format_html(pgettext("the items of a list, and its last", "{} and {}"), first, last)


def people(names: Sequence[str], seats: Iterable[int]) -> SafeString:
    return listed([player(names, seat) for seat in seats])


def roles(cards: Iterable[Role]) -> SafeString:
    return listed([the(role) for role in cards])


def part(viewer: int, seat: int, target: int | None) -> int:
    """The viewer's part in what `seat` does to `target`."""
    if viewer < 0:
        return THEY
    return YOU if viewer == seat else AT_YOU if viewer == target else THEY


def _marked(forms: dict[Role, "StrPromise"], role: Role | None, *, drawn: bool) -> SafeString:
    if role is None:
        return NOTHING
    emblem = icon(EMBLEM[role]) if drawn else ""
    opening = f'<span class="role" data-role="{role}">{emblem}'
    text = str(forms[role]).replace("<b>", opening).replace("</b>", "</span>")
    return mark_safe(text)  # noqa: S308 -- our text and our markup
