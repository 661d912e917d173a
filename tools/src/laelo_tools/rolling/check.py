"""What the log says afterwards: is every move in it that was acknowledged, and nothing torn?"""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from laelo.log.v1 import log_pb2
from laelo.table.v1 import events_pb2
from laelo_common.log import Recorded

from laelo_tools.history.source import Histories
from laelo_tools.history.verify import verify_table
from laelo_tools.rolling.table import SEATS, Table

_MOVES: Final = ("opener_chosen", "played", "passed")
_OVERTAKEN: Final = "STALE_TURN"


class Found(NamedTuple):
    """Of all tables together; `faults` in words, empty if all is well."""

    matches: int
    moves: int
    acknowledged: int
    clock_moves: int
    """In the place of people: who was too late because of a restart, or of a slow machine."""
    faults: list[str]


class Counts:
    """What stands in the log of one table."""

    def __init__(self, records: Sequence[Recorded]) -> None:
        self.versions: dict[str, list[int]] = {}
        """What each command has made. A client's id stands in it behind the person's."""
        self.kinds: Counter[str] = Counter()
        self.clock_moves = 0
        """Of the clock, in the place of people."""
        for record in records:
            commit = events_pb2.Commit.FromString(record.data)
            head, kinds = commit.head, [event.WhichOneof("event") or "" for event in commit.events]
            command = head.command.removeprefix(f"{head.actor_id}-")
            self.versions.setdefault(command, []).append(head.version)
            self.kinds.update(kinds)
            if head.actor == log_pb2.ACTOR_CLOCK and any(
                _seat(event) in SEATS for event in commit.events
            ):
                self.clock_moves += 1


async def check(log: Histories, tables: Iterable[Table]) -> Found:
    """Hold what the people were told against the log, and the log against the rules."""
    matches = moves = acknowledged = clock_moves = 0
    faults: list[str] = []
    for table in tables:
        records, snapshot = await log.of(table.id)
        report = verify_table(table.id, records, snapshot)
        found = Counts(records)
        words = [f"commit {fault.version}: {fault.reason}" for fault in report.faults]
        words += _of_people(table, found) + _of_matches(table, found)
        faults += [f"table {table.id}: {fault}" for fault in words]
        matches += found.kinds["match_started"]
        moves += report.moves
        clock_moves += found.clock_moves
        acknowledged += sum(len(person.acknowledged) for person in table.people)
    return Found(matches, moves, acknowledged, clock_moves, faults)


def _of_people(table: Table, found: Counts) -> list[str]:
    """What was answered has to be there once, where the answer says."""
    faults = []
    for person in table.people:
        name = person.name
        for command in person.moves:
            made, told = found.versions.get(command, []), person.acknowledged[command]
            if made != [told]:
                faults.append(f"{name} was told that {command} is {told}; in the log it is {made}")
        faults += [
            f"{name} was refused: {refused}"
            for refused in person.refused
            if not (found.clock_moves and refused.code == _OVERTAKEN)
        ]
    return faults


def _of_matches(table: Table, found: Counts) -> list[str]:
    """All that began were played to their ends, by who sat there."""
    faults = []
    started, ended = found.kinds["match_started"], found.kinds["match_ended"]
    if started != ended:
        faults.append(f"of {started} matches only {ended} have an end")
    if any(person.matches != ended for person in table.people):
        seen = [person.matches for person in table.people]
        faults.append(f"{ended} matches have an end, of which people have seen {seen}")
    unwanted = ("bot_stands_in", "table_closed")
    return faults + [f"there is {kind} in the log" for kind in unwanted if found.kinds[kind]]


def _seat(event: events_pb2.Event) -> int | None:
    """Whose turn an event has ended; None if it did not end any."""
    kind = event.WhichOneof("event") or ""
    return int(getattr(event, kind).seat) if kind in _MOVES else None
