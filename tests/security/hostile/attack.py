"""All attacks on one house at once, and the verdict."""

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Any, Final, NamedTuple

import grpc.aio
from laelo_common.stream import CLIENT_OPTIONS

from tests.security.hostile.browsers import Browser
from tests.security.hostile.callers import Caller, Method, methods
from tests.security.hostile.cheats import Asked, Cheat
from tests.security.hostile.frames import Scene
from tests.security.hostile.house import House, account
from tests.security.hostile.tally import Tally

CHEATS: Final = 8
BROWSERS: Final = 3
CALLERS: Final = 2
SHARES: Final = {"frames": 0.80, "requests": 0.08, "calls": 0.12}
"""Of all that is sent."""
_WEIGHTS: Final = {"Connect": 12, "Watch": 0.2, "Follow": 0.05, "Attend": 0.2, "JudgeMany": 0.1}
"""A stream carries many; what goes on for ever is looked at for a moment. Others count 1."""
ACCOUNTS: Final = 4


@dataclass
class Outcome:
    """What happened; all is well if `faults` is empty."""

    sent: dict[str, int]
    answers: dict[str, int]
    seconds: float
    memory: list[dict[str, float]]
    log: dict[str, int]
    faults: list[str] = field(default_factory=list)

    @property
    def total(self) -> int:
        """All that was sent."""
        return sum(self.sent.values())


class Plan(NamedTuple):
    """So many, by this seed; fewer if the time is up before."""

    many: int
    seed: int
    seconds: float = 0.0
    """0 = as long as it takes."""


async def attack(
    house: House, plan: Plan, on_sent: Callable[[int], None] = lambda _: None
) -> Outcome:
    """Send hostile frames and requests, then look at everything."""
    many = plan.many
    memory = [house.memory()]
    done = 0

    def sent(more: int) -> None:
        nonlocal done
        done += more
        on_sent(more)
        if done * 10 >= many * len(memory):
            memory.append(house.memory())

    tally, asked, chance = Tally(sent), Asked(), Random(plan.seed)
    began = time.monotonic()
    loop = asyncio.get_running_loop()
    if plan.seconds:
        loop.call_later(plan.seconds, setattr, tally, "is_over", True)
    await asyncio.gather(
        _cheats(house, round(many * SHARES["frames"]), chance, tally, asked),
        _browsers(house, round(many * SHARES["requests"]), chance, tally),
        _callers(house, round(many * SHARES["calls"]), chance, tally),
    )
    seconds = time.monotonic() - began
    memory.append(house.memory())
    after = await house.seen()
    faults = [*tally.faults]
    if after["d"] != house.before["d"]:
        told = [name for name in after["d"] if after["d"][name] != house.before["d"].get(name)]
        faults.append(f"the honest table has changed in {told}: {house.before} is now {after}")
    running = house.platform.pids
    faults += [f"{name} is gone" for name in memory[0] if name not in running]
    await house.finish()
    log, wrong = await house.check(asked)
    if "archive-1" in running:
        log["archived"], odd = await house.archived(log["commits"])
        if odd or log["archived"] < log["commits"]:
            faults.append(f"of {log['commits']} commits {log['archived']} are archived, {odd} odd")
    faults += wrong + house.bad_lines[:50]
    return Outcome(
        dict(tally.sent),
        dict(sorted(tally.answers.items())),
        round(seconds, 1),
        memory,
        dict(log),
        faults,
    )


async def _cheats(house: House, many: int, chance: Random, tally: Tally, asked: Asked) -> None:
    port = int(house.platform.addresses["gateway-1"].rpartition(":")[2])
    tokens: list[str] = []
    scenes = [Scene(Random(chance.random()), [house.table], tokens) for _ in range(CHEATS)]
    await asyncio.gather(*(Cheat(port, scene, tally, asked).attack(many) for scene in scenes))


async def _browsers(house: House, many: int, chance: Random, tally: Tally) -> None:
    port = int(house.platform.addresses["gateway-1"].rpartition(":")[2])
    cookies = [
        await account(house.platform.url, f"cheat-{number}", f"Trapaça {number}")
        for number in range(ACCOUNTS)
    ]
    browsers = [Browser(port, Random(chance.random()), tally, cookies) for _ in range(BROWSERS)]
    await asyncio.gather(*(b.attack("requests", many // BROWSERS) for b in browsers))


async def _callers(house: House, many: int, chance: Random, tally: Tally) -> None:
    addresses = house.platform.addresses
    found = [one for one in methods() if f"{one.service}-1" in addresses]
    weights = [_WEIGHTS.get(one.name, 1.0) for one in found]
    async with asyncio.TaskGroup() as group:
        for method, weight in zip(found, weights, strict=True):
            part = round(many * weight / sum(weights))
            group.create_task(
                _call(
                    addresses[f"{method.service}-1"], method, part, (Random(chance.random()), tally)
                )
            )


async def _call(address: str, method: Method, many: int, how: tuple[Random, Tally]) -> None:
    async with grpc.aio.insecure_channel(address, options=CLIENT_OPTIONS) as channel:
        await Caller(channel, *how).attack(method, many)


def growth(memory: list[dict[str, float]]) -> dict[str, float]:
    """By process, by how many MiB it grew after the first fifth: by then caches are filled."""
    first, last = memory[min(2, len(memory) - 1)], memory[-1]
    return {name: round(last[name] - first.get(name, 0.0), 1) for name in last}


def result(outcome: Outcome) -> dict[str, Any]:
    """The outcome for a file."""
    return {
        "sent": outcome.sent,
        "seconds": outcome.seconds,
        "answers": outcome.answers,
        "log": outcome.log,
        "memory_mib": {"before": outcome.memory[0], "after": outcome.memory[-1]},
        "growth_mib": growth(outcome.memory),
        "faults": outcome.faults,
    }
