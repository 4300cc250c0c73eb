"""The replay against the engine's own hands, over random games of every variant."""

from dataclasses import dataclass
from random import Random

import pytest

from games import play, selectors, store
from games.engine.cards import Role
from games.engine.events import Announced, Answered, Blocked, Challenged, Event, Left, Proved
from games.engine.observation import observe
from games.engine.rules import ranking
from games.engine.state import State, waiting
from games.engine.transitions import evolve, start
from games.engine.view import EVERYTHING, LineKind, Outcome
from games.models import Game, Status, Visibility, Watch
from games.replay import Replay, replay
from games.selectors import Hidden
from tests.games.cast import NOON, person, running_game, say, state_of, stir, tenure_of

pytestmark = pytest.mark.django_db

GAMES = [(2, 0), (4, 3), (6, 4)]


def finished(size: int, seed: int, *, leavers: bool = False) -> Game:
    """A random game played to its end; with `leavers` some resign on the way."""
    random = Random(seed)
    game = running_game(
        size, seed=bytes([seed]) * 32, inquisitor=seed % 2 == 0, factions=seed % 3 == 0
    )
    for _ in stir(game, random, 3000):
        if leavers and random.random() < 0.03:
            seat = random.randrange(size)
            state = state_of(game)
            if game.status == Status.RUNNING and seat not in (*state.exiled, *state.leaving):
                user = tenure_of(game, seat).user
                assert user
                play.leave(public_id=game.public_id, user_id=user.pk, now=NOON)
    game.refresh_from_db()
    assert game.status == Status.OVER
    return game


def told(game: Game) -> Replay:
    return replay(game, user_id=person("Ana").pk)


@dataclass(frozen=True)
class Happened:
    """An event, the table before it and after."""

    event: Event
    before: State
    after: State


def history(game: Game) -> list[Happened]:
    deal, *moves = store.load(game).steps
    state = start(game.options, deal.events[0])  # type: ignore[arg-type]
    all_of_it = []
    for move in moves:
        for event in move.events:
            after = evolve(state, event)
            all_of_it.append(Happened(event, state, after))
            state = after
    return all_of_it


@pytest.fixture(params=GAMES, ids=lambda game: f"{game[0]} players")
def game(request: pytest.FixtureRequest) -> Game:
    return finished(*request.param)


def test_the_last_moment_is_the_table_as_it_ended(game: Game) -> None:
    final = told(game)
    state = store.load(game).state
    assert final.view(len(final.moments)) == observe(state, EVERYTHING)
    assert final.view(len(final.moments)).ranking == ranking(state)
    assert final.purses[-1] == state.coins
    assert final.cards[-1] == tuple(map(len, state.hands))
    assert final.moments[-1].line.kind is LineKind.ENDED


def test_moments_are_numbered_and_turns_begin_where_they_say(game: Game) -> None:
    final = told(game)
    assert [moment.number for moment in final.moments] == list(range(1, len(final.moments) + 1))
    assert len(final.turns) == final.moments[-1].turn == len(final.purses) - 1
    for turn, (number, seat) in enumerate(final.turns, 1):
        assert final.moments[number - 1].turn == turn
        assert number == 1 or final.moments[number - 2].turn == turn - 1
        assert final.view(number).turn == seat


def test_a_claim_is_true_if_the_hand_held_the_role_at_that_moment(game: Game) -> None:
    claimed = [
        (event.action.seat, event.action.role, before.hands[event.action.seat])
        if isinstance(event, Announced)
        else (event.seat, event.role, before.hands[event.seat])
        for event, before in ((h.event, h.before) for h in history(game))
        if isinstance(event, Blocked)
        or (isinstance(event, Announced) and (event.action.role or event.action.verb == "embezzle"))
    ]
    truths = [truth for truth in told(game).truths if truth.outcome is not Outcome.VOID]
    assert [(truth.seat, truth.role) for truth in truths] == [
        (seat, role) for seat, role, _ in claimed
    ]
    for truth, (_, role, hand) in zip(truths, claimed, strict=True):
        assert truth.held == (role in hand if role else Role.DUKE not in hand)


def test_what_came_of_claims_counts_up_to_what_happened(game: Game) -> None:
    events = [happened.event for happened in history(game)]
    truths = told(game).truths
    challenged = [truth for truth in truths if truth.challenger is not None]
    assert len(challenged) == sum(isinstance(event, Challenged) for event in events)
    proved = [t for t in truths if t.outcome is Outcome.PROVED and t.role]
    assert len(proved) == sum(isinstance(event, Proved) for event in events)
    for truth in truths:
        tested = truth.outcome in (Outcome.PROVED, Outcome.FELL)
        assert tested == (truth.challenger is not None) or truth.outcome is Outcome.UNSETTLED
        assert truth.held or truth.outcome is not Outcome.PROVED


