"""The rules at hand: this variant on half a page."""

from dataclasses import dataclass
from functools import cache

from django.utils.html import format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from games.engine.cards import Options, Role, roles
from games.engine.commands import Verb

from .actions import CLAIMING, PLAIN, RISK, claimed, does, emblem, exists
from .terms import COINS, Message, fill, icon, role_icon, role_name, verb_name


@dataclass(frozen=True, slots=True)
class Rule:
    """A role, or an action that claims none, and what it does in a sentence or two."""

    mark: SafeString
    name: str
    says: tuple[SafeString, ...]


_ACTION = _("{action}: {does}")
_PRICED = _("{action} ({price}): {does}")
_BLOCKS: dict[Role, Message] = {
    Role.DUKE: _("Blocks foreign aid."),
    Role.CAPTAIN: _("Blocks theft."),
    Role.AMBASSADOR: _("Blocks theft."),
    Role.INQUISITOR: _("Blocks theft."),
    Role.CONTESSA: _("Blocks assassination."),
}
_COSTS: dict[Verb, Message] = {
    Verb.COUP: _("Costs 7 coins."),
    Verb.CONVERT: _("Costs 1 coin for yourself, 2 for another."),
    Verb.EMBEZZLE: _("Claims that you hold no Duke: anyone may challenge."),
}
_COST_OF_ASSASSINATION = _("3 coins")


def rules_at_hand(options: Options) -> tuple[Rule, ...]:
    """The roles of this variant, then the actions that claim none."""
    return _rules(Options(2, options.inquisitor, options.factions), get_language())


def rules_list(options: Options) -> SafeString:
    """The same as the items of a <dl>: every table of a variant shows one and the same."""
    return _list(Options(2, options.inquisitor, options.factions), get_language())


@cache
def _list(options: Options, language: str | None) -> SafeString:
    return format_html_join(
        "",
        "<div><dt>{}{}</dt>{}</div>",
        (
            (rule.mark, rule.name, format_html_join("", "<dd>{}</dd>", zip(rule.says)))
            for rule in _rules(options, language)
        ),
    )


@cache
def _rules(options: Options, language: str | None) -> tuple[Rule, ...]:
    plain = [verb for verb in (*PLAIN, Verb.EMBEZZLE) if exists(options, verb)]
    return (
        *(_role(options, role) for role in roles(options)),
        *(_plain(options, verb) for verb in plain),
    )


def _role(options: Options, role: Role) -> Rule:
    says = [
        fill(
            _PRICED,
            action=verb_name(verb),
            price=str(_COST_OF_ASSASSINATION),
            does=does(options, verb),
        )
        if verb is Verb.ASSASSINATE
        else fill(_ACTION, action=verb_name(verb), does=does(options, verb))
        for verb in CLAIMING
        if exists(options, verb) and claimed(options, verb) is role
    ]
    if role in _BLOCKS:
        says.append(fill(_BLOCKS[role]))
    return Rule(role_icon(role), role_name(role), tuple(says))


def _plain(options: Options, verb: Verb) -> Rule:
    says = (_COSTS.get(verb, ""), does(options, verb), RISK.get(verb, ""))
    drawing = emblem(options, verb)
    return Rule(
        icon(drawing, "ico ico--coin" if drawing in COINS else "ico"),
        verb_name(verb),
        tuple(fill(text) for text in says if text),
    )
