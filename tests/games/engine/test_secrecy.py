"""What a viewer may not know changes nothing for that viewer: not a view, a choice, or a line."""

from hypothesis import given, settings
from msgspec.structs import replace

from games.engine.cards import Hand, Options, Role, roles
from games.engine.commands import BLOCK
from games.engine.events import (
    Answered,
    Dealt,
    Drew,
    Event,
    Exchanged,
    Proved,
    Replaced,
    Resigned,
    Shown,
    Swapped,
)
from games.engine.observation import describe, observe
from games.engine.rules import choices, default, legal, play
from games.engine.state import Examine, Exchange, Respond, RespondBlock, State, waiting
from games.engine.view import EVERYTHING, SPECTATOR

from .random_games import Luck, lucks, opening, steps, tables

many = settings(max_examples=80, deadline=None)


def redealt(state: State, viewer: int, luck: Luck) -> State:
    """The table with every card that `viewer` cannot see dealt anew."""
    phase, players = state.phase, range(state.options.players)
    pool = list(state.deck)
    drawn = phase.drawn if isinstance(phase, Exchange) else ()
    hide_drawn = isinstance(phase, Exchange) and phase.action.seat != viewer
    if hide_drawn:
        pool += drawn
    # A card shown to the viewer stays where it is; its owner's other cards do not.
    shown: dict[int, Hand] = {}
    if isinstance(phase, Examine) and viewer == phase.action.seat:
        shown[phase.action.target] = (phase.shown,)
    for seat in players:
        if seat != viewer:
            hidden = list(state.hands[seat])
            for role in shown.get(seat, ()):
                hidden.remove(role)
            pool += hidden
    cards = list(luck.shuffle(tuple(pool)))

    def take(count: int) -> Hand:
        return tuple(cards.pop() for _ in range(count))

    hands = []
    for seat in players:
        if seat == viewer:
            hands.append(state.hands[seat])
        else:
            kept = shown.get(seat, ())
            hands.append(luck.shuffle(kept + take(len(state.hands[seat]) - len(kept))))
    if hide_drawn:
        phase = replace(phase, drawn=take(len(drawn)))
    if isinstance(phase, Examine) and viewer not in (phase.action.seat, phase.action.target):
        hand = hands[phase.action.target]
        phase = replace(phase, shown=hand[luck.below(len(hand))])
    other = replace(state, phase=phase, hands=tuple(hands), deck=tuple(cards))
    assert len(other.deck) == len(state.deck)
    return other


def resealed(state: State, viewer: int, luck: Luck) -> State:
    """The table with the sealed answers of everybody but `viewer` given, or not, anew."""
    phase = state.phase
    if not isinstance(phase, Respond | RespondBlock):
        return state
    others = [seat for seat in phase.asked if seat != viewer]
    still = {seat for seat in others if luck.below(2)}
    if viewer in phase.waiting:
        still.add(viewer)
    if not still:  # an answered window is closed: somebody is always awaited
        still.add(others[luck.below(len(others))])
    open_to = tuple(seat for seat in phase.asked if seat in still)
    if isinstance(phase, RespondBlock):
        return replace(state, phase=replace(phase, waiting=open_to))
    block, target = phase.block, phase.action.target
    if target != viewer:
        may_block = target in phase.asked and target not in open_to
        block = Role.CONTESSA if may_block and luck.below(2) else None
    return replace(state, phase=replace(phase, waiting=open_to, block=block))


def others_leaving(state: State, viewer: int, luck: Luck) -> State:
    """The table with the private wish to leave of somebody else added or taken back."""
    leaving = tuple(seat for seat in state.leaving if seat == viewer or luck.below(2))
    seat = luck.below(state.options.players)
    if seat != viewer and seat not in state.exiled + leaving + waiting(state):
        leaving = (*leaving, seat)
    return replace(state, leaving=leaving)


@many
@given(tables, lucks)
def test_cards_out_of_sight_change_nothing(options: Options, luck: Luck) -> None:
    _, state = opening(options, luck)
    for state in [state, *(step.after for step in steps(state, luck))]:  # noqa: B020
        for viewer in (SPECTATOR, *range(options.players)):
            other = redealt(state, viewer, luck)
            assert observe(other, viewer) == observe(state, viewer)
            assert waiting(other) == waiting(state)
            assert legal(other, viewer) == legal(state, viewer)
            if viewer in waiting(state):
                assert default(other, viewer) == default(state, viewer)


@many
@given(tables, lucks)
def test_sealed_answers_change_nothing(options: Options, luck: Luck) -> None:
    _, state = opening(options, luck)
    for step in steps(state, luck):
        for viewer in (SPECTATOR, *range(options.players)):
            other = resealed(step.after, viewer, luck)
            assert observe(other, viewer) == observe(step.after, viewer)
            assert legal(other, viewer) == legal(step.after, viewer)


