"""Tables over gRPC: the gateways' streams, and single calls for tools and tests."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from typing import Any, Final

import grpc.aio
from laelo.table.v1 import table_pb2, table_pb2_grpc
from laelo_common.errors import Code, LaeloError
from laelo_common.status import abort
from laelo_common.stream import Pace, ServerLimits, Session, StreamServer

from laelo_table.app import Tables
from laelo_table.together import Together

_Context = grpc.aio.ServicerContext[Any, Any]
_Session = Session[table_pb2.Command, table_pb2.Update]

_PACE: Final = Pace(most=0.016, full=20)
"""The log stores one commit after the other; what it stores soon travels together."""

_MAX_WAITING: Final = 1024
_PUBLIC: Final = 4


class TableServicer(table_pb2_grpc.TableServiceServicer):
    """Passes commands on; what is to be told goes to the sessions themselves."""

    def __init__(self, tables: Tables, together: Together) -> None:
        self._tables = tables
        self._together = together
        self.streams: StreamServer[table_pb2.Command, table_pb2.Update] = StreamServer(
            table_pb2.ConnectResponse,
            self._on_command,
            _failed,
            on_frame=self._on_frame,
            on_close=tables.forget,
            limits=ServerLimits(pace=_PACE),
        )

    async def Connect(  # type: ignore[override]  # noqa: N802 - the proto's name
        self, request_iterator: AsyncIterator[table_pb2.ConnectRequest], context: _Context
    ) -> None:
        """Commands up, answers and frames down."""
        await self.streams.serve(request_iterator, context)

    async def Submit(  # noqa: N802
        self, request: table_pb2.SubmitRequest, _context: _Context
    ) -> table_pb2.SubmitResponse:
        """One command, one answer."""
        only = _OnlyAnswer()
        request.command.id = 1
        await self._tables.handle(request.command, only)
        return table_pb2.SubmitResponse(update=only.update)

    async def Watch(  # noqa: N802
        self, request: table_pb2.WatchRequest, context: _Context
    ) -> AsyncIterator[table_pb2.WatchResponse]:
        """The frames of a table for one viewer."""
        viewer = _Viewer(request.player)
        command = table_pb2.Command(
            id=1,
            table=request.table,
            kind=table_pb2.KIND_WATCH,
            player=request.player,
            seq=request.seq,
        )
        try:
            await self._tables.handle(command, viewer)
            async for view in viewer:
                yield table_pb2.WatchResponse(view=view)
        except LaeloError as error:
            await abort(context, error)
        finally:
            self._tables.unwatch(request.table, viewer)

    async def Find(  # noqa: N802
        self, request: table_pb2.FindRequest, context: _Context
    ) -> table_pb2.FindResponse:
        """The table behind a code."""
        try:
            return await self._tables.find(request.code)
        except LaeloError as error:
            await abort(context, error)

    async def ListWaiting(  # noqa: N802
        self, _request: table_pb2.ListWaitingRequest, context: _Context
    ) -> table_pb2.ListWaitingResponse:
        """Public tables that wait for players."""
        try:
            return table_pb2.ListWaitingResponse(tables=await self._tables.waiting())
        except LaeloError as error:
            await abort(context, error)

    def _on_frame(
        self, session: _Session, commands: Sequence[table_pb2.Command]
    ) -> Sequence[table_pb2.Command]:
        moves, others = self._together.begin(commands)
        if moves:
            session.work(self._together.do(moves, session))
        return others

    def _on_command(self, session: _Session, command: table_pb2.Command) -> None:
        session.spawn(command, self._tables.handle(command, session))


def _failed(command: table_pb2.Command, _error: Exception) -> table_pb2.Update:
    """A fault of ours, which the stream has logged."""
    return table_pb2.Update(
        table=command.table, code=Code.INTERNAL, reason=Code.INTERNAL.meaning.text, seat=_PUBLIC
    )


class _OnlyAnswer:
    """Takes the answer to one command."""

    def __init__(self) -> None:
        self.update = table_pb2.Update()

    def send(self, update: table_pb2.Update) -> None:
        self.update = update


class _Viewer:
    """One who watches one table; an iterator over its frames.

    Raises LaeloError when the watch was refused, or nobody reads what waits.
    """

    def __init__(self, player: str) -> None:
        self._player = player
        self._seat = _PUBLIC
        self._updates: asyncio.Queue[table_pb2.Update] = asyncio.Queue()

    def send(self, update: table_pb2.Update) -> None:
        self._updates.put_nowait(update)

    async def __aiter__(self) -> AsyncIterator[table_pb2.View]:
        while True:
            update = await self._updates.get()
            if update.code:
                raise LaeloError(Code(update.code), update.reason)
            if self._updates.qsize() > _MAX_WAITING:
                raise LaeloError(Code.OVERLOADED, "the frames are not read fast enough")
            if update.players:
                players = list(update.players)
                seated = self._player in players and self._player
                self._seat = players.index(self._player) if seated else _PUBLIC
            for view in update.views:
                if view.viewers >> self._seat & 1:
                    yield view
