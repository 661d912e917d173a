"""From settings to a running gateway."""

import asyncio
import sys
from collections.abc import AsyncIterator, Iterable
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Final

import uvloop
from laelo_common.metrics import Metrics
from laelo_common.runtime import Service, SetupError, run_service
from laelo_common.runtime.ports import sentence

from laelo_gateway.accounts.wiring import accounts_of, doors_of
from laelo_gateway.adapters.accounts import PostgresAccounts
from laelo_gateway.adapters.addresses import Addresses
from laelo_gateway.adapters.bots import PostgresBots
from laelo_gateway.adapters.orders import PostgresOrders
from laelo_gateway.adapters.postgres import PostgresPeople
from laelo_gateway.adapters.tables import StreamLink
from laelo_gateway.adapters.unary import UnaryLink
from laelo_gateway.adapters.websocket import Endpoint, WebSocketProtocol
from laelo_gateway.answered import Answered
from laelo_gateway.api import TablesByCode
from laelo_gateway.bots.desk import Bots
from laelo_gateway.bots.pages import BotPages, Door
from laelo_gateway.builds import Builds
from laelo_gateway.championships.api import ChampionshipPages
from laelo_gateway.championships.assembly import Championships, Where
from laelo_gateway.connection import House
from laelo_gateway.counts import Counts
from laelo_gateway.hub import Hub
from laelo_gateway.limits import Limiters, Limits
from laelo_gateway.lookups import Lookups
from laelo_gateway.naming import NamedLink
from laelo_gateway.orders.desk import Orders
from laelo_gateway.origin import Origins
from laelo_gateway.pages import Pages
from laelo_gateway.people import People
from laelo_gateway.quick import QuickPlay
from laelo_gateway.replays.assembly import Replays
from laelo_gateway.replays.viewers import Viewers
from laelo_gateway.server import HttpServer, application
from laelo_gateway.settings import GatewaySettings
from laelo_gateway.sockets import Sockets

CHECK_SECONDS: Final = 2.0
READY_SECONDS: Final = 0.25
LINKS: Final = {"stream": StreamLink, "unary": UnaryLink}


@asynccontextmanager
async def wire(service: Service[GatewaySettings]) -> AsyncIterator[None]:
    """Connect all parts and serve; take them apart in the other order."""
    settings = service.settings
    counts = Counts()
    store = PostgresPeople(settings.pg_dsn.reveal(), most=settings.pg_connections)
    link = LINKS[settings.rpc](addresses(settings), dial=service.dial("table"))
    limits = Limiters(limits_of(settings))
    builds = Builds(pages := Pages(settings.web_dist))
    doors = doors_of(settings)
    known = PostgresAccounts(store.database)
    where = Where(settings.matchmaking_addresses, settings.tournament_addresses)
    championships = Championships(where, known, counts, service.dial, service.telemetry)
    named = NamedLink(link, championships.names)
    hub = Hub(named, counts)
    lookups, quick = Lookups(named, limits, hub), QuickPlay(named, limits)
    hub.expect(championships.cups.has_called_to)
    accounts = accounts_of(doors, known, limits, championships.membership)
    people, orders = People(store), Orders(PostgresOrders(store.database))
    house = House(
        hub,
        people,
        lookups,
        quick,
        limits,
        counts,
        service.telemetry,
        builds,
        accounts.sessions,
        championships.hall,
        orders,
    )
    sockets = Sockets(house)
    accounts.sessions.listen(sockets)
    orders.listen(sockets, championships.membership.send_away)
    viewers = Viewers(accounts.api.person_of, people)
    way, names = service.dial("archive"), championships.names
    replays = Replays(settings.archive_addresses, names, viewers, settings.proxies, way)
    link.register(service.metrics)
    measure(service.metrics, (counts, championships, replays), sockets, hub)
    origins = Origins(settings.origins)
    endpoint = Endpoint(sockets.accept, origins, counts.drop, settings.proxies)
    tables = TablesByCode(lookups, settings.proxies)
    shown = ChampionshipPages(championships, accounts.api.person_of, settings.proxies)
    bots = Bots(PostgresBots(store.database), sockets)
    door = Door(doors.site, limits.accounts, accounts.api.person_of)
    routes = [*BotPages(bots, door).routes(), *accounts.routes, *shown.routes(), *replays.routes()]
    secure = doors.site.is_secure
    app = application(pages, tables, lambda: unready(service, link), routes, secure=secure)
    http = HttpServer(Answered(app, counts), WebSocketProtocol.serving(endpoint))
    async with AsyncExitStack() as stack:
        stack.push_async_callback(store.close)
        if doors.provider is not None:
            stack.push_async_callback(doors.provider.close)
        stack.push_async_callback(link.close)
        stack.push_async_callback(named.close)
        stack.push_async_callback(quick.close)
        stack.push_async_callback(championships.close)
        stack.push_async_callback(replays.close)
        service.port = listen(http, settings)
        stack.push_async_callback(http.stop)
        service.on_drain(sockets.drain)
        for work, name in (
            (link.run(), "table replicas"),
            (store.run(), "people"),
            (accounts.sessions.run(), "sessions"),
            (bots.run(), "bots that were revoked"),
            (orders.run(), "orders of operators"),
            (sockets.run(), "silent sockets"),
            (check(hub), "lost frames"),
            *championships.work(),
            *replays.work(),
            (builds.run(sockets.say_new_build), "new pages"),
            (tell_ready(service, link), "readiness"),
        ):
            service.task(work, name)
        yield


