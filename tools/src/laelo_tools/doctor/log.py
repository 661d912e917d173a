"""The log: its streams are there, as this version makes them, and its clock is ours."""

from datetime import UTC, datetime
from typing import Any, Final

import msgspec
from laelo_common.log import Connection, LogError, NatsSettings, connect
from laelo_common.log.inbox import status_of
from laelo_common.log.streams import STREAMS

from laelo_tools.doctor.finding import Finding

SECONDS: Final = 5.0
MOST_SKEW_SECONDS: Final = 1.0
_STEP: Final = "run the deploy step: python -m laelo_common.log.prepare"


async def log(url: str, patience_s: float = SECONDS) -> list[Finding]:
    """What is found with the deploy step's user; the address has its name and password."""
    servers = tuple(part.strip() for part in url.split(","))
    settings = NatsSettings(
        servers,
        "laelo-doctor",
        inbox_prefix="_INBOX.deploy",
        connect_s=patience_s,
        request_s=patience_s,
    )
    try:
        connection = await connect(settings)
    except LogError:
        return [Finding("log", False, "out of reach, or it refuses this user", "is NATS started?")]
    try:
        infos = {name: await _info(connection, name) for name in STREAMS}
    except LogError as error:
        return [Finding("log", False, str(error), "may this user ask for STREAM.INFO?")]
    finally:
        await connection.close()
    return [_streams(infos), *_clock(infos)]


async def _info(connection: Connection, name: str) -> dict[str, Any]:
    headers, data = await connection.inbox.ask(f"$JS.API.STREAM.INFO.{name}".encode(), b"")
    if headers and status_of(headers):
        return {}
    found: dict[str, Any] = msgspec.json.decode(data)
    return {} if "error" in found else found


def _streams(infos: dict[str, dict[str, Any]]) -> Finding:
    missing = [name for name, info in infos.items() if not info]
    if missing:
        return Finding("streams", False, f"there is no {', '.join(missing)}", _STEP)
    other = [
        name
        for name, info in infos.items()
        if any(info["config"].get(key) != value for key, value in STREAMS[name].items())
    ]
    if other:
        return Finding("streams", False, f"{', '.join(other)} made by another version", _STEP)
    copies = min(info["config"]["num_replicas"] for info in infos.values())
    commits = sum(info["state"]["messages"] for info in infos.values())
    return Finding("streams", True, f"{len(infos)} with {commits} messages, {copies} of each")


def _clock(infos: dict[str, dict[str, Any]]) -> list[Finding]:
    """Turns end by the services' clocks and are called by the log's."""
    times = [info["ts"] for info in infos.values() if "ts" in info]
    if not times:
        return []
    theirs = max(datetime.fromisoformat(time[:26].rstrip("Z") + "+00:00") for time in times)
    apart = abs((datetime.now(UTC) - theirs).total_seconds())
    said = f"{apart:.2f} s from the log's"
    return [Finding("clock", apart < MOST_SKEW_SECONDS, said, "set both by the same time server")]
