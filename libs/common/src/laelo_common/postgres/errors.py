"""What PostgreSQL's errors mean to whoever has asked."""

import logging
from typing import Final

import asyncpg

from laelo_common.errors import Code, LaeloError

_NOT_NOW: Final = (
    "08",  # the connection is gone
    "25006",  # it takes no writes: another server has just become the one that does
    "40",  # two transactions were in each other's way
    "53",  # no room on the disk, no memory, too many connections
    "57",  # it stops, starts, recovers, or took too long
    "58",  # the disk fails
)
"""Beginnings of the states in which it can do nothing for now, through no fault of the question."""

_log = logging.getLogger(__name__)


def meaning(error: asyncpg.PostgresError) -> LaeloError:
    """TRY_LATER while the server can't; BAD_REQUEST if it cannot keep a value that it was given;
    INTERNAL, and a line in the log, if the question was wrong: that one is our fault.
    """
    if isinstance(error, asyncpg.DataError):
        # Such as a text with U+0000, which has come a long way to be refused here.
        return LaeloError(Code.BAD_REQUEST, f"that cannot be kept: {error}")
    if str(error.sqlstate or "").startswith(_NOT_NOW):
        _log.warning("the database can't answer now: %s", error)
        return LaeloError(Code.TRY_LATER, "the database cannot do that at the moment")
    _log.error("the database refuses a question", exc_info=error)
    return LaeloError(Code.INTERNAL, "the database refuses that")
