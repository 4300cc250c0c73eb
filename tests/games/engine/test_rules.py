"""Corners of the rules that the scenario files do not turn: leaving, ends, factions, coins."""

import pytest

from games.engine import commands as say
from games.engine.cards import Faction, Hand, Options, Role
from games.engine.commands import Command, IllegalCommand
from games.engine.events import (
    Allowed,
    Announced,
    Answered,
    BlockAsked,
    Cause,
    Embezzled,
    Ended,
    Event,
    Exposed,
    Left,
    Lost,
    Refunded,
    Replaced,
    Resigned,
    Stole,
    TurnEnded,
)
from games.engine.rules import legal, play, ranking
from games.engine.state import (
    Block,
    Choose,
    Examine,
    Exchange,
    Lose,
    Over,
    Respond,
    RespondBlock,
    Reveal,
    Show,
    State,
    waiting,
)

from .table import ScriptedChance

DUKE, ASSASSIN, CAPTAIN = Role.DUKE, Role.ASSASSIN, Role.CAPTAIN
AMBASSADOR, CONTESSA, INQUISITOR = Role.AMBASSADOR, Role.CONTESSA, Role.INQUISITOR
LOYAL, REFORM = Faction.LOYALIST, Faction.REFORMIST
PAIRS: tuple[Hand, ...] = (
    (DUKE, ASSASSIN),
    (CAPTAIN, CONTESSA),
    (DUKE, CAPTAIN),
    (ASSASSIN, CONTESSA),
    (DUKE, ASSASSIN),
    (CAPTAIN, CONTESSA),
)


def table(
    *hands: Hand,
    turn: int = 0,
    coins: tuple[int, ...] = (),
    factions: tuple[Faction, ...] = (),
    almshouse: int = 0,
    inquisitor: bool = False,
) -> State:
    third = INQUISITOR if inquisitor else AMBASSADOR
    return State(
        options=Options(len(hands), inquisitor=inquisitor, factions=bool(factions)),
        turn=turn,
        phase=Choose(),
        coins=coins or (2,) * len(hands),
        hands=hands,
        revealed=tuple((CONTESSA,) * (2 - len(hand)) for hand in hands),
        deck=(third, third, third),
        factions=factions,
        almshouse=almshouse,
        exiled=(),
        leaving=(),
    )


def said(state: State, *words: tuple[int, Command]) -> tuple[State, list[Event]]:
    """The table after all of `words`, and what the last of them brought about."""
    events: list[Event] = []
    for seat, command in words:
        events, state = play(state, seat, command, ScriptedChance())
    return state, events


# --- leaving ----------------------------------------------------------------------------------


def test_the_player_in_turn_leaves_before_acting() -> None:
    state, events = said(table(*PAIRS[:3]), (0, say.RESIGN))
    assert events == [Resigned(0), Left(0, (DUKE, ASSASSIN)), TurnEnded(1)]
    assert (state.turn, state.exiled, state.coins) == (1, (0,), (0, 2, 2))
    assert state.revealed[0] == (DUKE, ASSASSIN)


def test_another_leaves_before_the_player_in_turn_has_acted() -> None:
    state, events = said(table(*PAIRS[:3]), (2, say.RESIGN))
    assert events == [Resigned(2), Left(2, (DUKE, CAPTAIN))]
    assert (state.turn, waiting(state), state.exiled) == (0, (0,), (2,))


def test_a_leaver_in_a_window_allows_and_is_exiled_when_the_turn_ends() -> None:
    state, events = said(table(*PAIRS[:3]), (0, say.TAX), (1, say.RESIGN))
    assert events == [Resigned(1), Answered(1, None)]
    assert (waiting(state), state.leaving, state.exiled) == ((2,), (1,), ())
    state, events = said(state, (2, say.ALLOW))
    assert events[-2:] == [Left(1, (CAPTAIN, CONTESSA)), TurnEnded(2)]
    assert state.coins == (5, 0, 2)


def test_the_last_answer_may_be_a_leavers() -> None:
    state, events = said(
        table(*PAIRS[:3]), (0, say.STEAL[1]), (1, say.BLOCK[CAPTAIN]), (2, say.RESIGN)
    )
    assert events[:3] == [Resigned(2), Answered(2, None), Allowed((2,))]
    # The block is announced, and the leaver, still in the game, lets it stand.
    assert isinstance(state.phase, RespondBlock)
    assert (state.phase.asked, waiting(state)) == ((0, 2), (0,))


