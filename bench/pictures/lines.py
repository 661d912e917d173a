"""Lines over time."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from laelo_tools.report.charts.bars import round_up
from laelo_tools.report.charts.svg import WIDTH, line, picture, rect, tag, text

LEFT: Final = 44
TOP: Final = 30
HIGH: Final = 150
LABELS: Final = 4


class Line(NamedTuple):
    """One line and its name."""

    name: str
    values: Sequence[float]


def lines(title: str, at: Sequence[float], rows: Sequence[Line], unit: str = "min") -> str:
    """Lines from 0 up, over the same moments, at most four."""
    most = round_up(max(max(row.values) for row in rows))
    first, last = at[0], max(at[-1], at[0] + 1e-9)
    digits = 0 if last - first > 2 * LABELS else 1

    def x_of(moment: float) -> float:
        return LEFT + (moment - first) / (last - first) * (WIDTH - LEFT)

    inside = []
    for share in (0.0, 0.5, 1.0):
        y = TOP + HIGH * (1 - share)
        inside += [
            line(LEFT, y, WIDTH, y, "grid"),
            text(LEFT - 5, y + 4, f"{most * share:,.10g}", "small", "end"),
        ]
    for number in range(LABELS + 1):
        moment = first + (last - first) * number / LABELS
        anchor = "end" if number == LABELS else "middle" if number else "start"
        said = f"{moment:.{digits}f} {unit}" if number == LABELS else f"{moment:.{digits}f}"
        inside.append(text(x_of(moment), TOP + HIGH + 15, said, "small", anchor))
    begins = float(LEFT)
    for number, row in enumerate(rows):
        points = " ".join(
            f"{x_of(moment):.1f},{TOP + HIGH * (1 - value / most):.1f}"
            for moment, value in zip(at, row.values, strict=True)
        )
        inside += [
            rect(begins, 6, 10, 4, class_=f"part-{number}"),
            text(begins + 15, 12, row.name, "small"),
            tag("polyline", points=points, class_=f"line line-{number}"),
        ]
        begins += 32 + 6.4 * len(row.name)
    return picture(TOP + HIGH + 20, title, inside)
