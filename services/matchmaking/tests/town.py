"""Replicas of the matchmaking service over one log in memory, and a tournament service."""

import asyncio
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager
from typing import Any

from laelo.matchmaking.v1 import events_pb2
from laelo.tournament.v1 import events_pb2 as cup_events
from laelo.tournament.v1 import tournament_pb2
from laelo_common.errors import Code, LaeloError
from laelo_common.ids import new_id
from laelo_common.log import Aggregate, Kind, Log, MemoryLog, Recorded, append_once
from laelo_common.log.commit import commit_hash, verify_chain
from laelo_common.telemetry import OFF
from laelo_common.testing.waiting import until
from laelo_matchmaking.app import Matchmaking
from laelo_matchmaking.attendance import Attendance
from laelo_matchmaking.audience import Audience
from laelo_matchmaking.domain.commands import Join, Leave
from laelo_matchmaking.domain.evolve import evolve
from laelo_matchmaking.domain.outcome import Refusal
from laelo_matchmaking.domain.state import EMPTY, Queue, Times
from laelo_matchmaking.house import House
from laelo_matchmaking.ports import StartChampionship, World
from laelo_matchmaking.releases import Releases
from laelo_matchmaking.store import Store

from .kit import WISH

QUEUE = Aggregate(Kind.QUEUE, "main")
HOUR_MS = 3_600_000
DAY_MS = 24 * HOUR_MS
PATIENT = Times(wait_ms=HOUR_MS, grace_ms=DAY_MS, lost_ms=DAY_MS, vouch_ms=DAY_MS)
"""Times in which nothing happens by itself while a test runs."""


class Cups:
    """The tournament service: begins each championship once, and writes what it is told to."""

    def __init__(self, log: Log) -> None:
        self.log = log
        self.asked: list[tournament_pb2.StartRequest] = []
        self.begun: dict[str, list[str]] = {}
        self.away = False
        self._versions: Counter[str] = Counter()
        self._heads: dict[str, tuple[int, bytes]] = {}

    async def start(self, request: tournament_pb2.StartRequest) -> None:
        """Begin a championship, once however often it is asked for."""
        self.asked.append(request)
        await asyncio.sleep(0)
        if self.away:
            raise LaeloError(Code.TRY_LATER, "no tournament")
        players = list(request.players)
        known = self.begun.setdefault(request.championship, players)
        assert known == players
        if not self._versions[request.championship]:
            teams = [players[at : at + 2] for at in range(0, len(players), 2)]
            drawn = [
                cup_events.Event(team_drawn=cup_events.TeamDrawn(number=n, players=team))
                for n, team in enumerate(teams, 1)
            ]
            await self.write(request.championship, *drawn)

    async def put_out(self, championship: str, *teams: int) -> None:
        """These teams are out."""
        events = [cup_events.TeamPlaced(team=team) for team in teams]
        await self.write(championship, *(cup_events.Event(team_placed=e) for e in events))

    async def end(self, championship: str) -> None:
        """It is over."""
        ended = cup_events.ChampionshipEnded(champion=1)
        await self.write(championship, cup_events.Event(ended=ended))

    async def cancel(self, championship: str) -> None:
        """An operator ends it."""
        cancelled = cup_events.ChampionshipCancelled(reason="rain")
        await self.write(championship, cup_events.Event(cancelled=cancelled))

    async def write(self, championship: str, *events: cup_events.Event) -> None:
        """Store a commit."""
        self._versions[championship] += 1
        expected, digest = self._heads.get(championship, (0, b""))
        commit = cup_events.Commit(events=events)
        head = commit.head
        head.aggregate, head.version = championship, self._versions[championship]
        head.command, head.previous = f"w-{head.version}", digest
        data = commit.SerializeToString()
        aggregate = Aggregate(Kind.CHAMPIONSHIP, championship)
        stored = await append_once(self.log, aggregate, data, expected)
        self._heads[championship] = stored.sequence, commit_hash(data)


