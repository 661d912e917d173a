"""boards: what each client was shown under a number is what the log has under that number.

A client's board follows from its frames alone. So if each frame is what the log says for that
viewer, and none is lacking, the board is the fold of the log.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any, Final

import msgspec
from laelo_table.domain.state import seat_of
from laelo_table.domain.view import frames, view

from tests.faults.nemesis.checks.finding import Finding
from tests.faults.nemesis.history import Frame, History
from tests.faults.nemesis.logs import Log, TableLog

NAMES: Final = frozenset(("name",))
"""The gateway puts those of accounts in."""


def check_boards(history: History, log: Log) -> list[Finding]:
    """Every frame of a table that anybody was sent."""
    told = {name: Telling(table) for name, table in log.tables.items()}
    found: list[Finding] = []
    for who in history.people:
        found += _of_one(who, history, told)
    return found


def _of_one(who: str, history: History, told: "dict[str, Telling]") -> Iterator[Finding]:
    player = history.people[who]
    for heard in history.frames(who):
        frame = heard.frame
        if frame["t"] not in ("event", "snapshot"):
            continue
        table, seq = frame["table"], frame["seq"]
        telling = told.get(table)
        if telling is None or seq > len(telling.table.records):
            words = f"{who} was shown version {seq}, which the log does not have"
            yield Finding("boards", words, table, (seq, seq), (who,))
            continue
        wanted = telling.wanted(frame, player)
        if wanted != nameless(frame["d"]):
            words = f"{who} was shown {difference(nameless(frame['d']), wanted)}"
            yield Finding("boards", words, table, (seq, seq), (who,))


class Telling:
    """What each viewer is to be told of a table."""

    def __init__(self, table: TableLog) -> None:
        self.table = table
        self._events: dict[int, list[tuple[int, Any]]] = {}

    def wanted(self, frame: Frame, player: str) -> Any:
        """What a frame has to say to a person, according to the log."""
        state = self.table.states[frame["seq"]]
        viewer = seat_of(state, player)
        if frame["t"] == "snapshot":
            seen = view(state, viewer, frame["now"])
            return nameless(json.loads(msgspec.json.encode(seen)))
        for viewers, said in self._said(frame["seq"]):
            if viewers >> viewer & 1:
                return said
        return None

    def _said(self, version: int) -> list[tuple[int, Any]]:
        if version not in self._events:
            commit, after = self.table.commits[version - 1], self.table.states[version]
            self._events[version] = [
                (shown.viewers, nameless(json.loads(shown.frame)["d"]))
                for shown in frames(commit, after)
            ]
        return self._events[version]


def nameless(part: Any) -> Any:
    """The same without names."""
    if isinstance(part, dict):
        return {key: nameless(value) for key, value in part.items() if key not in NAMES}
    if isinstance(part, list):
        return [nameless(value) for value in part]
    return part


def difference(seen: Any, wanted: Any, path: str = "") -> str:
    """The first place at which two differ."""
    step: Callable[[Any, Any, str], str] = partial(difference)
    if isinstance(seen, dict) and isinstance(wanted, dict):
        for key in sorted(seen.keys() | wanted.keys()):
            if seen.get(key) != wanted.get(key):
                return step(seen.get(key), wanted.get(key), f"{path}.{key}")
    if isinstance(seen, list) and isinstance(wanted, list) and len(seen) == len(wanted):
        for at, (one, other) in enumerate(zip(seen, wanted, strict=True)):
            if one != other:
                return step(one, other, f"{path}[{at}]")
    return f"{path or 'd'} = {json.dumps(seen)} where the log says {json.dumps(wanted)}"


def check_ends(looking: Mapping[str, Mapping[str, int]], last: Mapping[str, int]) -> list[Finding]:
    """In the end everybody has seen the newest version of each table that they look at."""
    found: list[Finding] = []
    for who, tables in looking.items():
        for table, seq in tables.items():
            newest = last.get(table, 0)
            if seq < newest:
                words = f"{who} has seen {seq} of {newest} versions in the end"
                found.append(Finding("ends", words, table, (seq, newest), (who,)))
    return found


def check_gaps(history: History) -> list[Finding]:
    """Whoever was sent a number was sent all before it, from some snapshot on."""
    found: list[Finding] = []
    for who in history.people:
        told: dict[str, set[int]] = {}
        snapshots: dict[str, int] = {}
        for heard in history.frames(who):
            frame = heard.frame
            if frame["t"] in ("event", "snapshot"):
                told.setdefault(frame["table"], set()).add(frame["seq"])
            if frame["t"] == "snapshot":
                table = frame["table"]
                snapshots[table] = max(frame["seq"], snapshots.get(table, 0))
        for table, numbers in told.items():
            first = snapshots.get(table, min(numbers))
            lacking = set(range(first, max(numbers) + 1)) - numbers
            if lacking:
                words = f"{who} was never sent {sorted(lacking)[:8]} of {max(numbers)}"
                at = (min(lacking), max(lacking))
                found.append(Finding("gaps", words, table, at, (who,)))
    return found
