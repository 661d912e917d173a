"""R34's grace: who is away, back or gone, as several gateways and replicas see it."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from laelo_common.testing.waiting import until
from laelo_matchmaking.domain.commands import MarkAway, MarkBack, TakeOut
from laelo_matchmaking.domain.duties import Doubt, Sight, look
from laelo_matchmaking.domain.state import Times

from .kit import GONE, START_MS, TIMES, Line, people
from .town import DAY_MS, HOUR_MS, Hall, Town

MINUTES = Times(wait_ms=DAY_MS, grace_ms=3_600_000, lost_ms=180_000, vouch_ms=300_000)
"""An hour of grace, so that only time that a test makes goes by."""


def away(hall: Hall) -> list[str]:
    """Who is away, as the log tells it."""
    return [place.player for place in hall.state.line if place.away_ms]


def events(town: Town, kind: str) -> list[Any]:
    """All events of a kind."""
    return [getattr(e, kind) for c in town.commits() for e in c.events if e.HasField(kind)]  # type: ignore[arg-type]


async def test_who_is_lost_is_away_after_a_moment_and_gone_after_the_grace() -> None:
    town = Town(MINUTES)
    async with town.replica() as hall:
        hall.people.came("g1", ("ana", "bia", "spectator"))
        await hall.join_all(["ana", "bia"])
        lost_ms = town.now_ms()
        hall.people.went("g1", ("bia", "spectator"))
        town.ahead_ms += MINUTES.lost_ms
        await hall.until(lambda: away(hall))
        (event,) = events(town, "away")
        assert list(event.players) == ["bia"]
        assert lost_ms <= event.since_ms < lost_ms + MINUTES.lost_ms
        town.ahead_ms += MINUTES.grace_ms
        await hall.until(lambda: len(hall.waiting) == 1)
        assert [(e.player, e.leaving) for e in events(town, "left")] == [("bia", GONE)]
        assert hall.waiting == ["ana"]


async def test_who_comes_back_within_the_grace_keeps_the_place() -> None:
    town = Town(MINUTES)
    async with town.replica() as hall:
        hall.people.came("g1", ("ana", "bia"))
        await hall.join_all(["ana", "bia"])
        hall.people.ended("g1")
        town.ahead_ms += MINUTES.lost_ms
        await hall.until(lambda: away(hall) == ["ana", "bia"])
        (event,) = events(town, "away")
        assert list(event.players) == ["ana", "bia"]
        hall.people.came("g2", ("ana",))
        await hall.until(lambda: away(hall) == ["bia"])
        town.ahead_ms += MINUTES.grace_ms
        await hall.until(lambda: hall.waiting == ["ana"])
        town.ahead_ms += DAY_MS // 2
        hall.house.look()
        await hall.join_all(["caio"])
        assert hall.waiting == ["ana", "caio"]


async def test_a_short_drop_and_a_second_window_are_no_news() -> None:
    town = Town(MINUTES)
    async with town.replica() as hall:
        hall.people.came("g1", ("ana", "bia"))
        hall.people.came("g2", ("bia",))
        await hall.join_all(["ana", "bia", "caio"])
        hall.people.went("g1", ("ana",))
        hall.people.came("g1", ("ana",))
        hall.people.came("g1", ("ana",))
        hall.people.ended("g2")
        hall.people.ended("g2")
        hall.people.went("g1", ("nobody",))
        assert sorted(hall.people.sight.doubts) == ["caio"]
        assert sorted(hall.people.sight.arrived) == ["ana", "bia"]
        town.ahead_ms += MINUTES.vouch_ms
        await hall.until(lambda: away(hall))
        assert away(hall) == ["caio"]


async def test_whom_one_replica_sees_is_not_taken_out_by_another() -> None:
    """A gateway reaches only one of two replicas: what the other misses is put right at once."""
    town = Town(MINUTES)
    async with town.replica() as one, town.replica() as two:
        one.people.came("g1", ("ana",))
        await one.join_all(["ana"])
        await until(lambda: two.waiting == ["ana"])
        town.ahead_ms += MINUTES.vouch_ms
        await two.until(lambda: events(town, "away"))
        await one.until(lambda: not away(one))
        await until(lambda: not away(two))
        town.ahead_ms += MINUTES.vouch_ms + MINUTES.lost_ms
        two.house.look()
        one.house.look()
        await one.join_all(["bia"])
        assert len(events(town, "away")) == len(events(town, "back")) == 1
        assert one.waiting == ["ana", "bia"]


async def test_whom_one_replica_sees_is_not_taken_out_however_long_another_does_not() -> None:
    """Each grace the other says anew that they are away, and hears in time that they are not."""
    town = Town(MINUTES)
    async with town.replica() as one, town.replica() as two:
        one.people.came("g1", ("ana",))
        await one.join_all(["ana"])
        await until(lambda: two.waiting == ["ana"])
        town.ahead_ms += MINUTES.vouch_ms
        for times in range(1, 4):
            await two.until(lambda t=times: len(events(town, "away")) >= t)  # type: ignore[misc]
            await one.until(lambda t=times: len(events(town, "back")) >= t or not one.waiting)  # type: ignore[misc]
            assert one.waiting == ["ana"]
            await until(lambda: two.state == one.state)
            town.ahead_ms += MINUTES.grace_ms


async def test_a_replica_that_dies_takes_nobody_with_it() -> None:
    town = Town(MINUTES)
    async with town.replica() as two:
        two.people.came("g1", ("ana",))
        async with town.replica() as one:
            one.people.came("g1", ("ana",))
            await one.join_all(["ana", "bia"])
        await until(lambda: two.waiting == ["ana", "bia"])
        two.people.came("g1", ("bia",))
        town.ahead_ms += MINUTES.vouch_ms
        two.house.look()
        await two.join_all(["caio"])
        assert not events(town, "away")


async def test_after_a_restart_only_those_are_away_for_whom_nobody_vouches() -> None:
    town = Town(MINUTES)
    async with town.replica() as hall:
        hall.people.came("g1", people(3))
        await hall.join_all(people(3))
    async with town.replica() as hall:
        begun_ms = town.now_ms()
        hall.people.came("g1", ("p001", "p003"))
        town.ahead_ms += MINUTES.vouch_ms
        await hall.until(lambda: away(hall))
        assert away(hall) == ["p002"]
        assert abs(events(town, "away")[0].since_ms - begun_ms) < HOUR_MS


async def test_the_time_in_which_nobody_served_is_given_back() -> None:
    town = Town(MINUTES)
    async with town.replica() as hall:
        await hall.join_all(["ana"])
        town.ahead_ms += MINUTES.vouch_ms
        await hall.until(lambda: away(hall))
    town.ahead_ms += DAY_MS
    async with town.replica() as hall:
        town.ahead_ms += MINUTES.grace_ms - 60_000
        hall.house.look()
        await hall.join_all(["bia"])
        assert hall.waiting == ["ana", "bia"]
        hall.people.came("g1", ("ana",))
        await hall.until(lambda: not away(hall))
        assert not events(town, "left")


async def test_who_was_called_is_no_more_looked_after() -> None:
    town = Town(MINUTES)
    async with town.replica() as hall:
        await hall.join_all(people(32))
        await until(lambda: bool(town.cups.begun))
        assert not hall.people.sight.doubts


PLAYERS = people(6)


@given(
    st.sets(st.sampled_from(PLAYERS)),
    st.dictionaries(st.sampled_from(PLAYERS), st.integers(0, 200_000)),
    st.dictionaries(st.sampled_from(PLAYERS), st.integers(0, 200_000)),
    st.integers(0, 400_000),
)
def test_looking_again_and_again_ends_with_nothing_to_do(
    gone_before: set[str], arrived: dict[str, int], doubted: dict[str, int], after_ms: int
) -> None:
    line = Line().join(*PLAYERS)
    if gone_before:
        line.must(MarkAway(6, tuple((player, START_MS) for player in sorted(gone_before))))
    here = {player: START_MS + at for player, at in arrived.items()}
    doubts = {
        player: Doubt(START_MS + at, START_MS + at + TIMES.lost_ms)
        for player, at in doubted.items()
        if player not in here
    }
    line.now_ms = START_MS + after_ms
    found = look(line.state, Sight(START_MS, here, doubts), TIMES, line.now_ms)
    kinds = []
    while found.command is not None:
        kinds.append(type(found.command))
        line.must(found.command)
        found = look(line.state, Sight(START_MS, here, doubts), TIMES, line.now_ms)
    order = [MarkBack, MarkAway, TakeOut]
    assert kinds == sorted(kinds, key=order.index), "who is back is not taken out"
    for place in line.state.line:
        settled = here.get(place.player, line.now_ms + 1) > line.now_ms
        assert not place.away_ms or settled
        assert place.player not in here or here[place.player] > line.now_ms or not place.away_ms
    assert found.again_ms is None or found.again_ms > line.now_ms
    lost = set(PLAYERS) - set(line.waiting())
    assert lost <= (gone_before | doubts.keys()) - here.keys()
