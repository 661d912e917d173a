"""Durable clocks: JetStream schedules, and one consumer that all replicas share."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from datetime import UTC, datetime
from secrets import token_hex

import msgspec

from laelo_common.errors import LaeloError
from laelo_common.log.connection import Connection
from laelo_common.log.inbox import status_of
from laelo_common.log.jetstream import sequence_of_ack
from laelo_common.log.keeper import HEARTBEAT_NS, RETRY_SECONDS, Keeper
from laelo_common.log.port import (
    Conflict,
    Due,
    LogError,
    Refused,
    TooSoon,
    Unavailable,
    token,
)
from laelo_common.log.streams import DUE_CONSUMER

logger = logging.getLogger(__name__)

# The stream forgets after an hour, schedules that have not fired too.
LONGEST_MS = 50 * 60 * 1000
AT_ONCE = 64
_PULL = b"$JS.API.CONSUMER.MSG.NEXT.CLOCK." + DUE_CONSUMER.encode()
_PULL_NS = 30 * HEARTBEAT_NS
_HEARTBEAT = 100
_PULL_ENDED = (404, 408)


class JetStreamClocks:
    """The clocks of `port.Clocks` on one connection."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    async def set(self, table: str, turn: int, at_ms: int) -> bool:
        """Make sure that the turn is called at `at_ms`; see `port.Clocks.set`."""
        if at_ms - self._connection.now_ms() > LONGEST_MS:
            raise Refused("a clock that far ahead would be forgotten before it fires")
        place = f"{token(table)}.{turn}"
        headers = (
            f"Nats-Expected-Last-Subject-Sequence: 0\r\n"
            f"Nats-Schedule: @at {_rfc3339(at_ms)}\r\n"
            f"Nats-Schedule-Target: clk.due.{place}\r\n"
        )
        answer = self._connection.inbox.ask(f"clk.set.{place}".encode(), b"", headers.encode())
        try:
            sequence_of_ack(await answer)
        except Conflict:  # by an earlier try or another replica
            return False
        return True

    async def due(self, on_due: Callable[[Due], Awaitable[None]]) -> "DueTurns":
        """Handle turns whose time is up, shared with all replicas."""
        return DueTurns(self._connection, on_due)


class DueTurns:
    """Pulls turns that are due, handles some side by side and acknowledges them when done.

    nats-py's own pull asks once and hears nothing after the server has died; here a
    silent server or a new connection is asked again.
    """

    def __init__(self, connection: Connection, on_due: Callable[[Due], Awaitable[None]]) -> None:
        self._connection = connection
        self._on_due = on_due
        self._handling: set[asyncio.Task[None]] = set()
        self._stem = f"{connection.inbox_prefix}.due.{token_hex(8)}."
        self._pull = 0
        self._inbox = b""
        self._wanted = 0
        self._loop = asyncio.get_running_loop()
        self._sid = connection.wire.listen(self._stem + "*", self._on_frame)
        self._keeper = Keeper(connection, "due clocks", self._ask)

    async def wait(self) -> None:
        """Wait for the end."""
        await self._keeper.wait()

    async def close(self) -> None:
        """Take no more, and let what is being handled end."""
        self._connection.wire.forget(self._sid)
        await self._keeper.close()
        if self._handling:
            await asyncio.wait(self._handling)

    async def _ask(self) -> None:
        while len(self._handling) >= AT_ONCE:
            await asyncio.wait(self._handling, return_when=asyncio.FIRST_COMPLETED)
        self._pull += 1
        self._wanted = AT_ONCE - len(self._handling)
        asked = {"batch": self._wanted, "expires": _PULL_NS, "idle_heartbeat": HEARTBEAT_NS}
        self._inbox = f"{self._stem}{self._pull}".encode()
        self._connection.wire.publish_frame(_PULL, self._inbox, b"", msgspec.json.encode(asked))

    def _on_frame(self, subject: bytes, reply: bytes, headers: bytes, _data: bytes) -> None:
        status = status_of(headers) if headers else 0
        if status:
            self._on_status(status, subject)
            return
        self._keeper.heard()
        _, _, table, turn = subject.decode().split(".")
        task = self._loop.create_task(self._handle(Due(table, int(turn)), reply))
        self._handling.add(task)
        task.add_done_callback(self._handling.discard)
        self._wanted -= 1
        if self._wanted == 0:
            self._keeper.again()

    def _on_status(self, status: int, inbox: bytes) -> None:
        if inbox != self._inbox:
            return  # the end of a pull that has been replaced
        self._keeper.heard()
        if status in _PULL_ENDED:
            self._keeper.again()
        elif status != _HEARTBEAT:  # no consumer yet, or the server is going down
            self._loop.call_later(RETRY_SECONDS, self._keeper.again)

    async def _handle(self, due: Due, reply: bytes) -> None:
        try:
            await self._on_due(due)
        except TooSoon as early:
            logger.info("clock of turn %d at %s comes again: %s", due.turn, due.table, early)
            return
        except (LogError, LaeloError) as away:  # many at a time, for as long as it lasts
            self._connection.counters.dues_failed += 1
            logger.warning("clock of turn %d at %s comes again: %s", due.turn, due.table, away)
            return
        except Exception:
            self._connection.counters.dues_failed += 1
            logger.exception("clock of turn %d at %s failed; it comes again", due.turn, due.table)
            return
        with suppress(Unavailable):  # unacknowledged it comes again, and finds the turn over
            self._connection.wire.publish_frame(reply, b"", b"", b"+ACK")


def _rfc3339(at_ms: int) -> str:
    moment = datetime.fromtimestamp(at_ms / 1000, UTC)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")
