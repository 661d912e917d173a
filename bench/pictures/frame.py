"""A chart of `laelo report` as a file of its own."""

import re
from html import escape
from importlib.resources import files
from typing import Final

from laelo_tools.report.charts.svg import WIDTH

MARGIN: Final = 14
HEAD: Final = 26
_MORE: Final = """
svg { font: 13px var(--ui); fill: var(--ink); }
.paper { fill: var(--card); }
.title { font-size: 14px; font-weight: 600; }
.part-2 { fill: var(--good); }
.part-3 { fill: var(--bad); }
.line { fill: none; stroke-width: 2; stroke-linejoin: round; }
.line-0 { stroke: var(--bar); }
.line-1 { stroke: var(--second); }
.line-2 { stroke: var(--good); }
.line-3 { stroke: var(--bad); }
"""
_BOX: Final = re.compile(r'viewBox="0 0 \d+ ([\d.]+)"')


def _style() -> str:
    css = files("laelo_tools.report.charts").joinpath("drawn.css").read_text(encoding="utf-8")
    rules = [line for line in css.splitlines() if not line.startswith(".drawn svg")]
    return "\n".join(rules).replace(".drawn ", "") + _MORE


def framed(title: str, chart: str) -> str:
    """A chart with its title, on paper; `chart` is an `<svg>` of the report's."""
    found = _BOX.search(chart)
    if found is None:
        raise ValueError("a chart without a view box")
    width, height = WIDTH + 2 * MARGIN, float(found[1]) + HEAD + 2 * MARGIN
    inner = chart.replace("<svg", f'<svg x="{MARGIN}" y="{MARGIN + HEAD}" width="{WIDTH}"', 1)
    inner = inner.replace("<svg", f'<svg height="{found[1]}" overflow="visible"', 1)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height:g}"'
        f' width="{2 * width}" role="img" aria-label="{escape(title)}">\n'
        f"<style>{_style()}</style>\n"
        f'<rect class="paper" width="{width}" height="{height:g}" rx="6"/>\n'
        f'<text class="title" x="{MARGIN}" y="{MARGIN + 12}">{escape(title)}</text>\n'
        f"{inner}\n</svg>\n"
    )
