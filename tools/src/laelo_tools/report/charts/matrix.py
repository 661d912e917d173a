"""Rows of cells, the darker the more."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from laelo_tools.report.charts.svg import WIDTH, picture, rect, text

NAMES: Final = 92
ROW: Final = 26
HEAD: Final = 18
DARKEST: Final = 0.55
"""Of a cell, so that what stands in it can be read."""


class Line(NamedTuple):
    """A row: its name, how many it begins with, and shares between 0 and 1; None = none yet."""

    name: str
    many: int
    shares: Sequence[float | None]


def matrix(title: str, heads: Sequence[str], rows: Sequence[Line]) -> str:
    """Shares in cells below their heads."""
    step = (WIDTH - NAMES) / max(len(heads), 1)
    inside = [
        text(NAMES + step * (number + 0.5), 11, head, "small", "middle")
        for number, head in enumerate(heads)
    ]
    for number, row in enumerate(rows):
        y = HEAD + number * ROW
        inside += [
            text(0, y + 17, row.name, "small"),
            text(NAMES - 8, y + 17, f"{row.many:,}", "value", "end"),
        ]
        for place, share in enumerate(row.shares):
            if share is not None:
                inside += _cell(NAMES + place * step, y, step, share)
    return picture(HEAD + len(rows) * ROW, title, inside)


def _cell(x: float, y: float, step: float, share: float) -> list[str]:
    where = (x + 1, y + 1, step - 2, ROW - 2.0)
    return [
        rect(*where, class_="groove"),
        rect(*where, class_="bar", fill_opacity=f"{share * DARKEST:.2f}"),
        text(x + step / 2, y + 17, f"{100 * share:.0f}", "value", "middle"),
    ]
