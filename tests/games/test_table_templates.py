"""The page of a table, drawn from views: well-formed, complete, and silent about what is hidden."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from html.parser import HTMLParser
from random import Random

import pytest
from django.template.loader import render_to_string

from games.engine.cards import Options, Role
from games.engine.commands import SEATS, text
from games.engine.observation import describe, ledger, observe
from games.engine.view import EVERYTHING, SPECTATOR, Line, LineKind, PhaseName
from games.words import Presentation, present
from tests.games.bots.table import VARIANTS, Step, steps, uniform

NOW = datetime(2026, 11, 26, 16, 28, tzinfo=UTC)
NAMES = ('<b>&"x', "بهرام", "Ελένη", "Bianca", "Jiří", "עמית")
VOID = {"input", "use", "rect"}


@dataclass(frozen=True)
class Player:
    name: str
    is_bot: bool
    autopilot: bool = False
    standing: str = "reliable"
    record: str = "3 games finished"
    games: str = "3 · 0"
    bank: int | None = None


@dataclass(frozen=True)
class Entry:
    number: int
    turn: int
    line: Line
    by_clock: bool
    by_order: bool = False
    names: tuple[str, ...] = NAMES
    mine: bool = True


@dataclass(frozen=True)
class Table:
    turns: int
    prompt_id: int | None
    public_id: str = "abc"
    title: str = "The <Long> Gallery"
    pace: str = "Daily"
    tag: str = "7"


def shown(step: Step, viewer: int, **more: int) -> tuple[Table, Presentation]:
    """What the page of this viewer is drawn from; after the end with all cards face up."""
    over = observe(step.state, SPECTATOR).phase is PhaseName.OVER
    eyes = EVERYTHING if over else viewer
    view = observe(step.state, eyes)
    entries: list[Entry] = []
    turn = 1
    for event in (event for events in step.moves for event in events):
        line = describe(event, eyes)
        if line:
            turn += line.kind is LineKind.TURN
            entries.append(Entry(len(entries) + 1, turn, line, by_clock=len(entries) % 7 == 3))
    presentation = present(
        view,
        [Player(NAMES[seat], seat == 2) for seat in range(len(view.seats))],
        entries,
        ledger(entry.line for entry in entries),
        now=NOW,
        seat=viewer,
        opened=NOW - timedelta(hours=2),
        due=None if over else NOW + timedelta(hours=30),
        **more,
    )
    asked = bool(view.own and view.own.legal)
    return Table(turn, 512 if asked else None), presentation


def page(table: Table, presentation: Presentation, **more: object) -> str:
    context = {"table": table, "p": presentation, "csrf_token": "token", **more}
    return render_to_string("games/_table.html", context)


class Reader(HTMLParser):
    """Collects ids and buttons, and fails where elements do not close."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.fields: list[tuple[str, str]] = []
        self.feed(html)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if "id" in given:
            self.ids.append(given["id"])
        if tag in ("input", "button") and "name" in given and "disabled" not in given:
            self.fields.append((given["name"], given.get("value", "")))
        if tag in ("a", "button", "input", "summary") and given.get("type") != "hidden":
            assert given.get("id"), f"{tag} {given} has no id to keep its focus by"
        assert not {"style", "onclick"} & set(given)
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        pass

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            assert self.open.pop() == tag


@pytest.mark.parametrize("options", VARIANTS, ids=str)
def test_every_state_is_a_page_for_every_viewer(options: Options) -> None:
    random = Random(5)
    for step in steps(options, [uniform] * options.players, random, 0.005):
        if step.command and random.random() < 0.6:
            continue
        for viewer in (*range(options.players), SPECTATOR):
            table, presentation = shown(step, viewer)
            html = page(table, presentation)
            assert "<b>&" not in html
            assert "<Long>" not in html
            read = Reader(html)
            assert len(read.ids) == len(set(read.ids))
            own = observe(step.state, viewer).own if viewer >= 0 else None
            legal = own.legal if own else ()
            said = [value for name, value in read.fields if name == "answer"]
            acts = {value for name, value in read.fields if name == "act"}
            if presentation.actions:
                assert acts == {str(command.verb) for command in legal}
            else:
                assert not acts
                assert said == [text(command, SEATS) for command in legal]
            assert ('name="prompt"' in html) == bool(legal)


def test_who_is_not_asked_finds_nothing_to_answer_and_no_card_but_their_own() -> None:
    for step in steps(Options(4), [uniform] * 4, Random(2)):
        if not step.command:
            break
        table, presentation = shown(step, SPECTATOR)
        html = page(table, presentation)
        for secret in ('class="card"', "a bluff", "A bluff", "You hold", "you hold", "questi"):
            assert secret not in html
        for viewer in range(4):
            _, mine = shown(step, viewer)
            hand = step.state.hands[viewer]
            assert mine.mine
            drawn = mine.mine.cards
            assert drawn.count('class="card"') == len(hand)
            assert all(f'data-role="{role}"' in drawn for role in hand)


