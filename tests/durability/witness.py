"""Who saw what: people at tables, and a writer to PostgreSQL, that keep all they were told."""

import asyncio
import contextlib
from collections.abc import Sequence
from typing import Any, NamedTuple

import asyncpg
import msgspec
from laelo.table.v1 import events_pb2
from laelo_common.log import Recorded
from laelo_rules.engine import TILES
from laelo_tools.load.meter import Meter
from laelo_tools.load.player import Setting
from laelo_tools.load.table import Plan, Table

Move = tuple[str, int, tuple[int, ...]]
"""What, by which seat, which tile or opener."""


class Missing(NamedTuple):
    """A commit that somebody was shown, and that the log does not have so."""

    table: str
    version: int
    shown: list[Move]
    stored: list[Move] | None


class SeenTable(Table):
    """A table of the crowd that keeps each frame which any of its people was shown."""

    def __init__(self, url: str, meter: Meter, seed: int) -> None:
        super().__init__(Plan(url, 4, 0, "simple"), meter, Setting(), seed)
        self.frames: dict[int, bytes] = {}

    def has(self, seq: int, frame: bytes) -> None:
        """A player has a frame."""
        self.frames.setdefault(seq, frame)
        super().has(seq, frame)

    def missing(self, records: Sequence[Recorded]) -> list[Missing]:
        """What was shown here and is not in the log, or not the same there."""
        stored = {number: _stored(one.data) for number, one in enumerate(records, 1)}
        return [
            Missing(self.id, seq, _shown(frame), stored.get(seq))
            for seq, frame in sorted(self.frames.items())
            if stored.get(seq) != _shown(frame)
        ]


def _shown(frame: bytes) -> list[Move]:
    moves: list[Move] = []
    for event in msgspec.json.decode(frame)["d"]["events"]:
        if event["k"] == "played":
            moves.append(("played", event["seat"], tuple(event["tile"])))
        elif event["k"] == "passed":
            moves.append(("passed", event["seat"], ()))
        elif event["k"] == "opener_chosen":
            moves.append(("opener", event["seat"], (event["opener"],)))
    return moves


def _stored(data: bytes) -> list[Move]:
    moves: list[Move] = []
    for event in events_pb2.Commit.FromString(data).events:
        kind = event.WhichOneof("event")
        if kind == "played":
            moves.append(("played", event.played.seat, TILES[event.played.tile]))
        elif kind == "passed":
            moves.append(("passed", event.passed.seat, ()))
        elif kind == "opener_chosen":
            chosen = event.opener_chosen
            moves.append(("opener", chosen.seat, (chosen.opener,)))
    return moves


class Writer:
    """Commits rows to PostgreSQL one after the other, and keeps which were acknowledged."""

    def __init__(self, dsn: str) -> None:
        self.acknowledged = 0
        self.dsn = dsn
        self._task: asyncio.Task[None] | None = None

    async def begin(self) -> None:
        """Write from now on, after what is there."""
        connection: Any = await asyncpg.connect(self.dsn)
        await connection.execute("CREATE TABLE IF NOT EXISTS power_cut (n bigint PRIMARY KEY)")
        self._task = asyncio.create_task(self._write(connection, self.acknowledged))

    async def _write(self, connection: Any, number: int) -> None:
        while True:
            number += 1
            await connection.execute("INSERT INTO power_cut VALUES ($1)", number)
            self.acknowledged = number

    async def end(self) -> None:
        """Write no more; the connection is gone, or will be with the server."""
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError, OSError, asyncpg.PostgresError):
                await self._task

    async def lost(self) -> int:
        """How many of the acknowledged rows are not there; one that was under way may be."""
        connection: Any = await asyncpg.connect(self.dsn)
        try:
            there = await connection.fetchval(
                "SELECT count(*) FROM power_cut WHERE n <= $1", self.acknowledged
            )
            newest = await connection.fetchval("SELECT coalesce(max(n), 0) FROM power_cut")
        finally:
            await connection.close()
        lost = self.acknowledged - there
        self.acknowledged = max(self.acknowledged, newest)
        return int(lost)
