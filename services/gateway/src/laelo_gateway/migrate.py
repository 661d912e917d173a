"""The gateway's migrations; by hand `python -m laelo_gateway.migrate`, with its PG_DSN set."""

import sys
from importlib.resources import files
from typing import Any, Final

from laelo_common.postgres import Migrations


class GatewayMigrations(Migrations):
    """The tables, and then what the console's role may do with them, if there is such a role."""

    async def apply(self, connection: Any) -> list[str]:
        """Apply what is missing, all of it or nothing; the names of what was applied."""
        rights = files("laelo_gateway.console").joinpath("rights.sql").read_text(encoding="utf-8")
        async with connection.transaction():
            applied = await super().apply(connection)
            await connection.execute(rights)
        return applied


MIGRATIONS: Final = GatewayMigrations("gateway")

if __name__ == "__main__":
    sys.exit(MIGRATIONS.main())
