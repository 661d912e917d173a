"""The audit once a night, by one of the replicas, and how long ago it was."""

import asyncio
import logging
import time
from collections.abc import Mapping
from typing import Final

from laelo_common.errors import LaeloError
from laelo_common.log import Log, LogError
from laelo_common.postgres import Connection, Database

from laelo_archive.audit import audit
from laelo_archive.domain.project import Stream
from laelo_archive.ports import Lives

LOOK_SECONDS: Final = 60.0
NEVER: Final = -1
_HOUR_MS: Final = 3_600_000
_DAY_MS: Final = 24 * _HOUR_MS
_LOCK: Final = 0x1AE1_0017
"""Ours among the database's advisory locks: one audits at a time."""

_NOTED: Final = "SELECT stream, audited_ms, faults FROM archive_audits"

_log = logging.getLogger(__name__)


def is_due(audited_ms: int, now_ms: int, hour: int) -> bool:
    """Whether that hour (UTC) has begun since the last audit; `NEVER` never does."""
    if hour == NEVER:
        return False
    newest_ms = (now_ms - hour * _HOUR_MS) // _DAY_MS * _DAY_MS + hour * _HOUR_MS
    return audited_ms < newest_ms


class Nightly:
    """Looks every minute whether it is time."""

    def __init__(self, log: Log, lives: Lives, database: Database, hour: int) -> None:
        self._log = log
        self._lives = lives
        self._database = database
        self._hour = hour
        self._audited_ms: dict[Stream, int] = dict.fromkeys(Stream, 0)
        self._faults: dict[Stream, int] = dict.fromkeys(Stream, 0)

    @property
    def faults(self) -> Mapping[Stream, int]:
        """What the newest audit found, whoever made it."""
        return self._faults

    def age_seconds(self, stream: Stream) -> float:
        """How long ago a stream was audited; since 1970 if it never was."""
        return time.time() - self._audited_ms[stream] / 1000

    async def run(self) -> None:
        """Look, for ever."""
        while True:
            try:
                await self.look(time.time_ns() // 1_000_000)
            except (LaeloError, LogError) as error:
                _log.info("log and second copy are compared later: %s", error)
            await asyncio.sleep(LOOK_SECONDS)

    async def look(self, now_ms: int) -> None:
        """Audit if it is time and nobody else does. Raises LaeloError and LogError."""
        async with self._database.connection() as connection:
            await self._read(connection)
            if not is_due(min(self._audited_ms.values()), now_ms, self._hour):
                return
            if not await connection.fetchval("SELECT pg_try_advisory_lock($1)", _LOCK):
                return
            # Another one may have done it just before.
            await self._read(connection)
            if is_due(min(self._audited_ms.values()), now_ms, self._hour):
                for one in await audit(connection, self._log, self._lives):
                    level = logging.ERROR if one.faults else logging.INFO
                    _log.log(level, "audit of %s", one.line())
                await self._read(connection)
            await connection.execute("SELECT pg_advisory_unlock($1)", _LOCK)

    async def _read(self, connection: Connection) -> None:
        rows = await connection.fetch(_NOTED)
        for stream, audited_ms, faults in rows:
            self._audited_ms[Stream(stream)] = audited_ms
            self._faults[Stream(stream)] = faults
