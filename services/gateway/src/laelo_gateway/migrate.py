"""The gateway's migrations; by hand `python -m laelo_gateway.migrate`, with its PG_DSN set."""

import sys
from typing import Final

from laelo_common.postgres import Migrations

MIGRATIONS: Final = Migrations("gateway")

if __name__ == "__main__":
    sys.exit(MIGRATIONS.main())
