"""Championships on a log in memory: they are played to the end by themselves."""

import asyncio
from contextlib import AsyncExitStack

import pytest
from laelo.table.v1 import table_pb2
from laelo.tournament.v1 import tournament_pb2
from laelo_common.errors import Code, LaeloError
from laelo_common.ids import new_id
from laelo_common.testing.waiting import until
from laelo_tournament.domain.commands import Cancel, Result
from laelo_tournament.domain.public import public, without_matches
from laelo_tournament.domain.weeks import WEEK_MS, week_of

from .house import PLAYERS, House, a_start, begin, until_over
from .memory_records import MemoryRecords
from .self_playing import by_chance
from .story import check_story

GET = tournament_pb2.GetRequest
LIST = tournament_pb2.ListRequest
RANK = tournament_pb2.RankRequest


@pytest.mark.parametrize("tier", PLAYERS)
async def test_a_championship_is_played_to_its_end(tier) -> None:
    house, start = House(), a_start(tier)
    async with house.replica() as replica:
        await begin(replica, start)
        await until_over(replica, start.championship)
    state = await check_story(house, start.championship)
    matches = {8: (6, 7), 16: (14, 15), 32: (30, 31)}
    assert len(state.decided) in matches[PLAYERS[tier]]


@pytest.mark.parametrize("second", [False, True])
async def test_a_second_final_is_played_when_it_is_needed(second: bool) -> None:
    def wins(championship: str, match: str) -> int:
        return int(second) if match == "F1" else by_chance(championship, match)

    house, start = House(wins=wins), a_start()
    async with house.replica() as replica:
        await begin(replica, start)
        await until_over(replica, start.championship)
    state = await check_story(house, start.championship)
    assert ("F2" in state.called) is second


@pytest.mark.parametrize("count", [2, 5])
async def test_replicas_race_and_everything_happens_once(count: int) -> None:
    house = House()
    starts = [a_start() for _ in range(5)]
    async with AsyncExitStack() as stack:
        replicas = [await stack.enter_async_context(house.replica()) for _ in range(count)]
        await asyncio.gather(*(begin(replica, s) for s in starts for replica in replicas))
        for start in starts:
            for replica in replicas:
                await until_over(replica, start.championship)
    for start in starts:
        await check_story(house, start.championship)
    assert isinstance(house.records, MemoryRecords)
    assert sorted(house.records.booked) == sorted(s.championship for s in starts)


async def test_start_is_done_once_and_only_under_its_own_id() -> None:
    house, start = House(), a_start()
    house.tables.holds = True
    async with house.replica() as replica, house.replica() as other:
        await begin(replica, start)
        await begin(replica, start)
        await begin(other, start)
        assert len(await house.story(start.championship)) == 1
        another = a_start(championship=start.championship)
        for one in (replica, other):
            refusal = await one.championships.run(start.championship, another)
            assert refusal is not None
            assert refusal.code == Code.BAD_REQUEST
        with pytest.raises(LaeloError) as refused:
            await replica.championships.run("no id", start)
        assert refused.value.code is Code.BAD_REQUEST


async def test_matches_start_after_the_pause() -> None:
    house, start = House(), a_start()
    async with house.replica() as replica:
        await begin(replica, start)
        state = await until_over(replica, start.championship)
    decided_ms = {team.number: state.started_ms for team in state.teams}
    for commit in await house.story(start.championship):
        result = None
        for event in commit.events:
            if event.HasField("match_decided"):
                result = state.called[event.match_decided.match]
                decided_ms[result.team_a] = decided_ms[result.team_b] = commit.head.time_ms
        for event in commit.events:
            if event.HasField("match_called"):
                call = event.match_called
                free = max(decided_ms[call.team_a], decided_ms[call.team_b])
                assert call.starts_ms == free + house.pause_ms