def test_a_sealed_block_stands_when_its_owner_leaves() -> None:
    state, _ = said(table(*PAIRS[:3]), (0, say.STEAL[1]), (1, say.BLOCK[CAPTAIN]), (1, say.RESIGN))
    state, _ = said(state, (2, say.ALLOW))
    assert isinstance(state.phase, RespondBlock)
    state, events = said(state, (0, say.CHALLENGE))
    # It is proved by default, for the leaver holds the card.
    assert state.phase == Lose(state.phase.action, 0, Cause.BLOCK_STOOD)
    state, events = said(state, (0, say.LOSE[DUKE]))
    assert events[-2:] == [Left(1, state.revealed[1]), TurnEnded(2)]


def test_a_leaving_actor_is_paid_and_pays_it_back_to_the_treasury() -> None:
    state, events = said(
        table(*PAIRS[:3]), (0, say.STEAL[1]), (0, say.RESIGN), (2, say.ALLOW), (1, say.ALLOW)
    )
    assert Stole(0, 1, 2) in events
    assert (state.coins, state.exiled, state.turn) == ((0, 0, 2), (0,), 1)


def test_a_leaving_target_does_not_block_after_a_failed_challenge() -> None:
    state, _ = said(
        table((ASSASSIN, DUKE), *PAIRS[1:3], coins=(3, 2, 2)),
        (0, say.ASSASSINATE[1]),
        (1, say.RESIGN),
        (2, say.CHALLENGE),
        (0, say.REVEAL[ASSASSIN]),
    )
    state, events = said(state, (2, say.LOSE[DUKE]))
    # Asked to block, asked which card to lose: each is answered at once.
    assert events == [
        Lost(2, DUKE, Cause.CLAIM_STOOD),
        BlockAsked(),
        Allowed((1,)),
        *events[3:4],
        Lost(1, CAPTAIN, Cause.EFFECT),
        Left(1, (CONTESSA,)),
        TurnEnded(2),
    ]


def test_a_leaving_challenger_loses_the_first_card() -> None:
    state, _ = said(table(*PAIRS[:4]), (0, say.TAX), (1, say.CHALLENGE), (1, say.RESIGN))
    state, events = said(state, (0, say.REVEAL[DUKE]))
    assert Lost(1, CAPTAIN, Cause.CLAIM_STOOD) in events
    assert events[-2:] == [Left(1, (CONTESSA,)), TurnEnded(2)]


def test_a_leaver_who_loses_the_last_card_is_exiled_by_that() -> None:
    state, _ = said(
        table(PAIRS[0], (CAPTAIN,), *PAIRS[2:4]), (0, say.TAX), (1, say.CHALLENGE), (1, say.RESIGN)
    )
    state, events = said(state, (0, say.REVEAL[DUKE]))
    assert not any(isinstance(event, Left) for event in events)
    assert (state.exiled, state.leaving) == ((1,), ())


@pytest.mark.parametrize(
    ("inquisitor", "words", "phase", "leaver"),
    [
        (False, [(0, say.TAX)], Respond, 1),
        (False, [(0, say.TAX), (1, say.CHALLENGE)], Reveal, 0),
        (False, [(0, say.COUP[1])], Lose, 1),
        (False, [(0, say.STEAL[1]), (2, say.CHALLENGE), (0, say.REVEAL[CAPTAIN])], Lose, 2),
        (
            False,
            [
                (0, say.STEAL[1]),
                (2, say.CHALLENGE),
                (0, say.REVEAL[CAPTAIN]),
                (2, say.LOSE[DUKE]),
            ],
            Block,
            1,
        ),
        (False, [(0, say.FOREIGN_AID), (1, say.BLOCK[DUKE])], RespondBlock, 0),
        (False, [(0, say.EXCHANGE), (1, say.ALLOW), (2, say.ALLOW)], Exchange, 0),
        (True, [(0, say.EXAMINE[1]), (1, say.ALLOW), (2, say.ALLOW)], Show, 1),
        (
            True,
            [
                (0, say.EXAMINE[1]),
                (1, say.ALLOW),
                (2, say.ALLOW),
                (1, say.SHOW[CAPTAIN]),
            ],
            Examine,
            0,
        ),
    ],
)
def test_one_may_leave_in_every_phase(
    inquisitor: bool, words: list[tuple[int, Command]], phase: type, leaver: int
) -> None:
    hands = ((DUKE, CAPTAIN), (CAPTAIN, CONTESSA), (DUKE, ASSASSIN))
    state, _ = said(table(*hands, coins=(7, 2, 2), inquisitor=inquisitor), *words)
    assert isinstance(state.phase, phase)
    assert leaver in waiting(state)
    state, events = said(state, (leaver, say.RESIGN))
    assert events[0] == Resigned(leaver)
    assert leaver not in waiting(state)
    assert not isinstance(state.phase, phase) or isinstance(state.phase, Respond | RespondBlock)
    while leaver not in state.exiled:
        seat = waiting(state)[0]
        state, _ = said(state, (seat, say.TIMEOUT))
    assert state.hands[leaver] == ()
    assert state.coins[leaver] == 0


