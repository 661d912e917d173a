"""What is measured; each of these returns its figures, `quick` is small and proves nothing."""

from collections.abc import Callable, Coroutine
from typing import Any, Final

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


def config(quick: bool, tables: int = 100, **more: Any) -> Config:
    """A run of so many tables."""
    if quick:
        return Config(tables=max(2, tables // 50), seconds=2.0, warmup=1.0, **more)
    return Config(tables=tables, **more)


async def tables(quick: bool) -> Figures:
    """CPU a move at 10 to 3,000 tables, moves at once."""
    return {
        str(count): _short(await play_once(config(quick, count), gateways=1))
        for count in (10, 100, 1000, 3000)
    }


async def people(quick: bool) -> Figures:
    """The same at 3 s of thought a move, as people play: what a table costs a second."""
    return {
        str(count): _short(await play_once(config(quick, count, think_ms=300 if quick else 3000)))
        for count in (10, 100, 500)
    }


async def stored(quick: bool) -> Figures:
    """CPU a move with nothing stored and with a million commits, and what reading takes then."""
    more = 20_000 if quick else 1_000_000
    async with Platform(BASE) as platform:
        before = await play(platform, config(quick))
        old = await fill(platform.nats_url, more)
        after = await play(platform, config(quick))
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


async def replicas(quick: bool) -> Figures:
    """One, two and three table services and gateways."""
    return {
        str(count): _short(await play_once(config(quick), tables=count, gateways=count))
        for count in (1, 2, 3)
    }


async def light(quick: bool) -> Figures:
    """Some 250 moves a second, JetStream's default sync: how long a move takes to be seen."""
    return {"default": _short(await play_once(config(quick, think_ms=LIGHT_MS)))}


async def memory(quick: bool) -> Figures:
    """Memory a table, joined and at the end, at 500 tables."""
    return {"500": _short(await play_once(config(quick, 500)))}


async def synced(quick: bool) -> Figures:
    """Every commit synced before it is acknowledged, on one server and on three."""
    found = {}
    for nats in (1, 3):
        for name, think in (("full", 0), ("light", LIGHT_MS)):
            run = play_once(config(quick, think_ms=think), sync="always", nats=nats)
            found[f"{nats}-{name}"] = _short(await run)
    return found


async def takeover(quick: bool) -> Figures:
    """Seconds until clients are whole after their table's home, or their gateway, was killed."""
    count = 10 if quick else whole_again.COUNT
    return {
        killed: whole_again.summary(killed, await whole_again.measure(killed, count))
        for killed in whole_again.KILLED
    }


async def start(_quick: bool) -> Figures:
    """Seconds until a platform, and each of its parts, is ready."""
    return {"seconds": await start_all()}


async def coming_back(quick: bool) -> Figures:
    """3,000 clients that lose their gateway at once."""
    return await reconnect(100 if quick else 3000)


SCENARIOS: Final[dict[str, Callable[[bool], Coroutine[Any, Any, Figures]]]] = {
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
