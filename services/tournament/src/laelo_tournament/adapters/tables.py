"""The table service, asked call by call: its home first, then whichever replica answers."""

import asyncio
import logging
from typing import Final

import grpc.aio
from laelo.table.v1 import table_pb2, table_pb2_grpc
from laelo_common.errors import Code, LaeloError
from laelo_common.hashing import home_order
from laelo_common.stream import Dial, addresses, plain

ANSWER_SECONDS: Final = 1.0
"""For one replica."""
MOST_ASKED: Final = 3

_log = logging.getLogger(__name__)


class GrpcTables:
    """`Tables` at the addresses that a setting names. Raises ValueError if it names none."""

    def __init__(self, setting: str, dial: Dial = plain) -> None:
        self._resolve = addresses(setting)
        self._dial = dial
        self._known: frozenset[str] = frozenset()
        self._channels: dict[str, grpc.aio.Channel] = {}

    async def submit(self, command: table_pb2.Command) -> table_pb2.Update:
        """Give a command to its table; see `Tables.submit`."""
        request = table_pb2.SubmitRequest(command=command)
        order = home_order(command.table, await self._replicas())
        for address in order[:MOST_ASKED]:
            stub = table_pb2_grpc.TableServiceStub(self._channel(address))
            try:
                response = await stub.Submit(request, timeout=ANSWER_SECONDS)
            except grpc.aio.AioRpcError as error:
                _log.debug("%s: %s", address, error.code())
                continue
            update: table_pb2.Update = response.update
            return update
        raise LaeloError(Code.TRY_LATER, "no table server answers")

    async def close(self) -> None:
        """Close all channels."""
        channels = list(self._channels.values())
        self._channels.clear()
        await asyncio.gather(*(channel.close() for channel in channels))

    async def _replicas(self) -> frozenset[str]:
        """Who they are now; as before while their name cannot be resolved."""
        try:
            self._known = frozenset(await self._resolve())
        except OSError as error:
            _log.warning("the table servers' name cannot be resolved: %s", error)
        for address in self._channels.keys() - self._known:
            await self._channels.pop(address).close()
        return self._known

    def _channel(self, address: str) -> grpc.aio.Channel:
        if address not in self._channels:
            self._channels[address] = self._dial(address)
        return self._channels[address]
