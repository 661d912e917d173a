"""The deploy step of the log: `python -m laelo_common.log.prepare` before any service starts.

It makes the streams or brings them up to date, as often as it is run. Only its user in NATS may
do that; `LAELO_DEPLOY_NATS_URL` has its name and password.
"""

import asyncio
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass

from laelo_common.log.connection import NatsSettings, connect
from laelo_common.log.port import LogError
from laelo_common.log.streams import ensure_streams
from laelo_common.runtime.logs import redacted
from laelo_common.settings import Secret, SettingsError, load, setting

OK, FAILED, MISCONFIGURED = 0, 1, 2


@dataclass(frozen=True, kw_only=True)
class DeploySettings:
    """`LAELO_DEPLOY_<NAME>`."""

    nats_url: Secret = setting(text="servers of the log, with commas")
    replicas: int = setting(1, low=1, high=5, text="how many servers keep each message")
    within_seconds: float = setting(60.0, low=0.1, high=600, text="how long the log is waited for")


async def prepare(settings: DeploySettings) -> None:
    """Make the streams. Raises Unavailable or Refused."""
    servers = tuple(part.strip() for part in settings.nats_url.reveal().split(","))
    nats = NatsSettings(
        servers=servers,
        name="laelo-deploy",
        inbox_prefix="_INBOX.deploy",
        connect_s=settings.within_seconds,
    )
    connection = await connect(nats)
    try:
        await ensure_streams(connection, settings.replicas, settings.within_seconds)
    finally:
        await connection.close()


def main(environ: Mapping[str, str] = os.environ) -> int:
    """Run the step; the exit status."""
    try:
        settings = load(DeploySettings, "deploy", environ)
    except SettingsError as error:
        print(f"the log cannot be prepared, the settings are wrong:\n{error}", file=sys.stderr)
        return MISCONFIGURED
    try:
        asyncio.run(prepare(settings))
    except LogError as error:
        print(f"the log cannot be prepared: {redacted(str(error))}", file=sys.stderr)
        return FAILED
    print(f"the streams of the log are as they should be, {settings.replicas} copies each")
    return OK


if __name__ == "__main__":
    sys.exit(main())
