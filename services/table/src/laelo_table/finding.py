"""How people find tables: by code, or on the board of those that wait for players."""

from typing import Final

from laelo.table.v1 import table_pb2
from laelo_common.errors import Code, LaeloError
from laelo_common.log import Board, Log

from laelo_table.domain.codes import code_of, is_code
from laelo_table.domain.lobby import waits
from laelo_table.domain.snapshot import options
from laelo_table.domain.state import Table, in_match
from laelo_table.store import TableStore

MOST_LISTED: Final = 32
_ATTEMPTS: Final = 16


async def claim_code(log: Log, table: str) -> str:
    """A code that is this table's alone, the same however often it is asked for.

    Raises LaeloError if all that the table could have are taken, or LogError.
    """
    for attempt in range(_ATTEMPTS):
        code = code_of(table, attempt)
        if await log.claim(code, table.encode()) or await log.claimed(code) == table.encode():
            return code
    raise LaeloError(Code.TRY_LATER, "no code is free for this table: open another")


async def find(log: Log, store: TableStore, code: str) -> table_pb2.FindResponse:
    """The table behind a code, as long as it is open. Raises LaeloError or LogError."""
    table = await log.claimed(code) if is_code(code) else None
    if table is not None:
        state = await store.peek(table.decode())
        if state.version and not state.closed:
            return found(state)
    raise LaeloError(Code.UNKNOWN_TABLE, "no open table has this code")


def found(state: Table) -> table_pb2.FindResponse:
    """What somebody is told who may still join."""
    return table_pb2.FindResponse(
        table=state.id,
        options=options(state),
        free=sum(seat.is_free for seat in state.seats),
        playing=in_match(state),
    )


def post(board: Board, state: Table) -> None:
    """Have the board say whether the table waits for players."""
    if waits(state):
        board.post(state.id, found(state).SerializeToString())
    else:
        board.withdraw(state.id)


async def waiting(board: Board) -> list[table_pb2.FindResponse]:
    """Public tables that wait for players, the longest waiting first. Raises LogError."""
    notices = await board.notices(MOST_LISTED)
    return [table_pb2.FindResponse.FromString(notice) for notice in notices]
