"""One run: a platform with several replicas of each service, people, restarts, a check."""

import asyncio
import os
from collections.abc import Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

from laelo_tools.history.source import histories
from laelo_tools.platform import Options, Platform
from laelo_tools.rolling.check import check
from laelo_tools.rolling.official import Officials
from laelo_tools.rolling.pauses import NO_STEP, Pause, Step, figures, step_of
from laelo_tools.rolling.result import Result, longest_stops
from laelo_tools.rolling.steps import ORDER, PRODUCTION_SECONDS, SERVERS, replicas, restarts
from laelo_tools.rolling.table import SEATS, Table

QUIET_BEATS: Final = 10
JOIN_AT_ONCE: Final = 20

Say = Callable[[str], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """What is to be done. Times in seconds; `clock` is the move clock of the tables."""

    tables: int = 200
    rounds: int = 3
    replicas: int = 2
    several: tuple[str, ...] = ORDER
    """The services that have as many; of others there is one."""
    beat: float = 1.0
    clock: int = 15
    settle: float = PRODUCTION_SECONDS
    services: tuple[str, ...] = ORDER
    each: bool = True
    """Whether every replica is restarted, or one of each service."""
    servers: bool = True
    championships: bool = True


class Town:
    """Everything that goes on during a run."""

    def __init__(self, config: Config, platform: Platform, say: Say) -> None:
        self.steps: list[Step] = []
        self.tables: list[Table] = []
        self.officials: Officials | None = None
        self._config = config
        self._platform = platform
        self._say = say
        self._gateways = [f"http://{platform.addresses[n]}" for n in replicas(platform, "gateway")]

    async def come(self, stack: AsyncExitStack) -> None:
        """All sit down, and play begins: not at all tables in the same moment."""
        config = self._config
        urls = [f"{url.replace('http', 'ws', 1)}/ws" for url in self._gateways]
        door = asyncio.Semaphore(JOIN_AT_ONCE)

        async def join(number: int) -> None:
            turned = urls[number % len(urls) :] + urls[: number % len(urls)]
            table = Table(turned, config.beat, config.clock, number)
            async with door:
                self.tables.append(await stack.enter_async_context(table))
            table.begin()

        await asyncio.gather(*(join(number) for number in range(config.tables)))
        if config.championships:
            officials = Officials(self._platform, self._gateways)
            self.officials = await stack.enter_async_context(officials)
            officials.begin()

    async def restart_all(self) -> None:
        """So many rounds of restarts."""
        config, platform = self._config, self._platform
        for number in range(1, config.rounds + 1):
            names = [
                name
                for service in config.services
                for name in replicas(platform, service)[: None if config.each else 1]
            ]
            names += SERVERS if config.servers else ()
            async for step in restarts(platform, names, number, config.settle):
                self.steps.append(step)
                stopped, back = step.stopped - step.began, step.ended - step.stopped
                self._say(
                    f"{datetime.now(UTC):%H:%M:%S} round {number}: {step.name} stopped in"
                    f" {stopped:.2f} s, back in {back:.2f} s"
                )

    async def over(self) -> None:
        """Wait for the ends of the matches and championships that are being played."""
        for table in self.tables:
            table.come_to_an_end()
        if self.officials is not None:
            self.officials.is_last = True
            await self.officials.over()
        await asyncio.gather(*(table.over() for table in self.tables))

    @property
    def pauses(self) -> list[Pause]:
        """What all people have seen."""
        return [
            pause for table in self.tables for person in table.people for pause in person.pauses
        ]

    @property
    def lost(self) -> int:
        """How many connections were lost and made again."""
        people = [person for table in self.tables for person in table.people]
        return sum(person.visitor.connections - 1 for person in people)


async def measure(config: Config, say: Say = lambda _: None) -> Result:
    """Do a run. Raises LaeloError; nothing is left running, whatever happens."""
    loop, load = asyncio.get_running_loop(), os.getloadavg()[0]
    async with Platform(_options(config)) as platform, AsyncExitStack() as stack:
        town = Town(config, platform, say)
        await town.come(stack)
        say(f"{config.tables} tables play")
        await asyncio.sleep(QUIET_BEATS * config.beat)
        began = loop.time()
        await town.restart_all()
        ended = loop.time()
        say("all is restarted; the matches are played to their ends")
        await town.over()
        faults = _of_steps(town.steps)
        async with histories(platform.nats_url) as log:
            found = await check(log, town.tables)
            if town.officials is not None:
                faults += await town.officials.faults(log)
        return Result(
            tables=config.tables,
            people=config.tables * len(SEATS),
            beat_ms=round(config.beat * 1000),
            rounds=config.rounds,
            seconds=round(ended - began, 1),
            replicas={service: len(replicas(platform, service)) for service in ORDER},
            restarts=len(town.steps),
            matches=found.matches,
            moves=found.moves,
            acknowledged=found.acknowledged,
            clock_moves=found.clock_moves,
            championships=0 if town.officials is None else len(town.officials.ended),
            **_pauses(town, config, began, ended),
            stop_seconds=longest_stops(town.steps),
            connections_lost=town.lost,
            faults=faults + found.faults,
            machine_load=(load, os.getloadavg()[0]),
        )


def _options(config: Config) -> Options:
    beat_ms = round(config.beat * 1000)
    number = {name: config.replicas if name in config.several else 1 for name in ORDER}
    return Options(
        port=0,
        pause_ms=beat_ms,
        bot_delay_ms=str(beat_ms),
        rules=number["rules"],
        bots=number["bots"],
        tables=number["table"],
        tournaments=number["tournament"],
        matchmaking=number["matchmaking"],
        archives=number["archive"],
        gateways=number["gateway"],
        env={
            "matchmaking": {"LAELO_MATCHMAKING_QUEUE_WAIT_SECONDS": "0"},
        },
    )


def _pauses(town: Town, config: Config, began: float, ended: float) -> dict[str, Any]:
    """Before the restarts, and by what was restarted when somebody waited."""
    due = [(pause, pause.began + config.beat) for pause in town.pauses]
    quiet = [pause.seconds for pause, at in due if at < began]
    during: dict[str, list[float]] = {NO_STEP: []}
    for step in town.steps:
        during.setdefault(step.service, [])
    for pause, at in due:
        if began <= at <= ended:
            during[step_of(pause, town.steps, config.beat)].append(pause.seconds)
    services = [s for name, found in during.items() if name not in SERVERS for s in found]
    named = {name: figures(found) for name, found in during.items()}
    return {"quiet": figures(quiet), "services": figures(services), "by_service": named}


def _of_steps(steps: list[Step]) -> list[str]:
    """Parts that did not stop as they should; NATS ends with 1 when it is told to."""
    return [
        f"{step.name} ended with {step.status} in round {step.round}"
        for step in steps
        if step.status and step.service not in SERVERS
    ]
