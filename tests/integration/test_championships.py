"""Championships through the whole house: they start by themselves, and are played to the points.

Two replicas of every service that knows of them, two gateways, all times a fiftieth.
"""

import asyncio
import sys
from collections import Counter
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from laelo.tournament.v1 import tournament_pb2
from laelo_tools.platform import Options, Platform

from .crowd import (
    Crowd,
    Member,
    championship,
    checked,
    ended,
    eventually,
    get,
    join_in_turn,
    nobody_in_limbo,
    queue,
)

pytestmark = [pytest.mark.integration, pytest.mark.asyncio(loop_scope="module")]

SCALE = 0.02
WAIT_MS = 180_000 * SCALE
OPTIONS = Options(
    port=0,
    sync="default",
    pause_ms=0,
    tables=2,
    tournaments=2,
    matchmaking=2,
    gateways=2,
    clock_scale=SCALE,
)
POINTS = {
    "gold": [1] * 8 + [2] * 8 + [4] * 4 + [8] * 4 + [16] * 2 + [32] * 2 + [64] * 2 + [128] * 2,
    "silver": [1] * 4 + [2] * 4 + [4] * 2 + [8] * 2 + [16] * 2 + [32] * 2,
    "bronze": [1] * 2 + [2] * 2 + [4] * 2 + [8] * 2,
}


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def platform() -> AsyncIterator[Platform]:
    async with Platform(OPTIONS) as running:
        yield running


async def started(members: list[Member], tier: str) -> str:
    """Wait until all of them are called to one and the same championship; its id."""
    for member in members:
        await member.until(lambda m=member: m.call, 60)  # type: ignore[misc]
    calls = [member.call for member in members]
    assert {call["tier"] for call in calls if call} == {tier}
    (name,) = {call["championship"] for call in calls if call}
    return str(name)


async def play_to_the_points(platform: Platform, members: list[Member], tier: str) -> None:
    """All of them are called, play on to the end, and what is booked is what the rules say."""
    name = await started(members, tier)
    await ended(members)
    bracket = await get(platform.url, f"/api/brackets/{name}")
    assert sorted(team["points"] for team in bracket["teams"] for _ in (0, 1)) == POINTS[tier]
    names = Counter(name for team in bracket["teams"] for name in team["names"])
    assert names == Counter(member.name for member in members)
    for member in members:
        assert member.refused == []
        assert member.team["names"][0] in names
    wanted = {n: team["points"] for team in bracket["teams"] for n in team["names"]}
    await eventually(lambda: _booked(platform, wanted))
    report = await checked(platform, name)
    assert report.faults == []
    assert report.tables == len(bracket["matches"])


async def _booked(platform: Platform, wanted: dict[str, int]) -> bool:
    ranking = await get(platform.url, "/api/ranking")
    points = {row["name"]: row["points"] for row in ranking["rows"]}
    return {name: points.get(name) for name in wanted} == wanted


async def test_whoever_comes_plays_and_who_is_left_over_keeps_the_place(platform: Platform) -> None:
    """Of 47 people 32 play at once, 8 of the others after the wait, and 7 wait on for 9 more."""
    async with Crowd(platform, "Gente") as crowd:
        people = await crowd.come(47)
        await join_in_turn(people)
        gold, bronze, left = people[:32], people[32:40], people[40:]
        await started(gold, "gold")
        waiting = (await queue(platform)).queue.places
        assert len(waiting) == 15, "gold starts with the first 32, before any time has run"
        await play_to_the_points(platform, bronze, "bronze")
        began = (await championship(platform, bronze[0].bracket["id"])).championship.started_ms
        assert began >= waiting[7].joined_ms + WAIT_MS
        shown = (await queue(platform, 2)).queue
        assert [(p.player, p.joined_ms) for p in shown.places] == [
            (p.player, p.joined_ms) for p in waiting[8:]
        ]
        assert shown.next_ms == 0
        for ahead, member in enumerate(left):
            await member.until(lambda m=member, a=ahead: m.ahead == a, 20)  # type: ignore[misc]

        await play_to_the_points(platform, gold, "gold")
        later = await crowd.come(9)
        await join_in_turn(later)
        eighth = (await queue(platform)).queue.places[7]
        await play_to_the_points(platform, [*left, *later], "silver")
        began = (await championship(platform, left[0].bracket["id"])).championship.started_ms
        assert began >= eighth.joined_ms + WAIT_MS
        await nobody_in_limbo(platform)