def measure(
    metrics: Metrics,
    parts: Iterable[Counts | Championships | Replays],
    sockets: Sockets,
    hub: Hub,
) -> None:
    """Show all numbers."""
    for part in parts:
        part.register(metrics)
    metrics.gauge("laelo_gateway_sockets", "open connections", lambda: len(sockets))
    metrics.gauge("laelo_gateway_tables", "tables that are watched", lambda: len(hub))


def limits_of(settings: GatewaySettings) -> Limits:
    """What one person, or one address, may ask for."""
    return Limits(
        rate=settings.rate,
        burst=settings.burst,
        guest_rate=settings.guest_rate,
        guest_burst=settings.guest_burst,
        code_rate=settings.code_rate,
        code_burst=settings.code_burst,
        sign_in_rate=settings.sign_in_rate,
        sign_in_burst=settings.sign_in_burst,
        sockets=settings.sockets,
        address_sockets=settings.address_sockets,
    )


def addresses(settings: GatewaySettings) -> Addresses:
    """Where the table service is. Raises SetupError."""
    try:
        return Addresses(settings.table_addresses)
    except ValueError as error:
        raise SetupError(f"LAELO_GATEWAY_TABLE_ADDRESSES: {error}") from error


def listen(http: HttpServer, settings: GatewaySettings) -> int:
    """Begin to serve; the port. Raises SetupError."""
    try:
        return http.start(settings.host, settings.http_port)
    except OSError as error:
        variable = "LAELO_GATEWAY_HTTP_PORT"
        words = sentence(error, settings.host, settings.http_port, variable)
        raise SetupError(words) from error


def unready(service: Service[GatewaySettings], link: StreamLink | UnaryLink) -> str | None:
    """Why nobody should be sent here now; None if all is well."""
    if service.ended.is_set():
        return "stopping"
    return None if link.is_up else "no table server answers"


async def check(hub: Hub) -> None:
    """Look for lost frames for ever."""
    while True:
        await asyncio.sleep(CHECK_SECONDS)
        hub.check()


async def tell_ready(service: Service[GatewaySettings], link: StreamLink | UnaryLink) -> None:
    """Keep the runtime's readiness right for ever."""
    while True:
        await service.set_ready(unready(service, link))
        await asyncio.sleep(READY_SECONDS)


def main() -> int:
    """Run until told to stop; the exit status."""
    # Whatever comes from so many sockets comes one by one: the only place where this loop is
    # cheaper than asyncio's own (ADR 0005).
    loop = uvloop.new_event_loop
    return run_service("gateway", GatewaySettings, wire, serve_grpc=False, loop=loop)


if __name__ == "__main__":
    sys.exit(main())
