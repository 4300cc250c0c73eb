"""What a player may say: one word, sometimes with a player or with roles (rules.md §2-§7)."""

from collections.abc import Sequence
from enum import StrEnum
from typing import NamedTuple

from .cards import MAX_PLAYERS, Role


class IllegalCommand(Exception):
    """The command is malformed, or not one this seat may give now."""


class Verb(StrEnum):
    __hash__ = str.__hash__  # like the word it equals

    INCOME = "income"
    FOREIGN_AID = "foreign_aid"
    COUP = "coup"
    TAX = "tax"
    ASSASSINATE = "assassinate"
    STEAL = "steal"
    EXCHANGE = "exchange"
    EXAMINE = "examine"
    CONVERT = "convert"
    EMBEZZLE = "embezzle"
    ALLOW = "allow"
    CHALLENGE = "challenge"
    BLOCK = "block"
    REVEAL = "reveal"
    LOSE = "lose"
    SHOW = "show"
    KEEP = "keep"
    RETURN = "return"
    SWAP = "swap"
    RESIGN = "resign"
    TIMEOUT = "timeout"


class Command(NamedTuple):
    verb: Verb
    target: int | None = None
    roles: tuple[Role, ...] = ()


SEATS = tuple(str(seat) for seat in range(MAX_PLAYERS))
"""Players by seat number, in commands that are stored or sent: names change, seats do not."""

TARGETED = frozenset({Verb.COUP, Verb.ASSASSINATE, Verb.STEAL, Verb.EXAMINE, Verb.CONVERT})
WITH_ROLE = frozenset({Verb.BLOCK, Verb.REVEAL, Verb.LOSE, Verb.SHOW})

INCOME = Command(Verb.INCOME)
FOREIGN_AID = Command(Verb.FOREIGN_AID)
TAX = Command(Verb.TAX)
EXCHANGE = Command(Verb.EXCHANGE)
EMBEZZLE = Command(Verb.EMBEZZLE)
ALLOW = Command(Verb.ALLOW)
CHALLENGE = Command(Verb.CHALLENGE)
RETURN = Command(Verb.RETURN)
SWAP = Command(Verb.SWAP)
RESIGN = Command(Verb.RESIGN)
TIMEOUT = Command(Verb.TIMEOUT)

# Commands are built once: identity makes the membership test of a legal command cheap.
COUP, ASSASSINATE, STEAL, EXAMINE, CONVERT = (
    tuple(Command(verb, seat) for seat in range(MAX_PLAYERS))
    for verb in (Verb.COUP, Verb.ASSASSINATE, Verb.STEAL, Verb.EXAMINE, Verb.CONVERT)
)
BLOCK, REVEAL, LOSE, SHOW = (
    {role: Command(verb, None, (role,)) for role in Role}
    for verb in (Verb.BLOCK, Verb.REVEAL, Verb.LOSE, Verb.SHOW)
)


def keep(*roles: Role) -> Command:
    """Keep these roles of an exchange; their order does not matter."""
    return Command(Verb.KEEP, None, tuple(sorted(roles)))


def parse(text: str, names: Sequence[str]) -> Command:
    """The command that `text` says at a table whose seats bear `names`; IllegalCommand if none."""
    word, _, rest = text.partition(" ")
    try:
        verb = Verb(word)
        if verb in TARGETED:
            return Command(verb, names.index(rest))
        if verb in WITH_ROLE:
            return Command(verb, None, (Role(rest),))
        if verb is Verb.KEEP:
            return keep(*(Role(role) for role in rest.split(",")))
    except ValueError as error:
        raise IllegalCommand(text) from error
    if rest:
        raise IllegalCommand(text)
    return Command(verb)


def text(command: Command, names: Sequence[str]) -> str:
    """The words of a command: the inverse of `parse`."""
    if command.target is not None:
        return f"{command.verb} {names[command.target]}"
    if command.roles:
        return f"{command.verb} {','.join(command.roles)}"
    return str(command.verb)