def test_an_asked_seat_looks_the_same_when_it_has_answered() -> None:
    before: dict[int, str] = {}
    compared = 0
    for step in steps(Options(5), [uniform] * 5, Random(8)):
        view = observe(step.state, SPECTATOR)
        if view.phase not in (PhaseName.RESPOND, PhaseName.RESPOND_BLOCK):
            continue
        html = page(*shown(step, SPECTATOR))
        key = sum(bool(describe(event, SPECTATOR)) for events in step.moves for event in events)
        if key in before:
            assert html == before[key]
            compared += 1
        before[key] = html
    assert compared > 5


def last(options: Options, seed: int) -> Step:
    return [*steps(options, [uniform] * options.players, Random(seed))][-1]


def test_the_end_shows_every_card_and_place() -> None:
    step = last(Options(4), 3)
    table, presentation = shown(step, 0)
    assert [place.place for place in presentation.ranking] == [1, 2, 3, 4]
    assert [place.name for place in presentation.ranking if place.is_viewer] == [NAMES[0]]
    winner = observe(step.state, EVERYTHING).ranking[0]
    for role in step.state.hands[winner]:
        assert f'data-role="{role}"' in presentation.ranking[0].influence
    html = page(table, presentation)
    assert "How it ended" in html
    assert "Leave for good" not in html


def test_the_log_is_cut_and_told_apart_from_what_was_read() -> None:
    for seed in range(50):
        step = last(Options(6, factions=True), seed)
        table, presentation = shown(step, SPECTATOR)
        if presentation.log_cut:
            break
    assert len(presentation.log) == 60
    assert "?log=all" in page(table, presentation)
    newest = presentation.log[0].number
    _, whole = shown(step, SPECTATOR, whole_log=True, read_to=newest - 3)
    assert not whole.log_cut
    assert len(whole.log) > 60
    assert whole.log_new == sum(line.number > newest - 3 for line in whole.log) > 0
    assert whole.log_items.count("log__since") == 1
    numbers = [line.number for line in whole.log]
    assert numbers == sorted(numbers, reverse=True)


def test_what_a_player_alone_saw_is_listed_for_them() -> None:
    for seed in range(30):
        for step in steps(Options(3, inquisitor=True), [uniform] * 3, Random(seed)):
            view = observe(step.state, step.seat)
            if view.phase is PhaseName.EXAMINE and view.own and view.own.legal:
                assert view.action
                shown_role = view.own.seen[0]
                _, mine = shown(step, step.seat)
                assert shown_role in mine.seen[0].lower()
                bystander = 3 - step.seat - (view.action.target or 0)
                others = [shown(step, viewer)[1] for viewer in (bystander, SPECTATOR)]
                assert all("shows you" not in text for p in others for text in p.seen)
                assert others[-1].seen == ()
                return
    raise AssertionError("nobody examined")


def test_a_frozen_table_asks_nothing() -> None:
    step = next(iter(steps(Options(2), [uniform] * 2, Random(1))))
    table, presentation = shown(step, step.state.turn)
    assert presentation.actions
    html = page(table, presentation, stands_still="All agreed to a pause.")
    assert "All agreed to a pause." in html
    assert 'name="act"' not in html
    assert "data-due" not in html


def test_a_deadline_is_told_by_day_and_hour_and_by_what_is_left() -> None:
    step = next(iter(steps(Options(2), [uniform] * 2, Random(1))))
    _, presentation = shown(step, step.state.turn)
    until = presentation.until
    assert until
    assert until.when == "tomorrow, 10:28 PM"
    assert until.left == "30 hr 0 min"
    assert until.share == 94


def test_targets_of_one_s_own_side_are_for_converting_alone() -> None:
    for step in steps(Options(6, factions=True), [uniform] * 6, Random(4)):
        view = observe(step.state, step.state.turn)
        _, presentation = shown(step, step.state.turn)
        if not presentation.actions or len({s.faction for s in view.seats if not s.exiled}) < 2:
            continue
        own = view.seats[view.viewer].faction
        for target in presentation.actions.targets:
            assert target.only_convert == (view.seats[target.seat].faction is own)


def test_roles_are_named_beside_their_drawings() -> None:
    step = last(Options(5), 9)
    _, presentation = shown(step, SPECTATOR)
    for role in (Role.DUKE, Role.CONTESSA):
        assert f'data-role="{role}"' in presentation.ledger_head
        assert role.capitalize() in presentation.ledger_head
