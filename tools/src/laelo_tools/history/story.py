"""The story of a table, line by line, as a person reads it: the archive's words with the calls
of the table in the language that is asked for.
"""

import json
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from functools import cache, partial
from importlib.resources import files
from typing import Any, Final

from laelo.table.v1 import events_pb2
from laelo_archive.domain.story import Show, Words, hands_over, tile_text
from laelo_archive.domain.story import Story as Told
from laelo_rules.engine import Talk

from laelo_tools.history.spell import call_of

__all__ = ["Story", "hands_over", "table_talk", "tile_text"]

_INDENT: Final = " " * 24


@cache
def table_talk() -> Talk:
    """The words of the calls."""
    text = files("laelo_rules").joinpath("data", "table_talk.json").read_text(encoding="utf-8")
    return Talk(json.loads(text))


class Story:
    """Tells commits in their order; with `show_open` also what is hidden."""

    def __init__(self, *, language: str = "pt", show_open: bool = False) -> None:
        words = Words(call=partial(_say, language), name=_name)
        self._told = Told(Show.ALL if show_open else Show.LAID, words)

    def tell(self, commits: Iterable[events_pb2.Commit]) -> Iterator[str]:
        """All lines."""
        day = ""
        for head, lines in self._told.tell(commits):
            date, time = _moment(head.time_ms)
            if date != day:
                day = date
                yield day
            begin = f"{head.version:6}  {time}  "
            for line in lines:
                yield f"{begin}{line}"
                begin = _INDENT[: len(begin)].ljust(len(begin))


def _moment(ms: int) -> tuple[str, str]:
    """Day and time of a commit; one that is none, as it is told."""
    try:
        moment = datetime.fromtimestamp(ms / 1000, UTC)
    except (ValueError, OverflowError, OSError):
        return f"at {ms} ms, which is no time", "??:??:??.???"
    return f"{moment:%Y-%m-%d} (UTC)", f"{moment:%H:%M:%S}.{ms % 1000:03}"


def _name(person: events_pb2.Sitter) -> str:
    """How a person is called: the log has the names of guests only."""
    return person.animal or person.guest_name or f"account {person.player}"


def _say(language: str, calls: Iterable[Any]) -> str:
    words = [table_talk().say(call_of(call), language) for call in calls]
    return " ".join(f"“{word}”" for word in words)
