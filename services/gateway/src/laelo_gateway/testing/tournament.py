"""A stand-in for the tournament service, for tests: real gRPC, championships in memory.

What happens in a championship is what the test says; `drawn` makes one that has just begun.
"""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from hashlib import sha256
from typing import Any, NamedTuple

import grpc.aio
from laelo.tournament.v1 import tournament_pb2, tournament_pb2_grpc
from laelo_common.errors import Code, LaeloError
from laelo_common.ids import derived
from laelo_common.status import abort
from laelo_common.stream import SERVER_OPTIONS

SEED = bytes(range(32))
MOST_LISTED = 100
TIERS = {
    8: tournament_pb2.TIER_BRONZE,
    16: tournament_pb2.TIER_SILVER,
    32: tournament_pb2.TIER_GOLD,
}


class Told(NamedTuple):
    """A championship, and who is who in it."""

    championship: tournament_pb2.Championship
    entries: list[tournament_pb2.Entry]

    def place(self, team: int, best: int, worst: int, points: int = 1) -> None:
        """The team is out, or champion: its players are shown from now on."""
        shown = self.championship.teams[team - 1]
        players = [entry.player for entry in self.entries if entry.team == team]
        shown.MergeFrom(tournament_pb2.Team(players=players, best=best, worst=worst, points=points))
        self.championship.version += 1

    def decide(self, match: str, winner: int) -> None:
        """A match has been won, 6 to 0."""
        found = next(one for one in self.championship.matches if one.id == match)
        found.winner = winner
        found.score_a, found.score_b = (6, 0) if winner == found.team_a else (0, 6)
        self.championship.version += 1

    def call(self, match: str, teams: tuple[int, int], starts_ms: int) -> None:
        """Both teams of a match are known."""
        found = next(one for one in self.championship.matches if one.id == match)
        found.team_a, found.team_b = teams
        found.table = _table(self.championship.id, match)
        found.starts_ms = starts_ms
        self.championship.version += 1

    def end(self, stage: tournament_pb2.Stage.ValueType, ended_ms: int, reason: str = "") -> None:
        """It is over or cancelled: the seed and all ids are shown."""
        championship = self.championship
        championship.stage, championship.ended_ms = stage, ended_ms
        championship.reason, championship.seed = reason, SEED
        championship.players[:] = sorted(entry.player for entry in self.entries)
        championship.version += 1


