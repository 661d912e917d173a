"""The service in one process: joins, triggers, hand-over, releases, with one and more replicas."""

import asyncio
import random

import pytest
from laelo_common.errors import Code, LaeloError
from laelo_common.log import LogError, Unavailable
from laelo_common.testing.waiting import until
from laelo_matchmaking.domain.outcome import IN_CHAMPIONSHIP
from laelo_matchmaking.store import SNAPSHOT_EVERY, Store

from .kit import BRONZE, GOLD, SILVER, people
from .town import HOUR_MS, PATIENT, Town

AT_ONCE = PATIENT._replace(wait_ms=1)


async def test_thirty_two_start_gold_at_once_and_it_is_handed_over() -> None:
    town = Town()
    async with town.replica() as hall:
        await hall.join_all(people(33))
        await until(lambda: bool(town.called()) and not hall.state.pending)
        (called,) = town.called()
        assert (called.tier, list(called.players)) == (GOLD, people(32))
        assert hall.waiting == ["p033"]
        assert list(town.cups.begun) == [called.championship]
        assert len(town.cups.asked) == 1
        assert hall.app.counts.called == {GOLD: 1}
        assert sum(hall.app.counts.waits.counts) == 32
    town.check()


@pytest.mark.parametrize(("count", "tier"), [(8, BRONZE), (15, BRONZE), (16, SILVER), (31, SILVER)])
async def test_fewer_start_when_the_eighth_has_waited(count: int, tier: int) -> None:
    town = Town()
    async with town.replica() as hall:
        await hall.join_all(people(count))
        size = {BRONZE: 8, SILVER: 16}[tier]
        assert not town.called()
        eighth_ms = hall.state.line[7].joined_ms
        town.ahead_ms = HOUR_MS
        await hall.until(town.called)
        assert town.called()[0].tier == tier
        assert list(town.called()[0].players) == people(size)
        assert town.commits()[count].head.time_ms >= eighth_ms + HOUR_MS
    town.check()


async def test_a_timer_fires_by_itself() -> None:
    town = Town(AT_ONCE._replace(wait_ms=30))
    async with town.replica() as hall:
        await hall.join_all(people(8))
        await until(lambda: bool(town.cups.begun))
        (called,) = [c for c in town.commits() if c.head.command.startswith("call-")]
        assert called.head.time_ms >= town.commits()[7].head.time_ms + 30


async def test_a_replica_that_starts_applies_the_rule_to_what_it_reads() -> None:
    town = Town()
    async with town.replica() as hall:
        await hall.join_all(people(9))
    town.ahead_ms = HOUR_MS
    async with town.replica() as hall:
        await until(lambda: bool(town.cups.begun))
        assert hall.waiting == ["p009"]


@pytest.mark.parametrize("id_first", [False, True])
async def test_replicas_race_and_each_trigger_is_pulled_once(id_first: bool) -> None:
    town = Town(id_first=id_first)
    town.lag_ms = 0
    async with town.replica() as one, town.replica() as two, town.replica() as three:
        everybody = people(32 * 6 + 5)
        await asyncio.gather(
            *(random.choice((one, two, three)).join(player) for player in everybody)
        )
        await until(lambda: len(town.cups.begun) == 6 and not one.state.pending)
        assert len(town.called()) == 6
        placed = [player for called in town.called() for player in called.players]
        assert sorted(placed + [p.player for p in town.state().line]) == everybody
        await until(lambda: one.state == two.state == three.state)
    town.check()


async def test_who_is_first_acts_and_the_others_hold_back() -> None:
    town = Town(AT_ONCE)
    town.lag_ms = HOUR_MS
    async with town.replica() as one, town.replica() as two:
        await one.join_all(people(8))
        await until(lambda: not one.state.pending and bool(town.cups.begun))
        assert len(town.cups.asked) == 1
        assert two.app.counts.commits == 0


async def test_a_command_sent_to_two_replicas_is_done_once() -> None:
    town = Town()
    async with town.replica() as one, town.replica() as two:
        results = await asyncio.gather(
            *(hall.join("ana", "same") for hall in (one, two, one, two, one))
        )
        assert results == [None] * 5
        assert len(town.commits()) == 1


async def test_a_replica_that_is_behind_does_not_say_that_nothing_is_to_be_done() -> None:
    """Joined here, left there: joining again here must not be taken for joining twice."""
    town = Town()
    async with town.replica() as one, town.replica() as two:
        await one.join("ana")
        await two.store.close()
        await two.store.read()
        await one.leave("ana")
        assert two.waiting == ["ana"]
        await two.join("ana")
        assert [place.player for place in town.state().line] == ["ana"]


