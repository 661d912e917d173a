"""The handlers: one commit a command, one answer, and frames to all who watch."""

import asyncio
import random
from typing import Any

import pytest
from laelo.table.v1 import table_pb2
from laelo_common.log import Aggregate, Kind
from laelo_common.log.commit import verify_chain
from laelo_common.wire.server import EventFrame
from laelo_table.domain.state import NOBODY, Phase, phase_of

from .house import TABLE, House, Listener, fresh_id, legal_command, play_match
from .kit import PEOPLE


async def test_four_people_play_a_match_and_the_next() -> None:
    house = House()
    async with house.replica() as replica:
        await replica.open()
        await replica.start()
        await play_match(replica)
        await replica.start()
        state = await replica.state()
        assert (state.match, state.hand) == (2, 1)
        for viewer in range(4):
            frames = replica.listener.frames(viewer)
            seqs = [frame.seq for frame in frames if isinstance(frame, EventFrame)]
            assert [seq for seq in seqs if seq > 8] == list(range(9, state.version + 1))
    recorded = await house.log.tail(Aggregate(Kind.TABLE, TABLE), 0)
    assert verify_chain(recorded) is None


async def test_a_move_is_answered_with_its_frames() -> None:
    async with House().replica() as replica:
        await replica.open()
        await replica.start()
        state = await replica.state()
        update = await replica.move()
        assert (update.seq, update.private) == (state.version + 1, False)
        assert not update.players
        assert sum(view.viewers for view in update.views) == 31
        assert len(update.views) == 2


async def test_other_sessions_are_pushed_the_same_frames() -> None:
    async with House().replica() as replica:
        await replica.open()
        other = Listener()
        await replica.ask(table_pb2.KIND_WATCH, "eve", other)
        await replica.start()
        update = await replica.move()
        assert other.updates[-1].id == 0
        assert list(other.updates[-1].views) == list(update.views)
        assert [u.seq for u in other.pushed if u.views[0].seq] == [5, 6, 7]


async def test_who_does_not_watch_is_answered_without_frames() -> None:
    async with House().replica() as replica:
        await replica.open()
        fallback = Listener()
        update = await replica.ask(table_pb2.KIND_START, "ana", fallback)
        assert (update.code, update.seq, list(update.views)) == ("", 5, [])
        await replica.until_version(6)
        assert replica.listener.updates[-1].seq == 6


async def test_sitting_down_is_answered_with_ones_own_snapshot_first() -> None:
    async with House().replica() as replica:
        await replica.open(1)
        update = await replica.must(table_pb2.KIND_SIT, "bia", seat=2)
        assert (update.private, update.seat, update.fence) == (True, 2, 1)
        assert [view.viewers for view in update.views] == [1 << 2]
        assert list(update.players) == ["ana", "", "bia", ""]
        pushed = replica.listener.updates[-1]
        assert (pushed.id, pushed.seq) == (0, update.seq)
        assert list(pushed.players) == list(update.players)


async def test_leaving_a_table_without_spectators_shows_nothing_more() -> None:
    async with House().replica() as replica:
        await replica.open(2, spectators=False)
        update = await replica.must(table_pb2.KIND_LEAVE, "bia")
        assert (update.seat, list(update.views)) == (NOBODY, [])
        refused = await replica.ask(table_pb2.KIND_WATCH, "bia")
        assert refused.code == "NOT_SEATED"


async def test_who_leaves_in_mid_match_is_replaced_by_a_bot() -> None:
    house = House()
    async with house.replica() as replica:
        await replica.open()
        await replica.start()
        state = await replica.state()
        assert state.begun is not None
        leaver = state.seats[state.begun.seat].player
        await replica.must(table_pb2.KIND_LEAVE, leaver)
        await replica.listener.until_seq(state.version + 2)
        after = await replica.state()
        assert after.seats[state.begun.seat].level == table_pb2.BOT_LEVEL_MEDIUM
        late = legal_command(state)
        refused = await replica.ask(**late)
        assert refused.code == "NOT_SEATED"


