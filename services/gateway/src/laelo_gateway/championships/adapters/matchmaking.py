"""The way to the matchmaking service: one Attend to every replica, single calls beside it.

Each replica hears at once who is here, and of every change, so that none of them takes
somebody for gone who is at a gateway; each tells of the queue, and the newest version counts.
"""

import asyncio
import logging
import random
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

import grpc.aio
from laelo.matchmaking.v1 import matchmaking_pb2, matchmaking_pb2_grpc
from laelo_common.hashing import home_order
from laelo_common.stream import Dial, plain
from laelo_common.telemetry import current

from laelo_gateway.championships.adapters.channels import Channels, first_answer
from laelo_gateway.championships.ports import TakeQueue

RETRY_SECONDS: Final = 0.5
QUEUE: Final = "main"

_log = logging.getLogger(__name__)


class MatchmakingLink:
    """A `Matchmaking`. `run` has to be running."""

    def __init__(self, names: Iterable[str], dial: Dial = plain) -> None:
        self._channels = Channels(names, self._settle, dial)
        self._replicas: dict[str, Attending] = {}
        self._people: Callable[[], Iterable[str]]
        self._take: TakeQueue

    def listen(self, people: Callable[[], Iterable[str]], take: TakeQueue) -> None:
        """Whom to ask who is here, and whom to tell of the queue."""
        self._people = people
        self._take = take

    @property
    def is_up(self) -> bool:
        """Whether any replica tells of the queue."""
        return any(replica.is_up for replica in self._replicas.values())

    @property
    def replicas_up(self) -> int:
        """How many do."""
        return sum(replica.is_up for replica in self._replicas.values())

    def here(self, player: str) -> None:
        """The first window of a person was opened."""
        for replica in self._replicas.values():
            replica.note(player, here=True)

    def gone(self, player: str) -> None:
        """The last one was closed."""
        for replica in self._replicas.values():
            replica.note(player, here=False)

    async def join(self, player: str, command: str) -> matchmaking_pb2.Queue:
        """Join the queue. Raises LaeloError."""
        trace = current.get()
        request = matchmaking_pb2.JoinRequest(player=player, command=command, trace=trace)
        queue: matchmaking_pb2.Queue = (await self._ask("Join", request)).queue
        return queue

    async def leave(
        self, player: str, command: str, why: matchmaking_pb2.Leaving.ValueType
    ) -> matchmaking_pb2.Queue:
        """Leave it. Raises LaeloError."""
        request = matchmaking_pb2.LeaveRequest(
            player=player, command=command, leaving=why, trace=current.get()
        )
        queue: matchmaking_pb2.Queue = (await self._ask("Leave", request)).queue
        return queue

    async def pending(self) -> Sequence[str]:
        """Championships that were called and not handed over yet. Raises LaeloError."""
        answer = await self._ask("Show", matchmaking_pb2.ShowRequest())
        return tuple(answer.pending)

    async def run(self) -> None:
        """Keep all replicas told for ever."""
        await self._channels.run()

    async def close(self) -> None:
        """Let go of all replicas."""
        await self._channels.close()
        await asyncio.gather(*(replica.stop() for replica in self._replicas.values()))

    async def _ask(self, method: str, request: Any) -> Any:
        """Of the replicas that tell of the queue first; each gateway asks the same one first, so
        that two replicas seldom want to append at once.
        """
        order = home_order(QUEUE, frozenset(self._replicas))
        first = sorted(order, key=lambda address: not self._replicas[address].is_up)
        stubs = [self._replicas[address].stub for address in first]
        return await first_answer(stubs, method, request)

    def _settle(self) -> None:
        """Replicas came or went."""
        for address in self._replicas.keys() - self._channels.addresses:
            self._replicas.pop(address).cancel()
        for address in self._channels.addresses - self._replicas.keys():
            channel = self._channels.get(address)
            if channel is not None:
                self._replicas[address] = Attending(channel, self._people, self._take)


class Attending:
    """One replica, told of people for as long as it is there."""

    def __init__(
        self,
        channel: grpc.aio.Channel,
        people: Callable[[], Iterable[str]],
        take: TakeQueue,
    ) -> None:
        self.stub: Any = matchmaking_pb2_grpc.MatchmakingServiceStub(channel)
        self.is_up = False
        self._people = people
        self._take = take
        self._changes: dict[str, bool] = {}
        self._changed = asyncio.Event()
        self._task = asyncio.create_task(self._run(), name="attend")

    def note(self, player: str, *, here: bool) -> None:
        """Tell of a person; of several changes that wait only the last one counts."""
        self._changes[player] = here
        self._changed.set()

    def cancel(self) -> None:
        """Tell it no more."""
        self._task.cancel()

    async def stop(self) -> None:
        """Tell it no more, and wait until that is so."""
        self.cancel()
        await asyncio.gather(self._task, return_exceptions=True)

    async def _run(self) -> None:
        while True:
            try:
                await self._attend()
            except grpc.aio.AioRpcError as error:
                _log.debug("the queue is not told of: %s", error.code())
            await asyncio.sleep(RETRY_SECONDS * random.uniform(0.5, 1.5))

    async def _attend(self) -> None:
        """One call, from the telling of all people until it breaks."""
        call = self.stub.Attend()
        writing = asyncio.create_task(self._write(call), name="attend-write")
        try:
            async for answer in call:
                self.is_up = True
                self._take(answer.queue, answer.left)
        finally:
            self.is_up = False
            call.cancel()
            writing.cancel()
            await asyncio.gather(writing, return_exceptions=True)

    async def _write(self, call: Any) -> None:
        """All people first; what changed before that is in it."""
        self._changes = {}
        try:
            await call.write(matchmaking_pb2.AttendRequest(here=self._people()))
            while True:
                await self._changed.wait()
                self._changed.clear()
                changes, self._changes = self._changes, {}
                here = [player for player, is_here in changes.items() if is_here]
                gone = [player for player, is_here in changes.items() if not is_here]
                if changes:
                    await call.write(matchmaking_pb2.AttendRequest(here=here, gone=gone))
        except (grpc.aio.AioRpcError, asyncio.InvalidStateError) as error:
            # The reading side ends by the same, and the next call tells of all people anew.
            _log.debug("people cannot be told of: %s", type(error).__name__)
