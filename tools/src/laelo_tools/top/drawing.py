"""A picture as lines of text that fit into a window, whatever its size."""

from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from enum import Enum
from typing import Any, Final, NamedTuple

from laelo_tools.top.picture import Match, Part, Picture


class Style(Enum):
    """How a line is shown where there are colours."""

    PLAIN = 0
    TITLE = 1
    BAD = 2
    HEAD = 3


class Line(NamedTuple):
    """One line."""

    text: str
    style: Style = Style.PLAIN


class Order(NamedTuple):
    """By what parts and matches are ordered; letters as they are typed."""

    parts: str = "n"
    matches: str = "a"


PARTS: Final[dict[str, tuple[str, Callable[[Part], Any]]]] = {
    "n": ("name", lambda part: part.name),
    "c": ("CPU", lambda part: -(part.cpu or 0.0)),
    "m": ("memory", lambda part: -(part.memory or 0)),
}
MATCHES: Final[dict[str, tuple[str, Callable[[Match], Any]]]] = {
    "a": ("newest", lambda match: -match.started_ms),
    "h": ("hands", lambda match: -match.hands),
    "k": ("kind", lambda match: (match.kind, -match.started_ms)),
}
KEYS: Final = "q quits; parts by n name, c CPU, m memory; matches by a age, h hands, k kind"


def ordered(order: Order, key: str) -> Order:
    """The order after a key was typed."""
    if key in PARTS:
        return order._replace(parts=key)
    return order._replace(matches=key) if key in MATCHES else order


def draw(shown: Picture, width: int, height: int, order: Order = Order()) -> list[Line]:  # noqa: B008
    """At most `height` lines of at most `width` characters. Parts come first; of matches as many
    as there is room for.
    """
    lines = [*_summary(shown), Line(""), *_parts(shown.parts, order.parts), Line("")]
    lines += _matches(shown, order.matches)
    fitting = lines[: max(height - 1, 0)]
    if height > 0:
        fitting.append(Line(KEYS, Style.TITLE))
    return [line._replace(text=clipped(line.text, width)) for line in fitting]


def clipped(text: str, width: int) -> str:
    """As much of it as fits, in one line and without anything that could move the cursor."""
    text = "".join(letter if letter.isprintable() else "?" for letter in text)
    return text if len(text) <= width else f"{text[: max(width - 1, 0)]}…"[:width]


def _summary(shown: Picture) -> Iterator[Line]:
    time = datetime.fromtimestamp(shown.now_ms / 1000, UTC)
    runs = ", ".join(f"{name} {number}" for name, number in shown.versions.items())
    yield Line(f"Lá e Lô  {time:%Y-%m-%d %H:%M:%S} UTC  {runs}", Style.TITLE)
    tables = ", ".join(f"{count} {name}" for name, count in shown.tables.items())
    yield Line(f"tables     {sum(shown.tables.values())} looked at: {tables}")
    playing = ", ".join(f"{count} {kind}" for kind, count in shown.playing.items())
    yield Line(f"matches    {playing or 'not known here'}")
    yield Line(f"moves      {shown.moves:.1f}/s   commits {shown.commits:.1f}/s")
    yield Line(
        f"people     {shown.people} connected, {shown.queue} in the queue,"
        f" {shown.championships} championships run"
    )
    behind = ", ".join(f"{name} {count}" for name, count in shown.lag.items())
    late = any(count > LATE for count in shown.lag.values())
    yield Line(f"lag        {behind or 'not known here'}", Style.BAD if late else Style.PLAIN)


LATE: Final = 1000
"""Commits behind which something is wrong."""


def _parts(parts: Sequence[Part], order: str) -> Iterator[Line]:
    name, key = PARTS[order]
    yield Line(f"{'PART':<16}{'CPU':>7}{'MEMORY':>10}{'PID':>9}  STATE  (by {name})", Style.HEAD)
    for part in sorted(parts, key=lambda part: (key(part), part.name)):
        cpu = "-" if part.cpu is None else f"{100 * part.cpu:.0f}%"
        memory = "-" if part.memory is None else f"{part.memory / 1e6:.0f} MB"
        state = "ready" if part.well else part.said
        text = f"{part.name:<16}{cpu:>7}{memory:>10}{part.pid or '-':>9}  {state}"
        yield Line(text, Style.PLAIN if part.well else Style.BAD)


def _matches(shown: Picture, order: str) -> Iterator[Line]:
    if shown.matches is None:
        yield Line("matches are not known here: the archive's database is not asked (--pg)")
        return
    name, key = MATCHES[order]
    head = f"{'TABLE':<28}{'MATCH':>6}  {'KIND':<13}{'AGE':>8}{'HANDS':>7}  SCORE  (by {name})"
    yield Line(head, Style.HEAD)
    for match in sorted(shown.matches, key=key):
        age = _age(shown.now_ms - match.started_ms)
        score = "-".join(map(str, match.score))
        yield Line(
            f"{match.table:<28}{match.number:>6}  {match.kind:<13}{age:>8}{match.hands:>7}  {score}"
        )


def _age(ms: int) -> str:
    seconds = max(ms, 0) // 1000
    if seconds < 3600:
        return f"{seconds // 60}:{seconds % 60:02}"
    return f"{seconds // 3600}h{seconds % 3600 // 60:02}"
