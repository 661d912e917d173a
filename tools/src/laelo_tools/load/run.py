"""One load run: a platform of its own (or one that runs), a crowd, and the measuring."""

import asyncio
import os
from collections.abc import AsyncIterator, Collection, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from laelo_tools.errors import LaeloError
from laelo_tools.history.source import histories
from laelo_tools.history.verify import verify_table
from laelo_tools.load.crowds import Crowds, Told
from laelo_tools.load.player import Setting
from laelo_tools.load.processes import Memory, calibrate, cpu_seconds, memory
from laelo_tools.load.result import Growth, Result, percentile
from laelo_tools.load.table import Plan
from laelo_tools.platform import Options, Platform
from laelo_tools.state import find_running

SEATS = 4
COUNTED = ("nats", "rules", "table", "gateway")
"""The services of which the cost of a move is made up."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """What is to be measured. `url` None starts a platform for this run."""

    tables: int = 100
    seconds: float = 20.0
    warmup: float = 5.0
    sync: Literal["always", "default"] = "default"
    unary: bool = False
    clock_seconds: int = 0
    bots: int = 0
    level: str = "simple"
    think_ms: int = 0
    processes: int = 1
    url: str | None = None
    verify: bool = False
    tls: bool = False
    """Between services, with certificates of both sides."""
    telemetry: tuple[str, float] | None = None
    """Where an OTLP collector is, and the share of traces that is taken; None = off."""


class Target(NamedTuple):
    """A platform under load."""

    url: str
    nats_url: str
    pids: Mapping[str, int]

    @property
    def socket_url(self) -> str:
        """Where clients connect."""
        return self.url.replace("http", "ws", 1) + "/ws"


class Reading(NamedTuple):
    """CPU seconds and memory of each process at a moment."""

    cpu: dict[str, float]
    memory: dict[str, Memory]


async def measure(config: Config) -> Result:
    """Do a run. Raises LaeloError; nothing is left running, whatever happens."""
    plan_seats = SEATS - config.bots
    async with _target(config) as target:
        plan = Plan(target.socket_url, plan_seats, config.clock_seconds, config.level)
        crowds = Crowds(plan, Setting(config.think_ms), config.tables, config.processes)
        async with crowds:
            facts = await observe(config, target.pids, crowds)
        if config.verify:
            facts["verified"], wrong = await _verify(target)
            facts["errors"].update(wrong)
        return Result(
            tables=config.tables,
            clients=plan_seats,
            bots=config.bots,
            sync=config.sync if config.url is None else "as it runs",
            rpc=_rpc(config),
            tls=config.tls,
            clock_seconds=config.clock_seconds,
            think_ms=config.think_ms,
            **facts,
        )


def _rpc(config: Config) -> str:
    if config.url is not None:
        return "as it runs"
    return "unary" if config.unary else "stream"


@asynccontextmanager
async def _target(config: Config) -> AsyncIterator[Target]:
    if config.url is not None:
        if config.tls:
            raise LaeloError("With --tls a platform is started for the run: leave out --url.")
        yield _running(config.url)
        return
    rpc = {"RPC": "unary"} if config.unary else {}
    told = _telemetry(config)
    options = Options(
        port=0,
        sync=config.sync,
        pause_ms=0,
        bot_delay_ms="0",
        tls=config.tls,
        env={
            "gateway": told | {f"LAELO_GATEWAY_{key}": value for key, value in rpc.items()},
            "table": told | {f"LAELO_TABLE_{key}": value for key, value in rpc.items()},
            "rules": told,
        },
    )
    async with Platform(options) as platform:
        yield Target(platform.url, platform.nats_url, platform.pids)
        if missing := set(platform.addresses) - set(platform.pids):
            raise LaeloError(f"Ended during the load: {', '.join(sorted(missing))}.")


def _telemetry(config: Config) -> dict[str, str]:
    if config.telemetry is None:
        return {}
    address, share = config.telemetry
    return {
        "OTEL_EXPORTER_OTLP_ENDPOINT": address,
        "OTEL_TRACES_SAMPLER": "traceidratio",
        "OTEL_TRACES_SAMPLER_ARG": f"{share}",
    }


def _running(url: str) -> Target:
    """A platform that runs; its processes are known if it is this checkout's."""
    try:
        running = find_running()
    except LaeloError:
        return Target(url.rstrip("/"), "", {})
    if running.url != url.rstrip("/"):
        return Target(url.rstrip("/"), "", {})
    return Target(running.url, running.nats_url, running.pids)