async def test_cancelled_championships_close_their_tables_and_book_nothing() -> None:
    house, start = House(), a_start()
    house.tables.holds = True
    async with house.replica() as replica, house.replica() as other:
        await begin(replica, start)
        state = replica.mirror.running[start.championship].state
        tables = [call.table for call in state.called.values()]
        await until(lambda: all(house.tables.commits[table] for table in tables))
        cancel = Cancel("the lights went out", "operator-1")
        await house.tables.play(tables[0])
        await until(lambda: "W1-1" in other.mirror.running[start.championship].state.decided)
        assert await other.championships.run(start.championship, cancel) is None
        assert await replica.championships.run(start.championship, cancel) is None
        await until(lambda: len(replica.stewards) == len(other.stewards) == 0)
        ended = [house.tables.commits[table][-1].events[0].table_closed for table in tables]
        assert [one.closing for one in ended] == [4, 5]  # over, cancelled
        refusal = await replica.championships.run(
            start.championship, Result("W1-2", state.called["W1-2"].team_a, 6, 0, 9)
        )
        assert refusal is not None
        assert refusal.code == Code.CHAMPIONSHIP_OVER
        shown = (await replica.championships.get(start.championship)).championship
        assert (shown.reason, len(shown.players)) == (cancel.reason, 8)
        assert shown.stage == tournament_pb2.STAGE_CANCELLED
        async with asyncio.timeout(20):
            await replica.recorder.recorded_to(replica.mirror.position)
        assert not (await replica.championships.rank(RANK())).rows


async def test_a_table_that_opens_too_late_is_closed_all_the_same() -> None:
    """Cancelled while the call that opens a table is still on its way."""
    house, start = House(), a_start()
    house.tables.away = True
    async with house.replica() as replica:
        await begin(replica, start)
        state = replica.mirror.running[start.championship].state
        await replica.championships.run(start.championship, Cancel("why not", "o"))
        house.tables.away = False
        house.tables.holds = True
        await until(lambda: len(house.tables.asked) >= 2)  # the tables were not known yet
        for call in state.called.values():
            options = table_pb2.Options(championship=state.id, match=call.match)
            command = table_pb2.Command(
                table=call.table,
                command="open",
                kind=table_pb2.KIND_OPEN_MATCH,
                options=options,
                people=[table_pb2.Sitting()] * 4,
            )
            await house.tables.submit(command)
        await until(lambda: len(replica.stewards) == 0)
    for call in state.called.values():
        assert house.tables.commits[call.table][-1].events[0].HasField("table_closed")


async def test_tables_that_are_closed_already_are_not_waited_for() -> None:
    house, start = House(), a_start()
    async with house.replica() as replica:
        await begin(replica, start)
        await replica.championships.run(start.championship, Cancel("why not", "o"))
        await until(lambda: len(house.tables.asked) >= 2)
        house.ahead_ms += 10_000
        await until(lambda: len(replica.stewards) == 0)


async def test_while_tables_are_away_matches_wait() -> None:
    house, start = House(), a_start()
    house.tables.away = True
    async with house.replica() as replica:
        await begin(replica, start)
        await asyncio.sleep(0)
        house.tables.away = False
        await until_over(replica, start.championship)
    await check_story(house, start.championship)