async def test_bots_play_the_empty_seats_and_see_one_hand_only() -> None:
    house = House()
    async with house.replica() as replica:
        await replica.open(1)
        await replica.start()
        listener = replica.listener
        while phase_of(await replica.state()) is not Phase.MATCH_OVER:
            state = await replica.state()
            if state.begun is not None and state.begun.seat == 0:
                assert not (await replica.move()).code
            else:
                await listener.until_seq(state.version + 1)
        bots = [c for c in house.commits() if c.head.command.startswith("bot-")]
        assert {c.head.actor_id for c in bots} == {"medium"}
        assert {view.seat for view in house.views} == {1, 2, 3}
        assert len(house.views) == len(bots)


@pytest.mark.parametrize("seed", range(3))
async def test_each_command_twice_also_at_the_same_time(seed: int) -> None:
    chance = random.Random(seed)
    house = House(id_first=bool(seed % 2))
    async with house.replica() as one, house.replica() as other:
        table = fresh_id()
        await one.open(table=table)
        await one.start(table)
        for number in range(60):
            state = await one.state(table)
            if state.begun is None:
                if state.match_end:
                    break
                await one.listener.until_seq(state.version + 1)
                continue
            fields = legal_command(state) | {"table": table, "command": f"m{number}"}
            seconds = chance.choice((one, other))
            answers = [*await asyncio.gather(one.ask(**fields), seconds.ask(**fields))]
            answers.append(await other.ask(**fields))
            told = {(a.code, a.seq, a.seat, a.fence) for a in answers}
            assert len(told) == 1
            assert ("", state.version + 1) == next(iter(told))[:2]
            assert sum(c.head.command == f"m{number}" for c in house.commits(table)) == 1


async def test_who_looks_in_the_middle_gets_what_is_missing() -> None:
    async with House().replica() as replica:
        await replica.open()
        await replica.start()
        for _ in range(3):
            await replica.move()
        for seq, kinds in (
            (0, ["SnapshotFrame"]),
            (9, []),
            (8, ["EventFrame"]),
            (6, ["EventFrame"] * 3),
            (99, ["SnapshotFrame"]),
            (3, ["SnapshotFrame"]),
        ):
            late = Listener()
            update = await replica.ask(table_pb2.KIND_WATCH, "bia", late, seq=seq)
            assert (update.private, update.seq, update.seat) == (True, 9, 1)
            assert list(update.players) == list(PEOPLE)
            assert [type(frame).__name__ for frame in late.frames(1)] == [*kinds, "WatchingFrame"]
            assert [view.viewers >> 1 & 1 for view in update.views] == [1] * len(kinds)


async def test_a_snapshot_is_given_when_the_window_is_left() -> None:
    async with House().replica() as replica:
        await replica.open()
        await replica.start()
        while (await replica.state()).version < 80:
            state = await replica.state()
            if state.match_end is not None:
                await replica.start()
            elif state.begun is None:
                await replica.until_version(state.version + 1)
            else:
                await replica.move()
        late = Listener()
        await replica.ask(table_pb2.KIND_WATCH, "bia", late, seq=10)
        assert type(late.frames(1)[0]).__name__ == "SnapshotFrame"
        await replica.tables.handle(check(10), late)
        assert sum(view.viewers for view in late.updates[-1].views) == 31
        await replica.tables.handle(check((await replica.state()).version - 1), late)
        assert {view.seq for view in late.updates[-1].views} == {(await replica.state()).version}


def check(seq: int, table: str = TABLE) -> table_pb2.Command:
    return table_pb2.Command(table=table, kind=table_pb2.KIND_CHECK, seq=seq)