def test_leavers_rank_above_whom_the_turn_had_exiled_before() -> None:
    state, events = said(
        table((DUKE,), (CAPTAIN,), *PAIRS[2:4]),
        (0, say.TAX),
        (2, say.RESIGN),
        (3, say.RESIGN),
        (1, say.CHALLENGE),
    )
    assert events[-4:] == [
        Lost(1, CAPTAIN, Cause.CLAIM_STOOD),
        Left(2, PAIRS[2]),
        Left(3, PAIRS[3]),
        Ended(0),
    ]
    assert ranking(state) == (0, 3, 2, 1)


def test_the_game_ends_in_the_middle_of_an_exchange() -> None:
    state, _ = said(table(*PAIRS[:2]), (0, say.EXCHANGE), (1, say.ALLOW))
    assert isinstance(state.phase, Exchange)
    held = len(state.deck) + len(state.phase.drawn)
    state, events = said(state, (1, say.RESIGN))
    assert events == [Resigned(1), Left(1, PAIRS[1]), Ended(0)]
    assert isinstance(state.phase, Over)
    assert len(state.deck) == held
    assert state.hands[0] == PAIRS[0]


@pytest.mark.parametrize("seat", [-1, 0, 1, 2])
def test_nobody_leaves_a_finished_game(seat: int) -> None:
    state, _ = said(table(*PAIRS[:2]), (1, say.RESIGN))
    assert isinstance(state.phase, Over)
    with pytest.raises(IllegalCommand):
        said(state, (seat, say.RESIGN))


@pytest.mark.parametrize("seat", [-1, 3])
def test_no_such_seat(seat: int) -> None:
    for command in (say.RESIGN, say.TIMEOUT, say.INCOME):
        with pytest.raises(IllegalCommand):
            said(table(*PAIRS[:3]), (seat, command))


# --- the end ----------------------------------------------------------------------------------


def test_no_refund_once_the_game_is_over() -> None:
    state, events = said(
        table((DUKE,), (CAPTAIN,), coins=(3, 2)), (0, say.ASSASSINATE[1]), (1, say.CHALLENGE)
    )
    assert events[1:] == [Lost(0, DUKE, Cause.CAUGHT), Ended(1)]
    assert state.coins == (0, 2)


def test_a_refund_to_an_exile_goes_to_the_treasury() -> None:
    state, events = said(
        table((DUKE,), *PAIRS[1:3], coins=(3, 2, 2)), (0, say.ASSASSINATE[1]), (2, say.CHALLENGE)
    )
    assert events[1:] == [Lost(0, DUKE, Cause.CAUGHT), Refunded(0, 3), TurnEnded(1)]
    assert state.coins == (0, 2, 2)


# --- coins and cards --------------------------------------------------------------------------


def test_ten_coins_with_factions_harm_no_ally() -> None:
    state = table(*PAIRS[:4], coins=(10, 2, 2, 2), factions=(LOYAL, REFORM, LOYAL, REFORM))
    assert legal(state, 0) == (say.COUP[1], say.COUP[3])
    state = table(*PAIRS[:4], coins=(10, 2, 2, 2), factions=(LOYAL,) * 4)
    assert legal(state, 0) == (say.COUP[1], say.COUP[2], say.COUP[3])


def test_out_of_time_with_ten_coins_the_next_enemy_pays() -> None:
    state = table(*PAIRS[:4], turn=2, coins=(2, 2, 12, 2), factions=(REFORM, LOYAL, LOYAL, LOYAL))
    _, events = said(state, (2, say.TIMEOUT))
    assert events[0].action.target == 0


