"""seed-leak: nobody learns a seed before its hand is over, and no seed can be guessed.

Seen elsewhere: boardgameio/boardgame.io#233. No byte that leaves the table service or the
gateway and no line of a log holds a seed that is not revealed yet; no two hands have the
same, though services are killed in between; and the order that seeds make passes a
chi-squared test.
"""

import asyncio
import base64
import json
import logging
from contextlib import AsyncExitStack
from hashlib import sha256
from typing import NamedTuple

import pytest
from laelo.table.v1 import events_pb2, table_pb2
from laelo_table.domain.shuffle import deal_order
from laelo_tools.history.source import histories
from laelo_tools.platform import Options, Platform

from services.table.tests.house import House
from tests.faults.acting import ready_to_act
from tests.faults.chance import chi_squared, probability
from tests.integration.player import Player

pytestmark = [pytest.mark.faults, pytest.mark.integration]

DEALS = 10_000
TILES = 28
LEAST_P = 0.001
MATCHES = 4


class Secret(NamedTuple):
    """A seed, and the version of the commit that reveals it; 0 = none yet."""

    seed: bytes
    revealed: int

    def is_in(self, data: bytes) -> bool:
        """Whether the seed is there, however it may be written."""
        lower = data.lower()
        return (
            self.seed in data
            or self.seed.hex().encode() in lower
            or base64.b64encode(self.seed)[:-1] in data
            or base64.urlsafe_b64encode(self.seed)[:-1] in data
        )


def secrets_of(commits: list[events_pb2.Commit]) -> list[Secret]:
    """All seeds that a table's log holds."""
    revealed = {
        event.hand_ended.seed: commit.head.version
        for commit in commits
        for event in commit.events
        if event.HasField("hand_ended")
    }
    return [
        Secret(event.deal_committed.seed, revealed.get(event.deal_committed.seed, 0))
        for commit in commits
        for event in commit.events
        if event.HasField("deal_committed")
    ]


# The bytes that leave.


async def test_nothing_leaves_the_table_service_before_the_hand_is_over(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.DEBUG)
    house = House()
    async with house.replica() as home:
        await home.open(2)
        await home.must(table_pb2.KIND_WATCH, "")
        await home.start()
        while (await ready_to_act(home)).match_end is None:
            state = await home.state()
            if state.begun is not None and state.seats[state.begun.seat].player:
                await home.move()
                await home.must(table_pb2.KIND_WATCH, "ana")
            else:
                await home.listener.until_seq(state.version + 1)
        updates = home.listener.updates
    secrets = secrets_of(house.commits())
    assert len([secret for secret in secrets if secret.revealed]) > 2
    for secret in secrets:
        for update in updates:
            if not secret.revealed or update.seq < secret.revealed:
                assert not secret.is_in(update.SerializeToString())
        assert not any(secret.is_in(view.SerializeToString()) for view in house.views)
        assert not secret.is_in(caplog.text.encode())
    shown = b"".join(view.frame for update in updates for view in update.views)
    assert all(secret.is_in(shown) for secret in secrets if secret.revealed), "revealed at last"


async def test_nothing_leaves_the_platform_and_no_seed_comes_twice() -> None:
    lines: list[str] = []
    env = {
        service: {f"LAELO_{service.upper()}_LOG_LEVEL": "debug"}
        for service in ("table", "gateway", "rules", "bots")
    }
    options = Options(port=0, pause_ms=0, bot_delay_ms="0", tables=2, env=env)
    seeds: list[bytes] = []
    async with AsyncExitStack() as stack:
        platform = await stack.enter_async_context(
            Platform(options, echo=lambda _, text: lines.append(text))
        )
        heard: list[tuple[str, Player]] = []
        for match in range(MATCHES):
            async with (
                Player(platform.url, "Ana", match) as ana,
                Player(platform.url, "Edu") as edu,
            ):
                table = edu.table = await ana.create()
                await edu.ask("watch")
                await ana.start()
                await ana.until(lambda ana=ana: ana.seq > 10)  # type: ignore[misc]
                await asyncio.gather(restart(platform, "table-1"), restart(platform, "table-2"))
                await asyncio.gather(ana.played(1), edu.played(1))
            heard += [(table, ana), (table, edu)]
        async with histories(platform.nats_url) as log:
            logged = {table: (await log.of(table))[0] for table, _ in heard}
    written = "\n".join(lines).encode()
    for table, player in heard:
        commits = [events_pb2.Commit.FromString(record.data) for record in logged[table]]
        secrets = secrets_of(commits)
        seeds += [secret.seed for secret in secrets] if player.name == "Ana" else []
        for secret in secrets:
            assert not secret.is_in(written)
            check_heard(player.heard, secret)
    assert len(seeds) > MATCHES * 3
    assert len(set(seeds)) == len(seeds)
    assert {len(seed) for seed in seeds} == {32}


async def restart(platform: Platform, name: str) -> None:
    await platform.kill(name)
    await platform.restart(name)


def check_heard(frames: list[str], secret: Secret) -> None:
    """The seed is in no frame before the one that reveals it, and in none without a number."""
    for text in frames:
        if secret.is_in(text.encode()):
            assert secret.revealed
            assert json.loads(text).get("seq", 0) >= secret.revealed


# The order of the tiles.


def fixed_seed(number: int) -> bytes:
    return sha256(f"deal {number}".encode()).digest()


def order_of(number: int, adding: int) -> bytes:
    """The order that a fixed seed makes, with what so many clients added."""
    added = {seat: fixed_seed(number + DEALS)[seat : seat + 16] for seat in range(adding)}
    return deal_order(fixed_seed(number), added)


@pytest.mark.parametrize("adding", [0, 3])
def test_every_tile_comes_to_every_place_equally_often(adding: int) -> None:
    counts = [[0] * TILES for _ in range(TILES)]
    for number in range(DEALS):
        for place, tile in enumerate(order_of(number, adding)):
            counts[place][tile] += 1
    # Both sums of rows and of columns are given.
    assert probability(chi_squared(counts), (TILES - 1) ** 2) > LEAST_P


@pytest.mark.parametrize("adding", [0, 3])
def test_which_two_tiles_lie_together_is_as_likely_for_all(adding: int) -> None:
    counts = [[0] * TILES for _ in range(TILES)]
    for number in range(DEALS):
        order = order_of(number, adding)
        counts[order[0]][order[1]] += 1
    pairs = [count for a, row in enumerate(counts) for b, count in enumerate(row) if a != b]
    assert sum(counts[tile][tile] for tile in range(TILES)) == 0
    assert probability(chi_squared([pairs]), len(pairs) - 1) > LEAST_P


def test_the_measure_finds_a_shuffle_that_is_a_little_uneven() -> None:
    counts = [[0] * TILES for _ in range(TILES)]
    for number in range(DEALS):
        order = order_of(number, 0)
        if number % 20 == 0:
            order = bytes(sorted(order))
        for place, tile in enumerate(order):
            counts[place][tile] += 1
    assert probability(chi_squared(counts), (TILES - 1) ** 2) < LEAST_P