def test_sealed_blocks_are_void_or_told(game: Game) -> None:
    final = told(game)
    sealed = [m for m in final.moments if m.line.kind is LineKind.SEALED and m.line.role]
    meant = [h.event for h in history(game) if isinstance(h.event, Answered) and h.event.block]
    assert len(sealed) == len(meant)
    for moment in sealed:
        assert moment.truth
        if moment.told is None:
            assert moment.truth.outcome is Outcome.VOID
            assert moment.truth.moment == moment.number
        else:
            teller = final.moments[moment.told - 1]
            assert teller.line.kind is LineKind.BLOCKED
            assert (teller.line.seat, teller.line.role) == (moment.line.seat, moment.line.role)
            assert teller.truth == moment.truth


def test_who_is_asked_is_who_has_yet_to_answer(game: Game) -> None:
    final = told(game)
    for moment, state in zip(final.moments, final.states, strict=True):
        assert moment.asked in ((), waiting(state))
    assert any(len(moment.asked) > 0 for moment in final.moments)


@pytest.mark.parametrize("seed", range(4))
def test_a_resignation_is_told_when_it_was_given(seed: int) -> None:
    game = finished(5, seed, leavers=True)
    final = told(game)
    left = [h.event.seat for h in history(game) if isinstance(h.event, Left)]
    learned = [m for m in final.moments if m.line.kind is LineKind.RESIGNED and m.told]
    assert sorted(moment.line.seat for moment in learned) == sorted(left)
    for moment in learned:
        assert moment.told
        assert moment.told > moment.number
        assert final.moments[moment.told - 1].line.kind is LineKind.LEFT
        assert final.moments[moment.told - 1].turn == moment.turn


def test_a_void_block_is_known_for_what_it_was() -> None:
    """Ana steals from Ben, who seals a block; Cyd challenges, so that nobody hears of it."""
    game = running_game(3)
    first = state_of(game).turn
    target, third = (first + 1) % 3, (first + 2) % 3
    say(game, first, f"steal {target}")
    say(game, target, "block captain")
    held = Role.CAPTAIN in state_of(game).hands[target]
    say(game, third, "challenge")
    list(stir(game, Random(1), 3000))
    game.refresh_from_db()
    final = told(game)
    (steal, void, *_) = final.truths
    assert (steal.seat, steal.challenger) == (first, third)
    assert (void.seat, void.role, void.blocking, void.held) == (target, Role.CAPTAIN, True, held)
    assert void.outcome is Outcome.VOID
    assert final.moments[void.moment - 1].told is None


def test_before_the_end_there_is_nothing_for_anybody() -> None:
    game = running_game(3)
    for user_id in (None, person("Ana").pk, person("Zoe").pk):
        with pytest.raises(Hidden) as hidden:
            replay(game, user_id=user_id, link_token=game.link_token)
        assert not hidden.value.exists


@pytest.mark.parametrize(
    ("visibility", "watch", "stranger", "by_link"),
    [
        (Visibility.PUBLIC, Watch.ANYBODY, True, True),
        (Visibility.PUBLIC, Watch.LINK, False, True),
        (Visibility.PUBLIC, Watch.PLAYERS, False, False),
        (Visibility.UNLISTED, Watch.ANYBODY, True, True),
        (Visibility.PRIVATE, Watch.ANYBODY, False, False),
        (Visibility.PRIVATE, Watch.LINK, False, False),
    ],
)
def test_who_may_see_it(visibility: str, watch: str, stranger: bool, by_link: bool) -> None:
    game = finished(2, 1)
    Game.objects.filter(pk=game.pk).update(visibility=visibility, watch=watch)
    game.refresh_from_db()

    def sees(user_id: int | None, link_token: str = "") -> bool:
        try:
            return bool(replay(game, user_id=user_id, link_token=link_token))
        except Hidden:
            return False

    zoe = person("Zoe").pk
    assert [sees(None), sees(zoe)] == [stranger, stranger]
    assert sees(zoe, game.link_token) == by_link
    assert sees(person("Ana").pk)
    assert sees(person("Ben").pk)


def test_that_a_private_game_exists_is_private_too() -> None:
    game = finished(2, 1)
    for visibility in Visibility:
        game.visibility, game.watch = visibility, Watch.PLAYERS
        with pytest.raises(Hidden) as hidden:
            replay(game, user_id=None)
        assert hidden.value.exists == (visibility != Visibility.PRIVATE)


def test_the_log_of_a_finished_game_tells_each_answer_once(game: Game) -> None:
    """Where everybody learned it, or, if nobody did, where it was given; the replay tells both."""
    log = selectors.table(game, user_id=person("Ana").pk).entries
    twice = [m for m in told(game).moments if m.line.kind is LineKind.SEALED and m.told]
    assert [entry.line for entry in log if entry.line.kind is not LineKind.TURN] == [
        moment.line for moment in told(game).moments if moment not in twice
    ]
    assert [entry.number for entry in log] == list(range(1, len(log) + 1))
    if game.size > 2:
        assert twice
        assert any(entry.line.kind is LineKind.SEALED for entry in log)
