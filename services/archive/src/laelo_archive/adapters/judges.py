"""The bots, asked to judge."""

import logging
from collections.abc import AsyncIterator, Sequence
from typing import Final

import grpc.aio
from laelo.bots.v1 import bots_pb2, bots_pb2_grpc
from laelo_common.errors import Code, LaeloError
from laelo_common.status import error_of
from laelo_common.stream import Dial, addresses, plain

LONGEST_SECONDS: Final = 900.0
"""For a whole match, by bots that have other things to do and no C core."""

_log = logging.getLogger(__name__)


class GrpcJudges:
    """`Judges` at the addresses that a setting names. Raises ValueError if it names none."""

    def __init__(self, setting: str, dial: Dial = plain) -> None:
        self._resolve = addresses(setting)
        self._dial = dial

    async def judge(
        self, turns: Sequence[bots_pb2.PlayedTurn]
    ) -> AsyncIterator[bots_pb2.JudgeResponse]:
        """Verdicts of the first replica that answers, in order. Raises LaeloError."""
        try:
            replicas = await self._resolve()
        except OSError as error:
            raise LaeloError(Code.TRY_LATER, f"the bots' name is not resolved: {error}") from error
        request = bots_pb2.JudgeRequest(turns=turns)
        last = LaeloError(Code.TRY_LATER, "no bots answer")
        for address in replicas:
            async with self._dial(address) as channel:
                call = bots_pb2_grpc.BotsServiceStub(channel).Judge(
                    request, timeout=LONGEST_SECONDS
                )
                answered = 0
                try:
                    async for verdict in call:
                        answered += 1
                        yield verdict
                except grpc.aio.AioRpcError as error:
                    _log.debug("%s: %s", address, error.code())
                    last = error_of(error)
                else:
                    return
            if answered or last.code != Code.TRY_LATER:
                break
        raise last