def test_foreign_aid_is_blocked_across_the_line_alone() -> None:
    state = table(*PAIRS[:4], factions=(LOYAL, REFORM, LOYAL, REFORM))
    state, events = said(state, (0, say.FOREIGN_AID))
    assert events == [Announced(state.phase.action, (1, 3))]
    state, _ = said(state, (1, say.BLOCK[DUKE]))
    # But everybody may challenge the block.
    assert state.phase.asked == (0, 2, 3)


def test_one_faction_left_blocks_each_others_aid() -> None:
    state = table(*PAIRS[:3], factions=(LOYAL,) * 3)
    state, _ = said(state, (0, say.FOREIGN_AID))
    assert waiting(state) == (1, 2)


def test_a_faction_that_dies_out_frees_everybody_from_the_next_turn() -> None:
    state = table(
        PAIRS[0],
        (CAPTAIN,),
        *PAIRS[2:4],
        coins=(7, 2, 2, 2),
        factions=(LOYAL, REFORM, LOYAL, LOYAL),
    )
    assert say.COUP[2] not in legal(state, 0)
    state, _ = said(state, (0, say.COUP[1]))
    assert (state.turn, state.exiled) == (2, (1,))
    assert {say.STEAL[0], say.STEAL[3]} <= set(legal(state, 2))
    state, _ = said(state, (2, say.CONVERT[2]))
    assert state.factions == (LOYAL, REFORM, REFORM, LOYAL)
    # The exiled reformist counts no more, the converted one does.
    assert say.STEAL[0] not in legal(state, 3)
    assert say.STEAL[2] in legal(state, 3)


def test_embezzling_with_one_duke_as_the_only_card() -> None:
    state = table((DUKE,), *PAIRS[1:3], factions=(LOYAL, REFORM, LOYAL), almshouse=4)
    state, events = said(state, (0, say.EMBEZZLE), (2, say.CHALLENGE))
    assert events[1:] == [Exposed(0, (DUKE,)), Lost(0, DUKE, Cause.CAUGHT), TurnEnded(1)]
    assert state.almshouse == 4


def test_embezzling_with_two_dukes_loses_one_and_replaces_the_other() -> None:
    state = table((DUKE, DUKE), *PAIRS[1:3], factions=(LOYAL, REFORM, LOYAL), almshouse=4)
    state, events = said(state, (0, say.EMBEZZLE), (1, say.CHALLENGE))
    assert events[1:3] == [Exposed(0, (DUKE, DUKE)), Lost(0, DUKE, Cause.CAUGHT)]
    assert isinstance(events[3], Replaced)
    assert (events[3].returned, len(state.hands[0]), len(state.deck)) == ((DUKE,), 1, 3)


def test_an_honest_embezzler_is_paid_after_the_challengers_loss() -> None:
    state = table((CONTESSA,), *PAIRS[1:3], factions=(LOYAL, REFORM, LOYAL), almshouse=4)
    state, events = said(state, (0, say.EMBEZZLE), (1, say.CHALLENGE), (1, say.LOSE[CAPTAIN]))
    assert events == [Lost(1, CAPTAIN, Cause.CLAIM_STOOD), Embezzled(0, 4), TurnEnded(1)]
    assert (state.coins[0], state.almshouse) == (6, 0)


def test_six_players_exchange_from_three_cards() -> None:
    state = table(*PAIRS)
    state, _ = said(state, (0, say.EXCHANGE), *((seat, say.ALLOW) for seat in range(1, 6)))
    assert isinstance(state.phase, Exchange)
    assert (len(state.phase.drawn), len(state.deck)) == (2, 1)
    state, _ = said(state, (0, say.keep(AMBASSADOR, AMBASSADOR)))
    assert state.hands[0] == (AMBASSADOR, AMBASSADOR)
    assert sorted(state.deck) == sorted((AMBASSADOR, DUKE, ASSASSIN))


def test_an_examination_of_whom_the_challenge_exiled_has_no_effect() -> None:
    state = table((INQUISITOR, DUKE), (CAPTAIN,), *PAIRS[2:3], inquisitor=True)
    state, events = said(
        state, (0, say.EXAMINE[1]), (1, say.CHALLENGE), (0, say.REVEAL[INQUISITOR])
    )
    assert events[-2:] == [Lost(1, CAPTAIN, Cause.CLAIM_STOOD), TurnEnded(2)]
