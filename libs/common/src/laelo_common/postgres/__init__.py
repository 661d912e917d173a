"""PostgreSQL for the services that use it: a pool that may come late or go away, and migrations."""

from laelo_common.postgres.database import AWAY, Connection, Database
from laelo_common.postgres.migrations import Migrations

__all__ = ["AWAY", "Connection", "Database", "Migrations"]
