"""zombie-room: who joins while a table closes is in it, or is told clearly that it is closed.

Seen elsewhere: colyseus/colyseus#555. The host closes a table while others sit down, look,
start, play and speak, at that replica and at another, in random order. What was done
stands in the log before the end, all else is refused as TABLE_CLOSED, who got in to look
hears of the end, and neither replica keeps the table.
"""

import asyncio
import random

import pytest
from laelo.table.v1 import events_pb2, table_pb2

from services.table.tests.house import House, Listener, Replica, eventually
from services.table.tests.kit import PEOPLE

pytestmark = pytest.mark.faults

CLOSED = "TABLE_CLOSED"
SPECTATORS = 6
HOST = PEOPLE[0]


class Hustle:
    """Many people who want something of a table at the moment when it closes."""

    def __init__(self, house: House, replicas: list[Replica], chance: random.Random) -> None:
        self._house = house
        self._replicas = replicas
        self._chance = chance
        self.looked: list[tuple[Listener, table_pb2.Update]] = []

    async def run(self) -> None:
        """All at once, each after a few turns of the loop, the closing among them."""
        asked = [self._close(), self._start()]
        asked += [self._sit(player) for player in PEOPLE[1:]]
        asked += [self._look(f"spectator-{number}") for number in range(SPECTATORS)]
        asked += [self._look(player) for player in PEOPLE]
        self._chance.shuffle(asked)
        await asyncio.gather(*asked)

    async def _ask(self, kind: "table_pb2.Kind.ValueType", player: str) -> table_pb2.Update:
        for _ in range(self._chance.randrange(30)):
            await asyncio.sleep(0)
        replica, listener = self._chance.choice(self._replicas), Listener()
        answer = await replica.ask(kind, player, seat=-1, listener=listener)
        if kind == table_pb2.KIND_WATCH:
            self.looked.append((listener, answer))
        return answer

    async def _close(self) -> None:
        assert (await self._ask(table_pb2.KIND_CLOSE, HOST)).code == ""

    async def _start(self) -> None:
        self._done_or_refused(await self._ask(table_pb2.KIND_START, HOST))

    async def _sit(self, player: str) -> None:
        self._done_or_refused(await self._ask(table_pb2.KIND_SIT, player), "TABLE_FULL")

    async def _look(self, player: str) -> None:
        self._done_or_refused(await self._ask(table_pb2.KIND_WATCH, player))

    def _done_or_refused(self, answer: table_pb2.Update, *allowed: str) -> None:
        assert answer.code in ("", CLOSED, *allowed)
        if answer.code == CLOSED:
            assert answer.reason


def ends(commit: events_pb2.Commit) -> bool:
    return any(event.HasField("table_closed") for event in commit.events)


@pytest.mark.parametrize("seed", range(30))
async def test_in_or_refused_and_nothing_is_kept(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("laelo_table.store.LINGER_SECONDS", 0.01)
    house = House()
    async with house.replica() as one, house.replica() as other:
        await one.must(
            table_pb2.KIND_OPEN, HOST, options=table_pb2.Options(spectators=True, public=True)
        )
        hustle = Hustle(house, [one, other], random.Random(seed))
        await hustle.run()

        commits = house.commits()
        assert [ends(commit) for commit in commits] == [False] * (len(commits) - 1) + [True]
        last = commits[-1].head.version
        for listener, answer in hustle.looked:
            if answer.code == "":
                await listener.until(lambda heard=listener: knows_the_end(heard, last))  # type: ignore[misc]
        await eventually(lambda: nothing_kept(house, one, other))
        for replica in (one, other):
            assert (await replica.ask(table_pb2.KIND_SIT, "eve", seat=-1)).code == CLOSED
            assert (await replica.must(table_pb2.KIND_WATCH, "eve")).closed
        await eventually(lambda: nothing_kept(house, one, other))
        assert len(house.commits()) == len(commits)


def knows_the_end(listener: Listener, last: int) -> bool:
    """Whether whoever is behind a listener was told that the table is closed."""
    return any(update.closed and update.seq == last for update in listener.updates)


def nothing_kept(house: House, *replicas: Replica) -> bool:
    """Whether no table is in memory, and none is listened for."""
    hearers = sum(len(live) for live in house.log._live.values())
    return hearers == 0 and all(len(replica.store.tables) == 0 for replica in replicas)
