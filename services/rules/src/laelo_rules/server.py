"""The rules over gRPC: one question at a time, or many in a frame on a persistent stream."""

import logging
from collections.abc import AsyncIterator
from typing import Any, Final

import grpc.aio
from laelo.rules.v1 import rules_pb2, rules_pb2_grpc
from laelo_common.errors import LaeloError
from laelo_common.status import abort
from laelo_common.stream import Session, StreamServer
from laelo_common.telemetry import OFF, Telemetry

from .app import Request, Response, answer, bad_request

_log = logging.getLogger(__name__)

_ACTS: Final = {number: name for name, number in rules_pb2.Act.items()}
_NO_ACT: Final = "unknown"
"""Of a question that makes no sense, or of a newer release."""

_Context = grpc.aio.ServicerContext[Any, Any]
_Session = Session[Request, Response]


class RulesServicer(rules_pb2_grpc.RulesServiceServicer):
    """Keeps nothing between two questions but a count of them."""

    def __init__(self, telemetry: Telemetry = OFF) -> None:
        self._telemetry = telemetry
        self.streams: StreamServer[Request, Response] = StreamServer(
            rules_pb2.ConnectResponse,
            self._traced if telemetry.is_on else self._answer,
            _failed,
        )
        self.answered = 0
        self.made_no_sense = 0

    async def Judge(  # noqa: N802 - the proto's name
        self, request: Request, context: _Context
    ) -> Response:
        """One question; what makes no sense fails with INVALID_ARGUMENT."""
        self.answered += 1
        try:
            return answer(request)
        except LaeloError as error:
            self.made_no_sense += 1
            await abort(context, error)

    async def Connect(  # type: ignore[override]  # noqa: N802
        self, request_iterator: AsyncIterator[rules_pb2.ConnectRequest], context: _Context
    ) -> None:
        """Questions in frames, until the client has had enough."""
        await self.streams.serve(request_iterator, context)

    def _traced(self, session: _Session, request: Request) -> Response:
        if not request.trace:
            return self._answer(session, request)
        with self._telemetry.span(
            "rules.judge", request.trace, act=_ACTS.get(request.act, _NO_ACT)
        ):
            return self._answer(session, request)

    def _answer(self, _session: _Session, request: Request) -> Response:
        self.answered += 1
        try:
            return answer(request)
        except LaeloError as error:
            self.made_no_sense += 1
            _log.warning("a question made no sense: %s", error.message)
            return bad_request(error)


def _failed(_request: Request, _error: Exception) -> Response:
    """A fault of ours, which the stream has logged: asked again, it would fail again."""
    return Response(
        refusal=rules_pb2.REFUSAL_BAD_REQUEST,
        reason="the rules service failed on this question; the fault is in its logs",
    )
