"""The archive over gRPC."""

from collections.abc import Awaitable
from typing import Any, TypeVar

import grpc.aio
from laelo.archive.v1 import archive_pb2, archive_pb2_grpc
from laelo_common.errors import LaeloError
from laelo_common.status import abort

from laelo_archive.app import Archive
from laelo_archive.judging import Judging

T = TypeVar("T")
_Context = grpc.aio.ServicerContext[Any, Any]


class ArchiveServicer(archive_pb2_grpc.ArchiveServiceServicer):
    """Passes calls on, and maps whatever is wrong to a status in one place."""

    def __init__(self, archive: Archive, judging: Judging) -> None:
        self._archive = archive
        self._judging = judging

    async def History(  # noqa: N802 - the proto's names
        self, request: archive_pb2.HistoryRequest, context: _Context
    ) -> archive_pb2.HistoryResponse:
        """The matches in which a player sat."""
        return await _answered(self._archive.history(request), context)

    async def Replay(  # noqa: N802
        self, request: archive_pb2.ReplayRequest, context: _Context
    ) -> archive_pb2.ReplayResponse:
        """One match, hand by hand."""
        return await _answered(self._archive.replay(request), context)

    async def Judgement(  # noqa: N802
        self, request: archive_pb2.JudgementRequest, context: _Context
    ) -> archive_pb2.JudgementResponse:
        """What the bots think of one match."""
        return await _answered(self._judging.judgement(request), context)

    async def Story(  # noqa: N802
        self, request: archive_pb2.StoryRequest, context: _Context
    ) -> archive_pb2.StoryResponse:
        """All that happened at a table."""
        return await _answered(self._archive.story(request), context)


async def _answered(asking: Awaitable[T], context: _Context) -> T:
    try:
        return await asking
    except LaeloError as error:
        await abort(context, error)
