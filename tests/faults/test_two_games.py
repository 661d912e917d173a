"""two-games: a match of a championship that is called five times is played once.

Seen elsewhere: online-go/online-go.com#2058. The house asks for the table again and again:
five times at once, at two replicas, with answers lost and another time named for the start;
again while the match is played, and once more when all is over. Each time it is told that the
table stands, and there is one table with one match.
"""

import asyncio
import random
from functools import partial
from typing import Any

import pytest
from laelo.table.v1 import table_pb2

from services.table.tests.house import TABLE, House, Replica, eventually, play_match
from services.table.tests.kit import PEOPLE, match_command

pytestmark = pytest.mark.faults

CALLS = 5
SOON_MS = 100


class Caller:
    """The house, which never knows whether it was heard."""

    def __init__(self, house: House, replicas: list[Replica], chance: random.Random) -> None:
        self._house = house
        self._replicas = replicas
        self._chance = chance

    async def call(self) -> None:
        """Have the match's table opened, by several who do not know of each other."""
        if self._chance.random() < 0.5:
            self._house.log.lose_answers(1)
        answers = await asyncio.gather(*[self._open() for _ in range(CALLS)])
        assert [(answer.code, answer.seq) for answer in answers] == [("", 1)] * CALLS

    async def _open(self) -> table_pb2.Update:
        starts_ms = self._house.now_ms() + self._chance.randrange(SOON_MS)
        command = match_command(table=TABLE, start_ms=starts_ms)
        return await self._chance.choice(self._replicas).ask(
            command.kind,
            "",
            **{field.name: value for field, value in command.ListFields() if field.name != "kind"},
        )


@pytest.mark.parametrize("seed", range(4))
async def test_a_match_called_again_and_again_is_played_once(seed: int) -> None:
    chance = random.Random(seed)
    house = House(id_first=seed % 2 == 0)
    async with house.replica() as one, house.replica() as other:
        caller = Caller(house, [one, other], chance)
        await caller.call()
        for player in PEOPLE:
            await one.must(table_pb2.KIND_WATCH, player)
        await eventually(lambda: happened(house, "dealt"))
        await asyncio.gather(play_match(one), keep_calling(house, caller))
        house.ahead_ms += 61_000
        await house.clocks.fire()
        await eventually(lambda: happened(house, "table_closed"))
        await caller.call()
    assert len(happened(house, "opened")) == 1
    assert len(happened(house, "seat_taken_2")) == 4
    assert len(happened(house, "match_started")) == 1
    assert len(happened(house, "match_ended")) == 1


async def keep_calling(house: House, caller: Caller) -> None:
    """Call again as the match goes on."""
    for version in (20, 80, 130):
        await eventually(partial(has_come, house, version))
        await caller.call()


def has_come(house: House, version: int) -> bool:
    """Whether a version is there, or never will be."""
    return len(house.commits()) >= version or bool(happened(house, "match_ended"))


def happened(house: House, kind: str) -> list[Any]:
    """What of a kind is in the log."""
    events = [event for commit in house.commits() for event in commit.events]
    return [event for event in events if event.WhichOneof("event") == kind]
