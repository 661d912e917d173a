"""Championships over gRPC."""

from collections.abc import AsyncIterator, Awaitable
from contextlib import AbstractContextManager
from typing import Any, TypeVar

import grpc.aio
from laelo.tournament.v1 import tournament_pb2, tournament_pb2_grpc
from laelo_common.errors import Code, LaeloError
from laelo_common.log import LogError, Refused
from laelo_common.status import abort
from laelo_common.telemetry import OFF, Telemetry

from laelo_tournament.app import Championships
from laelo_tournament.domain.commands import Cancel, Start
from laelo_tournament.domain.outcome import Refusal
from laelo_tournament.feed import Feed

T = TypeVar("T")
_Context = grpc.aio.ServicerContext[Any, Any]


class TournamentServicer(tournament_pb2_grpc.TournamentServiceServicer):
    """Passes calls on, and maps whatever is wrong to a status in one place."""

    def __init__(
        self, championships: Championships, feed: Feed, telemetry: Telemetry = OFF
    ) -> None:
        self._championships = championships
        self._feed = feed
        self._telemetry = telemetry

    async def Start(  # noqa: N802 - the proto's names
        self, request: tournament_pb2.StartRequest, context: _Context
    ) -> tournament_pb2.StartResponse:
        """Begin a championship."""
        start = Start(request.championship, request.tier, tuple(request.players))
        with self._traced("Start", request.championship, request.trace):
            await _done(self._championships.run(request.championship, start), context)
        return tournament_pb2.StartResponse()

    async def Cancel(  # noqa: N802
        self, request: tournament_pb2.CancelRequest, context: _Context
    ) -> tournament_pb2.CancelResponse:
        """End one before its time."""
        cancel = Cancel(request.reason, request.operator)
        with self._traced("Cancel", request.championship):
            await _done(self._championships.run(request.championship, cancel), context)
        return tournament_pb2.CancelResponse()

    async def Get(  # noqa: N802
        self, request: tournament_pb2.GetRequest, context: _Context
    ) -> tournament_pb2.GetResponse:
        """One championship."""
        return await _answered(self._championships.get(request.championship), context)

    async def List(  # noqa: N802
        self, request: tournament_pb2.ListRequest, context: _Context
    ) -> tournament_pb2.ListResponse:
        """Championships, the newest first."""
        found = await _answered(self._championships.listed(request), context)
        return tournament_pb2.ListResponse(championships=found)

    async def Rank(  # noqa: N802
        self, request: tournament_pb2.RankRequest, context: _Context
    ) -> tournament_pb2.RankResponse:
        """The ranking of a week."""
        return await _answered(self._championships.rank(request), context)

    async def Follow(  # noqa: N802
        self, _request: tournament_pb2.FollowRequest, context: _Context
    ) -> AsyncIterator[tournament_pb2.FollowResponse]:
        """All that run, then each that changes."""
        try:
            async for told in self._feed.follow():
                yield told
        except LaeloError as error:
            await abort(context, error)

    def _traced(self, kind: str, championship: str, trace: str = "") -> AbstractContextManager[str]:
        """A part of the trace that came; nobody's browser asks for this, so one may begin here."""
        name = "tournament.command"
        if trace:
            return self._telemetry.span(name, trace, kind=kind, championship=championship)
        return self._telemetry.root(name, kind=kind, championship=championship)


async def _done(doing: Awaitable[Refusal | None], context: _Context) -> None:
    refusal = await _answered(doing, context)
    if refusal is not None:
        await abort(context, LaeloError(Code(refusal.code), refusal.reason))


async def _answered(asking: Awaitable[T], context: _Context) -> T:
    try:
        return await asking
    except LaeloError as error:
        await abort(context, error)
    except Refused as error:
        await abort(context, LaeloError(Code.INTERNAL, f"the log does not take this: {error}"))
    except LogError as error:
        await abort(context, LaeloError(Code.TRY_LATER, f"the log is out of reach: {error}"))
