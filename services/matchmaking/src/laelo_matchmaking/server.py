"""The queue over gRPC."""

import asyncio
import logging
from collections.abc import AsyncIterator
from typing import Any, Final

import grpc.aio
from laelo.matchmaking.v1 import matchmaking_pb2, matchmaking_pb2_grpc
from laelo_common.errors import Code, LaeloError
from laelo_common.ids import is_client_command_id, is_command_id
from laelo_common.log import LogError, Refused
from laelo_common.status import abort

from laelo_matchmaking.app import Matchmaking
from laelo_matchmaking.attendance import Attendance
from laelo_matchmaking.audience import Attendant, Audience
from laelo_matchmaking.domain import commands
from laelo_matchmaking.store import Store

PACE_SECONDS: Final = 1.0
"""A gateway is told of changes at most this often."""

_LEAVINGS: Final = (matchmaking_pb2.LEAVING_WISH, matchmaking_pb2.LEAVING_ERASED)

_Context = grpc.aio.ServicerContext[Any, Any]
_Requests = AsyncIterator[matchmaking_pb2.AttendRequest]

_log = logging.getLogger(__name__)


class MatchmakingServicer(matchmaking_pb2_grpc.MatchmakingServiceServicer):
    """Passes requests on; the one place where errors become statuses."""

    def __init__(
        self, store: Store, app: Matchmaking, people: Attendance, audience: Audience
    ) -> None:
        self._store = store
        self._app = app
        self._people = people
        self._audience = audience

    async def Join(  # noqa: N802 - the proto's name
        self, request: matchmaking_pb2.JoinRequest, context: _Context
    ) -> matchmaking_pb2.JoinResponse:
        """Join the queue at its end."""
        command = commands.Join(request.player, request.command)
        await self._run(command, request.trace, context)
        return matchmaking_pb2.JoinResponse(queue=self._app.shown())

    async def Leave(  # noqa: N802
        self, request: matchmaking_pb2.LeaveRequest, context: _Context
    ) -> matchmaking_pb2.LeaveResponse:
        """Leave the queue."""
        if request.leaving not in _LEAVINGS:
            await abort(context, LaeloError(Code.BAD_REQUEST, "people leave by wish or erased"))
        command = commands.Leave(request.player, request.command, request.leaving)
        await self._run(command, request.trace, context)
        return matchmaking_pb2.LeaveResponse(queue=self._app.shown())

    async def Show(  # noqa: N802
        self, _request: matchmaking_pb2.ShowRequest, _context: _Context
    ) -> matchmaking_pb2.ShowResponse:
        """The queue as it is, for operators."""
        state = self._store.state
        return matchmaking_pb2.ShowResponse(
            queue=self._app.shown(),
            pending=[called.championship for called in state.pending],
            busy=len(state.busy),
        )

    async def Attend(  # noqa: N802
        self, request_iterator: _Requests, _context: _Context
    ) -> AsyncIterator[matchmaking_pb2.AttendResponse]:
        """Hear who is there, and tell of the queue."""
        attendant = self._audience.enter()
        hearing = asyncio.create_task(self._hear(request_iterator, attendant), name="attend")
        try:
            yield attendant.take()
            while await attendant.changed(PACE_SECONDS):
                yield attendant.take()
        finally:
            self._audience.leave(attendant)
            hearing.cancel()
            await asyncio.wait([hearing])
            self._people.ended(attendant)

    async def _hear(self, requests: _Requests, attendant: Attendant) -> None:
        """Take in what a gateway says, until it says no more."""
        try:
            async for request in requests:
                self._people.went(attendant, request.gone)
                self._people.came(attendant, request.here)
        except grpc.aio.BaseError as error:
            _log.info("a gateway is gone: %s", error)
        finally:
            attendant.end()

    async def _run(
        self, command: commands.Join | commands.Leave, trace: str, context: _Context
    ) -> None:
        try:
            if not is_command_id(command.player) or not is_client_command_id(command.id):
                raise LaeloError(Code.BAD_REQUEST, "a player's id and a command's are wanted")
            refusal = await self._app.run(command, trace)
        except LaeloError as error:
            await abort(context, error)
        except Refused as error:
            message = f"the log does not take this: {error}"
            await abort(context, LaeloError(Code.INTERNAL, message))
        except LogError as error:
            message = f"the log is out of reach: {error}"
            await abort(context, LaeloError(Code.TRY_LATER, message))
        if refusal is not None:
            await abort(context, LaeloError(Code(refusal.code), refusal.reason))
