"""What stands before a part: bytes pass, and what is done to the wire is felt at its ends."""

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

import pytest

from tests.faults.nemesis.fronts import Fronts, covers
from tests.faults.nemesis.plan import PEOPLE, Kind
from tests.faults.nemesis.sockets import inode_of, owner

HELLO: Final = b"hello\n"


async def echo(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while line := await reader.readline():
        writer.write(line)
    writer.close()


@asynccontextmanager
async def fronted() -> AsyncIterator[tuple[Fronts, int]]:
    """A front before a server that says everything again, and its port."""
    server = await asyncio.start_server(echo, "127.0.0.1", 0)
    real = server.sockets[0].getsockname()[1]
    async with Fronts(dict) as fronts:
        address = fronts.front("echo-1", f"127.0.0.1:{real}")
        yield fronts, int(address.rpartition(":")[2])
    server.close()


async def said_again(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bytes:
    writer.write(HELLO)
    async with asyncio.timeout(20):
        return await reader.readline()


async def is_over(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
    """Whether the other side has ended the connection."""
    try:
        return await said_again(reader, writer) == b""
    except ConnectionError:
        return True


async def test_bytes_pass_both_ways() -> None:
    async with fronted() as (_, port):
        line = await asyncio.open_connection("127.0.0.1", port)
        assert await said_again(*line) == HELLO
        line[1].close()


@pytest.mark.parametrize("other", ["echo-1", "echo"])
async def test_a_cut_ends_connections_and_refuses_new_ones(other: str) -> None:
    async with fronted() as (fronts, port):
        line = await asyncio.open_connection("127.0.0.1", port)
        assert await said_again(*line) == HELLO
        fronts.disturb(PEOPLE, other, Kind.CUT)
        assert await is_over(*line)
        anew = await asyncio.open_connection("127.0.0.1", port)
        assert await is_over(*anew)
        fronts.mend(PEOPLE, other)
        again = await asyncio.open_connection("127.0.0.1", port)
        assert await said_again(*again) == HELLO
        again[1].close()


async def test_what_is_held_passes_once_it_is_mended() -> None:
    async with fronted() as (fronts, port):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        fronts.disturb(PEOPLE, "echo-1", Kind.HOLD)
        writer.write(HELLO)
        answer = asyncio.create_task(reader.readline())
        passed, _ = await asyncio.wait([answer], timeout=0.1)
        assert not passed
        fronts.mend_all()
        assert await answer == HELLO
        writer.close()


async def test_other_wires_are_left_alone() -> None:
    async with fronted() as (fronts, port):
        line = await asyncio.open_connection("127.0.0.1", port)
        fronts.disturb("table-1", "echo-1", Kind.CUT)
        fronts.disturb(PEOPLE, "postgres", Kind.HOLD)
        assert await said_again(*line) == HELLO
        line[1].close()


async def test_whose_end_a_connection_is_is_known() -> None:
    async with fronted() as (_, port):
        _, writer = await asyncio.open_connection("127.0.0.1", port)
        own = writer.get_extra_info("sockname")[1]
        descriptor = writer.get_extra_info("socket").fileno()
        assert inode_of(own, port) == os.fstat(descriptor).st_ino
        assert owner(own, port, {"init": 1, "own": os.getpid()}) == "own"
        assert owner(own, port, {"init": 1}) == ""
        assert owner(own, port + 1, {"own": os.getpid()}) == ""
        writer.close()


def test_a_name_may_mean_a_part_or_all_of_its_service() -> None:
    assert covers("nats", "nats-2")
    assert covers("nats-2", "nats-2")
    assert not covers("nats-2", "nats-21")
    assert not covers("table", "tables-1")