async def observe(
    config: Config,
    servers: Mapping[str, int],
    crowds: Told,
    counted: Collection[str] = COUNTED,
) -> dict[str, Any]:
    """Join, warm up, measure; what of a Result is measured. Of the servers, by process id, the
    counted services make up the cost of a move.
    """
    calibration, load = calibrate(), os.getloadavg()[0]
    pids = {**servers, **crowds.pids}
    empty = _read(pids)
    await crowds.tell("join")
    joined = _read(pids)
    await crowds.tell("start")
    await asyncio.sleep(config.warmup)
    before = _read(pids)
    await crowds.tell("begin")
    await asyncio.sleep(config.seconds)
    told = await crowds.tell("end")
    after = _read(pids)
    left = await crowds.tell("leave")
    facts = _moves(told)
    parts = [name for name in servers if name.split("-", maxsplit=1)[0] in counted]
    cpu = {name: after.cpu[name] - before.cpu[name] for name in after.cpu}
    by_process = {name: seconds * 1e6 / max(1, facts["moves"]) for name, seconds in cpu.items()}
    return {
        **facts,
        "cpu_us_per_move": sum(by_process[name] for name in parts),
        "cpu_us_by_process": by_process,
        "memory_kb_per_table": {
            when: _grown(empty, reading, parts, config)
            for when, reading in (("joined", joined), ("end", after))
        },
        "memory_kb_by_process": {name: _grown(empty, after, [name], config) for name in servers},
        "calibration_ms": (calibration, calibrate()),
        "machine_load": (load, os.getloadavg()[0]),
        "errors": _added(answer["errors"] for answer in left),
        "examples": [example for answer in left for example in answer["examples"]],
    }


def _moves(counted: list[dict[str, Any]]) -> dict[str, Any]:
    latencies = sorted(us for answer in counted for us in answer["latencies_us"])
    seconds = max(answer["seconds"] for answer in counted)
    moves = sum(answer["moves"] for answer in counted)
    return {
        "seconds": seconds,
        "moves": moves,
        "matches": sum(answer["matches"] for answer in counted),
        "moves_per_second": moves / seconds,
        "p50_ms": percentile(latencies, 0.50),
        "p99_ms": percentile(latencies, 0.99),
    }


def _added(parts: Any) -> dict[str, int]:
    total: dict[str, int] = {}
    for part in parts:
        for code, count in part.items():
            total[code] = total.get(code, 0) + count
    return total


def _read(pids: Mapping[str, int]) -> Reading:
    return Reading(
        {name: cpu_seconds(pid) for name, pid in pids.items()},
        {name: memory(pid) for name, pid in pids.items()},
    )


def _grown(before: Reading, after: Reading, names: list[str], config: Config) -> Growth:
    """How much these processes have grown, a table."""
    pairs = [(before.memory[name], after.memory[name]) for name in names]
    return Growth(
        sum(new.pss - old.pss for old, new in pairs) / config.tables / 1024,
        sum(new.rss - old.rss for old, new in pairs) / config.tables / 1024,
    )


async def _verify(target: Target) -> tuple[str, dict[str, int]]:
    """Check the whole log once more by the rules."""
    if not target.nats_url:
        raise LaeloError("The log of that platform is not known: `laelo log verify --nats URL`.")
    commits = moves = wrong = tables = 0
    async with histories(target.nats_url) as source:
        for table, records in (await source.all()).items():
            report = verify_table(table, records, await source.snapshot(table))
            tables, commits, moves = tables + 1, commits + report.commits, moves + report.moves
            wrong += bool(report.faults)
    words = f"{tables} tables, {commits:,} commits, {moves:,} moves checked again, {wrong} wrong"
    return words, {"LOG_WRONG": wrong} if wrong else {}
