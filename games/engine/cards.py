"""Roles, factions and the options of a table (rules.md §1, §6)."""

from enum import StrEnum

from msgspec import Struct


class Role(StrEnum):
    """A character. It equals its word, and hashes like it (which is also the quick way)."""

    __hash__ = str.__hash__

    DUKE = "duke"
    ASSASSIN = "assassin"
    CAPTAIN = "captain"
    AMBASSADOR = "ambassador"
    CONTESSA = "contessa"
    INQUISITOR = "inquisitor"


class Faction(StrEnum):
    LOYALIST = "loyalist"
    REFORMIST = "reformist"


type Hand = tuple[Role, ...]

COPIES = 3
BASE_ROLES = (Role.DUKE, Role.ASSASSIN, Role.CAPTAIN, Role.AMBASSADOR, Role.CONTESSA)
INQUISITOR_ROLES = (Role.DUKE, Role.ASSASSIN, Role.CAPTAIN, Role.INQUISITOR, Role.CONTESSA)
MIN_PLAYERS, MAX_PLAYERS = 2, 6


class Options(Struct, frozen=True, array_like=True):
    """What a table is played with: 2-6 players, the two variants, the two-player opening."""

    players: int
    inquisitor: bool = False
    factions: bool = False
    both_one: bool = False


def roles(options: Options) -> Hand:
    """The five roles in play."""
    return INQUISITOR_ROLES if options.inquisitor else BASE_ROLES


def opposite(faction: Faction) -> Faction:
    """The other of the two factions."""
    return Faction.REFORMIST if faction is Faction.LOYALIST else Faction.LOYALIST