async def test_who_plays_cannot_be_deleted_and_is_no_name_afterwards(platform: Platform) -> None:
    async with Crowd(platform, "Saída") as crowd:
        people = await crowd.come(8)
        await join_in_turn(people)
        name = await started(people, "bronze")
        goes = people[3]
        answer = await goes.delete_account()
        assert (answer.status_code, answer.json()["code"]) == (409, "IN_CHAMPIONSHIP")
        await ended(people)
        points = goes.team["points"]
        await eventually(lambda: _booked(platform, {goes.name: points}))
        answer = await goes.delete_account()
        assert answer.status_code == 200, answer.text
        rows = (await get(goes.http, "/api/ranking"))["rows"]
        assert [row["points"] for row in rows if not row["name"]] == [points]
        assert goes.name not in {row["name"] for row in rows}
        bracket = await get(goes.http, f"/api/brackets/{name}")
        shown = [n for team in bracket["teams"] for n in team["names"]]
        assert sorted(shown) == sorted(["", *(m.name for m in people if m is not goes)])


async def test_an_operator_cancels_one_and_all_are_told(platform: Platform) -> None:
    """Who joins again has the old place, before whoever came meanwhile; the wait counts anew."""
    async with Crowd(platform, "Parada") as crowd:
        people = await crowd.come(8)
        stranger, *_ = await crowd.come(1)
        await join_in_turn(people)
        name = await started(people, "bronze")
        for member in people:
            assert member.call is not None
        await cancel(platform, name, "a casa caiu")
        await ended(people)
        for member in people:
            assert member.bracket["stage"] == "cancelled"
            assert member.bracket["reason"] == "a casa caiu"
            assert member.bracket["seed"]
        report = await checked(platform, name)
        assert report.faults == []
        assert report.state.stage == tournament_pb2.STAGE_CANCELLED

        await nobody_in_limbo(platform)
        await stranger.join()
        await join_in_turn([people[5], people[0], people[7], people[2]])
        for ahead, member in enumerate((people[0], people[2], people[5], people[7], stranger)):
            await member.until(lambda m=member, a=ahead: m.ahead == a, 20)  # type: ignore[misc]
        await join_in_turn([people[1], people[3], people[4]])
        again = [*people[:6], people[7], stranger]
        places = (await queue(platform)).queue.places
        for member in people:
            member.call = None
        second = await started(again, "bronze")
        began = (await championship(platform, second)).championship.started_ms
        assert began >= places[7].joined_ms + WAIT_MS
        await cancel(platform, second, "e parou de novo")
        await nobody_in_limbo(platform)


async def cancel(platform: Platform, name: str, reason: str) -> None:
    """As an operator does it."""
    where = ("--address", platform.addresses["tournament-2"])
    await laelo("championships", "cancel", name, "--reason", reason, *where)


async def test_bots_fill_one_from_the_command_line(platform: Platform) -> None:
    said = await laelo("bots", "join", "8", "--think", "0", "--url", platform.url)
    assert said[0] == "8 bots wait in the queue; Ctrl-C takes them away"
    assert sorted(line.partition(": ")[2] for line in said[1:]) == sorted(
        2 * ["place 1, 8 points", "place 2, 4 points", "place 3, 2 points", "place 4, 1 point"]
    )
    await nobody_in_limbo(platform)
    tournament, nats = platform.addresses["tournament-1"], platform.nats_url
    newest, *_ = await laelo("championships", "list", "--address", tournament)
    name, tier, *_ = newest.split()
    assert tier == "bronze"
    assert "over, champion is team" in newest
    story = await laelo("championships", "show", name, "--nats", nats)
    assert story[0] == f"championship {name}"
    assert "it is over" in story[-1]
    said = await laelo("championships", "verify", name, "--nats", nats)
    assert said[-1] == "1 championships good, 0 wrong"
    said = await laelo("queue", "--address", platform.addresses["matchmaking-1"])
    assert said == ["0 people in the queue", "0 people in championships"]


async def laelo(*argv: str) -> list[str]:
    """The lines that the command prints; it has to end well."""
    program = (sys.executable, "-m", "laelo_tools.cli", *argv)
    process = await asyncio.create_subprocess_exec(*program, stdout=asyncio.subprocess.PIPE)
    said, _ = await process.communicate()
    assert process.returncode == 0
    return said.decode().splitlines()
