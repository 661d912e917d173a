"""Tables made anew beside those that are read, and put in their place at the end.

They are made in a schema of their own, under the same names: who looks there first writes to them
without knowing. To take their place means that rows which differ are changed, in one transaction:
readers see the old ones until then, nobody's statements have to be planned anew, and whatever ends
it before has changed nothing.
"""

from collections.abc import Sequence
from typing import Final
from zlib import crc32

import asyncpg

from laelo_common.errors import Code, LaeloError
from laelo_common.postgres.database import Connection

PATIENCE_SECONDS: Final = 3600.0
"""For statements that look at everything there is."""

WAIT_SECONDS: Final = 5
"""For so long somebody who was at it, and was killed, may still be there."""


class Beside:
    """The tables of one service that are made anew; parents before what refers to them."""

    def __init__(self, service: str, tables: Sequence[str]) -> None:
        self.schema = f"{service}_next"
        self._tables = tables

    async def begin(self, connection: Connection) -> None:
        """Make the tables, empty, and have this connection look there first.

        What an earlier try has left is dropped. Raises LaeloError while another one is at it.
        """
        await connection.execute(f"SET lock_timeout = '{WAIT_SECONDS}s'")
        try:
            await connection.execute("SELECT pg_advisory_lock($1)", crc32(self.schema.encode()))
        except asyncpg.LockNotAvailableError as error:
            words = "somebody else is making them anew at the moment"
            raise LaeloError(Code.TRY_LATER, words) from error
        await connection.execute("SET lock_timeout = 0")
        await connection.execute("SET synchronous_commit = off")
        await connection.execute(f"DROP SCHEMA IF EXISTS {self.schema} CASCADE")
        await connection.execute(f"CREATE SCHEMA {self.schema}")
        for table in self._tables:
            await connection.execute(
                f"CREATE UNLOGGED TABLE {self.schema}.{table} (LIKE public.{table} INCLUDING ALL)"
            )
        await connection.execute(f"SET search_path = {self.schema}, public")

    async def swap(self, connection: Connection, tables: Sequence[str]) -> None:
        """Make some of the tables that are read what those beside them are; in a transaction.

        Raises LaeloError for a table that is not made anew.
        """
        if unknown := set(tables) - set(self._tables):
            raise LaeloError(Code.BAD_REQUEST, f"not made anew: {', '.join(sorted(unknown))}")
        wanted = [table for table in self._tables if table in tables]
        for table in reversed(wanted):
            await self._delete(connection, table)
        for table in wanted:
            old, new = f"public.{table}", f"{self.schema}.{table}"
            await connection.execute(
                f"INSERT INTO {old} TABLE {new} EXCEPT TABLE {old}", timeout=PATIENCE_SECONDS
            )

    async def end(self, connection: Connection) -> None:
        """Drop what is beside."""
        await connection.execute(f"DROP SCHEMA {self.schema} CASCADE")

    async def _delete(self, connection: Connection, table: str) -> None:
        """Delete the rows that are not the same beside."""
        keys = await connection.fetch(
            "SELECT attname FROM pg_index JOIN pg_attribute ON attrelid = indrelid"
            " AND attnum = ANY (indkey) WHERE indisprimary AND indrelid = $1::text::regclass",
            f"public.{table}",
        )
        key = ", ".join(row["attname"] for row in keys)
        await connection.execute(
            f"DELETE FROM public.{table} WHERE ({key}) IN (SELECT {key} FROM"  # noqa: S608
            f" (TABLE public.{table} EXCEPT TABLE {self.schema}.{table}) AS other)",
            timeout=PATIENCE_SECONDS,
        )
