"""The connection to NATS, with the settings that its client lacks by itself."""

import asyncio
import logging
import ssl
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from nats import errors

from laelo_common.log.inbox import Inbox
from laelo_common.log.notices import Notices
from laelo_common.log.port import Unavailable
from laelo_common.log.reach import Reach
from laelo_common.log.wire import Wire
from laelo_common.metrics import Histogram

logger = logging.getLogger(__name__)

# A frozen server is noticed after the third ping without an answer.
PING_SECONDS = 2
PINGS_OUTSTANDING = 2
RECONNECT_SECONDS = 0.25


def wall_ms() -> int:
    """Milliseconds since 1970 UTC."""
    return time.time_ns() // 1_000_000


@dataclass(frozen=True, slots=True)
class NatsSettings:
    """How to reach NATS. `inbox_prefix` is the part of the inboxes that the user may hear."""

    servers: tuple[str, ...]
    name: str = "laelo"
    user: str | None = None
    password: str | None = None
    tls: ssl.SSLContext | None = None
    inbox_prefix: str = "_INBOX"
    connect_s: float = 10.0
    request_s: float = 1.0


@dataclass(slots=True)
class Counters:
    """What happened to the connection and the log; read by observable instruments.

    `resumed` counts consumers that were set up again after something was lost.
    """

    errors: int = 0
    slow_consumers: int = 0
    disconnects: int = 0
    reconnects: int = 0
    conflicts: int = 0
    duplicates: int = 0
    unavailable: int = 0
    refused: int = 0
    snapshots_failed: int = 0
    dues_failed: int = 0
    resumed: int = 0
    append_seconds: Histogram = field(default_factory=Histogram)


class Connection:
    """One connection of one process. Made by `connect`, ended by `close`."""

    def __init__(self, settings: NatsSettings, now_ms: Callable[[], int]) -> None:
        self._settings = settings
        self.now_ms = now_ms
        self._reconnected: dict[int, Callable[[], None]] = {}
        self._next_listener = 0
        self._closing = False
        self.wire = Wire()
        self.inbox = Inbox(self.wire, settings.inbox_prefix, settings.request_s)
        self.notices = Notices(self.wire)
        self.reach = Reach(now_ms)
        self.counters = Counters()

    @property
    def is_connected(self) -> bool:
        """Whether there is a server at the other end, as far as is known."""
        return self.wire.is_connected

    @property
    def inbox_prefix(self) -> str:
        """First part of all subjects on which this connection is answered."""
        return self._settings.inbox_prefix

    def on_reconnect(self, call: Callable[[], None]) -> Callable[[], None]:
        """Be called after each new connection; returns how to end it."""
        key = self._next_listener
        self._next_listener += 1
        self._reconnected[key] = call

        def end() -> None:
            self._reconnected.pop(key, None)

        return end

    async def open(self) -> None:
        """Connect, or raise Unavailable when no server is found in time, or none is named."""
        settings = self._settings
        _check_addresses(settings.servers)
        try:
            async with asyncio.timeout(settings.connect_s):
                await self.wire.connect(
                    servers=list(settings.servers),
                    name=settings.name,
                    user=settings.user,
                    password=settings.password,
                    tls=settings.tls,
                    inbox_prefix=settings.inbox_prefix,
                    no_echo=True,
                    max_reconnect_attempts=-1,
                    reconnect_time_wait=RECONNECT_SECONDS,  # type: ignore[arg-type]
                    ping_interval=PING_SECONDS,
                    max_outstanding_pings=PINGS_OUTSTANDING,
                    error_cb=self._on_error,
                    disconnected_cb=self._on_disconnect,
                    reconnected_cb=self._on_reconnect,
                )
        except TimeoutError as error:
            await self.close()
            servers = ", ".join(map(_shown, settings.servers))
            raise Unavailable(f"no NATS at {servers} within {settings.connect_s:g} s") from error
        self.inbox.start()

    async def close(self) -> None:
        """Let what is under way arrive and be answered, then leave. No task stays behind.

        Takes no longer than two requests may; nats-py's own drain waits for up to 15 s.
        """
        self._closing = True
        await self.inbox.settled()
        self.notices.close()
        if self.wire.is_connected:
            with suppress(Unavailable):
                await self.inbox.barrier()
        self.inbox.close()
        await self.wire.close()

    async def _on_error(self, error: Exception) -> None:
        self.counters.errors += 1
        if isinstance(error, errors.SlowConsumerError):
            self.counters.slow_consumers += 1
        kind = type(error).__name__
        logger.warning("nats: %s", str(error) or kind, extra={"nats": kind})

    async def _on_disconnect(self) -> None:
        if self._closing:
            return
        self.counters.disconnects += 1
        unnoticed_s = PING_SECONDS * (PINGS_OUTSTANDING + 1) if self.wire.stale else 0
        silent_s = max(float(unnoticed_s), self.inbox.waited_s)
        self.wire.drop_unsent()
        self.reach.lost(self.now_ms() - round(silent_s * 1000))
        self.inbox.fail_all("the connection was lost")
        logger.warning("nats: connection lost")

    async def _on_reconnect(self) -> None:
        self.counters.reconnects += 1
        logger.warning("nats: connected again")
        for call in list(self._reconnected.values()):
            call()
        self.notices.send()
        self.reach.back()


async def connect(settings: NatsSettings, now_ms: Callable[[], int] = wall_ms) -> Connection:
    """Connect to NATS. Raises Unavailable when there is no server in time."""
    connection = Connection(settings, now_ms)
    await connection.open()
    return connection


def _check_addresses(servers: Sequence[str]) -> None:
    """Raise Unavailable for what the client would stumble over, or seek for ever: nothing."""
    for server in servers or ("",):
        try:
            address = urlsplit(server if "://" in server else f"nats://{server}")
            is_good = bool(address.hostname) and address.port != 0
        except ValueError:
            is_good = False
        if not is_good:
            told = repr(_shown(server))
            raise Unavailable(f"{told} is no address of NATS, such as nats://127.0.0.1:4222")


def _shown(server: str) -> str:
    """An address without the user's name and password in it."""
    scheme, found, rest = server.rpartition("://")
    return f"{scheme}{found}{rest.rpartition('@')[2]}"
