"""From settings to a running console."""

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Final

from laelo_common.postgres import Database
from laelo_common.runtime import Service, SetupError, run_service
from laelo_common.runtime.ports import sentence

from laelo_gateway.accounts.wiring import doors_of
from laelo_gateway.adapters.console import MigratedByOthers, PostgresConsole
from laelo_gateway.console.assembly import Parts, Unready, console
from laelo_gateway.console.house import House, Where
from laelo_gateway.console.settings import ConsoleSettings
from laelo_gateway.server import HttpServer

PREFIX: Final = "LAELO_CONSOLE_"
READY_SECONDS: Final = 0.25


@asynccontextmanager
async def wire(service: Service[ConsoleSettings]) -> AsyncIterator[None]:
    """Connect all parts and serve; take them apart in the other order."""
    settings = service.settings
    doors = doors_of(settings, PREFIX)
    database = Database(
        settings.pg_dsn.reveal(), MigratedByOthers("gateway"), most=settings.pg_connections
    )
    house = _house(service)

    def unready() -> str | None:
        if service.ended.is_set():
            return "stopping"
        return None if database.is_up else "PostgreSQL is out of reach, or not up to date"

    http = HttpServer(console(Parts(PostgresConsole(database), house, doors), unready))
    async with AsyncExitStack() as stack:
        stack.push_async_callback(database.close)
        if doors.provider is not None:
            stack.push_async_callback(doors.provider.close)
        stack.push_async_callback(house.close)
        service.port = _listen(http, settings)
        stack.push_async_callback(http.stop)
        service.task(database.reach(), "PostgreSQL")
        for number, channels in enumerate(house.services()):
            service.task(channels.run(), f"replicas {number}")
        service.task(_tell_ready(service, unready), "readiness")
        yield


async def _tell_ready(service: Service[ConsoleSettings], unready: Unready) -> None:
    """Keep the runtime's readiness right for ever."""
    while True:
        await service.set_ready(unready())
        await asyncio.sleep(READY_SECONDS)


def _house(service: Service[ConsoleSettings]) -> House:
    settings = service.settings
    where = Where(
        settings.table_addresses, settings.tournament_addresses, settings.archive_addresses
    )
    try:
        return House(where, service.dial)
    except ValueError as error:
        raise SetupError(f"{PREFIX}…_ADDRESSES: {error}") from error


def _listen(http: HttpServer, settings: ConsoleSettings) -> int:
    try:
        return http.start(settings.host, settings.http_port)
    except OSError as error:
        words = sentence(error, settings.host, settings.http_port, f"{PREFIX}HTTP_PORT")
        raise SetupError(words) from error


def main() -> int:
    """Run until told to stop; the exit status."""
    return run_service("console", ConsoleSettings, wire, serve_grpc=False)


if __name__ == "__main__":
    sys.exit(main())
