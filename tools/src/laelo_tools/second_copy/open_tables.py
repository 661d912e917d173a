"""What open tables need beside their commits: their codes, and the clocks behind their turns."""

from dataclasses import dataclass, field
from typing import NamedTuple

from laelo.table.v1 import events_pb2
from laelo_common.log import Clocks, Log
from laelo_table.domain.backstops import AFTER_MS, look_for

FIRST_LOOK_MS = 60_000
"""So long after the log is back people have to come back to their tables."""


class OpenTable(NamedTuple):
    """A table that is not closed, after its newest commit."""

    version: int
    turn: int
    deadline_ms: int
    code: str
    is_official: bool


@dataclass
class OpenTables:
    """The open tables of a log that is read in its order."""

    tables: dict[str, OpenTable] = field(default_factory=dict)

    def take(self, table: str, data: bytes) -> None:
        """Take the next commit of a table in. Raises DecodeError for what is none."""
        commit = events_pb2.Commit.FromString(data)
        head = commit.head
        known = self.tables.get(table)
        code, is_official = (known.code, known.is_official) if known else ("", False)
        for event in commit.events:
            kind = event.WhichOneof("event")
            if kind == "opened":
                code = event.opened.code
                is_official = bool(event.opened.options.championship)
            elif kind == "table_closed":
                self.tables.pop(table, None)
                return
        self.tables[table] = OpenTable(head.version, head.turn, head.deadline_ms, code, is_official)

    async def equip(self, log: Log, clocks: Clocks, now_ms: int) -> None:
        """Give them their codes and clocks back; may be done again. Raises LogError.

        Somebody also has to look who is still there: all may have left while the log was away.
        """
        for name, table in self.tables.items():
            if table.code:
                await log.claim(table.code, name.encode())
            if table.deadline_ms:
                await clocks.set(name, table.turn, max(table.deadline_ms, now_ms) + AFTER_MS)
            if not table.is_official:
                await clocks.set(name, look_for(table.version), now_ms + FIRST_LOOK_MS)
