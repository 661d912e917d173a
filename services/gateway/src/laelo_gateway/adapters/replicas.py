"""Replicas of the table service: each with one stream and one look at its health."""

import asyncio
import logging
from collections.abc import Callable
from functools import partial
from typing import Any, Final, NamedTuple

import grpc
import grpc.aio
from grpc_health.v1 import health_pb2, health_pb2_grpc
from laelo.table.v1 import table_pb2, table_pb2_grpc
from laelo_common.errors import Code, LaeloError
from laelo_common.stream import (
    ClientCounts,
    ClientLimits,
    Closed,
    CoalescedClient,
    Dial,
    Hooks,
    Pace,
    Settle,
)

LIMITS: Final = ClientLimits(max_pending=16_384, pace=Pace(most=0.030))
"""Commands come one by one from many sockets: here they are gathered (ADR 0004)."""
HEALTH_RETRY_SECONDS: Final = 0.3
HEALTH_FIRST_SECONDS: Final = 2.0

_log = logging.getLogger(__name__)

Stream = CoalescedClient[table_pb2.Command, table_pb2.Update]


class Way(NamedTuple):
    """How replicas are reached."""

    limits: ClientLimits
    dial: Dial
    counts: ClientCounts


class Replica:
    """One replica. It is ready while its stream is open and it says that it serves."""

    def __init__(
        self,
        address: str,
        on_push: Callable[[table_pb2.Update], None],
        on_change: Callable[[], None],
        way: Way,
    ) -> None:
        self.address = address
        self.life = 0
        """Counts the streams: what was watched on an earlier one is watched no more."""
        self.is_leaving = False
        """Whether it is no longer among those that there are."""
        self._serving = False
        self._on_change = on_change
        self._open = partial(way.dial, address)
        hooks = Hooks(on_push, self._went_up, self._went_down, way.counts)
        self._stream: Stream = CoalescedClient(
            self._open, _connect, table_pb2.ConnectRequest, limits=way.limits, hooks=hooks
        )
        self._channel: grpc.aio.Channel | None = None
        self._health: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin to connect."""
        self._stream.start()
        self._channel = self._open()
        self._health = asyncio.create_task(self._follow_health(self._channel), name="table-health")

    @property
    def is_ready(self) -> bool:
        """Whether it may be asked."""
        return self._serving and self._stream.is_up and not self.is_leaving

    @property
    def is_up(self) -> bool:
        """Whether it answers, though others may be asked rather."""
        return self._stream.is_up

    @property
    def stream(self) -> Stream:
        """Where it is asked."""
        return self._stream

    @property
    def stub(self) -> Any:
        """For single calls, beside the stream."""
        if self._channel is None:
            raise LaeloError(Code.TRY_LATER, "the replica is not connected yet")
        stub: Any = table_pb2_grpc.TableServiceStub(self._channel)
        return stub

    def leave(self, leaving: bool) -> bool:
        """Note whether it is still among those that there are; true if it has just left."""
        came_back, has_left = self.is_leaving and not leaving, leaving and not self.is_leaving
        self.is_leaving = leaving
        if came_back:
            self._on_change()
        return has_left

    async def close(self) -> None:
        """Let go of it; what it was asked settles with Closed."""
        if self._health is not None:
            self._health.cancel()
            await asyncio.gather(self._health, return_exceptions=True)
        if self._channel is not None:
            await self._channel.close()
        await self._stream.close()

    def _went_up(self) -> None:
        self.life += 1
        self._on_change()

    def _went_down(self) -> None:
        """Another replica may have the answers at once."""
        self._on_change()
        for pending in self._stream.take_pending():
            pending.settle(None, Closed())

    def _say(self, serving: bool) -> None:
        if serving is not self._serving:
            self._serving = serving
            self._on_change()

    async def _follow_health(self, channel: grpc.aio.Channel) -> None:
        """Hear at once when the replica says that it serves, or no longer does."""
        stub: Any = health_pb2_grpc.HealthStub(channel)
        while True:
            call = stub.Watch(health_pb2.HealthCheckRequest())
            try:
                async for answer in call:
                    self._say(answer.status == health_pb2.HealthCheckResponse.SERVING)
                    if not self._serving:
                        # A server that stops waits for all who listen to it.
                        call.cancel()
                        break
            except grpc.aio.AioRpcError as error:
                _log.debug("health of %s: %s", self.address, error.code())
                self._say(error.code() is grpc.StatusCode.UNIMPLEMENTED)
            await asyncio.sleep(HEALTH_RETRY_SECONDS)


def _connect(channel: grpc.aio.Channel) -> Any:
    stub: Any = table_pb2_grpc.TableServiceStub(channel)
    return stub.Connect


__all__ = ["LIMITS", "Replica", "Settle", "Way"]
