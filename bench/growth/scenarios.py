"""What is measured; each of these returns its figures, for a size of all of it."""

from collections.abc import Callable, Coroutine
from typing import Any, Final, NamedTuple

from laelo_tools.load.result import Result
from laelo_tools.load.run import Config
from laelo_tools.platform import Platform

from bench import whole_again
from bench.growth.coming_back import reconnect
from bench.growth.filling import bytes_a_commit, fill, load_ms
from bench.growth.playing import BASE, play, play_once
from bench.growth.starting import start_again, start_all

Figures = dict[str, Any]
LIGHT_MS: Final = 400
"""Thought at 100 tables, for some 250 moves a second."""
PEOPLE_MS: Final = 3000
"""As long as people take."""


class Size(NamedTuple):
    """How large everything is."""

    seconds: float
    """Of each run, after `warmup`."""
    warmup: float
    tables: tuple[int, ...]
    people: tuple[int, ...]
    """Tables of people who think."""
    share: float
    """Of the tables of all other scenarios."""
    commits: int
    clients: int
    kills: int


FULL: Final = Size(20.0, 5.0, (10, 100, 1000, 3000), (10, 100, 500), 1.0, 1_000_000, 3000, 100)
SMALL: Final = Size(10.0, 3.0, (10, 100, 300), (10, 100), 1.0, 100_000, 400, 20)
"""On a machine that has other work."""
QUICK: Final = Size(3.0, 3.0, (2, 4), (20,), 0.02, 20_000, 100, 10)
"""Shows that it works, and nothing else."""


def config(size: Size, tables: int, think_ms: int = 0) -> Config:
    """A run of so many tables."""
    return Config(
        tables=max(2, tables), seconds=size.seconds, warmup=size.warmup, think_ms=think_ms
    )


def usual(size: Size, think_ms: int = 0) -> Config:
    """100 tables, at full size."""
    return config(size, int(100 * size.share), think_ms)


async def tables(size: Size) -> Figures:
    """CPU a move at 10 to 3,000 tables, moves at once."""
    return {
        str(count): _short(await play_once(config(size, count), gateways=1))
        for count in size.tables
    }


async def people(size: Size) -> Figures:
    """The same at 3 s of thought a move, as people play: what a table costs a second."""
    return {
        str(count): _short(await play_once(config(size, count, PEOPLE_MS))) for count in size.people
    }


async def stored(size: Size) -> Figures:
    """CPU a move with nothing stored and with a million commits, and what reading takes then."""
    more = size.commits
    async with Platform(BASE) as platform:
        before = await play(platform, usual(size))
        old = await fill(platform.nats_url, more)
        after = await play(platform, usual(size))
        return {
            "commits": more,
            "bytes_a_commit": await bytes_a_commit(platform.nats_url),
            "0": _short(before),
            str(more): _short(after),
            "load_of_old_table": await load_ms(platform.nats_url, old),
            "start_s": {
                name: round(await start_again(platform, name), 2) for name in ("nats", "table-1")
            },
        }


async def replicas(size: Size) -> Figures:
    """One, two and three table services and gateways."""
    return {
        str(count): _short(await play_once(usual(size), tables=count, gateways=count))
        for count in (1, 2, 3)
    }


async def light(size: Size) -> Figures:
    """Some 250 moves a second, JetStream's default sync: how long a move takes to be seen."""
    return {"default": _short(await play_once(usual(size, LIGHT_MS)))}


async def memory(size: Size) -> Figures:
    """Memory a table, joined and at the end, at 500 tables."""
    return {"500": _short(await play_once(config(size, int(500 * size.share))))}


async def synced(size: Size) -> Figures:
    """Every commit synced before it is acknowledged, on one server and on three."""
    found = {}
    for nats in (1, 3):
        for name, think in (("full", 0), ("light", LIGHT_MS)):
            run = play_once(usual(size, think), sync="always", nats=nats)
            found[f"{nats}-{name}"] = _short(await run)
    return found


async def takeover(size: Size) -> Figures:
    """Seconds until clients are whole after their table's home, or their gateway, was killed."""
    return {
        killed: whole_again.summary(killed, await whole_again.measure(killed, size.kills))
        for killed in whole_again.KILLED
    }


async def start(_: Size) -> Figures:
    """Seconds until a platform, and each of its parts, is ready."""
    return {"seconds": await start_all()}


async def coming_back(size: Size) -> Figures:
    """3,000 clients that lose their gateway at once."""
    return await reconnect(size.clients)


SCENARIOS: Final[dict[str, Callable[[Size], Coroutine[Any, Any, Figures]]]] = {
    "tables": tables,
    "people": people,
    "stored": stored,
    "replicas": replicas,
    "light": light,
    "memory": memory,
    "synced": synced,
    "takeover": takeover,
    "start": start,
    "reconnect": coming_back,
}


def _short(result: Result) -> Figures:
    """What of a run is kept: all but what is the same in every run."""
    whole = result.as_json()
    if not result.is_good:
        whole["went_wrong"] = True
    without = ("clients", "bots", "rpc", "clock_seconds", "verified")
    return {name: value for name, value in whole.items() if name not in without}
