"""A slice of `make hostile`: frames, requests and calls that nobody honest sends.

The whole is a million of them, `python -m tests.security.hostile.run`; its figures are in
bench/results/hostile.json.
"""

import asyncio
import json
import os
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import grpc
import grpc.aio
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from laelo_gateway.testing.gateway import gateway_of
from laelo_gateway.testing.tables import replicas

from tests.security.hostile.attack import Plan, attack
from tests.security.hostile.callers import Caller, Method, methods
from tests.security.hostile.cheats import Asked, Cheat
from tests.security.hostile.frames import Scene
from tests.security.hostile.house import house
from tests.security.hostile.tally import Tally

ROOT = Path(__file__).resolve().parents[2]
SLICE = int(os.environ.get("LAELO_HOSTILE_SLICE", "20000"))
FRAMES = 120
MILLION = 1_000_000


@pytest.fixture(scope="module")
def runner() -> Iterator[asyncio.Runner]:
    with asyncio.Runner() as made:
        yield made


# What a cheat does next depends on what it hears, so only the seed is drawn.
SEEDS = st.integers(0, 2**32)


@given(SEEDS)
@settings(max_examples=15, suppress_health_check=list(HealthCheck))
def test_a_gateway_answers_whatever_a_cheat_says(runner: asyncio.Runner, seed: int) -> None:
    """Over a real socket, with tables that answer as tables do; all in this process."""

    async def example() -> None:
        async with replicas(1) as started, gateway_of([started[0].address]) as gateway:
            tally = Tally()
            scene = Scene(Random(seed), [], [])
            await Cheat(gateway.port, scene, tally, Asked()).attack(FRAMES)
            assert tally.faults == []
            assert tally.sent["frames"] >= FRAMES

    runner.run(example())


@pytest.mark.slow
@pytest.mark.integration
async def test_a_house_stands_what_is_thrown_at_it() -> None:
    async with house(many=True) as held:
        outcome = await attack(held, Plan(SLICE, seed=1))
        assert outcome.faults == []
        assert outcome.total >= SLICE * 0.95
        assert outcome.log["of_people"] > 0, "among all that some is done"


@pytest.mark.slow
@pytest.mark.integration
def test_every_method_answers_any_message(runner: asyncio.Runner) -> None:
    """Of every proto: with a status that docs/errors.md has, and none that tells of a fault."""
    served = house(many=True)
    held = runner.run(served.__aenter__())
    found = [one for one in methods() if f"{one.service}-1" in held.platform.addresses]
    assert {one.service for one in found} == {one.service for one in methods()}

    async def example(method: Method, chance: Random) -> None:
        address = held.platform.addresses[f"{method.service}-1"]
        async with grpc.aio.insecure_channel(address) as channel:
            tally = Tally()
            await Caller(channel, chance, tally).attack(method, 3)
            assert tally.faults == []

    @given(st.sampled_from(found), SEEDS)
    @settings(max_examples=40)
    def any_message(method: Method, seed: int) -> None:
        runner.run(example(method, Random(seed)))

    try:
        any_message()
        assert held.bad_lines == []
    finally:
        runner.run(served.__aexit__(None, None, None))


def test_the_figures_are_those_of_a_whole_run() -> None:
    """A million, and nothing that was found is left."""
    told: dict[str, Any] = json.loads((ROOT / "bench/results/hostile.json").read_text("utf-8"))
    assert told["faults"] == []
    assert sum(told["sent"].values()) >= MILLION
    assert told["log"]["archived"] >= told["log"]["commits"] > 0
