"""Programs of the services that an operator has run: the services are not imported here."""

import asyncio
import os
import sys

from laelo_tools.second_copy.places import Places


async def run(service: str, program: str, where: Places, *arguments: str) -> int:
    """Run one against a log and a database; its exit status. What it says is said."""
    variable = f"LAELO_{service.upper()}"
    dsn = where.ranking_dsn if service == "tournament" else where.pg_dsn
    own = {
        f"{variable}_NATS_URL": where.nats_url,
        f"{variable}_PG_DSN": dsn,
        f"{variable}_COPY_DSN": where.pg_dsn,
    }
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", f"laelo_{service}.{program}", *arguments, env={**os.environ, **own}
    )
    return await process.wait()
