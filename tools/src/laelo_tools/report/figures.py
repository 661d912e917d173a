"""Which pictures there are: what each asks (`queries/<name>.sql`) and how the answer is drawn."""

from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from importlib.resources import files
from typing import Any, Final, NamedTuple

from laelo_tools.report.charts.bars import Bar, Column, bars, columns
from laelo_tools.report.charts.matrix import Line, matrix
from laelo_tools.report.charts.tiles import Value, triangle

Rows = Sequence[Mapping[str, Any]]

ENOUGH: Final = 5
"""Of fewer hands nothing is said about a tile."""

WEEK: Final = timedelta(weeks=1)

REASONS: Final = {
    "domino_simple": "Domino",
    "domino_double": "Domino with a double",
    "la_e_lo": "Lá e lô",
    "cruzada": "Cruzada",
    "count": "Blocked, counted",
    "tie": "Blocked, a tie",
}


class Figure(NamedTuple):
    """A picture: its name, its title, how to read it, and how it is drawn of rows."""

    name: str
    title: str
    says: str
    draw: Callable[[Rows], str]

    @property
    def query(self) -> str:
        """What it asks of an export."""
        file = files("laelo_tools.report").joinpath("queries", f"{self.name}.sql")
        return file.read_text(encoding="utf-8")


def _weeks(rows: Rows) -> str:
    parts = [
        Column(f"{row['week']:%-d %b}", (row["people"] - row["guests"], row["guests"]))
        for row in rows
    ]
    return columns("People who played, by week", parts, names=("accounts", "guests"))


def _hand_endings(rows: Rows) -> str:
    return bars(
        "Share of hands by how they ended",
        [
            Bar(
                REASONS[row["reason"]],
                row["share"],
                f"{row['share']:.1%} · {row['points']:.0f} p",
            )
            for row in rows
        ],
    )


def _opening_tiles(rows: Rows) -> str:
    values = {
        row["tile"]: Value(row["net"], f"{row['net']:+.2f}".replace("-", "−"))
        for row in rows
        if row["hands"] >= ENOUGH
    }
    return triangle("Points a hand of the team that opens, by opening tile", values)


def _opening_advantage(rows: Rows) -> str:
    return bars(
        "Share of hands won by the team that opens",
        [
            Bar(
                row["how"].capitalize(),
                row["share"],
                f"{row['share']:.1%} of {row['hands']:,}",
                row["error"],
            )
            for row in rows
        ],
        most=1.0,
        mark=0.5,
    )


def _passes(rows: Rows) -> str:
    parts = [Column(str(row["turn"]), (row["share"],)) for row in rows]
    return columns("Share of turns that were passes, by turn of the hand", parts, percent=True)


def _clock_use(rows: Rows) -> str:
    counts = {row["second"]: (row["people"], row["clock"]) for row in rows}
    parts = [Column(str(second), counts.get(second, (0, 0))) for second in range(max(counts) + 1)]
    return columns("Moves by seconds taken", parts, names=("people", "the clock for them"))


def _thinking(rows: Rows) -> str:
    parts = [Column(str(row["choices"]), (row["seconds"],)) for row in rows]
    return columns("Median seconds of a turn, by tiles that could be played", parts)


def _judged(rows: Rows) -> str:
    return bars(
        "Share of judged moves of people, by what the judge thinks of them",
        [
            Bar(
                row["word"].capitalize(),
                row["share"],
                f"{row['share']:.1%} · {100 * row['loss']:.1f} points",
            )
            for row in rows
        ],
    )


def _championships(rows: Rows) -> str:
    return bars(
        "Championships played to their end, by size",
        [
            Bar(
                row["tier"].capitalize(),
                row["played"],
                f"{row['played']} of {row['begun']}"
                + (f" · {row['minutes']:.0f} min" if row["minutes"] is not None else ""),
            )
            for row in rows
        ],
    )


def _retention(rows: Rows) -> str:
    began = {row["began"]: row["people"] for row in rows if row["later"] == 0}
    back = {(row["began"], row["later"]): row["people"] for row in rows}
    newest = max(row["began"] + row["later"] * WEEK for row in rows)
    most = max(row["later"] for row in rows)
    lines = []
    for week, many in began.items():
        known = (newest - week) // WEEK
        shares = [
            back.get((week, later), 0) / many if later <= known else None
            for later in range(most + 1)
        ]
        lines.append(Line(f"{week:%-d %b}", many, shares))
    heads = [f"{later}" for later in range(most + 1)]
    return matrix("Share of people who come back, by week of their first match", heads, lines)


FIGURES: Final = (
    Figure("weeks", "People", "Who played in each week, which begins on Monday in Recife (R43).",
           _weeks),
    Figure("retention", "Who comes back",
           "Of those whose first match fell into a week, the percentage that played so many weeks"
           " later. The newest week is not over: read it last.", _retention),
    Figure("hand_endings", "How hands end",
           "Share of hands, and the points of one before multiplication (R14–R19).", _hand_endings),
    Figure("opening_tiles", "What an opening tile is worth",
           "Points that a hand brings the team that opens, lost ones subtracted, before"
           " multiplication: hands whose opener was free to choose (R5). The error of each stands"
           " in the numbers; differences smaller than two of it mean nothing.", _opening_tiles),
    Figure("opening_advantage", "What it is worth to open",
           "Share of decided hands that the opener's team won; the line is one half, whiskers are"
           " the 95 % interval.", _opening_advantage),
    Figure("passes", "Passes", "Share of turns that were a pass (R9), by number of the turn in its"
           " hand.", _passes),
    Figure("clock_use", "Use of the clock",
           "Moves with the long clock of 15 s (R20) by whole seconds taken, and those that the"
           " clock made (R21, R22).", _clock_use),
    Figure("thinking", "Thinking",
           "Median seconds that people take, by how many tiles they could play; 0 is a pass.",
           _thinking),
    Figure("judged", "How well people play",
           "Tiles that people laid though they had a choice, as a bot judges them from what the"
           " seat saw, in matches that somebody had judged; beside each share what such a move"
           " costs on average, in percentage points of the chance to win the match.", _judged),
    Figure("championships", "Championships",
           "Those played to their end, of those begun, and the median of their minutes (R33).",
           _championships),
)  # fmt: skip