async def test_a_table_that_is_refused_is_asked_for_again(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Somebody else's table has the id: nothing goes on, and the log says why."""
    house, start = House(), a_start()
    house.tables.holds = True
    async with house.replica() as replica:
        await begin(replica, start)
        state = replica.mirror.running[start.championship].state
        await until(lambda: sum(map(len, house.tables.commits.values())) == 2)
        options = house.tables.commits[state.called["W1-1"].table][0].events[0].opened.options
        options.match = "another"
        house.memory._streams["TBL"].clear()
    async with house.replica() as replica:
        await until(lambda: "TABLE_EXISTS" in caplog.text)
        assert "W1-1" in caplog.text
        await replica.championships.run(start.championship, Cancel("x", "o"))
        await until(lambda: replica.mirror.running == {})


async def test_a_fault_of_ours_is_logged_and_passes(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    house, start = House(), a_start()
    submit, faults = house.tables.submit, iter(range(3))

    async def faulty(command: table_pb2.Command) -> table_pb2.Update:
        if next(faults, None) is not None:
            raise RuntimeError("a fault of ours")
        return await submit(command)

    monkeypatch.setattr(house.tables, "submit", faulty)
    async with house.replica() as replica:
        await begin(replica, start)
        await until_over(replica, start.championship)
    assert "a fault of ours" in caplog.text
    await check_story(house, start.championship)


async def test_while_the_log_is_away_championships_wait() -> None:
    house, start = House(), a_start()
    async with house.replica() as replica:
        await begin(replica, start)
        house.memory.reachable = False
        with pytest.raises(Exception, match="out of reach"):
            await replica.championships.run(new_id(), a_start())
        house.memory.reachable = True
        house.memory.lose_answers(3)
        await until_over(replica, start.championship)
    await check_story(house, start.championship)


async def test_without_records_championships_go_on_and_are_recorded_later() -> None:
    house, start = House(), a_start()
    records = house.records
    assert isinstance(records, MemoryRecords)
    records.away = True
    async with house.replica() as replica:
        await begin(replica, start)
        await until(lambda: start.championship in replica.mirror.recent)
        with pytest.raises(LaeloError) as refused:
            await replica.championships.rank(RANK())
        assert refused.value.code is Code.TRY_LATER
        shown = await replica.championships.get(start.championship)
        assert shown.championship.champion
        listed = await replica.championships.listed(LIST(running=True))
        assert listed == []
        records.away = False
        state = await until_over(replica, start.championship)
        answer = await replica.championships.rank(RANK(player=start.players[0]))
    assert len(answer.rows) == 8
    assert [row.points for row in answer.rows] == [8, 8, 4, 4, 2, 2, 1, 1]
    assert [row.rank for row in answer.rows] == [1, 1, 3, 3, 5, 5, 7, 7]
    assert answer.own.player == start.players[0]
    assert answer.own in answer.rows
    assert answer.week == week_of(state.ended_ms)
    assert list(answer.weeks) == [answer.week]


async def test_weeks_are_named_by_their_monday() -> None:
    house = House()
    async with house.replica() as replica:
        now = await replica.championships.rank(RANK())
        assert now.week == week_of(house.now_ms())
        before = week_of(house.now_ms() - WEEK_MS)
        assert (await replica.championships.rank(RANK(week=before))).week == before
        for wrong in ("2026-12-01", "monday", "2026-13-07", "2026-11-3"):
            with pytest.raises(LaeloError) as refused:
                await replica.championships.rank(RANK(week=wrong))
            assert refused.value.code is Code.BAD_REQUEST


async def test_championships_are_found_wherever_they_are_kept() -> None:
    house, old, over = House(), a_start(), a_start()
    async with house.replica() as replica:
        for start in (old, over):
            await begin(replica, start)
            await until_over(replica, start.championship)
        house.tables.holds = True
        running = a_start()
        await begin(replica, running)
        del replica.mirror.recent[old.championship]
        states = [await house.state(s.championship) for s in (running, over, old)]
        assert await replica.championships.listed(LIST()) == [
            without_matches(state) for state in states
        ]
        assert len(await replica.championships.listed(LIST(limit=2))) == 2
        before_ms = states[0].started_ms
        older = await replica.championships.listed(LIST(before_ms=before_ms))
        assert older == [without_matches(s) for s in states if s.started_ms < before_ms]
        for start, state in zip((running, over, old), states, strict=True):
            found = await replica.championships.listed(LIST(player=start.players[3]))
            assert [one.id for one in found] == [start.championship]
            shown = await replica.championships.get(start.championship)
            assert shown.championship == public(state)
            assert [entry.player for entry in shown.entries] != list(start.players)
            assert {entry.player for entry in shown.entries} == set(start.players)
        only = await replica.championships.listed(LIST(running=True, player=over.players[0]))
        assert only == []
        house.memory._streams["TRN"][:] = []  # the log has forgotten
        shown = await replica.championships.get(old.championship)
        assert shown.championship == public(states[2])
        with pytest.raises(LaeloError) as refused:
            await replica.championships.get(new_id())
        assert refused.value.code is Code.UNKNOWN_CHAMPIONSHIP


async def test_a_replica_that_comes_late_knows_what_was_before() -> None:
    house, over, cancelled = House(), a_start(), a_start()
    async with house.replica() as replica:
        await begin(replica, over)
        await until_over(replica, over.championship)
        house.tables.holds = True
        await begin(replica, cancelled)
        await replica.championships.run(cancelled.championship, Cancel("x", "o"))
    asked = len(house.tables.asked)
    async with house.replica() as replica:
        assert list(replica.mirror.recent) == [over.championship, cancelled.championship]
        house.ahead_ms += 10_000
        await until(lambda: len(replica.stewards) == 0)
    # Only the cancelled one left something to be done.
    closing = {one.kind for one in house.tables.asked[asked:]}
    assert closing <= {table_pb2.KIND_CANCEL}
