"""What the programs share that an operator runs."""

from laelo_common.log import NatsSettings


def reader(nats_url: str, what: str) -> NatsSettings:
    """How the log is reached by a program, with the rights of the service."""
    servers = tuple(part.strip() for part in nats_url.split(","))
    return NatsSettings(servers, f"laelo-archive-{what}", inbox_prefix="_INBOX.archive")
