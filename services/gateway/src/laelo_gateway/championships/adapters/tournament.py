"""The way to the tournament service: Follow at one replica, single calls to whichever answers."""

import asyncio
import logging
import random
from collections.abc import Iterable, Sequence
from typing import Any, Final

import grpc.aio
from laelo.tournament.v1 import tournament_pb2, tournament_pb2_grpc
from laelo_common.stream import Dial, plain

from laelo_gateway.championships.adapters.channels import Channels, first_answer, is_cancelled
from laelo_gateway.championships.ports import Follower

RETRY_SECONDS: Final = 0.3
PAGE: Final = 100
"""Championships that are asked for at once; no more are told."""
COMPLETE_SECONDS: Final = 5.0
"""Within which a replica has to tell all that run, or the next one is asked."""

_log = logging.getLogger(__name__)


class TournamentLink:
    """A `Tournament`. `run` has to be running."""

    def __init__(self, names: Iterable[str], dial: Dial = plain) -> None:
        self._moved = asyncio.Event()
        self._channels = Channels(names, self._moved.set, dial)
        self._follower: Follower
        self._followed = ""
        self._is_live = False

    def listen(self, follower: Follower) -> None:
        """Tell this one from now on."""
        self._follower = follower

    @property
    def is_configured(self) -> bool:
        """Whether there are championships at this house."""
        return bool(self._channels)

    @property
    def is_live(self) -> bool:
        """Whether all running championships are known as they are now."""
        return self._is_live

    async def get(self, championship: str) -> tournament_pb2.GetResponse:
        """One championship. Raises LaeloError."""
        answer: tournament_pb2.GetResponse = await self._ask(
            "Get", tournament_pb2.GetRequest(championship=championship)
        )
        return answer

    async def list(self, limit: int) -> Sequence[tournament_pb2.Championship]:
        """The newest championships, without matches. Raises LaeloError."""
        answer = await self._ask("List", tournament_pb2.ListRequest(limit=limit))
        return tuple(answer.championships)

    async def history(self, player: str) -> Sequence[tournament_pb2.Championship]:
        """All that a player is or was in, page by page. Raises LaeloError."""
        found: list[tournament_pb2.Championship] = []
        while True:
            before_ms = found[-1].started_ms if found else 0
            request = tournament_pb2.ListRequest(limit=PAGE, player=player, before_ms=before_ms)
            page = (await self._ask("List", request)).championships
            if not page or (before_ms and page[0].started_ms >= before_ms):
                return found  # the second: a replica that does not know of pages yet
            found.extend(page)

    async def rank(self, week: str, limit: int, player: str) -> tournament_pb2.RankResponse:
        """The ranking of a week. Raises LaeloError."""
        answer: tournament_pb2.RankResponse = await self._ask(
            "Rank", tournament_pb2.RankRequest(week=week, limit=limit, player=player)
        )
        return answer

    async def run(self) -> None:
        """Follow for ever."""
        await asyncio.gather(self._channels.run(), self._follow_all())

    async def close(self) -> None:
        """Let go of all replicas."""
        await self._channels.close()

    async def _ask(self, method: str, request: Any) -> Any:
        """Of the followed replica first: it answers."""
        addresses = sorted(self._channels.addresses, key=lambda name: name != self._followed)
        stubs = [stub for stub in map(self._stub, addresses) if stub is not None]
        return await first_answer(stubs, method, request)

    def _stub(self, address: str) -> Any:
        channel = self._channels.get(address)
        return None if channel is None else tournament_pb2_grpc.TournamentServiceStub(channel)

    async def _follow_all(self) -> None:
        """One replica after another; another one than before, if there is one."""
        while True:
            others = sorted(self._channels.addresses - {self._followed})
            address = random.choice(others) if others else self._followed
            stub = self._stub(address)
            if stub is None:
                self._followed = ""
                self._moved.clear()
                if not self._channels.addresses:
                    await self._moved.wait()
                continue
            self._followed = address
            try:
                await self._follow(stub)
            except asyncio.CancelledError:
                if is_cancelled():
                    raise
                _log.debug("the followed replica has left")
            except (grpc.aio.AioRpcError, TimeoutError) as error:
                _log.debug("championships are not followed: %s", type(error).__name__)
            await asyncio.sleep(RETRY_SECONDS * random.uniform(0.5, 1.5))

    async def _follow(self, stub: Any) -> None:
        """One call, until it breaks."""
        call = stub.Follow(tournament_pb2.FollowRequest())
        told: set[str] = set()
        try:
            async with asyncio.timeout(COMPLETE_SECONDS) as patience:
                async for answer in call:
                    if answer.HasField("championship"):
                        told.add(answer.championship.id)
                        self._follower.take(answer.championship, answer.entries)
                    if answer.complete:
                        patience.reschedule(None)
                        self._is_live = True
                        self._follower.complete(told)
        finally:
            self._is_live = False
            call.cancel()
