"""Makes the records anew from the log: `python -m laelo_tournament.rebuild`, with the settings of
the service. Services may run meanwhile; what is not recorded yet is missing in their answers.
"""

import asyncio
import os
import sys

from laelo_common.errors import LaeloError
from laelo_common.log import JetStreamLog, LogError, NatsSettings, connect
from laelo_common.postgres import Database
from laelo_common.settings import SettingsError, load

from laelo_tournament.adapters.postgres import PostgresRecords
from laelo_tournament.migrate import MIGRATIONS
from laelo_tournament.records import rebuild
from laelo_tournament.settings import TournamentSettings


async def run(settings: TournamentSettings) -> int:
    """Rebuild; how far the log is recorded then. Raises LaeloError, LogError and TimeoutError."""
    servers = tuple(part.strip() for part in settings.nats_url.split(","))
    nats = NatsSettings(
        servers=servers, name="laelo-tournament-rebuild", inbox_prefix="_INBOX.tournament"
    )
    connection = await connect(nats)
    database = Database(settings.pg_dsn.reveal(), MIGRATIONS)
    try:
        async with asyncio.timeout(settings.start_seconds):
            await database.reach()
        return await rebuild(JetStreamLog(connection), PostgresRecords(database))
    finally:
        await database.close()
        await connection.close()


def main() -> int:
    """Rebuild by the environment; the exit status."""
    try:
        cursor = asyncio.run(run(load(TournamentSettings, "tournament", os.environ)))
    except SettingsError as error:
        print(error, file=sys.stderr)
        return 2
    except (LaeloError, LogError, TimeoutError) as error:
        print(f"the records cannot be made anew: {error}", file=sys.stderr)
        return 1
    print(f"recorded up to commit {cursor} of the log")
    return 0


if __name__ == "__main__":
    sys.exit(main())
