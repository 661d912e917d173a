"""The gRPC entry."""

from collections.abc import AsyncIterator
from typing import Any

import grpc
import grpc.aio
from laelo.bots.v1 import bots_pb2 as pb
from laelo.bots.v1.bots_pb2_grpc import BotsServiceServicer
from laelo_common.errors import Code, LaeloError
from laelo_common.status import abort
from laelo_common.stream import Session, StreamServer

from laelo_bots.app import answer

BotsSession = Session[pb.ChooseMoveRequest, pb.ChooseMoveResponse]
Context = grpc.aio.ServicerContext[Any, Any]


class BotsServicer(BotsServiceServicer):
    """Bots, one question at a time or many in a frame."""

    def __init__(self) -> None:
        self.streams: StreamServer[pb.ChooseMoveRequest, pb.ChooseMoveResponse] = StreamServer(
            pb.ConnectResponse, _on_item, _on_error
        )

    async def ChooseMove(  # noqa: N802 - named by the proto
        self, request: pb.ChooseMoveRequest, context: Context
    ) -> pb.ChooseMoveResponse:
        """See proto."""
        response = answer(request)
        if response.error:
            await abort(context, LaeloError(Code.BAD_REQUEST, response.error))
        return response

    async def Connect(  # type: ignore[override]  # noqa: N802 - named by the proto
        self, request_iterator: AsyncIterator[pb.ConnectRequest], context: Context
    ) -> None:
        """See proto."""
        await self.streams.serve(request_iterator, context)


def _on_item(_: BotsSession, request: pb.ChooseMoveRequest) -> pb.ChooseMoveResponse:
    return answer(request)


def _on_error(_: pb.ChooseMoveRequest, error: Exception) -> pb.ChooseMoveResponse:
    return pb.ChooseMoveResponse(error=f"{type(error).__name__}: a fault of ours, see the logs")
