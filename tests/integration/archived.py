"""When the second copy has all that is in the log."""

import asyncpg
from laelo_common.log import JetStreamLives, Kind
from laelo_tools.platform import Platform
from laelo_tools.second_copy.places import log_at

from tests.integration.crowd import eventually


async def all_archived(platform: Platform) -> None:
    """Wait until the archive has all that is in the log."""
    database = await asyncpg.connect(platform.pg_dsn)

    async def caught_up() -> bool:
        rows = await database.fetch("SELECT stream, sequence FROM archive_streams")
        places = dict(tuple(row) for row in rows)
        async with log_at(platform.nats_url) as connection:
            lives = JetStreamLives(connection)
            return all([(await lives.life(kind)).last == places[kind.stream] for kind in Kind])

    try:
        await eventually(caught_up)
    finally:
        await database.close()
