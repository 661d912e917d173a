"""Real servers, PostgreSQL and NATS, as child processes on this machine.

The binaries come from locked packages; nothing of these packages is imported.
"""

from laelo_tools.embedded.nats import Nats
from laelo_tools.embedded.postgres import Postgres

__all__ = ["Nats", "Postgres"]
