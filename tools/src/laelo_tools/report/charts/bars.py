"""Bars that lie and columns that stand."""

import math
from collections.abc import Sequence
from typing import Final, NamedTuple

from laelo_tools.report.charts.svg import WIDTH, line, picture, rect, text

ROW: Final = 34
LABEL_UP: Final = 11
BAR: Final = 14
LEFT: Final = 34
TOP: Final = 12
HIGH: Final = 150
GAP: Final = 0.2
LEAST: Final = 1e-6
"""Columns that are all lower than this are drawn as nothing."""

LABELS: Final = 7
"""At most so many labels stand below columns."""


class Bar(NamedTuple):
    """A bar with its name, and what is said at its end; `error` to both sides of its value."""

    name: str
    value: float
    said: str
    error: float = 0.0


class Column(NamedTuple):
    """A column of parts, one above the other, the first one at the bottom."""

    name: str
    parts: Sequence[float]


def bars(
    title: str, rows: Sequence[Bar], *, most: float | None = None, mark: float | None = None
) -> str:
    """Bars below their names, up to `most` or the longest one. `mark` is a value that a line
    shows, such as one half.
    """
    most = most or max(row.value + row.error for row in rows) or 1.0
    inside: list[str] = []
    for number, row in enumerate(rows):
        top = number * ROW
        inside += [
            text(0, top + LABEL_UP, row.name, "name"),
            text(WIDTH, top + LABEL_UP, row.said, "value", "end"),
            rect(0, top + LABEL_UP + 4, WIDTH, BAR, class_="groove"),
            rect(0, top + LABEL_UP + 4, row.value / most * WIDTH, BAR, class_="bar"),
        ]
        if row.error:
            inside += _whiskers(row, top + LABEL_UP + 4 + BAR / 2, most)
        if mark is not None:
            x = mark / most * WIDTH
            inside.append(line(x, top + LABEL_UP + 2, x, top + LABEL_UP + 6 + BAR, "mark"))
    return picture(len(rows) * ROW, title, inside)


def _whiskers(row: Bar, middle: float, most: float) -> list[str]:
    ends = [end / most * WIDTH for end in (row.value - row.error, row.value + row.error)]
    ticks = [line(end, middle - 4, end, middle + 4, "error") for end in ends]
    return [line(*(ends[0], middle, ends[1], middle), "error"), *ticks]


def columns(
    title: str, rows: Sequence[Column], *, names: Sequence[str] = (), percent: bool = False
) -> str:
    """Columns above their names; `names` are those of the parts, told above."""
    most = round_up(max(sum(row.parts) for row in rows))
    top = TOP + (22 if names else 0)
    step = (WIDTH - LEFT) / len(rows)
    inside = [*_parts_named(names), *_lines(most, top, percent=percent)]
    every = -(-len(rows) // LABELS)
    for number, row in enumerate(rows):
        x = LEFT + number * step
        bottom = float(top + HIGH)
        for part, value in enumerate(row.parts):
            height = value / most * HIGH
            bottom -= height
            class_ = f"part-{part}"
            inside.append(rect(x + step * GAP / 2, bottom, step * (1 - GAP), height, class_=class_))
        if number % every == 0:
            inside.append(text(x + step / 2, top + HIGH + 15, row.name, "small", "middle"))
    return picture(top + HIGH + 20, title, inside)


def _parts_named(names: Sequence[str]) -> list[str]:
    inside: list[str] = []
    x = float(LEFT)
    for part, name in enumerate(names):
        inside += [rect(x, 2, 10, 10, class_=f"part-{part}"), text(x + 15, 11, name, "small")]
        x += 32 + 6.4 * len(name)
    return inside


def round_up(most: float) -> float:
    """The next number that looks well at an axis, and whose half does."""
    if most < LEAST:
        return 1.0
    unit = 10.0 ** math.floor(math.log10(most))
    steps = (step * unit for step in (1, 1.2, 1.6, 2, 3, 4, 5, 6, 8))
    return next((step for step in steps if step >= most), 10 * unit)


def _lines(most: float, top: float, *, percent: bool) -> list[str]:
    inside: list[str] = []
    for share in (0.0, 0.5, 1.0):
        y = top + HIGH * (1 - share)
        value = most * share
        said = f"{value:.0%}" if percent else f"{value:,.10g}"
        inside += [line(LEFT, y, WIDTH, y, "grid"), text(LEFT - 5, y + 4, said, "small", "end")]
    return inside
