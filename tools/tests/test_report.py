"""The page of pictures: it is right, whole, and asks nobody for anything."""

import math
import re
from collections import Counter, defaultdict
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from laelo_tools import cli
from laelo_tools.errors import LaeloError
from laelo_tools.report.ask import ask
from laelo_tools.report.charts.bars import HIGH, LEAST, Bar, Column, bars, columns
from laelo_tools.report.charts.matrix import Line, matrix
from laelo_tools.report.charts.svg import WIDTH
from laelo_tools.report.charts.tiles import Value, triangle
from laelo_tools.report.figures import FIGURES, REASONS
from laelo_tools.report.page import page

from tools.tests.exports import Made, table

ASKED = re.compile(r"\b(?:src|href|srcset)\s*=|url\(|@import|https?:|<(?:script|link|iframe)\b")
FEW = settings(max_examples=30)
SIZES = st.floats(0, 1e6, allow_nan=False)
NAMES = st.text(st.characters(exclude_categories=("Cs", "Cc")), max_size=12)


def drawn(picture: str) -> ElementTree.Element:
    """A picture, which has to be well-formed; all it has lies within it."""
    svg = ElementTree.fromstring(picture)
    _, _, width, height = map(float, svg.attrib["viewBox"].split())
    assert width == WIDTH
    assert svg.attrib["aria-label"]
    for one in svg.iter("rect"):
        x, y, wide, high = (float(one.attrib[name]) for name in ("x", "y", "width", "height"))
        assert -0.1 <= x <= x + wide <= width + 0.1
        assert -0.1 <= y <= y + high <= height + 0.1
    return svg


@FEW
@given(rows=st.lists(st.tuples(NAMES, SIZES), min_size=1, max_size=12))
def test_bars_are_as_long_as_their_values(rows: list[tuple[str, float]]) -> None:
    svg = drawn(bars("Bars", [Bar(name, value, name) for name, value in rows]))
    wide = [float(one.attrib["width"]) for one in svg.iter("rect") if one.attrib["class"] == "bar"]
    most = max(value for _, value in rows) or 1.0
    for found, (_, value) in zip(wide, rows, strict=True):
        assert math.isclose(found, WIDTH * value / most, abs_tol=0.01)
    told = [one.text or "" for one in svg.iter("text")]
    assert told == [name for name, _ in rows for _ in range(2)]


@FEW
@given(rows=st.lists(st.lists(SIZES, min_size=2, max_size=2), min_size=1, max_size=40))
def test_columns_stand_on_each_other(rows: list[list[float]]) -> None:
    svg = drawn(columns("Columns", [Column("name", parts) for parts in rows], names=("a", "b")))
    high: Counter[str] = Counter()
    for one in svg.iter("rect"):
        if float(one.attrib["y"]) > 12:
            high[one.attrib["x"]] += round(float(one.attrib["height"]) * 1000)
    most = max(sum(parts) for parts in rows)
    tallest = max(high.values(), default=0) / 1000
    assert tallest <= HIGH + 0.1
    if most >= LEAST:
        assert tallest >= HIGH * 0.65


@FEW
@given(
    shares=st.lists(
        st.lists(st.none() | st.floats(0, 1), min_size=1, max_size=9), min_size=1, max_size=9
    )
)
def test_a_matrix_shows_what_is_known(shares: list[list[float | None]]) -> None:
    heads = [str(n) for n in range(max(map(len, shares)))]
    svg = drawn(matrix("Matrix", heads, [Line("week", 3, line) for line in shares]))
    cells = [one for one in svg.iter("rect") if one.attrib["class"] == "bar"]
    assert len(cells) == sum(share is not None for line in shares for share in line)


def test_who_comes_back_is_shown_also_when_nobody_new_comes() -> None:
    first, second = date(2026, 11, 2), date(2026, 11, 9)
    rows = [
        {"began": first, "later": 0, "people": 4},
        {"began": first, "later": 3, "people": 1},
        {"began": second, "later": 0, "people": 2},
        {"began": second, "later": 1, "people": 2},
    ]
    (retention,) = (figure for figure in FIGURES if figure.name == "retention")
    told = [one.text for one in drawn(retention.draw(rows)).iter("text")]
    heads = ["0", "1", "2", "3"]
    assert told == [*heads, "2 Nov", "4", "100", "0", "0", "25", "9 Nov", "2", "100", "100", "0"]


@FEW
@given(values=st.dictionaries(st.sampled_from(["6|3", "0|0", "6|6", "5|1"]), st.floats(-4, 4)))
def test_every_tile_is_drawn_with_its_pips(values: dict[str, float]) -> None:
    svg = drawn(triangle("Tiles", {tile: Value(one, "said") for tile, one in values.items()}))
    assert len([one for one in svg.iter("rect") if one.attrib["class"] == "tile"]) == 28
    assert len(list(svg.iter("circle"))) == sum(a + b for a in range(7) for b in range(a + 1))
    assert len([one for one in svg.iter("text") if one.text == "said"]) == len(values)


