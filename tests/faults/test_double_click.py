"""double-click: a command that comes twice, even at the same moment, is done once.

Seen elsewhere: quasoft/backgammonjs#2. Every command of a match, from opening the table to
the last move, is sent twice: again after its answer, twice at once to one replica, or at
once to two. Both get the same answer, and there is one commit.
"""

import asyncio
import random
from collections import Counter
from typing import Any

import pytest
from laelo.log.v1 import log_pb2
from laelo.table.v1 import table_pb2

from services.table.tests.house import House, Replica, legal_command
from services.table.tests.kit import PEOPLE
from tests.faults.acting import ready_to_act

pytestmark = pytest.mark.faults

WAYS = ("afterwards", "at once", "at two replicas", "at two replicas, answers lost")


class Clicker:
    """Sends everything twice, and sees to it that both answers are the same."""

    def __init__(self, house: House, replicas: list[Replica], chance: random.Random) -> None:
        self._house = house
        self.replicas = replicas
        self._chance = chance
        self.sent = 0

    async def twice(self, **command: Any) -> table_pb2.Update:
        """Send a command twice; the answer."""
        await ready_to_act(*self.replicas)
        self.sent += 1
        command["command"] = f"c{self.sent}"
        way = self._chance.choice(WAYS)
        home, other = self._chance.sample(self.replicas, 2)
        if way == "afterwards":
            first, second = await home.ask(**command), await home.ask(**command)
        elif way == "at once":
            first, second = await asyncio.gather(home.ask(**command), home.ask(**command))
        else:
            if way.endswith("lost"):
                self._house.log.lose_answers(1)
            first, second = await asyncio.gather(home.ask(**command), other.ask(**command))
        assert (first.code, second.code) == ("", ""), way
        assert (first.seq, first.seat, first.fence) == (second.seq, second.seat, second.fence), way
        made = [
            c.head.version for c in self._house.commits() if c.head.command == command["command"]
        ]
        assert made == [first.seq], way
        return first

    def _made_by(self, command: str) -> list[log_pb2.Head]:
        heads = [commit.head for commit in self._house.commits()]
        return [head for head in heads if head.command == command]


@pytest.mark.parametrize("seed", range(4))
async def test_every_command_of_a_match_sent_twice(seed: int) -> None:
    chance = random.Random(seed)
    house = House(id_first=seed % 2 == 0)
    async with house.replica() as one, house.replica() as other:
        clicker = Clicker(house, [one, other], chance)
        options = table_pb2.Options(spectators=True)
        await clicker.twice(kind=table_pb2.KIND_OPEN, player=PEOPLE[0], options=options)
        for seat, player in enumerate(PEOPLE[1:], 1):
            await clicker.twice(kind=table_pb2.KIND_SIT, player=player, seat=seat)
        await clicker.twice(kind=table_pb2.KIND_LEAVE, player=PEOPLE[3])
        host = PEOPLE[0]
        await clicker.twice(kind=table_pb2.KIND_SEAT_BOT, player=host, seat=3)
        await clicker.twice(kind=table_pb2.KIND_UNSEAT_BOT, player=host, seat=3)
        await clicker.twice(kind=table_pb2.KIND_SIT, player=PEOPLE[3], seat=-1)
        await clicker.twice(kind=table_pb2.KIND_START, player=host)
        while (state := await ready_to_act(*clicker.replicas)).match_end is None:
            await clicker.twice(**legal_command(state))
        people = [c for c in house.commits() if c.head.actor == log_pb2.ACTOR_PERSON]
        assert Counter(c.head.command for c in people) == {
            f"c{number}": 1 for number in range(1, clicker.sent + 1)
        }