class Town:
    """What the replicas share: the log, the tournament service, time."""

    def __init__(self, times: Times = PATIENT, *, id_first: bool = False) -> None:
        self.ahead_ms = 0
        self.times = times
        self.log = MemoryLog(self.now_ms, id_first=id_first)
        self.cups = Cups(self.log)
        self.lag_ms = 5
        self.telemetry = OFF

    def now_ms(self) -> int:
        """Wall time, moved on by what a test wants."""
        return time.time_ns() // 1_000_000 + self.ahead_ms

    def recorded(self) -> list[Recorded]:
        """The log of the queue as it is stored."""
        return list(self.log._streams["MMQ"])

    def commits(self) -> list[events_pb2.Commit]:
        """The log of the queue."""
        return [events_pb2.Commit.FromString(r.data) for r in self.recorded()]

    def state(self) -> Queue:
        """The queue as its log tells it."""
        state = EMPTY
        for commit in self.commits():
            state = evolve(state, commit)
        return state

    def called(self) -> list[events_pb2.ChampionshipCalled]:
        """All championships that were ever called."""
        return [e.called for c in self.commits() for e in c.events if e.HasField("called")]

    def kinds(self) -> list[str]:
        """All events, by name."""
        return [str(e.WhichOneof("event")) for c in self.commits() for e in c.events]

    def check(self) -> None:
        """The chain is whole, nobody is twice in a championship, each is begun as called."""
        assert verify_chain(self.recorded()) is None
        called = self.called()
        names = [c.championship for c in called]
        assert len(names) == len(set(names))
        pending = {c.championship for c in self.state().pending}
        for c in called:
            assert len(set(c.players)) == len(c.players) == {1: 8, 2: 16, 3: 32}[c.tier]
            if c.championship not in pending:
                assert self.cups.begun[c.championship] == list(c.players)

    async def open(self, log: Log | None = None, start: StartChampionship | None = None) -> "Hall":
        """A replica; whoever opens it has to close it."""
        world = World(
            log=log or self.log,
            start=start or self.cups.start,
            now_ms=self.now_ms,
            fresh_id=new_id,
            times=self.times,
            lag_ms=self.lag_ms,
            telemetry=self.telemetry,
        )
        hall = Hall(world)
        await hall.open()
        return hall

    @asynccontextmanager
    async def replica(self) -> AsyncIterator["Hall"]:
        """One process of the matchmaking service, as `main` wires it."""
        hall = await self.open()
        try:
            yield hall
        finally:
            await hall.close()


class Hall:
    """One process of the matchmaking service."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.store = Store(world.log)
        self.app = Matchmaking(world, self.store)
        self.number = 0
        self._tasks: list[asyncio.Task[None]] = []
        self._closes: list[Callable[[], Awaitable[None]]] = []

    async def open(self) -> None:
        """Begin, or leave nothing behind."""
        try:
            await self._open()
        except BaseException:
            await self.close()
            raise

    async def _open(self) -> None:
        self._closes.append(self.store.close)
        self._watch((await self.store.open()).wait())
        self.people = Attendance(self.store, self.world.times, self.world.now_ms)
        self.audience = Audience(self.store, self.app.shown)
        self.house = House(self.world, self.store, self.app, self.people)
        self._closes.append(self.house.close)
        self._watch(self.house.wait())
        self.releases = Releases(self.world.log, self.app)
        cups = await self.releases.follow(self.store.state.sequence)
        self._closes.append(cups.close)
        self._watch(cups.wait())
        self._watch(self.releases.run())

    async def close(self) -> None:
        """End, the last part first; a part that had failed fails this."""
        for task in self._tasks:
            task.cancel()
        ends = await asyncio.gather(*self._tasks, return_exceptions=True)
        for close in reversed(self._closes):
            await close()
        for end in ends:
            assert end is None or isinstance(end, asyncio.CancelledError), end

    def _watch(self, work: Coroutine[Any, Any, None]) -> None:
        self._tasks.append(asyncio.get_running_loop().create_task(work))

    @property
    def state(self) -> Queue:
        """The queue as this replica has it."""
        return self.store.state

    @property
    def waiting(self) -> list[str]:
        """Who waits, in order, as this replica has it."""
        return [place.player for place in self.state.line]

    async def join(self, player: str, command: str = "") -> Refusal | None:
        """Somebody joins."""
        self.number += 1
        return await self.app.run(Join(player, command or f"{id(self)}-{self.number}"))

    async def join_all(self, players: Sequence[str]) -> None:
        """These join, one after the other."""
        for player in players:
            assert await self.join(player) is None

    async def leave(self, player: str, leaving: Any = WISH) -> Refusal | None:
        """Somebody leaves."""
        self.number += 1
        return await self.app.run(Leave(player, f"{id(self)}-{self.number}", leaving))

    async def until(self, wanted: Callable[[], Any]) -> None:
        """Wait until something holds; the house is made to look at the time, too."""

        def holds() -> bool:
            self.house.look()
            return bool(wanted())

        await until(holds)