async def test_who_plays_is_refused_until_the_team_is_out() -> None:
    town = Town(AT_ONCE)
    async with town.replica() as one, town.replica() as two:
        await one.join_all(people(8))
        await until(lambda: not one.state.pending and bool(town.cups.begun))
        (cup,) = town.cups.begun
        assert await one.join("p001") == IN_CHAMPIONSHIP
        assert one.app.counts.refused == 1
        await town.cups.put_out(cup, 1, 3)
        await until(lambda: len(one.state.busy) == len(two.state.busy) == 4)
        await one.join_all(["p001", "p006"])
        assert await two.join("p003") == IN_CHAMPIONSHIP
        await town.cups.end(cup)
        await until(lambda: not one.state.busy)
        await two.join("p003")
        assert one.state.sequence == 3
        assert town.kinds().count("released") == 2
    town.check()


async def test_a_cancelled_championship_gives_the_old_places_back() -> None:
    town = Town(AT_ONCE)
    async with town.replica() as hall:
        await hall.join_all(people(8))
        await until(lambda: not hall.state.pending and bool(town.cups.begun))
        await hall.join_all(["late"])
        (cup,) = town.cups.begun
        await town.cups.cancel(cup)
        await until(lambda: not hall.state.busy)
        await hall.join_all(["p008", "p002"])
        assert hall.waiting == ["p002", "p008", "late"]


async def test_releases_go_on_where_the_log_of_the_queue_stands() -> None:
    town = Town(AT_ONCE)
    async with town.replica() as hall:
        await hall.join_all(people(8))
        await until(lambda: not hall.state.pending and bool(town.cups.begun))
        (cup,) = town.cups.begun
        await town.cups.put_out(cup, 1)
        await until(lambda: len(hall.state.busy) == 6)
    await town.cups.put_out(cup, 2)
    await town.cups.put_out(cup, 4)
    async with town.replica() as hall:
        await until(lambda: sorted(hall.state.busy) == ["p005", "p006"])
        assert hall.state.sequence == 4


async def test_the_tournament_is_asked_until_it_answers() -> None:
    town = Town(AT_ONCE)
    town.cups.away = True
    async with town.replica() as hall:
        await hall.join_all(people(8))
        await until(lambda: hall.house.failed.value >= 2)
        assert hall.state.pending
        town.cups.away = False
        await until(lambda: not hall.state.pending)
        assert len(town.cups.asked) > 2
        assert len({bytes(r.SerializeToString()) for r in town.cups.asked}) == 1


async def test_what_was_pending_is_handed_over_by_a_replica_that_starts() -> None:
    town = Town(AT_ONCE)
    town.cups.away = True
    async with town.replica() as hall:
        await hall.join_all(people(8))
        await until(lambda: bool(town.cups.asked))
    town.cups.away = False
    async with town.replica() as hall:
        await until(lambda: not hall.state.pending)
    town.check()


async def test_while_the_log_is_away_nothing_is_done_and_nothing_lost() -> None:
    town = Town()
    async with town.replica() as hall:
        await hall.join_all(people(8))
        town.log.reachable = False
        with pytest.raises(Unavailable):
            await hall.join("p009")
        town.ahead_ms = HOUR_MS
        hall.house.look()
        await hall.until(lambda: hall.house.failed.value)
        assert hall.waiting == people(8)
        town.log.reachable = True
        await until(lambda: bool(town.cups.begun))
    town.check()


async def test_a_lost_answer_is_found_in_the_log() -> None:
    town = Town()
    async with town.replica() as hall:
        town.log.lose_answers(1)
        assert await hall.join("ana", "x") is None
        assert await hall.join("ana", "x") is None
        assert len(town.commits()) == 1


async def test_too_many_at_once_are_refused_and_told_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("laelo_matchmaking.app.MOST_WAITING", 3)
    town = Town()
    async with town.replica() as hall:
        joins = (hall.join(player) for player in people(5))
        results = await asyncio.gather(*joins, return_exceptions=True)
        refused = [r for r in results if isinstance(r, LaeloError)]
        assert [error.code for error in refused] == [Code.OVERLOADED] * 2
        await hall.join_all(people(5))
        assert len(hall.waiting) == 5


async def test_a_load_reads_a_snapshot_and_what_follows_it() -> None:
    town = Town()
    async with town.replica() as hall:
        for player in people(SNAPSHOT_EVERY):
            await hall.join(player)
            await hall.leave(player)
        await hall.join_all(people(3))
        loaded = await town.log.load(hall.store.aggregate)
        assert loaded.snapshot is not None
        assert len(loaded.commits) == 3
    async with town.replica() as again:
        assert again.state == hall.state == town.state()
        assert again.store.digest == hall.store.digest
        assert not again.store.is_first


async def test_a_commit_that_does_not_follow_is_a_fault() -> None:
    town = Town()
    async with town.replica() as hall:
        await hall.join_all(people(2))
    store = Store(town.log)
    with pytest.raises(RuntimeError, match="version 2 after 0"):
        store.take_in(town.recorded()[1])


async def test_a_start_without_a_log_says_so() -> None:
    town = Town(PATIENT)
    town.log.reachable = False
    with pytest.raises(LogError):
        await town.open()
