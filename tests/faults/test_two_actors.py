"""two-actors: once a person is back no bot plays in that seat, however late its move comes.

Seen elsewhere: ccarrster/kraplow#172. A bot that stands in has been asked for its move when
the person comes back; its answer arrives afterwards. Each change of hands raises the
seat's fencing number, and a move under an older one is refused.
"""

import asyncio
from itertools import pairwise
from typing import NamedTuple

import pytest
from laelo.bots.v1 import bots_pb2
from laelo.log.v1 import log_pb2
from laelo.table.v1 import table_pb2
from laelo_table.domain.state import Table

from services.table.tests.house import (
    House,
    Replica,
    choose_first,
    eventually,
    legal_command,
)
from services.table.tests.kit import PEOPLE
from tests.faults.acting import ready_to_act

pytestmark = pytest.mark.faults

SEAT = 3
ABSENT = PEOPLE[SEAT]
TIMES = 5


class Asked(NamedTuple):
    """A bot that thinks until it is told to answer."""

    view: bots_pb2.View
    answer: asyncio.Event


class SlowBots(House):
    """A house whose bots answer when they are told to, and not before."""

    def __init__(self) -> None:
        super().__init__()
        self.bot_after_ms = 1
        self.thinking: list[Asked] = []

    async def choose_move(self, request: bots_pb2.ChooseMoveRequest) -> bots_pb2.ChooseMoveResponse:
        asked = Asked(request.view, asyncio.Event())
        self.thinking.append(asked)
        await asked.answer.wait()
        return choose_first(asked.view)

    def moves_of(self, turn: int) -> list[log_pb2.Head]:
        """What has ended a turn."""
        commits = self.commits()
        return [
            after.head
            for before, after in pairwise(commits)
            if before.head.turn == turn and after.head.turn != turn
        ]

    def has(self, event: str, count: int) -> bool:
        """Whether something has happened so many times."""
        kinds = [str(e.WhichOneof("event")) for commit in self.commits() for e in commit.events]
        return kinds.count(event) >= count


async def until_on_turn(home: Replica) -> Table:
    """The others play until the seat is on turn and may choose; the match must go on."""
    while True:
        state = await ready_to_act(home)
        assert state.match_end is None
        assert state.begun is not None
        if state.begun.seat == SEAT:
            return state
        await home.move()


async def go(house: SlowBots, home: Replica, stand_ins: int) -> None:
    """The person goes, and another one asks for a bot."""
    gone = sum(e.HasField("person_gone") for c in house.commits() for e in c.events)
    await home.must(table_pb2.KIND_UNWATCH, ABSENT)
    await eventually(lambda: house.has("person_gone", gone + 1))
    await home.must(table_pb2.KIND_SEAT_BOT, PEOPLE[0], seat=SEAT)
    await eventually(lambda: len(house.thinking) == stand_ins)


async def come_back(home: Replica) -> None:
    await home.must(table_pb2.KIND_WATCH, ABSENT)


async def settled(home: Replica, asked: Asked) -> None:
    """The bot answers, and what comes of it is over."""
    asked.answer.set()
    refused = home.tables.counts.refused
    await eventually(lambda: home.tables.counts.refused > refused)


async def test_a_move_that_comes_after_the_return_is_refused() -> None:
    house = SlowBots()
    async with house.replica() as home:
        await home.open()
        await home.start()
        for time in range(1, TIMES + 1):
            await until_on_turn(home)
            await go(house, home, stand_ins=time)
            await come_back(home)
            waiting = await home.state()
            await settled(home, house.thinking[-1])
            assert await home.state() == waiting, "the person is still on turn"
            assert (await home.move()).code == ""
            ended = house.moves_of(waiting.turn)
            assert [(head.actor, head.actor_id) for head in ended] == [
                (log_pb2.ACTOR_PERSON, ABSENT)
            ]


async def test_of_two_bots_that_were_asked_only_the_one_in_the_seat_moves() -> None:
    house = SlowBots()
    async with house.replica() as home:
        await home.open()
        await home.start()
        turn = (await until_on_turn(home)).turn
        await go(house, home, stand_ins=1)
        await come_back(home)
        await go(house, home, stand_ins=2)
        first, second = house.thinking
        waiting = await home.state()
        await settled(home, first)
        assert await home.state() == waiting
        second.answer.set()
        await eventually(lambda: house.moves_of(turn))
        assert [head.actor for head in house.moves_of(turn)] == [log_pb2.ACTOR_BOT]


async def test_a_person_who_was_replaced_does_not_play_under_the_old_number() -> None:
    house = SlowBots()
    async with house.replica() as home:
        await home.open()
        await home.start()
        old = legal_command(await until_on_turn(home))
        await go(house, home, stand_ins=1)
        assert (await home.ask(**old)).code == "STALE_FENCE"
        await come_back(home)
        assert (await home.ask(**old)).code == "STALE_FENCE"
        assert (await home.move()).code == ""
