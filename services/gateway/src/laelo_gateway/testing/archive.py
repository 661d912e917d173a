"""A stand-in for the archive, for tests: real gRPC, answers that the test gives."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import grpc.aio
from laelo.archive.v1 import archive_pb2, archive_pb2_grpc
from laelo_common.errors import Code, LaeloError
from laelo_common.status import abort
from laelo_common.stream import SERVER_OPTIONS


class Shelf(archive_pb2_grpc.ArchiveServiceServicer):
    """What one archive has, and what it was asked for."""

    def __init__(self) -> None:
        self.matches: dict[tuple[str, int], archive_pb2.ReplayResponse] = {}
        self.closed_to: dict[tuple[str, int], set[str]] = {}
        """Only these may see a match; everybody, where nothing is said."""
        self.judgements: dict[tuple[str, int], archive_pb2.JudgementResponse] = {}
        self.judged: list[archive_pb2.JudgementRequest] = []
        """What was asked about the play."""
        self.stories: dict[str, archive_pb2.StoryResponse] = {}
        self.rows = archive_pb2.HistoryResponse()
        self.asked: list[archive_pb2.HistoryRequest | archive_pb2.ReplayRequest] = []
        self.is_away = False
        self.address = ""

    async def History(  # noqa: N802 - the proto's names
        self, request: archive_pb2.HistoryRequest, context: grpc.aio.ServicerContext[Any, Any]
    ) -> archive_pb2.HistoryResponse:
        """The rows that the test has put there."""
        self.asked.append(request)
        if self.is_away:
            await abort(context, LaeloError(Code.TRY_LATER))
        return self.rows

    async def Replay(  # noqa: N802
        self, request: archive_pb2.ReplayRequest, context: grpc.aio.ServicerContext[Any, Any]
    ) -> archive_pb2.ReplayResponse:
        """A match that the test has put there."""
        self.asked.append(request)
        key = (request.table, request.match)
        if self.is_away:
            await abort(context, LaeloError(Code.TRY_LATER))
        if key not in self.matches:
            await abort(context, LaeloError(Code.UNKNOWN_MATCH))
        if request.viewer not in self.closed_to.get(key, {request.viewer}):
            await abort(context, LaeloError(Code.NOT_SEATED))
        return self.matches[key]

    async def Judgement(  # noqa: N802
        self, request: archive_pb2.JudgementRequest, context: grpc.aio.ServicerContext[Any, Any]
    ) -> archive_pb2.JudgementResponse:
        """What the test has put there."""
        self.judged.append(request)
        key = (request.table, request.match)
        if self.is_away or key not in self.judgements:
            await abort(context, LaeloError(Code.TRY_LATER))
        return self.judgements[key]

    async def Story(  # noqa: N802
        self, request: archive_pb2.StoryRequest, context: grpc.aio.ServicerContext[Any, Any]
    ) -> archive_pb2.StoryResponse:
        """A story that the test has put there."""
        if self.is_away:
            await abort(context, LaeloError(Code.TRY_LATER))
        if request.table not in self.stories:
            await abort(context, LaeloError(Code.UNKNOWN_TABLE))
        return self.stories[request.table]


@asynccontextmanager
async def archives() -> AsyncIterator[Shelf]:
    """One replica of the archive."""
    shelf = Shelf()
    server = grpc.aio.server(options=SERVER_OPTIONS)
    archive_pb2_grpc.add_ArchiveServiceServicer_to_server(shelf, server)
    shelf.address = f"127.0.0.1:{server.add_insecure_port('127.0.0.1:0')}"
    await server.start()
    try:
        yield shelf
    finally:
        await server.stop(None)
