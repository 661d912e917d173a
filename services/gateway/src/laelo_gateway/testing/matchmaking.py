"""A stand-in for the matchmaking service, for tests: real gRPC, the queue in memory.

Replicas of one `Matchmaker` share its queue, as real ones share the log. What is decided about
the queue is decided by the test; only joining and leaving work by themselves.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from typing import Any

import grpc.aio
from laelo.matchmaking.v1 import matchmaking_pb2, matchmaking_pb2_grpc
from laelo.tournament.v1 import tournament_pb2
from laelo_common.errors import Code, LaeloError
from laelo_common.status import abort
from laelo_common.stream import SERVER_OPTIONS

WAIT_MS = 180_000
JOINED_MS = 1_000


class Matchmaker:
    """The queue, and the replicas that tell of it."""

    def __init__(self) -> None:
        self.replicas: list[Replica] = []
        self.waiting: list[str] = []
        self.version = 0
        self.next_tier = tournament_pb2.TIER_UNSPECIFIED
        self.next_ms = 0
        self.pending: list[str] = []
        self.refuse: dict[str, Code] = {}
        """People who may not join, and why."""
        self.commands: Counter[str] = Counter()
        """Ids of commands, and how often each came."""
        self.traces: dict[str, str] = {}
        """With which traceparent each command came."""

    def queue(self) -> matchmaking_pb2.Queue:
        """The queue as it is."""
        return matchmaking_pb2.Queue(
            version=self.version,
            places=[
                matchmaking_pb2.Place(player=player, joined_ms=JOINED_MS) for player in self.waiting
            ],
            next_tier=self.next_tier,
            next_ms=self.next_ms,
            wait_ms=WAIT_MS,
        )

    def join(self, *players: str) -> None:
        """They wait from now on."""
        self.waiting.extend(player for player in players if player not in self.waiting)
        self.change()

    def take_out(self, players: Iterable[str], why: matchmaking_pb2.Leaving.ValueType) -> None:
        """They wait no more."""
        gone = [player for player in players if player in self.waiting]
        self.waiting = [player for player in self.waiting if player not in gone]
        left = [matchmaking_pb2.Left(player=player, leaving=why) for player in gone]
        self.change(left)

    def change(self, left: Iterable[matchmaking_pb2.Left] = ()) -> None:
        """Something is new: tell everybody."""
        self.version += 1
        for replica in self.replicas:
            replica.tell(left)


class Replica(matchmaking_pb2_grpc.MatchmakingServiceServicer):
    """One replica, on a port of its own."""

    def __init__(self, world: Matchmaker) -> None:
        self.world = world
        self.here: set[str] = set()
        """Who is here by what the gateways say."""
        self.told: list[matchmaking_pb2.AttendRequest] = []
        """What they said, word for word."""
        self.port = 0
        self.is_quiet = False
        """Whether it keeps changes to itself, as one that lags behind."""
        self._sessions: set[_Session] = set()
        self._server = self._new_server()

    @property
    def address(self) -> str:
        """Where it listens."""
        return f"127.0.0.1:{self.port}"

    async def start(self) -> None:
        """Listen; after a stop on the same port."""
        self._server = self._new_server()
        self.port = self._server.add_insecure_port(f"127.0.0.1:{self.port}")
        await self._server.start()

    async def stop(self) -> None:
        """Break off everything."""
        self.here.clear()
        await self._server.stop(None)

    def tell(self, left: Iterable[matchmaking_pb2.Left]) -> None:
        """Something has changed."""
        if not self.is_quiet:
            for session in self._sessions:
                session.left.extend(left)
                session.moved.set()

    async def Join(self, request: Any, context: Any) -> Any:  # noqa: N802
        """Join the queue."""
        world = self.world
        world.commands[request.command] += 1
        world.traces[request.command] = request.trace
        if request.player in world.refuse:
            await abort(context, LaeloError(world.refuse[request.player], request.player))
        if world.commands[request.command] == 1:
            world.join(request.player)
        return matchmaking_pb2.JoinResponse(queue=world.queue())

    async def Leave(self, request: Any, _context: Any) -> Any:  # noqa: N802
        """Leave it."""
        self.world.commands[request.command] += 1
        self.world.traces[request.command] = request.trace
        self.world.take_out([request.player], request.leaving)
        return matchmaking_pb2.LeaveResponse(queue=self.world.queue())

    async def Show(self, _request: Any, _context: Any) -> Any:  # noqa: N802
        """The queue for operators."""
        return matchmaking_pb2.ShowResponse(queue=self.world.queue(), pending=self.world.pending)

    async def Attend(self, requests: Any, _context: Any) -> AsyncIterator[Any]:  # noqa: N802
        """Hear who is here, tell of the queue."""
        session = _Session()
        self._sessions.add(session)
        hearing = asyncio.create_task(self._hear(requests))
        try:
            while True:
                left, session.left = session.left, []
                yield matchmaking_pb2.AttendResponse(queue=self.world.queue(), left=left)
                await session.moved.wait()
                session.moved.clear()
        finally:
            self._sessions.discard(session)
            hearing.cancel()
            await asyncio.gather(hearing, return_exceptions=True)

    async def _hear(self, requests: Any) -> None:
        async for request in requests:
            self.told.append(request)
            self.here.update(request.here)
            self.here.difference_update(request.gone)

    def _new_server(self) -> grpc.aio.Server:
        server = grpc.aio.server(options=SERVER_OPTIONS)
        matchmaking_pb2_grpc.add_MatchmakingServiceServicer_to_server(self, server)
        return server


class _Session:
    def __init__(self) -> None:
        self.moved = asyncio.Event()
        self.left: list[matchmaking_pb2.Left] = []


@asynccontextmanager
async def matchmakers(count: int = 1) -> AsyncIterator[Matchmaker]:
    """A queue with so many replicas, each on a free port."""
    world = Matchmaker()
    world.replicas.extend(Replica(world) for _ in range(count))
    for replica in world.replicas:
        await replica.start()
    try:
        yield world
    finally:
        await asyncio.gather(*(replica.stop() for replica in world.replicas))
