"""The tournament service, asked call by call, of whichever replica answers."""

import logging
import random
from typing import Final

import grpc.aio
from laelo.tournament.v1 import tournament_pb2, tournament_pb2_grpc
from laelo_common.errors import Code, LaeloError
from laelo_common.status import error_of
from laelo_common.stream import Dial, addresses, plain

ANSWER_SECONDS: Final = 3.0
"""For one replica."""

_log = logging.getLogger(__name__)


class Tournament:
    """All replicas of the tournament service. Raises ValueError if the setting names none."""

    def __init__(self, setting: str, dial: Dial = plain) -> None:
        self._resolve = addresses(setting)
        self._dial = dial
        self._channels: dict[str, grpc.aio.Channel] = {}

    async def start(self, request: tournament_pb2.StartRequest) -> None:
        """Have a championship begun. Raises LaeloError."""
        failure = LaeloError(Code.TRY_LATER, "no tournament server is known")
        for channel in await self._in_any_order():
            stub = tournament_pb2_grpc.TournamentServiceStub(channel)
            try:
                await stub.Start(request, timeout=ANSWER_SECONDS)
            except grpc.aio.AioRpcError as error:
                _log.info("championship %s: %s", request.championship, error.details())
                failure = error_of(error)
            else:
                return
        raise failure

    async def close(self) -> None:
        """Close all channels."""
        for channel in self._channels.values():
            await channel.close()
        self._channels.clear()

    async def _in_any_order(self) -> list[grpc.aio.Channel]:
        try:
            known = set(await self._resolve())
        except OSError as error:
            raise LaeloError(Code.TRY_LATER, f"the tournament is not found: {error}") from error
        for address in self._channels.keys() - known:
            await self._channels.pop(address).close()
        for address in known - self._channels.keys():
            self._channels[address] = self._dial(address)
        return random.sample(list(self._channels.values()), len(self._channels))