async def test_a_check_is_answered_only_when_there_is_more() -> None:
    async with House().replica() as replica:
        await replica.open()
        listener = Listener()
        await replica.tables.handle(check(4), listener)
        await replica.tables.handle(check(9), listener)
        await replica.tables.handle(check(1, fresh_id()), listener)
        assert listener.updates == []
        await replica.tables.handle(check(3), listener)
        assert [u.seq for u in listener.updates] == [4]


async def test_nobody_is_told_anything_after_looking_away() -> None:
    async with House().replica() as replica:
        await replica.open()
        listener = Listener()
        await replica.ask(table_pb2.KIND_WATCH, "eve", listener)
        await replica.ask(table_pb2.KIND_UNWATCH, "", listener)
        other = Listener()
        await replica.ask(table_pb2.KIND_WATCH, "eve", other)
        replica.tables.forget(other)
        heard = len(listener.updates), len(other.updates)
        await replica.start()
        assert (len(listener.updates), len(other.updates)) == heard


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"kind": table_pb2.KIND_PLAY, "turn": 5}, "STALE_TURN"),
        ({"kind": table_pb2.KIND_PASS, "turn": 6, "fence": 9}, "STALE_FENCE"),
        ({"kind": table_pb2.KIND_PASS, "turn": 6, "player": "eve"}, "NOT_SEATED"),
        ({"kind": table_pb2.KIND_PASS, "turn": 6, "table": fresh_id()}, "UNKNOWN_TABLE"),
        ({"kind": table_pb2.KIND_WATCH, "table": fresh_id()}, "UNKNOWN_TABLE"),
        ({"kind": table_pb2.KIND_WATCH, "table": "x"}, "BAD_REQUEST"),
        ({"kind": table_pb2.KIND_OPEN}, "TABLE_EXISTS"),
        ({"kind": 55}, "BAD_REQUEST"),
    ],
)
async def test_what_is_wrong_is_refused_and_changes_nothing(
    fields: dict[str, Any], code: str
) -> None:
    house = House()
    async with house.replica() as replica:
        await replica.open()
        await replica.start()
        before = await replica.state()
        values: dict[str, Any] = {"player": "ana", "fence": 1} | fields
        assert (await replica.ask(**values)).code == code
        assert await replica.state() == before
        assert len(house.commits()) == 6


async def test_a_fault_of_ours_makes_the_table_be_read_anew(monkeypatch: Any) -> None:
    async with House().replica() as replica:
        await replica.open()

        def broken(*_: object) -> None:
            raise ZeroDivisionError

        with monkeypatch.context() as patch:
            patch.setattr("laelo_table.app.decide", broken)
            with pytest.raises(ZeroDivisionError):
                await replica.ask(table_pb2.KIND_START, "ana")
        loads = replica.store.loads
        await replica.start()
        assert replica.store.loads == loads + 1


async def test_idle_tables_are_given_up_and_leave_nothing() -> None:
    house = House()
    async with house.replica(warm_tables=5) as replica:
        tables = [fresh_id() for _ in range(40)]
        for table in tables:
            await replica.must(table_pb2.KIND_OPEN, "ana", table=table)
        assert len(replica.store.tables) == 5
        assert sum(len(live) for live in house.log._live.values()) == 5
        assert (await replica.state(tables[0])).version == 1
    assert sum(len(live) for live in house.log._live.values()) == 0


async def test_tables_that_do_not_exist_leave_nothing() -> None:
    house = House()
    async with house.replica() as replica:
        for _ in range(20):
            await replica.ask(table_pb2.KIND_WATCH, "eve", table=fresh_id())
            await replica.ask(table_pb2.KIND_SIT, "eve", table=fresh_id(), seat=-1)
        assert len(replica.store.tables) == 0
        assert sum(len(live) for live in house.log._live.values()) == 0


async def test_looking_away_from_a_table_that_is_not_here_is_no_fault() -> None:
    async with House().replica() as replica:
        update = await replica.must(table_pb2.KIND_UNWATCH, "ana", table=fresh_id())
        assert (update.seat, update.seq) == (NOBODY, 0)
