"""Pictures are whole files, and show what they were given."""

import xml.etree.ElementTree as ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st
from laelo_tools.report.charts.bars import Bar, bars

from bench.pictures.frame import framed
from bench.pictures.lines import TOP, Line, lines

SVG = "{http://www.w3.org/2000/svg}"


def test_a_framed_chart_stands_alone_and_names_itself() -> None:
    picture = framed("a < b & c", bars("a < b & c", [Bar("one", 1.0, "1 µs")]))
    root = ElementTree.fromstring(picture)
    assert root.attrib["aria-label"] == "a < b & c"
    style = root.findtext(f"{SVG}style") or ""
    assert "prefers-color-scheme: dark" in style
    assert ".drawn" not in style
    assert "http" not in picture.replace("http://www.w3.org/2000/svg", "")


def test_what_is_no_chart_is_refused() -> None:
    with pytest.raises(ValueError, match="view box"):
        framed("nothing", "<p>")


@given(st.lists(st.floats(0, 1e6), min_size=1, max_size=50))
def test_no_value_of_a_line_leaves_its_picture(values: list[float]) -> None:
    picture = framed("line", lines("line", range(len(values)), [Line("one", values)]))
    (line,) = ElementTree.fromstring(picture).iter(f"{SVG}polyline")
    heights = [float(point.split(",")[1]) for point in line.attrib["points"].split()]
    assert len(heights) == len(values)
    assert all(TOP - 0.1 <= height <= TOP + 150.1 for height in heights)