@pytest.mark.integration
def test_the_figures_are_right(made: Made) -> None:
    totals, answers = ask(made.parquet)
    hands, moves = table(made.parquet, "hands"), table(made.parquet, "moves")
    people = table(made.parquet, "people")
    assert (totals["hands"], totals["moves"]) == (len(hands), len(moves))
    assert {row["reason"]: row["hands"] for row in answers["hand_endings"]} == Counter(
        hand["reason"] for hand in hands
    )
    assert {hand["reason"] for hand in hands} <= set(REASONS)
    for row in answers["opening_tiles"]:
        nets = [net(hand) for hand in hands
                if hand["opening"] == "won" and hand["opening_tile"] == row["tile"]]  # fmt: skip
        assert row["hands"] == len(nets)
        assert math.isclose(row["net"], sum(nets) / len(nets), abs_tol=1e-9)
    by_how: defaultdict[str, list[bool]] = defaultdict(list)
    for hand in hands:
        if hand["team"] is not None:
            how = "highest double"
            if hand["opening"] == "won":
                how = "winner opens" if hand["opener"] == hand["chooser"] else "partner opens"
            by_how[how].append(hand["team"] == hand["opener"] % 2)
    for row in answers["opening_advantage"]:
        won = by_how.pop(row["how"])
        assert (row["hands"], row["share"]) == (len(won), pytest.approx(sum(won) / len(won)))
    assert not by_how
    for row in answers["passes"]:
        turns = [move["tile"] is None for move in moves if move["turn"] == row["turn"]]
        assert row["share"] == pytest.approx(sum(turns) / len(turns))
    assert sum(row["people"] for row in answers["clock_use"]) > 0
    assert {(row["began"], row["later"]): row["people"] for row in answers["retention"]} == (
        came_back(people)
    )
    actors = {(row["table_id"], row["hand"], row["turn"]): row["actor"] for row in moves}
    judged = [row for row in table(made.parquet, "judged_moves")
              if actors[row["table_id"], row["hand"], row["turn"]] == "person"]  # fmt: skip
    assert {row["word"]: row["moves"] for row in answers["judged"]} == Counter(
        row["word"] for row in judged
    )
    begun = sum(row["begun"] for row in answers["championships"])
    assert begun == totals["championships"] == len(table(made.parquet, "championships"))


def net(hand: dict[str, Any]) -> float:
    if hand["team"] is None:
        return 0
    points = hand["points"] / hand["multiplier"]
    return float(points if hand["team"] == hand["opener"] % 2 else -points)


def came_back(people: list[dict[str, Any]]) -> Counter[tuple[Any, int]]:
    """By week of the first match, how many played so many weeks later."""
    weeks: defaultdict[str, set[Any]] = defaultdict(set)
    for row in people:
        day = (row["started_at"] - timedelta(hours=3)).date()
        if row["player"] is not None:
            weeks[row["player"]].add(day - timedelta(days=day.weekday()))
    return Counter(
        (min(played), (week - min(played)).days // 7)
        for played in weeks.values()
        for week in played
    )


@pytest.mark.integration
def test_the_page_is_whole_and_tells_of_nobody(made: Made, tmp_path: Path, capsys) -> None:
    file = tmp_path / "report.html"
    assert cli.main(["report", "--from", str(made.parquet), "--out", str(file)]) == 0
    html = file.read_text(encoding="utf-8")
    assert not ASKED.findall(html)
    pictures = re.findall(r"<svg.*?</svg>", html, re.DOTALL)
    assert len(pictures) == len(FIGURES)
    for picture in pictures:
        drawn(picture)
    for row in table(made.parquet, "people"):
        assert str(row["player"]) not in html
        assert row["table_id"] not in html
    assert "has it" in capsys.readouterr().out


def test_a_page_of_nothing_says_so() -> None:
    totals = dict.fromkeys(("matches", "hands", "moves", "people", "championships"), 0)
    html = page(
        {**totals, "first": None, "last": None},
        {one.name: [] for one in FIGURES},
        datetime(2026, 11, 30, tzinfo=UTC),
    )
    assert html.count("Nothing to show yet.") == len(FIGURES)
    assert "nothing yet" in html


def test_what_is_no_export_is_refused(tmp_path: Path, capsys) -> None:
    with pytest.raises(LaeloError, match=r"matches\.parquet is missing"):
        ask(tmp_path)
    (tmp_path / "matches.parquet").write_text("no such thing")
    with pytest.raises(LaeloError, match="can't be read"):
        ask(tmp_path)
    assert cli.main(["report", "--from", str(tmp_path), "--since", "2026-11-30"]) == 1
    assert "draws an export as it is" in capsys.readouterr().err
