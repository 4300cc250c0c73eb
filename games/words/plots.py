"""Plots of a finished game: drawn here as SVG, a small panel a player, turns from left to right.

Each returns the whole drawing; the page puts a heading over it and a table of the same under it.
"""

from collections.abc import Callable, Iterable, Sequence

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from games.engine.view import Outcome, Truth

WIDTH, LEFT, RIGHT, TOP = 340, 26, 304, 4
_NAME, _PANEL, _AXIS = 16, 10, 24  # room for a name, under a panel, under all panels
_COINS, _CARDS, _CLAIMS = 48, 22, 20  # heights of panels
_BAR, _DOT, _CROSS = 8, 6, 4
MANY = 10  # coins: from here on it must be a coup

type Rows = Sequence[Sequence[int]]
type X = Callable[[float], float]
type Panel = Callable[[int, float], SafeString]


def coins(purses: Rows, cards: Rows, names: Sequence[str], now: int) -> SafeString:
    """Coins at the end of each turn, by player, until their exile; `now` is the turn on show."""
    turns = len(purses) - 1
    x = _scale(turns)
    most = max(MANY, *(max(row) for row in purses))

    def panel(seat: int, top: float) -> SafeString:
        def y(amount: int) -> float:
            return top + _COINS * (1 - amount / most)

        last = _last(cards, seat)
        out = cards[last][seat] == 0  # the purse went to the treasury with the last card
        end = purses[last - out][seat]
        path = f"M{x(0):.1f} {y(purses[0][seat]):.1f}" + "".join(
            f"H{x(turn):.1f}V{y(purses[turn - (out and turn == last)][seat]):.1f}"
            for turn in range(1, last + 1)
        )
        return _grid(0, y(0)) + _grid(MANY, y(MANY)) + format_html(
            '<path class="p-line p-{}" d="{}"/><circle class="p-dot" cx="{}" cy="{}" r="3"/>'
            '<text class="p-end" x="{}" y="{}">{}</text>',
            seat + 1, path, _n(x(last)), _n(y(end)), _n(x(last) + 7), _n(y(end) + 5), end,
        )  # fmt: skip

    return _drawing("plot-coins", names, turns, now, _COINS, panel)


def influence(cards: Rows, names: Sequence[str], now: int) -> SafeString:
    """Cards left, by player: a bar each, crossed at the end of the turn in which it was lost."""
    turns = len(cards) - 1
    x = _scale(turns)

    def panel(seat: int, top: float) -> SafeString:
        bars = SafeString()
        for left in (2, 1):
            lost = next((turn for turn, row in enumerate(cards) if row[seat] < left), None)
            y = top + 3 + (2 - left) * (_BAR + 3)
            end = x(turns if lost is None else lost)
            bars += format_html(
                '<rect class="p-bar" x="{}" y="{}" width="{}" height="{}"/>',
                LEFT, _n(y), _n(end - LEFT), _BAR,
            )  # fmt: skip
            if lost is not None:
                bars += _cross(end, y + _BAR / 2)
        return bars

    return _drawing("plot-cards", names, turns, now, _CARDS, panel)


def claims(truths: Iterable[Truth], names: Sequence[str], turns: int, now: int) -> SafeString:
    """What was claimed, by player: in the colour of the role, hollow for a lie, crossed if it
    fell."""
    x = _scale(turns)
    told = [truth for truth in truths if truth.outcome is not Outcome.VOID]

    def panel(seat: int, top: float) -> SafeString:
        y = top + _CLAIMS / 2
        marks = format_html('<path class="p-grid" d="M{} {}H{}"/>', LEFT, _n(y), RIGHT)
        for truth in told:
            if truth.seat == seat:
                marks += format_html(
                    '<circle class="{}" data-role="{}" cx="{}" cy="{}" r="{}"/>',
                    "p-true" if truth.held else "p-lie", truth.role or "",
                    _n(x(truth.turn)), _n(y), _DOT,
                )  # fmt: skip
                if truth.outcome is Outcome.FELL:
                    marks += _cross(x(truth.turn), y)
        return marks

    return _drawing("plot-claims", names, turns, now, _CLAIMS, panel)


def numbers(rows: Rows) -> SafeString:
    """The rows of a table that says the same as coins or cards: turn, and a number a player."""
    return format_html_join(
        "", '<tr><th scope="row">{}</th>{}</tr>',
        (
            (turn or _("deal"), format_html_join("", "<td>{}</td>", ((number,) for number in row)))
            for turn, row in enumerate(rows)
        ),
    )  # fmt: skip


def _drawing(
    label: str, names: Sequence[str], turns: int, now: int, height: int, panel: Panel
) -> SafeString:
    """Panels under each other, the turns below, a line through the turn on show."""
    x, each = _scale(turns), _NAME + height + _PANEL
    bottom = TOP + each * len(names)
    shown = sorted({1, turns, *(round(1 + (turns - 1) * part / 3) for part in (1, 2))})
    return format_html(
        '<svg class="plot" viewBox="0 0 {} {}" role="img" aria-labelledby="{}">{}{}{}</svg>',
        WIDTH, bottom + _AXIS, label,
        format_html('<path class="p-now" d="M{} {}V{}"/>', _n(x(now)), TOP, bottom),
        format_html_join(
            "", '<text class="p-lab" x="{}" y="{}">{}</text>{}',
            (
                (LEFT, TOP + each * seat + 12, name, panel(seat, TOP + each * seat + _NAME))
                for seat, name in enumerate(names)
            ),
        ),
        format_html_join(
            "", '<text class="p-tick" x="{}" y="{}" text-anchor="middle">{}</text>',
            ((_n(x(turn)), bottom + 14, turn) for turn in shown),
        ),
    )  # fmt: skip


def _scale(turns: int) -> X:
    return lambda turn: LEFT + (RIGHT - LEFT) * turn / turns


def _last(cards: Rows, seat: int) -> int:
    """The turn that cost the last card, or the last one."""
    return next((turn for turn, row in enumerate(cards) if row[seat] == 0), len(cards) - 1)


def _grid(amount: int, y: float) -> SafeString:
    return format_html(
        '<path class="p-grid" d="M{} {}H{}"/><text class="p-tick" x="{}" y="{}" '
        'text-anchor="end">{}</text>',
        LEFT, _n(y), RIGHT, LEFT - 6, _n(y + 5), amount,
    )  # fmt: skip


def _cross(x: float, y: float) -> SafeString:
    arm = 2 * _CROSS
    start = f"M{x - _CROSS:.1f} {y - _CROSS:.1f}"
    return format_html('<path class="p-x" d="{}l{} {}m0 -{}l-{} {}"/>', start, *[arm] * 5)


def _n(number: float) -> str:
    """A coordinate, with a point in every language."""
    return f"{number:.1f}"
