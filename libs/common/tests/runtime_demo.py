"""A small service, run by the tests of the runtime as a process of its own."""

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Literal

from laelo_common.runtime import Service, SetupError, reach, run_service
from laelo_common.settings import ServiceSettings, setting
from laelo_common.testing.waiting import until


@dataclass(frozen=True, kw_only=True)
class DemoSettings(ServiceSettings):
    """How the demo misbehaves."""

    act: Literal[
        "well", "no-log", "slow-start", "bug", "task-fails", "close-hangs", "close-fails", "unready"
    ] = setting("well")


async def nobody() -> None:
    """What a connection to nowhere does."""
    raise ConnectionRefusedError("nobody listens")


async def failing() -> None:
    """A task that the service cannot do without."""
    raise RuntimeError("the follower broke")


async def at_start(service: Service[DemoSettings]) -> None:
    """The part of the wiring that may go wrong."""
    act = service.settings.act
    if act == "no-log":
        await reach("NATS at nats://x", nobody, 0.3, "start it, or set LAELO_DEMO_NATS_URL")
    if act == "slow-start":
        print("starting", flush=True)
        await asyncio.Event().wait()
    if act == "bug":
        raise ZeroDivisionError("a bug")
    if act == "task-fails":
        service.task(failing(), "follower")


@asynccontextmanager
async def wire(service: Service[DemoSettings]) -> AsyncIterator[None]:
    """Like that of a real service."""
    print("opened", flush=True)
    try:
        await at_start(service)
        service.serves("laelo.demo.v1.DemoService")
        service.metrics.counter("laelo_demo_things_total", "Things.").value += 2

        async def drain() -> None:
            print(f"drained, {service.readyz().text}", end="", flush=True)

        service.on_drain(drain)
        if service.settings.act == "unready":
            service.task(become_unready(service), "unready")
        yield
        if service.settings.act == "close-hangs":
            await asyncio.Event().wait()
        if service.settings.act == "close-fails":
            raise SetupError("closing failed")
    finally:
        print("closed", flush=True)


async def become_unready(service: Service[DemoSettings]) -> None:
    """The log goes away once the service is up."""
    await until(lambda: service.is_open)
    await service.set_ready("NATS is out of reach")


if __name__ == "__main__":
    sys.exit(run_service("demo", DemoSettings, wire))
