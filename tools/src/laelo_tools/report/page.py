"""The page: one file with all that it needs, which asks nobody for anything."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from html import escape
from importlib.resources import files
from typing import Any, Final

from laelo_tools.report.figures import FIGURES, Figure, Rows

_STYLE: Final = files("laelo_tools.report.charts").joinpath("drawn.css").read_text(encoding="utf-8")
_CSP: Final = "default-src 'none'; style-src 'unsafe-inline'"


class Drawn:
    """A picture as a notebook shows it."""

    def __init__(self, svg: str) -> None:
        self.svg = svg

    def _repr_html_(self) -> str:
        style = "background: var(--card); padding: 1em; max-width: 28em; margin: 0"
        return f'<style>{_STYLE}</style><figure class="drawn" style="{style}">{self.svg}</figure>'


def page(totals: Mapping[str, Any], answers: Mapping[str, Rows], made_at: datetime) -> str:
    """All of it as HTML."""
    style = _STYLE + files("laelo_tools.report").joinpath("page.css").read_text(encoding="utf-8")
    cards = "\n".join(_card(one, answers[one.name]) for one in FIGURES)
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{_CSP}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Lá e Lô: what was played</title>
<style>
{style}</style>
</head>
<body>
<header>
<h1>Lá e Lô</h1>
<p>What was played{_when(totals)}</p>
<dl>{_headline(totals)}</dl>
</header>
<main class="drawn">
{cards}
</main>
<footer>Sums only, nobody's name. Made {made_at:%Y-%m-%d %H:%M} UTC by <code>laelo report</code>;
<code>docs/analysts.md</code> has the queries.</footer>
</body>
</html>
"""


def _when(totals: Mapping[str, Any]) -> str:
    if totals["first"] is None:
        return ": nothing yet"
    first, last = totals["first"], totals["last"]
    return f", {first:%-d %B %Y} to {last:%-d %B %Y}"


def _headline(totals: Mapping[str, Any]) -> str:
    names = ("matches", "hands", "moves", "people", "championships")
    return "".join(f"<div><dt>{name}</dt><dd>{totals[name]:,}</dd></div>" for name in names)


def _card(figure: Figure, rows: Rows) -> str:
    shown = _shown(figure, rows) if rows else '<p class="none">Nothing to show yet.</p>'
    return (
        f'<section id="{figure.name}"><h2>{escape(figure.title)}</h2>'
        f"<p>{escape(figure.says)}</p>{shown}</section>"
    )


def _shown(figure: Figure, rows: Rows) -> str:
    return (
        f"{figure.draw(rows)}"
        f"<details><summary>Numbers</summary><div class='scroll' tabindex='0'>{_table(rows)}"
        "</div></details>"
        f"<details><summary>Query</summary><pre tabindex='0'>{escape(figure.query)}</pre></details>"
    )


def _table(rows: Rows) -> str:
    head = "".join(f"<th scope='col'>{escape(name)}</th>" for name in rows[0])
    body = "".join(f"<tr>{_cells(list(row.values()))}</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _cells(values: Sequence[Any]) -> str:
    return "".join(f"<td>{escape(_told(value))}</td>" for value in values)


def _told(value: Any) -> str:
    match value:
        case None:
            return "–"
        case float():
            return f"{value:,.3f}"
        case int():
            return f"{value:,}"
        case date():
            return value.isoformat()
    return str(value)
