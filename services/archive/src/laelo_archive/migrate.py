"""The migrations; by hand `python -m laelo_archive.migrate`, with PG_DSN set."""

import sys
from typing import Final

from laelo_common.postgres import Migrations

MIGRATIONS: Final = Migrations("archive")

if __name__ == "__main__":
    sys.exit(MIGRATIONS.main())
