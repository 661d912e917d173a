"""An empty log, filled from the second copy: the same commits at the same places.

What was stored and not yet archived when the log was lost is lost with it, and named. It may be
killed at any moment and done again: it goes on where it was, and names what is lost once more.
"""

import time
from collections.abc import Iterator
from typing import Final, NamedTuple

from google.protobuf.message import DecodeError
from laelo_common.log import (
    Aggregate,
    Connection,
    JetStreamClocks,
    JetStreamLives,
    JetStreamLog,
    Kind,
    Life,
    Refill,
    ensure_streams,
)
from laelo_common.log.streams import STREAMS
from laelo_common.postgres import second_copy
from laelo_common.postgres.second_copy import Copied, Place, as_recorded
from laelo_common.runtime.progress import Progress

from laelo_tools.errors import LaeloError
from laelo_tools.second_copy.open_tables import OpenTables
from laelo_tools.second_copy.places import Database

_NS_IN_MS: Final = 1_000_000
_RECORDED: Final = "SELECT sequence FROM tournament_cursor"
_KNOWN: Final = """
SELECT seen FROM archive_epochs WHERE stream = $1 AND epoch = $2 AND sequence = $3
"""


class Restored(NamedTuple):
    """What became of a stream."""

    kind: Kind
    first: int
    last: int
    """The commits that it has from the second copy; none if `first` is greater."""
    lost: int
    """The newest commit that it is known to have had; it is lost if greater than `last`."""
    recorded: int = 0
    """How far the ranking is made of it, where it is."""
    was_there: bool = False
    """Nothing had to be done."""

    def lines(self) -> Iterator[str]:
        """What is told of it."""
        name, count = self.kind.stream, max(0, self.last - self.first + 1)
        if self.was_there:
            yield f"{name}: is as it was, up to commit {self.last}"
        else:
            yield f"{name}: {count:,} commits are restored, up to {self.last}"
        if self.lost > self.last:
            many = f"{self.last + 1}-{self.lost}, {self.lost - self.last} commits"
            yield f"{name}: LOST: {many} that were not archived"


class Restorer:
    """Fills the streams of one log from one second copy."""

    def __init__(
        self, connection: Connection, database: Database, ranking: Database | None = None
    ) -> None:
        self._connection = connection
        self._database = database
        self._ranking = ranking or database
        self._lives = JetStreamLives(connection)
        self._log = JetStreamLog(connection)

    async def restore(self) -> list[Restored]:
        """Fill what is empty. Raises LaeloError, LogError and what asyncpg raises.

        Queues come last: their commits name places in the stream of the championships.
        """
        await ensure_streams(self._connection)
        return [await self._stream(kind) for kind in Kind]

    async def _stream(self, kind: Kind) -> Restored:
        place = await second_copy.place_of(self._database, kind)
        recorded = await self._recorded(kind)
        known = max(place.seen, place.sequence, recorded)
        life = await self._lives.life(kind)
        if not place.created:
            return Restored(kind, life.first, life.last, life.last, was_there=True)
        if life.created == place.created:
            self._check_same(kind, place, life)
            known = await self._known_before(kind, place, life)
            lost = max(life.last, known, recorded)
            return Restored(kind, life.first, life.last, lost, recorded, was_there=True)
        refill = Refill(self._connection, kind)
        life = await refill.begin(await self._first(kind, place))
        await self._check_begun(kind, place, life)
        tables = await self._fill(refill, kind, life, place)
        await refill.drop_snapshots()
        if kind is Kind.TABLE:
            await tables.equip(self._log, JetStreamClocks(self._connection), _now_ms())
        if not await second_copy.begin_epoch(self._database, kind, place, life.created, _now_ms()):
            raise LaeloError(
                f"Somebody else has changed the cursor of {kind.stream}: run it again."
            )
        return Restored(kind, life.first, place.sequence, known, recorded)

    async def _fill(self, refill: Refill, kind: Kind, life: Life, place: Place) -> OpenTables:
        """Store what is missing; the tables that are open then."""
        tables = OpenTables()
        progress = Progress(kind.stream, place.sequence - life.first + 1)
        async for page in second_copy.pages(self._database, kind, life.first - 1):
            missing = [as_recorded(kind, one) for one in page if one.sequence > life.last]
            await refill.store(missing)
            if kind is Kind.TABLE:
                _note(tables, page)
            progress.add(len(page))
        progress.end()
        return tables

    async def _first(self, kind: Kind, place: Place) -> int:
        """The place of the oldest commit that the log would still have."""
        kept_ms = STREAMS[kind.stream].get("max_age", 0) // _NS_IN_MS
        since_ms = _now_ms() - kept_ms if kept_ms else 0
        first = await second_copy.first_since(self._database, kind, since_ms)
        return place.sequence + 1 if first is None else first

    async def _recorded(self, kind: Kind) -> int:
        """How far the tournament service has recorded the stream, if there is one."""
        there = await self._ranking.fetchval("SELECT to_regclass('tournament_cursor')")
        if kind is not Kind.CHAMPIONSHIP or there is None:
            return 0
        return int(await self._ranking.fetchval(_RECORDED))

    async def _known_before(self, kind: Kind, place: Place, life: Life) -> int:
        """The newest commit that the stream's life before is known to have had, if it was just
        restored: whoever did that may have been killed before it was told.
        """
        if life.last != place.sequence:
            return 0
        known = await self._database.fetchval(_KNOWN, kind.stream, place.epoch - 1, place.sequence)
        return int(known or 0)

    def _check_same(self, kind: Kind, place: Place, life: Life) -> None:
        """Raises LaeloError for a stream that is there and has less than is archived."""
        if life.last < place.sequence:
            raise LaeloError(
                f"{kind.stream} ends at commit {life.last}, its second copy at {place.sequence}:"
                " stop the services, delete the log's store, and restore it whole."
            )

    async def _check_begun(self, kind: Kind, place: Place, life: Life) -> None:
        """Whether what is in the stream is from the second copy. Raises LaeloError."""
        if life.last < life.first:
            return
        async for page in second_copy.pages(self._database, kind, life.last - 1, 1):
            ours = page[0]
            newest = await self._log.newest(Aggregate(kind, ours.aggregate))
            if newest and (newest.sequence, newest.data) == (life.last, ours.data):
                return
            break
        raise LaeloError(
            f"{kind.stream} is another stream than the archived one and has commits of its own,"
            f" up to {life.last}; the second copy goes up to {place.sequence}. Stop the services,"
            " delete the log's store, and run this again: what is only there is lost then."
        )


def _note(tables: OpenTables, page: list[Copied]) -> None:
    for copied in page:
        try:
            tables.take(copied.aggregate, copied.data)
        except DecodeError:  # `laelo log verify` names it; it is restored as it is
            continue


def _now_ms() -> int:
    return time.time_ns() // _NS_IN_MS
