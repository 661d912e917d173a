"""A real server with the accounts of deploy/, and a connection for any of its users."""

import os
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

from laelo_common.log import Connection, NatsSettings, connect
from laelo_common.testing.nats import NatsServer

ROOT = Path(__file__).resolve().parents[2]
ACCOUNTS = ROOT / "deploy/k8s/components/nats-accounts/accounts.conf"
SERVICES = ("table", "matchmaking", "tournament", "archive")
USERS = (*SERVICES, "deploy", "restore", "sys")


def password(user: str) -> str:
    return f"secret-of-{user}"


def passwords() -> dict[str, str]:
    """The environment of a server with these accounts."""
    return {f"NATS_{user.upper()}_PASSWORD": password(user) for user in USERS}


def url_of(user: str, server: NatsServer) -> str:
    return server.url.replace("nats://", f"nats://{user}:{password(user)}@")


@contextmanager
def environment(values: Mapping[str, str]) -> Iterator[None]:
    """These variables for as long as it lasts."""
    before = dict(os.environ)
    os.environ.update(values)
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)


@contextmanager
def log_server(change: Callable[[str], str] = str) -> Iterator[NatsServer]:
    """A server with the accounts as they are deployed, or with a change of them."""
    server = NatsServer(more=change(ACCOUNTS.read_text()))
    with environment(passwords()):
        server.start()
    try:
        yield server
    finally:
        server.close()


@asynccontextmanager
async def connected(
    user: str, server: NatsServer, request_s: float = 5
) -> AsyncIterator[Connection]:
    """A connection as the service of that name makes it."""
    settings = NatsSettings(
        (url_of(user, server),), inbox_prefix=f"_INBOX.{user}", request_s=request_s
    )
    connection = await connect(settings)
    try:
        yield connection
    finally:
        await connection.close()
