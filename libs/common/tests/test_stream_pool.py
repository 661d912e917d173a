"""Spreading calls over replicas, and who the replicas are."""

import asyncio
from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest
from laelo_common.stream import ClientLimits, Closed, Pool, PoolLimits, Timeout, addresses
from laelo_common.testing.echo import EchoFrame, EchoItem, EchoServer, echo_method
from laelo_common.testing.waiting import until

LIMITS = PoolLimits(client=ClientLimits(timeout=20.0), patience=10.0, refresh=0.01)


class Replica(EchoServer):
    """Counts what it is asked; may be told to keep silent."""

    def __init__(self) -> None:
        super().__init__(self._handle)
        self.asked = 0
        self.deaf = False

    def _handle(self, _session: Any, item: Any) -> Any:
        self.asked += 1
        return None if self.deaf else EchoItem(body=item.body)


async def started(count: int) -> list[Replica]:
    replicas = [Replica() for _ in range(count)]
    for replica in replicas:
        await replica.start()
    return replicas


async def stop(replicas: Sequence[Replica]) -> None:
    for replica in replicas:
        await replica.stop()


def pool(replicas: Sequence[Replica], limits: PoolLimits = LIMITS) -> Pool[Any, Any]:
    setting = ",".join(replica.target for replica in replicas)
    return Pool(addresses(setting), echo_method, EchoFrame, limits=limits)


async def ask(calls: Pool[Any, Any], count: int) -> None:
    bodies = [b"%d" % number for number in range(count)]
    replies = await asyncio.gather(*(calls.request(EchoItem(body=body)) for body in bodies))
    assert [reply.body for reply in replies] == bodies


async def test_calls_are_spread_evenly() -> None:
    replicas = await started(3)
    async with pool(replicas) as calls:
        await until(lambda: len(calls.up) == 3)
        await ask(calls, 300)
    await stop(replicas)
    assert [replica.asked for replica in replicas] == [100, 100, 100]


async def test_a_silent_replica_costs_patience_and_no_call() -> None:
    replicas = await started(2)
    replicas[0].deaf = True
    limits = PoolLimits(client=ClientLimits(timeout=20.0), patience=0.05)
    async with pool(replicas, limits) as calls:
        await until(lambda: len(calls.up) == 2)
        await ask(calls, 20)
    await stop(replicas)
    assert replicas[0].asked >= 10


async def test_calls_wait_for_the_first_replica_to_appear() -> None:
    replicas = await started(1)
    await replicas[0].kill()
    async with pool(replicas) as calls:
        asking = asyncio.create_task(ask(calls, 5))
        await replicas[0].start()
        await asking
    await stop(replicas)


async def test_when_nobody_answers_the_call_times_out_once() -> None:
    replicas = await started(2)
    for replica in replicas:
        replica.deaf = True
    limits = PoolLimits(client=ClientLimits(timeout=0.3), patience=0.05)
    async with pool(replicas, limits) as calls:
        with pytest.raises(Timeout, match=r"0\.3"):
            await calls.request(EchoItem())
    await stop(replicas)
    assert all(replica.asked >= 1 for replica in replicas)


async def test_closing_settles_what_is_pending() -> None:
    before = asyncio.all_tasks()
    replicas = await started(2)
    for replica in replicas:
        replica.deaf = True
    calls = await pool(replicas).start()
    futures = [calls.request(EchoItem()) for _ in range(4)]
    await until(lambda: sum(replica.asked for replica in replicas) == 4)
    await calls.close()
    assert all(isinstance(future.exception(), Closed) for future in futures)
    with pytest.raises(Closed):
        calls.request(EchoItem())
    await stop(replicas)
    await until(lambda: asyncio.all_tasks() == before)


async def test_replicas_come_and_go_by_name() -> None:
    replicas = await started(3)
    now = [replicas[0].target]

    async def resolve() -> Sequence[str]:
        return list(now)

    async with Pool[Any, Any](resolve, echo_method, EchoFrame, limits=LIMITS) as calls:
        await ask(calls, 3)
        now.append(replicas[1].target)
        await until(lambda: len(calls.up) == 2)
        replicas[0].deaf = True
        held = [calls.request(EchoItem(body=b"held")) for _ in range(4)]
        await until(lambda: replicas[0].asked > 3)
        now.remove(replicas[0].target)
        assert [(await future).body for future in held] == [b"held"] * 4
        assert calls.up == [replicas[1].target]
    await stop(replicas)


async def test_a_failing_lookup_keeps_the_replicas() -> None:
    replicas = await started(1)
    lookups: Counter[str] = Counter()

    async def resolve() -> Sequence[str]:
        lookups["all"] += 1
        if lookups["all"] > 1:
            raise OSError("no such name")
        return [replicas[0].target]

    async with Pool[Any, Any](resolve, echo_method, EchoFrame, limits=LIMITS) as calls:
        await until(lambda: lookups["all"] > 2)
        await ask(calls, 3)
    await stop(replicas)


async def test_addresses_of_a_setting() -> None:
    assert await addresses("a:1, b:2,")() == ("a:1", "b:2")
    found = await addresses("dns:localhost:7001")()
    assert set(found) & {"127.0.0.1:7001", "[::1]:7001"}


@pytest.mark.parametrize("setting", ["", " , ", "rules", "dns:rules", "rules:http", ":7001"])
def test_settings_that_are_no_addresses(setting: str) -> None:
    with pytest.raises(ValueError, match="host:port"):
        addresses(setting)
