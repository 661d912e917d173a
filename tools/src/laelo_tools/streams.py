"""The deploy step of the log: its streams exist before any service starts."""

from laelo_common.log.connection import NatsSettings, connect
from laelo_common.log.port import LogError
from laelo_common.log.streams import ensure_streams

from laelo_tools.errors import LaeloError


async def prepare_log(nats_url: str) -> None:
    """Make the streams, or bring them up to date. Raises LaeloError."""
    try:
        connection = await connect(NatsSettings(servers=(nats_url,), name="laelo-deploy"))
        try:
            await ensure_streams(connection)
        finally:
            await connection.close()
    except LogError as error:
        raise LaeloError(
            f"The streams of the log could not be made ({error}): `make clean-data` starts with"
            " an empty log."
        ) from error
