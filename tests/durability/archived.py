"""The second copy: whether it is the same."""

from laelo_tools.platform import Platform
from laelo_tools.second_copy.places import Places
from laelo_tools.second_copy.programs import run


async def audit(platform: Platform) -> int:
    """The exit status of `laelo log audit`."""
    return await run("archive", "audit", places_of(platform))


def places_of(platform: Platform) -> Places:
    """Log and database of a platform."""
    return Places(platform.nats_url, platform.pg_dsn, platform.pg_dsn)