@many
@given(tables, lucks)
def test_leaving_is_nobody_elses_business_until_the_turn_ends(options: Options, luck: Luck) -> None:
    _, state = opening(options, luck)
    for step in steps(state, luck, odd=0.2):
        for viewer in (SPECTATOR, *range(options.players)):
            other = others_leaving(step.after, viewer, luck)
            assert observe(other, viewer) == observe(step.after, viewer)


def secrets(event: Event) -> dict[str, tuple[int, ...]]:
    """The fields of an event that not everybody may read, each with the seats that may."""
    match event:
        case Dealt():
            return {"hands": (), "deck": ()}
        case Answered():
            return {"seat": (), "block": ()}
        case Proved(seat=seat) | Replaced(seat=seat):
            return {"drawn": (seat,), "deck": ()}
        case Drew(seat=seat):
            return {"cards": (seat,), "deck": ()}
        case Exchanged(seat=seat):
            return {"hand": (seat,), "deck": ()}
        case Shown(seat=seat, to=to):
            return {"role": (seat, to)}
        case Swapped(seat=seat, target=target):
            return {"role": (seat, target), "drawn": (target,), "deck": ()}
        case _:
            return {}


def changed(event: Event, viewer: int, options: Options, luck: Luck) -> Event:
    """The event with everything that `viewer` may not read replaced."""
    in_play = roles(options)

    def card() -> Role:
        return in_play[luck.below(len(in_play))]

    fresh: dict[str, object] = {}
    for name, readers in secrets(event).items():
        if viewer in readers:
            continue
        value = getattr(event, name)
        if name == "hands":
            fresh[name] = tuple(tuple(card() for _ in hand) for hand in value)
        elif isinstance(value, tuple):
            fresh[name] = tuple(card() for _ in value)
        elif name == "seat":
            fresh[name] = luck.below(options.players)
        else:
            fresh[name] = card()
    return replace(event, **fresh) if fresh else event  # type: ignore[type-var]


@many
@given(tables, lucks)
def test_the_log_tells_nothing_its_reader_may_not_know(options: Options, luck: Luck) -> None:
    dealt, state = opening(options, luck)
    for event in [dealt, *(event for step in steps(state, luck) for event in step.events)]:
        for viewer in (SPECTATOR, *range(options.players)):
            assert describe(changed(event, viewer, options, luck), viewer) == describe(
                event, viewer
            )
        if isinstance(event, Resigned):
            told = [n for n in (SPECTATOR, *range(options.players)) if describe(event, n)]
            assert told == [event.seat]


@many
@given(tables, lucks)
def test_who_may_read_a_card_is_told_it(options: Options, luck: Luck) -> None:
    _, state = opening(options, luck)
    for step in steps(state, luck):
        for event in step.events:
            match event:
                case Proved(seat=seat, drawn=drawn):
                    expected = {seat: (drawn,)}
                case Replaced(seat=seat, drawn=cards) | Drew(seat=seat, cards=cards):
                    expected = {seat: cards}
                case Exchanged(seat=seat, hand=cards):
                    expected = {seat: cards}
                case Shown(seat=seat, to=to, role=role):
                    expected = {seat: (role,), to: (role,)}
                case Swapped(target=target, drawn=drawn):
                    expected = {target: (drawn,)}
                case _:
                    continue
            for viewer in range(options.players):
                line = describe(event, viewer)
                assert line is not None
                assert line.seen == expected.get(viewer, ())


@many
@given(tables, lucks)
def test_open_hands_are_for_nobody_at_the_table(options: Options, luck: Luck) -> None:
    _, state = opening(options, luck)
    for step in steps(state, luck):
        for viewer in (SPECTATOR, *range(options.players)):
            view = observe(step.after, viewer)
            assert view.hands == ()
            assert (view.own is None) == (viewer == SPECTATOR)
        assert observe(step.after, EVERYTHING).hands == step.after.hands


def test_a_sealed_answer_is_told_to_its_owner_alone() -> None:
    """The target's block is sealed; it sees its own answer, the others see the window."""
    luck = Luck("sealed")
    _, state = opening(Options(4), luck)
    actor = state.turn
    target, *rest = (n % 4 for n in range(actor + 1, actor + 4))
    steal = next(c for s, c in choices(state) if c.verb == "steal" and c.target == target)
    _, opened = play(state, actor, steal, luck)
    _, sealed = play(opened, target, BLOCK[Role.CAPTAIN], luck)
    own = observe(sealed, target).own
    assert own is not None
    assert (own.sealed, own.legal, own.default) == (BLOCK[Role.CAPTAIN], (), None)
    for viewer in (SPECTATOR, actor, *rest):
        assert observe(sealed, viewer) == observe(opened, viewer)
        assert observe(sealed, viewer).asked == tuple(sorted((target, *rest)))
