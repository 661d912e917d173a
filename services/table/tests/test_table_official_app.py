"""Championships' tables as replicas serve them: presence, clocks, and what goes out."""

from typing import Any

import pytest
from laelo.table.v1 import table_pb2
from laelo_common.wire.server import EventFrame, SaidFrame
from laelo_table.domain.state import Phase, phase_of

from .house import TABLE, House, Listener, Replica, eventually, play_match
from .kit import PEOPLE, match_command
from .test_table_ends import nothing_is_left

WATCH, UNWATCH = table_pb2.KIND_WATCH, table_pb2.KIND_UNWATCH
IDS = ("k7q2", "m9x4", "r3w8", "t6z5")
"""Ids of people that stand in no frame by chance."""


async def open_match(
    replica: Replica, house: House, people: tuple[str, ...] = PEOPLE, starts_ms: int = 60_000
) -> table_pb2.Update:
    """Open a championship's table; its match starts in so long."""
    command = match_command(*people, table=TABLE, start_ms=house.now_ms() + starts_ms)
    fields = {field.name: value for field, value in command.ListFields() if field.name != "kind"}
    return await replica.must(command.kind, "", **fields)


def happened(house: House, kind: str) -> list[Any]:
    """What of a kind is in the log."""
    events = [event for commit in house.commits() for event in commit.events]
    return [getattr(event, kind) for event in events if event.WhichOneof("event") == kind]


async def test_the_house_is_answered_without_a_seat() -> None:
    house = House()
    async with house.replica() as replica:
        update = await open_match(replica, house)
        assert (update.seq, update.seat, update.fence, list(update.views)) == (1, 4, 0, [])
        assert list(update.players) == list(PEOPLE)


async def test_a_match_without_anybody_ends_and_leaves_nothing() -> None:
    house = House()
    house.clock_scale = 0.001
    async with house.replica() as replica:
        await open_match(replica, house, starts_ms=0)
        await eventually(lambda: happened(house, "table_closed"))
        assert len(happened(house, "match_ended")) == 1
        await eventually(lambda: nothing_is_left(house, replica))


async def test_when_the_home_dies_a_durable_clock_starts_the_match() -> None:
    house = House()
    async with house.replica() as home:
        await open_match(home, house)
    async with house.replica():
        house.ahead_ms += 59_000
        await house.clocks.fire()
        assert len(house.commits()) == 1
        house.ahead_ms += 2_000
        await house.clocks.fire()
        await eventually(lambda: happened(house, "match_started"))


async def test_when_the_home_dies_a_durable_clock_closes_the_table() -> None:
    house = House()
    async with house.replica() as home:
        await open_match(home, house, starts_ms=0)
        for player in PEOPLE:
            await home.must(WATCH, player)
        await home.until_version(3)
        await play_match(home)
    async with house.replica() as other:
        house.ahead_ms += 59_000
        await house.clocks.fire()
        assert not happened(house, "table_closed")
        house.ahead_ms += 2_000
        await house.clocks.fire()
        assert house.commits()[-1].head.command.startswith("over-")
        assert nothing_is_left(house, other)


async def test_who_goes_and_comes_back_is_shown_so() -> None:
    house = House()
    house.bot_after_ms = 20
    async with house.replica() as replica:
        await open_match(replica, house)
        watcher = Listener()
        await replica.must(WATCH, "eve", listener=watcher)
        await eventually(lambda: len(happened(house, "person_gone")) == 4)
        await replica.must(WATCH, "bia", window="w1")
        assert len(happened(house, "person_back")) == 1
        await watcher.until_seq((await replica.state()).version)
        shown = [
            frame.d.events[0].who for frame in watcher.frames(4) if isinstance(frame, EventFrame)
        ]
        assert [seat.gone for seat in shown[:5]] == [True] * 4 + [False]
        assert {seat.stand_in for seat in shown} == {None}


async def test_a_table_that_all_have_left_is_not_looked_after() -> None:
    house = House()
    house.bot_after_ms = 20
    async with house.replica() as replica:
        await open_match(replica, house, starts_ms=3_600_000)
        for player in PEOPLE:
            await replica.must(WATCH, player)
        clocks = len(house.clocks._set)
        for player in PEOPLE:
            await replica.must(UNWATCH, player)
        await eventually(lambda: len(happened(house, "person_gone")) == 4)
        assert len(house.clocks._set) == clocks
        house.ahead_ms += 400_000
        await house.clocks.fire()
        assert not happened(house, "table_closed")


async def test_people_and_spectators_see_talk_and_check() -> None:
    house = House()
    async with house.replica() as replica:
        await open_match(replica, house)
        await replica.must(WATCH, "eve")
        await replica.must(WATCH, "ana", window="w1")
        await replica.must(table_pb2.KIND_SAY, "ana", phrase="hello")
        assert (await replica.ask(table_pb2.KIND_SAY, "eve", phrase="hello")).code == "NOT_SEATED"
        assert (await replica.ask(table_pb2.KIND_LEAVE, "ana")).code == "OFFICIAL_TABLE"
        assert (await replica.ask(table_pb2.KIND_START, "ana")).code == "OFFICIAL_TABLE"
        said = [frame for frame in replica.listener.frames(4) if isinstance(frame, SaidFrame)]
        assert [(frame.d.seat, frame.d.phrase) for frame in said] == [(0, "hello")]


async def test_no_frame_names_anybody() -> None:
    """R40: ids and windows go to the gateway alone, beside the frames."""
    house = House()
    async with house.replica() as replica:
        await open_match(replica, house, IDS, starts_ms=0)
        for player in (*IDS, "eve"):
            await replica.must(WATCH, player, window=f"window-{player}")
        await replica.until_version(3)
        await play_match(replica)
        updates = replica.listener.updates
        assert any(list(update.players) == list(IDS) for update in updates)
        frames = b"".join(view.frame for update in updates for view in update.views)
        assert b'"animal":"aratu"' in frames
        assert not [player for player in IDS if player.encode() in frames]
        assert b"window-" not in frames
        assert not [update.reason for update in updates if update.reason]


@pytest.mark.parametrize("played", [False, True])
async def test_a_cancelled_table_ends_for_everybody(played: bool) -> None:
    house = House()
    async with house.replica() as home, house.replica() as other:
        await open_match(home, house, starts_ms=0 if played else 60_000)
        for player in PEOPLE:
            await home.must(WATCH, player)
        if played:
            await eventually(lambda: happened(house, "turn_began"))
        version = (await other.must(table_pb2.KIND_CANCEL, "", command="cancel")).seq
        await home.listener.until_seq(version)
        assert home.listener.updates[-1].closed
        again = await home.must(table_pb2.KIND_CANCEL, "", command="cancel-again")
        assert again.seq == version
        await eventually(lambda: nothing_is_left(house, home))


async def test_turns_of_people_who_play_are_theirs() -> None:
    house = House()
    async with house.replica() as replica:
        await open_match(replica, house, starts_ms=0)
        await eventually(lambda: happened(house, "turn_began"))
        state = await replica.state()
        assert phase_of(state) is Phase.PLAY
        moved = await replica.move()
        assert not moved.code
