"""sticky-channel (grpc/grpc#34843): a channel must not stick to one replica.

Three processes of a stateless service; calls are spread over all three, and when one is
killed no call fails.
"""

import asyncio
import signal
import sys
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from laelo_common.stream import ClientLimits, Pool, PoolLimits, addresses
from laelo_common.testing.echo import EchoFrame, EchoItem, echo_method
from laelo_common.testing.waiting import until

pytestmark = pytest.mark.faults

LIMITS = PoolLimits(client=ClientLimits(timeout=10.0), patience=5.0)
REPLICA = "import sys; from laelo_common.testing.echo import main; main(sys.argv[1])"


class Process:
    """A replica in a process of its own; its answers begin with its name."""

    def __init__(self, process: asyncio.subprocess.Process, port: int) -> None:
        self.process = process
        self.address = f"127.0.0.1:{port}"

    async def kill(self) -> None:
        if self.process.returncode is None:
            self.process.send_signal(signal.SIGKILL)
        await self.process.wait()


async def start(name: str) -> Process:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", REPLICA, name, stdout=asyncio.subprocess.PIPE
    )
    assert process.stdout is not None
    return Process(process, int(await process.stdout.readline()))


@asynccontextmanager
async def three() -> AsyncIterator[list[Process]]:
    replicas = [await start(name) for name in ("a", "b", "c")]
    try:
        yield replicas
    finally:
        for replica in replicas:
            await replica.kill()


async def test_sticky_channel() -> None:
    answered: Counter[bytes] = Counter()
    killed = False

    async def caller(pool: Pool[Any, Any], after_kill: int) -> None:
        """Call without a pause until some calls were made after the kill."""
        while after_kill:
            reply = await pool.request(EchoItem(body=b"x"))
            answered[bytes(reply.body)] += 1
            after_kill -= killed

    async with three() as replicas:
        where = addresses(",".join(replica.address for replica in replicas))
        async with Pool[Any, Any](where, echo_method, EchoFrame, limits=LIMITS) as pool:
            await until(lambda: len(pool.up) == 3)
            callers = asyncio.gather(*(caller(pool, 50) for _ in range(30)))
            await until(lambda: sum(answered.values()) >= 900 or callers.done())
            before = Counter(answered)
            await replicas[1].kill()
            killed = True
            await callers
    assert set(before) == {b"a x", b"b x", b"c x"}
    assert min(before.values()) > sum(before.values()) / 6, "spread over all three"
    assert answered[b"a x"] > before[b"a x"]
    assert answered[b"c x"] > before[b"c x"]
