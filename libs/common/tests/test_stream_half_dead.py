"""A peer that is frozen, not dead: its kernel still acknowledges, and nothing is answered."""

import asyncio
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from laelo_common.stream import ClientLimits, CoalescedClient, Timeout
from laelo_common.testing.echo import EchoFrame, EchoItem, echo_method
from laelo_common.testing.waiting import until

pytestmark = pytest.mark.faults

SERVER = "from laelo_common.testing.echo import main; main('frozen')"
LIMITS = ClientLimits(timeout=0.2, stale=1.0)


@asynccontextmanager
async def frozen() -> AsyncIterator[tuple[CoalescedClient[Any, Any], Any]]:
    """A client whose stream is open, and its server's process, stopped since."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", SERVER, stdout=asyncio.subprocess.PIPE
    )
    try:
        assert process.stdout is not None
        target = f"127.0.0.1:{int(await process.stdout.readline())}"
        async with CoalescedClient[Any, Any](
            target, echo_method, EchoFrame, limits=LIMITS
        ) as stream:
            await stream.wait_up(20)
            process.send_signal(signal.SIGSTOP)
            yield stream, process
    finally:
        process.send_signal(signal.SIGKILL)
        await process.wait()


async def test_an_idle_stream_to_a_frozen_peer_ends_by_its_pings() -> None:
    async with frozen() as (stream, process):
        # gRPC's own default would be over a minute.
        await until(lambda: not stream.is_up, seconds=30)
        process.send_signal(signal.SIGCONT)
        reply = await stream.request(EchoItem(body=b"again"), timeout=20)
        assert reply.body == b"frozen again"


async def test_a_busy_stream_to_a_frozen_peer_ends_by_its_silence() -> None:
    async with frozen() as (stream, process):
        while stream.is_up:
            with pytest.raises(Timeout):
                await stream.request(EchoItem(body=b"?"))
        process.send_signal(signal.SIGCONT)
        reply = await stream.request(EchoItem(body=b"again"), timeout=20)
        assert reply.body == b"frozen again"
