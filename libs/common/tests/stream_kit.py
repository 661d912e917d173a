"""What the tests of the streams share."""

import asyncio
from typing import Any

import grpc
import grpc.aio
from laelo_common.stream import (
    ClientLimits,
    CoalescedClient,
)
from laelo_common.testing.echo import EchoFrame, EchoServer, echo_method

PATIENT = ClientLimits(timeout=20.0)
HASTY = ClientLimits(timeout=0.1)


def client(server: EchoServer, **options: Any) -> CoalescedClient[Any, Any]:
    options.setdefault("limits", PATIENT)
    return CoalescedClient(server.target, echo_method, EchoFrame, **options)


def silent(_session: Any, _item: Any) -> None:
    """A handler that never answers."""


async def read_all(call: Any) -> None:
    async with asyncio.timeout(20):
        while await call.read() is not grpc.aio.EOF:
            pass
