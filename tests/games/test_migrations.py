"""What migrations do to games that were going on."""

from importlib import import_module

import pytest
from django.db import connection
from django.db.migrations.loader import MigrationLoader

from games import lobby
from games.models import ClockEntry, ClockReason, Game, Prompt, Tenure
from games.timing import ALLOWANCES, MINUTE, Pace
from tests.games.cast import NOON, person, prompt_of, running_game, say, state_of, tenure_of

pytestmark = pytest.mark.django_db


def migrate() -> None:
    """Run the migration on the tables as the last one leaves them: those before it are gone."""
    state = MigrationLoader(connection).project_state()
    migration = import_module("games.migrations.0017_open_banks")
    migration.open_banks(state.apps, connection.schema_editor())


def without_banks(game: Game) -> Game:
    """The game as it was before there were banks."""
    ClockEntry.objects.filter(tenure__game=game).delete()
    Tenure.objects.filter(game=game).update(bank=0)
    Prompt.objects.filter(game=game).update(bank=0)
    return game


@pytest.mark.parametrize("pace", [Pace.LIVE, Pace.BRISK, Pace.DAILY, Pace.RELAXED])
def test_a_game_from_before_the_banks_is_given_them(pace: Pace) -> None:
    game = without_banks(running_game(pace=pace))
    migrate()
    for seat in range(3):
        tenure = tenure_of(game, seat)
        entry = ClockEntry.objects.get(tenure=tenure)
        assert (entry.reason, entry.prompt) == (ClockReason.OPENING, None)
        assert tenure.bank == entry.delta == ALLOWANCES[pace].bank


def test_it_counts_from_the_next_question_on() -> None:
    game = without_banks(running_game())
    seat = state_of(game).turn
    due = prompt_of(game, seat).due
    migrate()
    assert (prompt_of(game, seat).due, prompt_of(game, seat).bank) == (due, 0)
    say(game, seat, "tax")
    assert prompt_of(game, (seat + 1) % 3).bank == ALLOWANCES[Pace.DAILY].bank


@pytest.mark.parametrize(("saved", "bank"), [(10, 40), (45, 60), (60, 60)])
def test_what_was_given_back_meanwhile_is_kept_up_to_the_most(saved: int, bank: int) -> None:
    game = without_banks(running_game(pace=Pace.BRISK))
    seat = state_of(game).turn
    ClockEntry.objects.create(
        tenure=tenure_of(game, seat),
        prompt=prompt_of(game, seat),
        delta=saved * MINUTE,
        reason=ClockReason.GIVEN_BACK,
    )
    Tenure.objects.filter(game=game, seat__index=seat).update(bank=saved * MINUTE)
    migrate()
    tenure = tenure_of(game, seat)
    assert tenure.bank == bank * MINUTE
    assert tenure.bank == sum(tenure.clock_entries.values_list("delta", flat=True))


def test_banks_that_are_open_bots_and_games_without_clocks_are_left_alone() -> None:
    running = running_game()
    tenure_before = list(Tenure.objects.filter(game=running).values_list("pk", "bank"))
    plan = lobby.Plan(size=2, pace=Pace.DAILY)
    lobby.open_table(host=person("Ana"), plan=plan, seed=bytes(32), now=NOON)
    practice = without_banks(running_game(pace=Pace.PRACTICE))
    before = list(ClockEntry.objects.values_list("pk", "delta"))
    migrate()
    migrate()
    assert list(ClockEntry.objects.values_list("pk", "delta")) == before
    assert list(Tenure.objects.filter(game=running).values_list("pk", "bank")) == tenure_before
    assert not Tenure.objects.filter(game=practice, bank__gt=0).exists()
