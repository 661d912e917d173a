"""Asks all parts of a house at once, and gives up on each after a moment."""

import asyncio
import time
from collections.abc import Iterable, Mapping
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version
from typing import Any, Final, NamedTuple
from urllib.parse import urlsplit

import asyncpg
import httpx

from laelo_tools.top.exposition import Numbers, Value, parse
from laelo_tools.top.picture import Kind, Look, Match, Seen
from laelo_tools.top.processes import Usage, usage

SECONDS: Final = 3.0
"""For an answer."""
MATCHES: Final = 100
NATS_PORT: Final = 4222
AWAY: Final = (OSError, ValueError, asyncpg.PostgresError, asyncpg.InterfaceError)
"""What a database that cannot be asked is known by; a ValueError is of its address."""

_MATCHES: Final = """
SELECT table_id, match, championship <> '' AS official, started_ms, hands, score_0, score_1
FROM archive_matches WHERE ended_ms = 0 ORDER BY started_ms DESC LIMIT $1
"""
_PLAYING: Final = """
SELECT count(*) FILTER (WHERE championship = '') AS friendly,
    count(*) FILTER (WHERE championship <> '') AS official
FROM archive_matches WHERE ended_ms = 0
"""


class House(NamedTuple):
    """Where the parts are: what each says of itself, its process if that is here, the archive's
    database and the log, both empty where nobody says so.
    """

    metrics: Mapping[str, str]
    pids: Mapping[str, int] = {}
    pg_dsn: str = ""
    nats_url: str = ""


class Looker:
    """Looks at one house again and again."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._http = httpx.AsyncClient(timeout=SECONDS, trust_env=False)
        self._database: Any = None

    async def close(self) -> None:
        """Let go of connections."""
        await self._http.aclose()
        if self._database is not None:
            self._database.terminate()

    async def look(self) -> Look:
        """How it is now."""
        names = sorted({*self._house.metrics, *self._house.pids})
        answers, found = await asyncio.gather(
            asyncio.gather(*(self._ask(name) for name in names)), self._matches()
        )
        matches, playing = found
        values = [value for _, told in answers for value in told]
        parts = [seen for seen, _ in answers]
        now_ms = time.time_ns() // 1_000_000
        return Look(time.monotonic(), now_ms, parts, Numbers(values), matches, playing)

    async def versions(self) -> dict[str, str]:
        """What runs; what cannot be asked is left out."""
        found = {}
        with suppress(PackageNotFoundError):
            found["laelo"] = version("laelo-tools")
        with suppress(OSError, ValueError):
            if nats := await _nats_version(self._house.nats_url):
                found["NATS"] = nats
        try:
            async with asyncio.timeout(SECONDS):
                database = await self._reach()
                if database is not None:
                    found["PostgreSQL"] = await database.fetchval("SHOW server_version")
        except AWAY:
            self._lose()
        return found

    async def _ask(self, name: str) -> tuple[Seen, list[Value]]:
        """One part: what it says, and what its process uses."""
        pid, address = self._house.pids.get(name), self._house.metrics.get(name)
        used = None if pid is None else usage(pid)
        if address is None:
            gone = "" if used is not None else "its process is gone"
            return Seen(name, pid, gone, used), []
        try:
            ready = await self._http.get(f"http://{address}/readyz")
            told = await self._http.get(f"http://{address}/metrics")
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            return Seen(name, pid, f"does not answer ({type(error).__name__})", used), []
        said = "" if ready.is_success else ready.text.strip() or f"status {ready.status_code}"
        values = list(parse(told.text))
        return Seen(name, pid, said, used or _told_usage(values)), values

    async def _matches(self) -> tuple[list[Match] | None, dict[Kind, int]]:
        try:
            async with asyncio.timeout(SECONDS):
                database = await self._reach()
                if database is None:
                    return None, {}
                rows = await database.fetch(_MATCHES, MATCHES)
                counts = await database.fetchrow(_PLAYING)
        except AWAY:
            self._lose()
            return None, {}
        return (
            [_match(row) for row in rows],
            {"friendly": counts["friendly"], "championship": counts["official"]},
        )

    async def _reach(self) -> Any:
        """A connection to the archive's database; None if there is none to ask."""
        if not self._house.pg_dsn:
            return None
        if self._database is None or self._database.is_closed():
            self._database = await asyncpg.connect(self._house.pg_dsn, timeout=SECONDS)
        return self._database

    def _lose(self) -> None:
        """Begin anew with the next look."""
        if self._database is not None:
            self._database.terminate()
            self._database = None


def _told_usage(values: Iterable[Value]) -> Usage | None:
    """What a process elsewhere says that it uses, if it does."""
    told = {value.name: value.value for value in values}
    cpu, memory = told.get("process_cpu_seconds_total"), told.get("process_resident_memory_bytes")
    return None if cpu is None or memory is None else Usage(cpu, int(memory))


def _match(row: Any) -> Match:
    kind: Kind = "championship" if row["official"] else "friendly"
    score = (row["score_0"], row["score_1"])
    return Match(row["table_id"], row["match"], kind, row["started_ms"], row["hands"], score)


async def _nats_version(url: str) -> str:
    """What the first server says of itself before anything is asked; empty without a server."""
    first = url.split(",", maxsplit=1)[0].strip()
    address = urlsplit(first if "//" in first else f"//{first}")
    if not address.hostname:
        return ""
    async with asyncio.timeout(SECONDS):
        port = address.port or NATS_PORT
        reader, writer = await asyncio.open_connection(address.hostname, port)
        try:
            told = (await reader.readline()).decode()
        finally:
            writer.close()
    return told.partition('"version":"')[2].partition('"')[0]
