"""never-ends: every turn ends, at most 2 s after the deadline that the log gives it.

Seen elsewhere: gbtami/pychess-variants#1549. Nobody at these tables ever moves and nobody
looks at them, so all that ends turns is the house. In mid-match everything is killed,
NATS and rules as well, and started again; still nobody comes.
"""

import asyncio
import time
from collections.abc import Sequence
from contextlib import AsyncExitStack
from signal import SIGKILL

import grpc.aio
import pytest
from laelo.log.v1 import log_pb2
from laelo.table.v1 import events_pb2, table_pb2, table_pb2_grpc
from laelo_common.ids import new_id
from laelo_tools.history.source import Histories, histories
from laelo_tools.platform import Options, Platform

pytestmark = [pytest.mark.faults, pytest.mark.integration]

TABLES = 8
PEOPLE = ("ana", "caio")
TURNS = 5
"""So many turns have to end at each table before everything is killed, and again after."""
LATE_MS = 2_000
EVERYTHING = ("table-1", "table-2", "rules-1", "bots-1", "nats")


class Tables:
    """Tables with a clock of a second, at which two people and two bots sit."""

    def __init__(self, stub: "table_pb2_grpc.TableServiceAsyncStub") -> None:
        self._stub = stub
        self.names = [new_id() for _ in range(TABLES)]

    async def open(self) -> None:
        """Open all and start a match at each."""
        options = table_pb2.Options(move_seconds=1)
        for name in self.names:
            await self._do(name, table_pb2.KIND_OPEN, PEOPLE[0], options=options)
            await self._do(name, table_pb2.KIND_SIT, PEOPLE[1], seat=2)
            await self._do(name, table_pb2.KIND_START, PEOPLE[0])

    async def _do(
        self,
        table: str,
        kind: "table_pb2.Kind.ValueType",
        player: str,
        seat: int = -1,
        options: table_pb2.Options | None = None,
    ) -> None:
        command = table_pb2.Command(
            table=table,
            command=new_id(),
            kind=kind,
            player=player,
            name=player,
            seat=seat,
            options=options,
        )
        answer = await self._stub.Submit(table_pb2.SubmitRequest(command=command))
        assert answer.update.code == "", answer


async def heads(log: Histories, table: str) -> list[log_pb2.Head]:
    records, _ = await log.of(table)
    return [events_pb2.Commit.FromString(record.data).head for record in records]


async def until_turns_ended(url: str, tables: Sequence[str], since_ms: int) -> None:
    """Wait until the house has ended some turns at each table since a moment."""
    async with histories(url) as log, asyncio.timeout(60):
        for table in tables:
            while len(ended(await heads(log, table), since_ms)) < TURNS:  # noqa: ASYNC110
                await asyncio.sleep(0.1)


def ended(commits: list[log_pb2.Head], since_ms: int) -> list[log_pb2.Head]:
    return [
        head
        for head in commits
        if head.time_ms > since_ms and head.command.startswith(("clock-", "bot-"))
    ]


def check_punctual(commits: list[log_pb2.Head], killed_ms: int, ready_ms: int) -> None:
    """No turn was open longer than it may be; while all was dead nothing could end it."""
    ends = [head.time_ms for head in commits[1:]] + [now_ms()]
    for before, ended_ms in zip(commits, ends, strict=True):
        if not before.deadline_ms:
            continue
        due_ms = before.deadline_ms
        if before.time_ms < ready_ms and due_ms > killed_ms:
            due_ms = max(due_ms, ready_ms)
        assert ended_ms <= due_ms + LATE_MS, before


def now_ms() -> int:
    return time.time_ns() // 1_000_000


async def test_no_turn_stays_open_though_everything_was_restarted() -> None:
    async with AsyncExitStack() as stack:
        options = Options(port=0, pause_ms=0, bot_delay_ms="100", tables=2)
        platform = await stack.enter_async_context(Platform(options))
        channel = grpc.aio.insecure_channel(platform.addresses["table-1"])
        async with channel:
            tables = Tables(table_pb2_grpc.TableServiceStub(channel))
            await tables.open()
        await until_turns_ended(platform.nats_url, tables.names, 0)

        killed_ms = now_ms()
        await asyncio.gather(*(platform.kill(name, SIGKILL) for name in EVERYTHING))
        for name in reversed(EVERYTHING):
            await platform.restart(name)
        ready_ms = now_ms()
        await until_turns_ended(platform.nats_url, tables.names, ready_ms)

        async with histories(platform.nats_url) as log:
            for table in tables.names:
                check_punctual(await heads(log, table), killed_ms, ready_ms)
