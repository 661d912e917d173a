"""The bots over gRPC: one question at a time, or many in a frame on a persistent stream."""

import logging
from collections import Counter
from collections.abc import AsyncIterator
from typing import Any

import grpc.aio
from laelo.bots.v1 import bots_pb2 as pb
from laelo.bots.v1.bots_pb2_grpc import BotsServiceServicer
from laelo_common.errors import Code, LaeloError
from laelo_common.metrics import Histogram
from laelo_common.status import abort
from laelo_common.stream import Session, StreamServer

from laelo_bots.judging.serving import Judging
from laelo_bots.thinking import Thinking

_log = logging.getLogger(__name__)

_Context = grpc.aio.ServicerContext[Any, Any]
_Session = Session[pb.ChooseMoveRequest, pb.ChooseMoveResponse]


class BotsServicer(BotsServiceServicer):
    """Keeps nothing between two questions but numbers about them."""

    def __init__(self, thinking: Thinking, judging: Judging) -> None:
        self._thinking = thinking
        self._judging = judging
        self.streams: StreamServer[pb.ChooseMoveRequest, pb.ChooseMoveResponse] = StreamServer(
            pb.ConnectResponse, self._on_item, _failed
        )
        self.chosen = 0
        self.decisions: Counter[int] = Counter()
        """Chosen moves by `pb.Level`."""
        self.made_no_sense = 0
        self.worlds = 0
        self.seconds = Histogram()

    async def ChooseMove(  # noqa: N802 - the proto's name
        self, request: pb.ChooseMoveRequest, context: _Context
    ) -> pb.ChooseMoveResponse:
        """One question; a view that makes no sense fails with INVALID_ARGUMENT."""
        response = self._at_once(request) or await self._searched(request)
        if response.error:
            await abort(context, LaeloError(Code.BAD_REQUEST, response.error))
        return response

    async def Connect(  # type: ignore[override]  # noqa: N802
        self, request_iterator: AsyncIterator[pb.ConnectRequest], context: _Context
    ) -> None:
        """Questions in frames, until the client has had enough."""
        await self.streams.serve(request_iterator, context)

    async def Judge(  # noqa: N802
        self, request: pb.JudgeRequest, context: _Context
    ) -> AsyncIterator[pb.JudgeResponse]:
        """Verdicts on tiles that were laid, one after the other."""
        try:
            async for verdict in self._judging.verdicts(request):
                yield verdict
        except LaeloError as error:
            await abort(context, error)

    def _on_item(
        self, session: _Session, request: pb.ChooseMoveRequest
    ) -> pb.ChooseMoveResponse | None:
        response = self._at_once(request)
        if response is None:
            session.spawn(request, self._searched(request))
        return response

    def _at_once(self, request: pb.ChooseMoveRequest) -> pb.ChooseMoveResponse | None:
        response = self._thinking.at_once(request)
        return None if response is None else self._noted(request, response)

    async def _searched(self, request: pb.ChooseMoveRequest) -> pb.ChooseMoveResponse:
        return self._noted(request, await self._thinking.searched(request))

    def _noted(
        self, request: pb.ChooseMoveRequest, response: pb.ChooseMoveResponse
    ) -> pb.ChooseMoveResponse:
        if response.error:
            self.made_no_sense += 1
            _log.warning("a view made no sense: %s", response.error)
        else:
            self.chosen += 1
            self.decisions[request.level] += 1
            self.worlds += response.worlds
            self.seconds.add(response.elapsed_us / 1e6)
        return response


def _failed(_: pb.ChooseMoveRequest, error: Exception) -> pb.ChooseMoveResponse:
    """A fault of ours, which the stream has logged: asked again, it would fail again."""
    return pb.ChooseMoveResponse(error=f"{type(error).__name__}: a fault of ours, see the logs")