def drawn(name: str, players: Sequence[str], starts_ms: int) -> Told:
    """A championship of 8, 16 or 32 that has just begun: the first round is called."""
    teams = range(1, len(players) // 2 + 1)
    championship = tournament_pb2.Championship(
        id=name,
        version=1,
        tier=TIERS[len(players)],
        stage=tournament_pb2.STAGE_RUNNING,
        started_ms=starts_ms - 15_000,
        commitment=sha256(SEED).digest(),
        teams=[
            tournament_pb2.Team(
                number=team, animals=[f"animal-{2 * team - 1}", f"animal-{2 * team}"]
            )
            for team in teams
        ],
        matches=[
            tournament_pb2.Match(id=match)
            for match in [*(f"W1-{i}" for i in range(1, len(teams) // 2 + 1)), "W2-1", "L1-1", "F1"]
        ],
    )
    entries = [
        tournament_pb2.Entry(player=player, team=i // 2 + 1, place=i % 2, animal=f"animal-{i + 1}")
        for i, player in enumerate(players)
    ]
    told = Told(championship, entries)
    for i in range(1, len(teams) // 2 + 1):
        told.call(f"W1-{i}", (2 * i - 1, 2 * i), starts_ms)
    championship.version = 1
    return told


def _table(championship: str, match: str) -> str:
    return derived(sha256(f"{championship}/{match}".encode()).digest())


class Tournaments:
    """All championships, and the replicas that tell of them."""

    def __init__(self) -> None:
        self.replicas: list[Replica] = []
        self.all: dict[str, Told] = {}
        self.cancelled: list[tournament_pb2.CancelRequest] = []
        self.ranking = tournament_pb2.RankResponse()
        self.own: dict[str, tournament_pb2.Rank] = {}
        """Rows of people, beside the first ones."""

    def put(self, told: Told) -> None:
        """A championship is new, or has changed: tell everybody."""
        self.all[told.championship.id] = told
        for replica in self.replicas:
            replica.tell(told.championship.id)


class Replica(tournament_pb2_grpc.TournamentServiceServicer):
    """One replica, on a port of its own."""

    def __init__(self, world: Tournaments) -> None:
        self.world = world
        self.port = 0
        self.followers: list[asyncio.Queue[str]] = []
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
        await self._server.stop(None)

    def tell(self, name: str) -> None:
        """A championship has changed."""
        for follower in self.followers:
            follower.put_nowait(name)

    async def Get(self, request: Any, context: Any) -> Any:  # noqa: N802
        """One championship."""
        told = self.world.all.get(request.championship)
        if told is None:
            await abort(context, LaeloError(Code.UNKNOWN_CHAMPIONSHIP))
        return tournament_pb2.GetResponse(championship=told.championship, entries=told.entries)

    async def Start(self, _request: Any, context: Any) -> Any:  # noqa: N802
        """Not for gateways."""
        await abort(context, LaeloError(Code.BAD_REQUEST))

    async def Cancel(self, request: Any, context: Any) -> Any:  # noqa: N802
        """An operator has had enough of it."""
        told = self.world.all.get(request.championship)
        if told is None:
            await abort(context, LaeloError(Code.UNKNOWN_CHAMPIONSHIP))
        if told.championship.stage != tournament_pb2.STAGE_RUNNING:
            await abort(context, LaeloError(Code.CHAMPIONSHIP_OVER))
        self.world.cancelled.append(request)
        told.end(tournament_pb2.STAGE_CANCELLED, 1, request.reason)
        return tournament_pb2.CancelResponse()

    async def List(self, request: Any, _context: Any) -> Any:  # noqa: N802
        """The newest first, as many as the real one lists at most."""
        before_ms, player = request.before_ms or 1 << 62, request.player
        found = [
            told
            for told in self.world.all.values()
            if told.championship.started_ms < before_ms
            and (not player or any(entry.player == player for entry in told.entries))
        ]
        found.sort(key=lambda told: -told.championship.started_ms)
        limit = min(request.limit or 20, MOST_LISTED)
        return tournament_pb2.ListResponse(
            championships=[one.championship for one in found[:limit]]
        )

    async def Rank(self, request: Any, context: Any) -> Any:  # noqa: N802
        """The ranking that the test has made."""
        if request.week == "2026-99-99":
            await abort(context, LaeloError(Code.BAD_REQUEST))
        answer = tournament_pb2.RankResponse()
        answer.CopyFrom(self.world.ranking)
        if request.player in self.world.own:
            answer.own.CopyFrom(self.world.own[request.player])
        return answer

    async def Follow(self, _request: Any, _context: Any) -> AsyncIterator[Any]:  # noqa: N802
        """Those that run, then every change."""
        changed: asyncio.Queue[str] = asyncio.Queue()
        self.followers.append(changed)
        try:
            for told in list(self.world.all.values()):
                if told.championship.stage == tournament_pb2.STAGE_RUNNING:
                    yield tournament_pb2.FollowResponse(
                        championship=told.championship, entries=told.entries
                    )
            yield tournament_pb2.FollowResponse(complete=True)
            while True:
                told = self.world.all[await changed.get()]
                yield tournament_pb2.FollowResponse(
                    championship=told.championship, entries=told.entries
                )
        finally:
            self.followers.remove(changed)

    def _new_server(self) -> grpc.aio.Server:
        server = grpc.aio.server(options=SERVER_OPTIONS)
        tournament_pb2_grpc.add_TournamentServiceServicer_to_server(self, server)
        return server


@asynccontextmanager
async def tournaments(count: int = 1) -> AsyncIterator[Tournaments]:
    """Championships with so many replicas, each on a free port."""
    world = Tournaments()
    world.replicas.extend(Replica(world) for _ in range(count))
    for replica in world.replicas:
        await replica.start()
    try:
        yield world
    finally:
        await asyncio.gather(*(replica.stop() for replica in world.replicas))
