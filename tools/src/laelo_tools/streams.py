"""The deploy step of the log: its streams exist before any service starts."""

from laelo_common.log.connection import NatsSettings, connect
from laelo_common.log.port import LogError
from laelo_common.log.streams import ensure_streams

from laelo_tools.errors import LaeloError


def servers_of(nats_url: str) -> tuple[str, ...]:
    """The servers that an address of the log names: one, or several with commas."""
    return tuple(part.strip() for part in nats_url.split(",") if part.strip())


async def prepare_log(nats_url: str, replicas: int = 1) -> None:
    """Make the streams, or bring them up to date. Raises LaeloError."""
    try:
        connection = await connect(NatsSettings(servers_of(nats_url), name="laelo-deploy"))
        try:
            await ensure_streams(connection, replicas)
        finally:
            await connection.close()
    except LogError as error:
        raise LaeloError(
            f"The streams of the log could not be made ({error}): `make clean-data` starts with"
            " an empty log."
        ) from error
