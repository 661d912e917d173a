"""Tables in memory, kept in step with the log."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Final, TypeVar

from google.protobuf.message import DecodeError
from laelo.table.v1 import events_pb2
from laelo_common.errors import LaeloError
from laelo_common.log import Log, LogError, Snapshot

from laelo_table import audience
from laelo_table.domain import snapshot
from laelo_table.domain.state import Table
from laelo_table.warm import Warm, WarmTables

_log = logging.getLogger(__name__)

T = TypeVar("T")

_ABOUT_SEATS: Final = frozenset(
    (
        *("opened", "seat_taken", "seat_taken_2", "seat_left", "seats_swapped"),
        *("bot_stands_in", "person_back", "match_started"),
    )
)
READ_AT_ONCE: Final = 32
"""How many tables are read at the same time for those who only watch. After an outage, be it one
answer that came late, all of them are: whoever plays does not wait behind that.
"""

LINGER_SECONDS = 60.0
"""How long a table is kept in memory while only other replicas do anything at it."""


class TableStore:
    """Gives out tables one user at a time, each as the log has it as far as was heard."""

    def __init__(self, log: Log, limit: int) -> None:
        self._log = log
        self.on_change: Callable[[Warm], None] = lambda _: None
        """Called whenever a table may have changed, by who holds it."""
        self._reading: set[asyncio.Task[None]] = set()
        self._few = asyncio.Semaphore(READ_AT_ONCE)
        self._end_listening = log.reach.listen(lambda _: None, lambda _: self.reread_all())
        self.tables = WarmTables(limit)
        self.loads = 0

    async def close(self) -> None:
        """Forget all tables; nothing of them stays behind."""
        self._end_listening()
        reading = list(self._reading)
        for task in reading:
            task.cancel()
        await asyncio.gather(*reading, return_exceptions=True)
        self.tables.close()

    async def use(self, table: str, work: Callable[[Warm], Awaitable[T]]) -> T:
        """Work on a table, alone. Raises LogError, and LaeloError for an impossible id."""
        warm = self.tables.take(table)
        try:
            async with warm.lock:
                if warm.live is None:
                    await self._load(warm)
                elif warm.heard > warm.sequence:
                    await self.read(warm)
                result = await work(warm)
                if warm.heard > warm.sequence:
                    self._read_soon(warm)
                self.on_change(warm)
                return result
        except (LaeloError, LogError):
            raise
        except Exception:
            # Whatever was half done here, the log knows better.
            self.tables.drop(warm)
            raise
        finally:
            self.tables.give_back(warm)

    def take_at_once(self, table: str) -> Warm | None:
        """A table to work on alone, if that needs no waiting: it is in memory, free and up to
        date. It has to be given back.
        """
        warm = self.tables.get(table)
        if warm is None or warm.users or warm.heard > warm.sequence:
            return None
        self.tables.take(table)
        enter_free(warm.lock)
        return warm

    def give_back(self, warm: Warm) -> None:
        """End the work on a table that was taken at once."""
        if warm.heard > warm.sequence:
            self._read_soon(warm)
        self.on_change(warm)
        warm.lock.release()
        self.tables.give_back(warm)

    async def state(self, table: str) -> Table:
        """A table as it stands."""
        return await self.use(table, _state_of)

    async def peek(self, table: str) -> Table:
        """A table as it stands, without keeping it in memory if it is not there."""
        if self.tables.get(table) is not None:
            return await self.state(table)
        passing = Warm(table)
        await self._fill(passing)
        return passing.state

    async def read_again(self, table: str) -> Table:
        """A table in memory as the log has it now; as `peek` if it is not there."""
        warm = self.tables.get(table)
        if warm is not None:
            warm.suspect()
        return await self.peek(table)

    async def read(self, warm: Warm) -> None:
        """Take in, and tell, what others have stored. For who holds the table."""
        # What is heard of while reading may not be in what is read.
        heard, warm.heard = warm.heard, 0
        try:
            tail = await self._log.tail(warm.aggregate, warm.sequence)
        except BaseException:
            warm.hear(heard)
            raise
        for recorded in tail:
            commit = events_pb2.Commit.FromString(recorded.data)
            past = warm.take_in(commit, recorded.data, recorded.sequence)
            if past is not None:
                audience.tell(warm, past, None)

    async def made_long_ago(self, warm: Warm, command: str) -> int:
        """The version that a command about seats or matches made, beyond what the state remembers;
        0 = none. For who holds the table. Reads its whole log if it began with a snapshot, once.
        """
        if not warm.asked_whole:
            since, warm.asked = warm.asked, {}
            for recorded in await self._log.tail(warm.aggregate, 0):
                commit = events_pb2.Commit.FromString(recorded.data)
                if commit.head.version > warm.state.version:
                    break
                if commit.events[0].WhichOneof("event") in _ABOUT_SEATS:
                    warm.note_asked(commit.head.command, commit.head.version)
            warm.asked |= since
            warm.asked_whole = True
        return warm.asked.get(command, 0)

    def reread_all(self) -> None:
        """Read the log of every table: notices may have been lost while it was away."""
        for warm in self.tables.all():
            warm.suspect()
            self._read_soon(warm)

    async def _load(self, warm: Warm) -> None:
        warm.heard = 0
        live = await self._log.live(warm.aggregate, lambda place: self._on_live(warm, place))
        try:
            await self._fill(warm)
        except BaseException:
            live.close()
            raise
        warm.live = live
        self.loads += 1

    async def _fill(self, warm: Warm) -> None:
        loaded = await self._log.load(warm.aggregate)
        warm.reset()
        commits = loaded.commits
        if loaded.snapshot is not None and not _restore(warm, loaded.snapshot):
            commits = await self._log.tail(warm.aggregate, 0)
        for recorded in commits:
            commit = events_pb2.Commit.FromString(recorded.data)
            warm.take_in(commit, recorded.data, recorded.sequence)

    def _on_live(self, warm: Warm, sequence: int) -> None:
        warm.hear(sequence)
        if sequence > warm.sequence and not warm.lock.locked():
            self._read_soon(warm)

    def _read_soon(self, warm: Warm) -> None:
        """Read for those who watch; without any it has time until the table is used, and if it
        is not, others have taken it over.
        """
        if not warm.watchers:
            if warm.linger is None:
                loop = asyncio.get_running_loop()
                warm.linger = loop.call_later(LINGER_SECONDS, self._let_go, warm)
            return
        task = asyncio.get_running_loop().create_task(self._reread(warm), name="table-reread")
        self._reading.add(task)
        task.add_done_callback(self._reading.discard)

    def _let_go(self, warm: Warm) -> None:
        warm.linger = None
        if warm.heard > warm.sequence and warm.is_idle:
            self.tables.drop(warm)

    async def _reread(self, warm: Warm) -> None:
        async with self._few:
            if self.tables.get(warm.id) is not warm:
                return
            try:
                await self.state(warm.id)
            except (LaeloError, LogError) as error:
                _log.info("table %s was not read: %s", warm.id, error)


def _restore(warm: Warm, stored: Snapshot) -> bool:
    """Begin with a snapshot, if it can be read; it saves time, and the log has all without it."""
    try:
        kept = events_pb2.Snapshot.FromString(stored.data)
        warm.state = snapshot.restore(kept)
    except (DecodeError, ValueError) as error:
        _log.warning("the snapshot of table %s is left aside: %s", warm.id, error)
        return False
    warm.sequence, warm.digest = stored.sequence, kept.hash
    warm.asked_whole = False
    return True


def enter_free(lock: asyncio.Lock) -> None:
    """Take a lock that nobody holds or waits for; then taking it does not suspend."""
    entering = lock.acquire()
    try:
        entering.send(None)
    except StopIteration:
        return
    entering.close()
    raise RuntimeError("the lock is not free")


async def _state_of(warm: Warm) -> Table:
    return warm.state
