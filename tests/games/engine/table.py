"""Scenario files and the engine: setting up, scripted chance, the state as a file has it."""

from typing import Any

from games.engine.cards import Faction, Hand, Options, Role
from games.engine.commands import text
from games.engine.observation import phase_name
from games.engine.rules import legal, ranking
from games.engine.state import Choose, Examine, Exchange, Over, State, waiting


class ScriptedChance:
    """A shuffle moves the top card to the bottom, once for each return of cards."""

    def below(self, bound: int, /) -> int:
        return 0

    def shuffle(self, cards: Hand, /) -> Hand:
        return cards[1:] + cards[:1]


def set_up(setup: dict[str, Any]) -> State:
    names = setup["players"]
    options = Options(
        players=len(names),
        inquisitor=setup["inquisitor"],
        factions=bool(setup["factions"]),
        both_one=setup["two_player_start"] == "both_one",
    )
    first = names.index(setup["first"])
    coins = [2] * len(names)
    if len(names) == 2:
        coins = [1, 1] if options.both_one else coins
        coins[first] = 1
    for name, amount in setup["coins"].items():
        coins[names.index(name)] = amount
    return State(
        options=options,
        turn=first,
        phase=Choose(),
        coins=tuple(coins),
        hands=tuple(_hand(setup["hands"][name]) for name in names),
        revealed=tuple(_hand(setup["revealed"].get(name, [])) for name in names),
        deck=_hand(setup["deck"]),
        factions=tuple(Faction(setup["factions"][name]) for name in names)
        if setup["factions"]
        else (),
        almshouse=setup["almshouse"],
        exiled=(),
        leaving=(),
    )


def dump(state: State, names: list[str]) -> dict[str, Any]:
    phase = state.phase
    over = isinstance(phase, Over)
    asked = sorted(waiting(state), key=lambda seat: names[seat])
    dumped: dict[str, Any] = {
        "phase": str(phase_name(phase)),
        "waiting": [names[seat] for seat in asked],
        "coins": dict(zip(names, state.coins, strict=True)),
        "hands": {name: sorted(hand) for name, hand in zip(names, state.hands, strict=True)},
        "revealed": {name: list(lost) for name, lost in zip(names, state.revealed, strict=True)},
        "deck": sorted(state.deck),
        "legal": {
            names[seat]: sorted(text(command, names) for command in legal(state, seat))
            for seat in asked
        },
    }
    if not over:
        dumped["turn"] = names[state.turn]
    if state.factions:
        dumped["factions"] = dict(zip(names, map(str, state.factions), strict=True))
        dumped["almshouse"] = state.almshouse
    if isinstance(phase, Exchange):
        dumped["drawn"] = sorted(phase.drawn)
    if isinstance(phase, Examine):
        dumped["shown"] = str(phase.shown)
    if over:
        dumped["ranking"] = [names[seat] for seat in ranking(state)]
    return dumped


def _hand(words: list[str]) -> Hand:
    return tuple(Role(word) for word in words)
