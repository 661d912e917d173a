"""Questions to the table service that are asked call by call, of whichever replica answers."""

import logging
from collections.abc import Iterable, Sequence
from typing import Any, Final

import grpc
import grpc.aio
from laelo.table.v1 import table_pb2
from laelo_common.errors import Code, LaeloError

ANSWER_SECONDS: Final = 1.0
"""For one replica."""
MOST_ASKED: Final = 3

_log = logging.getLogger(__name__)


async def find(stubs: Iterable[Any], code: str) -> table_pb2.FindResponse | None:
    """The table behind a code; None if there is none. Raises LaeloError with TRY_LATER."""
    found: table_pb2.FindResponse | None = await _first(
        stubs, "Find", table_pb2.FindRequest(code=code)
    )
    return found


async def waiting(stubs: Iterable[Any]) -> Sequence[table_pb2.FindResponse]:
    """Public tables that wait for players. Raises LaeloError with TRY_LATER."""
    found = await _first(stubs, "ListWaiting", table_pb2.ListWaitingRequest())
    return [] if found is None else found.tables


async def _first(stubs: Iterable[Any], method: str, request: Any) -> Any:
    """The first answer; None if it is that there is nothing."""
    for stub in list(stubs)[:MOST_ASKED]:
        try:
            return await getattr(stub, method)(request, timeout=ANSWER_SECONDS)
        except grpc.aio.AioRpcError as error:
            if error.code() is grpc.StatusCode.NOT_FOUND:
                return None
            _log.debug("%s: %s", method, error.code())
    raise LaeloError(Code.TRY_LATER, "no table server answers")
