"""One world for each implementation of the log: two replicas that share it, and a clock."""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from dataclasses import dataclass
from secrets import token_hex
from typing import Protocol

import pytest
from laelo.log.v1.log_pb2 import AnyCommit, Head
from laelo_common.log import (
    Aggregate,
    Board,
    Clocks,
    Connection,
    JetStreamBoard,
    JetStreamClocks,
    JetStreamLog,
    Kind,
    Log,
    MemoryBoard,
    MemoryClocks,
    MemoryLog,
    NatsSettings,
    connect,
    ensure_streams,
)
from laelo_common.testing.nats import NatsServer

PATIENCE_SECONDS = 30.0


class Until(Protocol):
    async def __call__(self, condition: Callable[[], bool]) -> None: ...


@pytest.fixture
def until() -> Until:
    """Waits for a condition; fails when it does not come true at all."""

    async def wait(condition: Callable[[], bool]) -> None:
        async with asyncio.timeout(PATIENCE_SECONDS):
            while not condition():  # noqa: ASYNC110 - of what has no event
                await asyncio.sleep(0.005)

    return wait


@pytest.fixture
def new_table() -> Callable[[], Aggregate]:
    """Makes tables that nothing else uses."""
    return lambda: Aggregate(Kind.TABLE, token_hex(8).upper())


@pytest.fixture
def commit() -> Callable[..., bytes]:
    """Makes the bytes of a commit."""

    def make(aggregate: Aggregate, command: str, version: int = 1, previous: bytes = b"") -> bytes:
        head = Head(aggregate=aggregate.id, version=version, command=command, previous=previous)
        return AnyCommit(head=head).SerializeToString()

    return make


@dataclass
class World:
    log: Log
    other: Log
    clocks: Clocks
    other_clocks: Clocks
    board: Board
    other_board: Board
    now_ms: Callable[[], int]
    # Lets the clocks run on by some milliseconds.
    pass_time: Callable[[int], Awaitable[None]]


def memory_world() -> World:
    now = 1_700_000_000_000

    def now_ms() -> int:
        return now

    async def pass_time(by_ms: int) -> None:
        nonlocal now
        now += by_ms
        await clocks.fire()

    log, clocks, board = MemoryLog(now_ms), MemoryClocks(now_ms), MemoryBoard()
    return World(log, log, clocks, clocks, board, board, now_ms, pass_time)


@pytest.fixture(scope="session")
def nats_server() -> Iterator[NatsServer]:
    """A server that no test disturbs."""
    with NatsServer() as server:
        yield server


@pytest.fixture
def own_server() -> Iterator[NatsServer]:
    """A server for a test that stops it."""
    with NatsServer() as server:
        yield server


def settings_for(server: NatsServer) -> NatsSettings:
    return NatsSettings((server.url,))


@pytest.fixture
async def connection(nats_server: NatsServer) -> AsyncIterator[Connection]:
    made = await connect(settings_for(nats_server))
    await ensure_streams(made)
    yield made
    await made.close()


@pytest.fixture
async def own_connection(own_server: NatsServer) -> AsyncIterator[Connection]:
    made = await connect(settings_for(own_server))
    await ensure_streams(made)
    yield made
    await made.close()


@pytest.fixture(params=["memory", pytest.param("jetstream", marks=pytest.mark.integration)])
async def world(request: pytest.FixtureRequest) -> AsyncIterator[World]:
    if request.param == "memory":
        yield memory_world()
        return
    server: NatsServer = request.getfixturevalue("nats_server")
    one, two = await connect(settings_for(server)), await connect(settings_for(server))
    await ensure_streams(one)

    async def pass_time(by_ms: int) -> None:
        await asyncio.sleep(by_ms / 1000)

    yield World(
        JetStreamLog(one),
        JetStreamLog(two),
        JetStreamClocks(one),
        JetStreamClocks(two),
        JetStreamBoard(one),
        JetStreamBoard(two),
        lambda: time.time_ns() // 1_000_000,
        pass_time,
    )
    await one.close()
    await two.close()
