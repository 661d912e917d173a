"""All 28 tiles as they lie in the box, each with a value: a triangle of dominoes."""

from collections.abc import Mapping
from typing import Final, NamedTuple

from laelo_tools.report.charts.svg import WIDTH, line, picture, rect, tag, text

NUMBERS: Final = 7
CELL: Final = WIDTH / NUMBERS
TILE: Final = (44.0, 22.0)
ROW: Final = 42
_SPOTS: Final = {
    0: (),
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (-1, 1), (1, -1), (1, 1)),
    5: ((-1, -1), (-1, 1), (0, 0), (1, -1), (1, 1)),
    6: ((-1, -1), (0, -1), (1, -1), (-1, 1), (0, 1), (1, 1)),
}


class Value(NamedTuple):
    """What a tile is worth, and what is said below it."""

    value: float
    said: str


def triangle(title: str, values: Mapping[str, Value]) -> str:
    """Tiles by number, good ones in one colour and bad ones in another; without a value faint."""
    most = max((abs(one.value) for one in values.values()), default=0.0) or 1.0
    inside: list[str] = []
    for high in range(NUMBERS):
        for low in range(high + 1):
            x, y = low * CELL + (CELL - TILE[0]) / 2, high * ROW + 2.0
            value = values.get(f"{high}|{low}")
            inside.append(_tile(x, y, (high, low), value.value / most if value else None))
            middle = low * CELL + CELL / 2
            said = value.said if value else "–"
            inside.append(text(middle, y + TILE[1] + 11, said, "small", "middle"))
    return picture(NUMBERS * ROW, title, inside)


def _tile(x: float, y: float, numbers: tuple[int, int], value: float | None) -> str:
    width, height = TILE
    shade = None if value is None else f"{abs(value) * 0.85:.2f}"
    parts = [rect(x, y, width, height, rx=4, class_="tile")]
    if value is not None:
        class_ = "good" if value > 0 else "bad"
        parts.append(rect(x, y, width, height, rx=4, class_=class_, fill_opacity=shade))
    parts.append(line(x + width / 2, y + 4, x + width / 2, y + height - 4, "pip-line"))
    for half, number in enumerate(numbers):
        cx, cy = x + width * (0.25 + 0.5 * half), y + height / 2
        parts += [
            tag("circle", cx=cx + 6 * right, cy=cy + 6 * down, r=1.9, class_="pip")
            for right, down in _SPOTS[number]
        ]
    return tag("g", *parts, class_="faint" if value is None else None)
